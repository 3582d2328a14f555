// Sessions about the shop: each test continues where the previous one stopped.
const assert = require("node:assert/strict");
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const { Ear, errors, extension, file, folder, meant, show, until } = require("./support");

const { executeCommand } = vscode.commands;
const ear = new Ear();
const FAILING = "test_cart.py::test_from_a_hundred_on";

const launch = (more) => () =>
  vscode.debug.startDebugging(folder(), { type: "adebug", request: "launch", name: "shop", ...more });
const say = (answer) => ear.after(() => executeCommand(`adebug.${answer}`), "adebug/question", "adebug/verdict");
const session = () => vscode.debug.activeDebugSession;

/** Stop the session once VS Code shows the current stop; it would not disappear if stopped earlier. */
async function stop() {
  await ear.silence();
  await vscode.debug.stopDebugging();
  await until("the end of the session", () => !session());
}

async function lenses(name) {
  const found = await executeCommand("vscode.executeCodeLensProvider", file(name), 100);
  return found.map((lens) => lens.command?.title ?? "");
}

async function answerAll(state) {
  for (let asked = 0; state.type === "question"; asked++) {
    assert.ok(asked < 20, "twenty questions and no verdict");
    state = await say(meant(state.text));
  }
  return state;
}

const ENDS = "def wait():\n    return 1\n\n\nwait()\n";
const ENDLESS = `import os, pathlib, time


def wait():
    pathlib.Path("pid").write_text(str(os.getpid()))
    while True:
        time.sleep(0.01)


wait()
`;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

let state;

exports.facts = {
  async "a Python file wakes the extension up"() {
    await show("cart.py");
    await until("activation", () => extension()?.isActive);
  },

  async "every declared command is registered"() {
    const there = new Set(await vscode.commands.getCommands(true));
    const offered = extension().packageJSON.contributes.commands.map(({ command }) => command);
    assert.deepEqual(offered.filter((command) => !there.has(command)), []);
  },

  async "a test has a lens that finds its bug"() {
    await show("test_cart.py");
    await until("the lens", async () => (await lenses("test_cart.py")).some((title) => title.includes("Find the bug")));
  },

  async "a launch of pytest stops at a question about the failing test"() {
    state = await ear.after(launch({ pytest: ["test_cart.py"] }), "adebug/question", "adebug/verdict");
    assert.equal(state.type, "question");
    assert.equal(session().type, "adebug");
    assert.ok(state.answers.includes("yes"));
  },

  async "the interpreter is the one that is selected in the Python extension"() {
    const { environments } = vscode.extensions.getExtension("ms-python.python").exports;
    assert.equal(session().configuration.python, environments.getActiveEnvironmentPath().path);
  },

  async "the execution tree is served in pages"() {
    const root = await session().customRequest("adebug/children", { count: 1 });
    assert.equal(root.children.length, 1);
    assert.ok(root.total >= 1);
    const [child] = root.children;
    assert.equal(typeof child.text, "string");
    assert.ok(child.expandable);
  },

  async "the question can be explained"() {
    const why = await session().customRequest("adebug/why");
    assert.ok(why.candidates > 0);
    assert.ok(why.text.length > 0);
  },

  async "answers by command lead to the expression that is wrong"() {
    state = await answerAll(state);
    assert.equal(state.kind, "expression");
    assert.deepEqual(state.buggy.map(({ text }) => text), ["amount > 100"]);
  },

  async "the verdict is an error on exactly that expression, with the answers that it rests on"() {
    const [error] = await until("the error", async () => (await errors("cart.py")).length && errors("cart.py"));
    assert.equal(error.text, "amount > 100");
    assert.equal(error.diagnostic.range.start.line, 7);
    assert.ok(error.diagnostic.relatedInformation.length > 0);
  },

  async "an undone answer is asked again"() {
    state = await say("takeBack");
    assert.equal(state.type, "question");
    assert.equal(meant(state.text), "no");
    state = await answerAll(state);
    assert.deepEqual(state.buggy.map(({ text }) => text), ["amount > 100"]);
  },

  async "the recorded run can be stepped through backwards"() {
    const at = vscode.debug.activeStackItem?.frameId;
    await ear.after(() => executeCommand("workbench.action.debug.stepBack"), "stopped");
    await until("another frame", () => vscode.debug.activeStackItem?.frameId !== at);
    const { stackFrames } = await session().customRequest("stackTrace", { threadId: 1 });
    assert.ok(stackFrames.length > 1);
  },

  async "values are shown as they were recorded"() {
    await ear.after(() => executeCommand("adebug.showQuestion"), "stopped");
    const { stackFrames } = await session().customRequest("stackTrace", { threadId: 1 });
    const shown = await session().customRequest("evaluate", {
      expression: "amount",
      frameId: stackFrames[0].id,
      context: "hover",
    });
    assert.equal(shown.result, "100");
  },

  async "ending the session keeps the verdict"() {
    await stop();
    assert.equal((await errors("cart.py"))[0]?.text, "amount > 100");
  },

  async "a judged call is not asked about again"() {
    state = await ear.after(launch({ pytest: ["test_cart.py"], test: FAILING }), "adebug/question", "adebug/verdict");
    assert.ok(state.type === "verdict" || state.kind !== "routine", state.text);
    await stop();
  },

  async "breakpoints stop the program while it is recorded, and questions come when it has ended"() {
    const place = new vscode.Location(file("cart.py"), new vscode.Position(22, 0));
    const breakpoint = new vscode.SourceBreakpoint(place);
    vscode.debug.addBreakpoints([breakpoint]);
    const stopped = await ear.after(launch({ pytest: [FAILING] }), "stopped");
    assert.equal(stopped.reason, "breakpoint");
    await until("the frame", () => vscode.debug.activeStackItem?.frameId !== undefined);
    const { frameId } = vscode.debug.activeStackItem;
    const asked = { expression: "len(items)", frameId, context: "watch" };
    assert.equal((await session().customRequest("evaluate", asked)).result, "2");
    const goOn = () => executeCommand("workbench.action.debug.continue");
    state = await ear.after(goOn, "adebug/question", "adebug/verdict");
    vscode.debug.removeBreakpoints([breakpoint]);
    await stop();
  },

  async "a verified fix removes the error"() {
    const editor = await show("cart.py");
    const text = editor.document.getText();
    const start = text.indexOf("amount > 100");
    const place = new vscode.Range(editor.document.positionAt(start), editor.document.positionAt(start + 12));
    await editor.edit((edit) => edit.replace(place, "amount >= 100"));
    await editor.document.save();
    await executeCommand("adebug.verifyFix");
    await until("no error", async () => !(await errors("cart.py")).length);
  },

  async "an endless verifying run ends with the session"() {
    await vscode.workspace.fs.writeFile(file("ends.py"), Buffer.from(ENDS));
    state = await ear.after(launch({ program: "ends.py" }), "adebug/question");
    await say("no");
    await vscode.workspace.fs.writeFile(file("ends.py"), Buffer.from(ENDLESS));
    const verifying = executeCommand("adebug.verifyFix");
    const pid = await until("the program", () => existsSync(file("pid").fsPath) && readFileSync(file("pid").fsPath, "utf8"));
    await vscode.debug.stopDebugging();
    await until("the end of the program", () => !isAlive(Number(pid)));
    await verifying;
    await until("the end of the session", () => !session());
  },

  async "an Erlang file has a language server"() {
    const program = path.join(__dirname, "../../../../tests/programs_erlang/tcp_two/tcp_two.erl");
    await vscode.workspace.fs.writeFile(file("tcp_two.erl"), readFileSync(program));
    const editor = await show("tcp_two.erl");
    assert.equal(editor.document.languageId, "erlang");
    const symbols = () => executeCommand("vscode.executeDocumentSymbolProvider", file("tcp_two.erl"));
    const found = await until("symbols", async () => (await symbols())?.length && symbols());
    assert.ok(found.some(({ name }) => name.startsWith("main")), JSON.stringify(found.map(({ name }) => name)));
    await until("the lens", async () => (await lenses("tcp_two.erl")).some((title) => title.includes("Find the bug")));
  },

  async "processes of an Erlang program are asked about, drawn, and shown as threads"() {
    const program = path.join(__dirname, "../../../../tests/programs_erlang/tcp_two/tcp_two.erl");
    await vscode.workspace.fs.writeFile(file("tcp_two.erl"), readFileSync(program));
    const wanted = { program: "tcp_two.erl", strategy: "process-directed" };
    state = await ear.after(launch(wanted), "adebug/question");
    assert.match(state.text, /main\(\), took .* and ended with error_ack/);
    const { threads } = await session().customRequest("threads");
    assert.equal(threads.length, 6);
    await executeCommand("adebug.showDiagram");
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const tab = await until("the diagram", () => tabs().find(({ label }) => label === "Processes"));
    state = await ear.after(() => session().customRequest("adebug/answer", { answer: "2" }), "adebug/question");
    assert.match(state.text, /sent \{data,error_ack\}/);
    await vscode.window.tabGroups.close(tab);
    for (const answer of ["6", "5", "yes", "no", "yes"]) {
      const say = () => session().customRequest("adebug/answer", { answer });
      state = await ear.after(say, "adebug/question", "adebug/verdict");
    }
    assert.equal(state.type, "verdict");
    const found = await until("the error", async () => (await errors("tcp_two.erl"))[0]);
    assert.equal(found.text, "AckPid ! {self(), {Ack, Port, Seq + 1, ack}}");
    await stop();
  },
};
