// Replaces the Python extensions, which are not in the npm registry: tests with the same ids (path::name), the selected
// interpreter, and the ordinary debugger.
const { execFile } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

exports.activate = async (context) => {
  const controller = vscode.tests.createTestController("python-tests", "Python tests");
  const adapter = new vscode.DebugAdapterExecutable(selected, ["-m", "debugpy.adapter"]);
  const factory = { createDebugAdapterDescriptor: () => adapter };
  context.subscriptions.push(controller, vscode.debug.registerDebugAdapterDescriptorFactory("debugpy", factory));
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request) => runTests(controller, request), true);
  for (const file of await vscode.workspace.findFiles("**/test_*.py", "**/{fixed,.venv}/**")) {
    controller.items.add(await testsOf(controller, file));
  }
  return { environments };
};

const selected = process.env.PATH.split(path.delimiter)
  .map((folder) => path.join(folder, "python3"))
  .find((file) => existsSync(file));

const environments = {
  getActiveEnvironmentPath: () => ({ path: selected }),
  resolveEnvironment: async ({ path: file }) => ({ executable: { uri: vscode.Uri.file(file) } }),
  onDidChangeActiveEnvironmentPath: new vscode.EventEmitter().event,
};

async function testsOf(controller, file) {
  const parent = controller.createTestItem(file.fsPath, file.path.split("/").pop(), file);
  const document = await vscode.workspace.openTextDocument(file);
  for (const found of document.getText().matchAll(/^def (test_\w+)/gm)) {
    const item = controller.createTestItem(`${file.fsPath}::${found[1]}`, found[1], file);
    const start = document.positionAt(found.index);
    item.range = new vscode.Range(start, start);
    parent.children.add(item);
  }
  return parent;
}

async function runTests(controller, request) {
  const run = controller.createTestRun(request);
  const chosen = request.include ?? [...controller.items].map(([, item]) => item);
  const tests = chosen.flatMap((item) => (item.children.size ? [...item.children].map(([, child]) => child) : [item]));
  for (const item of tests) {
    run.started(item);
    const output = await pytest(item.id);
    if (output === null) run.passed(item);
    else run.failed(item, messageOf(item, output));
  }
  run.end();
}

function messageOf(item, output) {
  const said = /^E +(.*)/m.exec(output)?.[1] ?? "failed";
  const message = new vscode.TestMessage(`${said}\n\n${output}`);
  const line = Number(/^test_\w+\.py:(\d+):/m.exec(output)?.[1] ?? item.range.start.line + 1) - 1;
  message.location = new vscode.Location(item.uri, new vscode.Position(line, 4));
  return message;
}

function pytest(id) {
  const cwd = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const args = ["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", id];
  return new Promise((resolve) => execFile(selected, args, { cwd }, (error, output) => resolve(error && output)));
}
