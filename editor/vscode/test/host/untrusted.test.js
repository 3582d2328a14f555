// A workspace that is not trusted.
const assert = require("node:assert/strict");
const { existsSync } = require("node:fs");
const vscode = require("vscode");

const { errors, extension, file, folder, show } = require("./support");

exports.facts = {
  async "an untrusted folder runs nothing"() {
    assert.equal(vscode.workspace.isTrusted, false);
    await show("test_cart.py");
    const launch = { type: "adebug", request: "launch", name: "shop", pytest: ["test_cart.py"] };
    await Promise.race([
      Promise.resolve(vscode.debug.startDebugging(folder(), launch)).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, 5_000)),
    ]);
    assert.ok(!extension()?.isActive, "the extension was started");
    assert.equal(vscode.debug.activeDebugSession, undefined);
    assert.equal(existsSync(file(".adebug").fsPath), false);
    assert.deepEqual(await errors("cart.py"), []);
  },
};
