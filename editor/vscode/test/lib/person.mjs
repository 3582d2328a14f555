// What a person does in front of a window of VS Code. All selectors of VS Code's own interface are here.
const PATIENCE = 30_000;
const SIZE = { width: 1400, height: 900 };

export class Person {
  static async sitDown(browser, url) {
    const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1, locale: "en-US" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(url);
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    return new Person(page);
  }

  constructor(page) {
    this.page = page;
  }

  async leave() {
    await this.page.context().close();
  }

  /** Wait for something that can be seen, by its selector and a text in it. */
  see(selector, text, timeout = PATIENCE) {
    const found = this.page.locator(selector).filter(text === undefined ? {} : { hasText: text });
    return found.first().waitFor({ state: "visible", timeout });
  }

  async gone(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ state: "hidden" });
  }

  texts(selector) {
    return this.page.locator(selector).allInnerTexts();
  }

  /** Choose a command by its name; one that is not offered yet is looked for again. */
  async command(name) {
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first();
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press("F1");
      await this.page.locator(".quick-input-widget input[type=text]").fill(`>${name}`);
      try {
        return await row.click({ timeout: 2_000 });
      } catch (error) {
        if (attempt === 10) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Show what is behind an icon at the side. */
  async activity(name) {
    await this.page.locator(`.activitybar a[aria-label^="${name}"]`).first().click();
  }

  async openFile(name) {
    await this.page.keyboard.press("Control+P");
    await this.page.locator(".quick-input-widget input[type=text]").fill(name);
    await this.see(".quick-input-list .monaco-list-row", name);
    await this.page.keyboard.press("Enter");
    await this.see(".editor-instance .view-line");
    await this.see(".tab.active", name);
  }

  /** Put the cursor into the editor at a line and a column, both from 1. */
  async goTo(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    await this.page.locator(".quick-input-widget input[type=text]").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
  }

  async clickLens(text) {
    await this.page.locator(".codelens-decoration a").filter({ hasText: text }).first().click();
  }

  /** Press a button of a notification. */
  async press(button) {
    await this.page.locator(".notification-list-item .monaco-button").filter({ hasText: button }).first().click();
  }

  /** What the editor has told as an error, and still shows. */
  async errors() {
    await this.command("Notifications: Show Notifications");
    const error = this.page.locator(".notification-list-item").filter({ has: this.page.locator(".codicon-error") });
    return error.locator(".notification-list-item-message").allInnerTexts();
  }

  /** Choose from the menu that is open. */
  async choose(item) {
    await this.page.locator(".monaco-menu .action-menu-item").filter({ hasText: item }).first().click();
  }

  async unfold(view, text) {
    await this.row(view, text).locator(".monaco-tl-twistie").click();
  }

  row(view, text) {
    return this.page.locator(`${view} .monaco-list-row`).filter({ hasText: text }).first();
  }

  /** Fold or unfold a section of the side bar. */
  async section(name, open) {
    const header = this.page.locator(`.sidebar .pane-header[aria-label^="${name}"]`);
    if (((await header.getAttribute("aria-expanded")) === "true") !== open) await header.click();
  }

  async panel(name) {
    await this.page.locator(".panel [role=tab]").filter({ hasText: name }).first().click();
  }

  /** The page of the question view. */
  get question() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame").locator("body");
  }

  /** Wait for the question view to say something. */
  async isAsked(text) {
    await this.question.filter({ hasText: text }).waitFor();
  }

  /** Go to the question view by keyboard, when the editor has done with taking the focus. */
  async focusQuestion() {
    await this.rest();
    await this.command("Focus on Question View");
    await this.page.waitForFunction(() => document.activeElement?.matches("iframe.webview.ready"));
  }

  async answer(button) {
    await this.question.getByRole("button", { name: button, exact: true }).click();
  }

  key(combination) {
    return this.page.keyboard.press(combination);
  }

  async toolbar(name) {
    await this.page.locator(`.debug-toolbar .action-label[aria-label^="${name}"]`).first().click();
  }

  /** All text of the editor, with what stands between and behind the code. */
  async code() {
    const lines = await this.page.locator(".editor-instance .view-lines").first().innerText();
    return lines.replaceAll("\u00a0", " ");
  }

  /** Put the mouse aside, and wait until nothing moves any more. */
  async rest() {
    await this.page.mouse.move(SIZE.width / 2, SIZE.height - 4);
    let before = "";
    for (let look = 0; look < 10; look++) {
      const now = (await this.page.screenshot()).toString("base64");
      if (now === before) return;
      before = now;
      await this.page.waitForTimeout(300);
    }
  }

  shot(file) {
    return this.page.screenshot({ path: file });
  }
}
