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
  see(selector, text) {
    const found = this.page.locator(selector).filter(text === undefined ? {} : { hasText: text });
    return found.first().waitFor({ state: "visible" });
  }

  async gone(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ state: "hidden" });
  }

  texts(selector) {
    return this.page.locator(selector).allInnerTexts();
  }

  async command(name) {
    await this.page.keyboard.press("F1");
    const box = this.page.locator(".quick-input-widget input[type=text]");
    await box.fill(`>${name}`);
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click();
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

  async contextMenu(row, item) {
    await row.click({ button: "right" });
    await this.page.locator(".monaco-menu .action-menu-item").filter({ hasText: item }).first().click();
  }

  row(view, text) {
    return this.page.locator(`${view} .monaco-list-row`).filter({ hasText: text }).first();
  }

  shot(file) {
    return this.page.screenshot({ path: file });
  }
}
