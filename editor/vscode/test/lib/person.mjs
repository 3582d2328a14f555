// The actions of a user in a VS Code window. Only this module depends on the structure of VS Code's page.
const PATIENCE = 30_000;
const SIZE = { width: 1400, height: 900 };

/** Regions of the window, as CSS selectors. */
const PLACES = {
  button: ".notification-list-item .monaco-button",
  dirty: ".tab.active.dirty",
  error: ".squiggly-error",
  faded: ".squiggly-inline-unnecessary",
  frame: ".debug-call-stack .monaco-list-row",
  lens: ".codelens-decoration a",
  menu: ".monaco-menu .action-menu-item",
  choice: ".quick-input-list .monaco-list-row",
  notification: ".notification-list-item",
  highlighted: ".view-overlays [class*=TextEditorDecorationType]",
  problem: ".markers-panel .monaco-list-row",
  status: ".statusbar-item",
  test: ".test-explorer .monaco-list-row",
  toolbar: ".debug-toolbar",
  variable: ".debug-variables .monaco-list-row",
};

export class Person {
  static async sitDown(browser, url, size = SIZE) {
    const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1, locale: "en-US" });
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

  /** All elements in a region that contain a text. */
  all(place, text = "") {
    return this.page.locator(PLACES[place]).filter({ hasText: text });
  }

  at(place, text) {
    return this.all(place, text).first();
  }

  see(place, text, timeout = PATIENCE) {
    return this.at(place, text).waitFor({ state: "visible", timeout });
  }

  gone(place, text) {
    return this.at(place, text).waitFor({ state: "hidden" });
  }

  /** Wait for a tree item, by its accessible label. */
  seeItem(label) {
    return this.page.locator(`[role=treeitem][aria-label*="${label}"]`).first().waitFor();
  }

  /** Run a command from the palette by its name; retries until it is offered. */
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

  /** Choose an item in a quick pick. */
  async choose(text) {
    await this.page.locator(".quick-input-widget input[type=text]").fill(text);
    await this.at("choice", text).click();
  }

  /** Open a view container from the activity bar. */
  async activity(name) {
    await this.page.locator(`.activitybar a[aria-label^="${name}"]`).first().click();
  }

  async openFile(name) {
    await this.page.keyboard.press("Control+P");
    await this.page.locator(".quick-input-widget input[type=text]").fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".editor-instance .view-line").first().waitFor();
    await this.page.locator(".tab.active").filter({ hasText: name }).first().waitFor();
  }

  /** Put the cursor into the editor at a line and a column, both from 1. */
  async goTo(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    await this.page.locator(".quick-input-widget input[type=text]").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
  }

  /** The error notifications that are still visible. */
  async errors() {
    await this.command("Notifications: Show Notifications");
    const error = this.all("notification").filter({ has: this.page.locator(".codicon-error") });
    return error.locator(".notification-list-item-message").allInnerTexts();
  }

  async unfold(place, text) {
    await this.at(place, text).locator(".monaco-tl-twistie").click();
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

  /** Wait for a text in the Question view. */
  async isAsked(text) {
    await this.question.filter({ hasText: text }).waitFor();
  }

  /** Focus the Question view by keyboard, once the editor no longer takes the focus. */
  async focusQuestion() {
    await this.rest();
    await this.command("Focus on Question View");
    await this.page.waitForFunction(() => document.activeElement?.matches("iframe.webview.ready"));
    while (!(await this.question.evaluate(() => document.hasFocus()))) await this.page.waitForTimeout(50);
  }

  /** The buttons of the Question view that are not fully visible without resizing or scrolling. */
  async hiddenButtons() {
    const { width, height } = this.page.viewportSize();
    const view = await this.page.locator("iframe.webview.ready").boundingBox();
    const hidden = [];
    for (const button of await this.question.locator("#buttons button").all()) {
      const { x, y, width: wide, height: high } = await button.boundingBox();
      const seen = x >= view.x && y >= view.y && x + wide <= Math.min(width, view.x + view.width);
      if (!seen || y + high > Math.min(height, view.y + view.height)) hidden.push(await button.innerText());
    }
    return hidden;
  }

  /** The names in the table of the Question view that wrap over several lines. */
  brokenNames() {
    return this.question.locator("th").evaluateAll((cells) => {
      const lines = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      };
      return cells.filter((cell) => lines(cell) > 1).map((cell) => cell.textContent);
    });
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

  /** All text of the editor, including lenses and inline values. */
  async code() {
    const lines = await this.page.locator(".editor-instance .view-lines").first().innerText();
    return lines.replaceAll("\u00a0", " ");
  }

  /** Move the mouse away, and wait until the page is stable. */
  async rest() {
    const { width, height } = this.page.viewportSize();
    await this.page.mouse.move(width / 2, height - 4);
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
