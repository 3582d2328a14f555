// Test helpers: waiting, the project, and a log of the debug adapter's messages.
const assert = require("node:assert/strict");
const vscode = require("vscode");

const PATIENCE = 30_000;

/** Wait until a condition is true; returns its value. */
async function until(what, condition, more = () => "") {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const found = await condition();
    if (found) return found;
    assert.ok(Date.now() < deadline, `not in time: ${what}${more()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const extension = () => vscode.extensions.getExtension("adebug.adebug");
const folder = () => vscode.workspace.workspaceFolders[0];
const file = (name) => vscode.Uri.joinPath(folder().uri, name);

async function show(name) {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file(name)));
}

/** Errors of adebug on a file, with the text that each of them marks. */
async function errors(name) {
  const document = await vscode.workspace.openTextDocument(file(name));
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source, severity }) => source === "adebug" && severity === vscode.DiagnosticSeverity.Error)
    .map((diagnostic) => ({ diagnostic, text: document.getText(diagnostic.range) }));
}

/** All messages of the adapter since the log was cleared. */
class Ear {
  constructor() {
    this.heard = [];
    this.last = 0;
    vscode.debug.registerDebugAdapterTrackerFactory("adebug", {
      createDebugAdapterTracker: () => ({
        onDidSendMessage: (message) => {
          this.heard.push(message);
          this.last = Date.now();
        },
      }),
    });
  }

  events(name) {
    return this.heard.filter((message) => message.type === "event" && message.event === name);
  }

  /** Wait for a second without messages: the editor has requested everything it shows. */
  async silence() {
    await until("silence", () => Date.now() - this.last > 1000);
  }

  /** The body of the next event with one of these names after `act` was called. */
  async after(act, ...names) {
    this.heard.length = 0;
    await act();
    const next = () => names.flatMap((name) => this.events(name))[0];
    const event = await until(names.join(" or "), next, () => `; heard: ${JSON.stringify(this.heard.slice(-6))}`);
    return event.body;
  }
}

const MEANT = [
  ["PRICES[name] * count", "yes"],
  ["amount_of(", "yes"],
  ["discount(100) = 0", "no"],
  ["amount > 100", "no"],
];

/** The right answers, for a discount from 100 on. */
function meant(text) {
  const found = MEANT.find(([part]) => text.includes(part));
  assert.ok(found, `an unexpected question: ${text}`);
  return found[1];
}

module.exports = { Ear, errors, extension, file, folder, meant, show, until };
