"""A client that behaves like nvim-dap, by its sources: what it sends and when, what it needs, how it ends a session.

The tests cannot install the plug-in from a registry. Instead, this client sends the same messages in the same order; it
contains none of the plug-in's code and shows nothing.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.frontends.shared.recordings import Recordings
from tests.frontends.dap.client import LIMIT, Client, Message, body_of
from tests.frontends.dap.test_protocol import ENDLESS, is_alive
from tests.support import ROOT

NVIM = shutil.which("nvim")
GUIDE = ROOT / "docs/editors/neovim-dap.md"
FACTS: dict[str, Any] = {
    "clientID": "neovim", "clientName": "neovim", "pathFormat": "path", "columnsStartAt1": True, "linesStartAt1": True,
    "supportsRunInTerminalRequest": True, "supportsVariableType": True, "supportsProgressReporting": True,
    "supportsStartDebuggingRequest": True, "locale": "en_US.UTF-8",
}  # fmt: skip
THREADS = """\
import threading


def work(n):
    total = n + 1
    return total


def main():
    other = threading.Thread(target=work, args=(3,))
    other.start()
    other.join()
    return work(5)


main()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="it ends an adapter by a signal")


class NvimDap(Client):
    """The behaviour of nvim-dap, with the state that it keeps."""

    def __init__(self, cwd: Path) -> None:
        super().__init__(cwd, **FACTS)
        self.can: Message = {}
        self.threads: set[int] = set()
        self.held: int | None = None
        """The thread that it considers stopped; any other that stops is continued at once."""
        self.frame: Message = {}

    def plain(self, command: str) -> Message:
        """A request without arguments, which are left out altogether."""
        seq = self.send({"type": "request", "command": command})
        answer = self.wait(lambda m: m["type"] == "response" and m["request_seq"] == seq)
        assert answer["success"], answer
        return body_of(answer)

    def run(self, breakpoints: dict[Path, list[int]] | None = None, **configuration: Any) -> list[Message]:
        """Send all messages before the program runs; returns the responses about breakpoints."""
        self.can = self.do("initialize", adapterID="nvim-dap", **self.facts)
        self.do("launch", type="adebug", request="launch", name="Find the bug", **configuration)
        self.event("initialized")
        variables: list[Message] = []
        for path, lines in (breakpoints or {}).items():
            variables += self.do(
                "setBreakpoints", source={"path": str(path), "name": path.name}, sourceModified=False, lines=lines,
                breakpoints=[{"line": line} for line in lines],
            )["breakpoints"]  # fmt: skip
        defaults = [filter_["filter"] for filter_ in self.can["exceptionBreakpointFilters"] if filter_.get("default")]
        self.do("setExceptionBreakpoints", filters=defaults)
        assert self.can["supportsConfigurationDoneRequest"]
        self.plain("configurationDone")
        return variables

    def stop(self) -> Message:
        """The next stop, with all that it asks for there; gives the frame that it shows."""
        stopped = self._next_stop()
        thread = stopped["threadId"]
        assert self.held in (None, thread), "it would continue this thread"
        assert stopped["reason"] != "pause" or stopped["allThreadsStopped"], "it would not go there"
        assert not stopped.get("preserveFocusHint")
        self.held = thread
        if thread not in self.threads:
            self.threads = {thread["id"] for thread in self.plain("threads")["threads"]}
        assert thread in self.threads
        frames = self.do("stackTrace", threadId=thread, startFrame=0)["stackFrames"]
        self.frame = next((frame for frame in frames if frame.get("source")), frames[0])
        assert all(isinstance(frame["name"], str) and isinstance(frame["line"], int) for frame in frames)
        assert "source" not in self.frame or (Path(self.frame["source"]["path"]).is_file() and self.frame["line"] > 0)
        for scope in self.do("scopes", frameId=self.frame["id"])["scopes"]:
            if not scope["expensive"]:
                self.ask("variables", variablesReference=scope["variablesReference"])  # also where there is nothing
        return self.frame

    def _next_stop(self) -> Message:
        while True:
            event = self.wait(lambda m: m.get("event") in ("stopped", "continued", "capabilities", "thread"))
            body: Message = event["body"]
            if event["event"] == "stopped":
                return body
            if event["event"] == "capabilities":
                self.can |= body["capabilities"]
            elif event["event"] == "continued":
                self.held = None
            elif body["reason"] == "exited":
                self.threads.discard(body["threadId"])

    def step(self, command: str) -> Message:
        """Go on or back; from there on no thread is taken for stopped, whatever the answer is."""
        thread, self.held = self.held, None
        self.do(command, threadId=thread, granularity="statement")
        return self.stop()

    def typed(self, line: str) -> str:
        """Type a line in its console; returns the output. A value with parts is fetched and shown as a tree."""
        shown = self.do("evaluate", expression=line, context="repl", frameId=self.frame.get("id"))
        assert isinstance(shown["variablesReference"], int)
        if shown["variablesReference"]:
            parts = self.do("variables", variablesReference=shown["variablesReference"])["variables"]
            assert parts, "it waits for the first part before it shows anything"
            assert all(isinstance(part[field], str) for part in parts for field in ("name", "value"))
        result: str = shown["result"]
        return result

    def leave(self) -> int:
        """Disconnect. At `terminated` it closes the pipe and sends a signal, without waiting for the answer."""
        self.send(
            {"type": "request", "command": "disconnect", "arguments": {"restart": False, "terminateDebuggee": True}}
        )
        self.event("terminated", limit=3)  # it waits for three seconds
        return self.interrupt()

    def interrupt(self) -> int:
        """The exit code; it complains about any but 0."""
        self.stdin.close()
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(5) is not None  # then it kills
        return self.end()


@pytest.fixture
def start(workspace: Path) -> Iterator[Callable[[], NvimDap]]:
    clients: list[NvimDap] = []

    def begin() -> NvimDap:
        clients.append(NvimDap(workspace))
        return clients[-1]

    yield begin
    for client in clients:
        client.__exit__()


def test_a_whole_session(start: Callable[[], NvimDap], workspace: Path) -> None:
    client = start()
    client.run(program=str(workspace / "prime.py"), cwd=str(workspace))
    client.stop()
    assert client.can["supportsStepBack"], "it refuses to go back without"
    assert "y, yes" in client.typed("?").splitlines()[0]  # `help` shows its own commands
    for word in ("no", "yes", "yes", "no"):
        client.typed(word)
        frame = client.stop()
    assert "Bug found after 4 answers, in prime.is_prime" in client.output()
    assert (Path(frame["source"]["path"]).name, frame["line"]) == ("prime.py", 25)
    assert client.typed("number") == "9"
    assert client.do("evaluate", expression="number", context="hover", frameId=frame["id"])["result"] == "9"
    assert client.step("stepBack")["name"] != frame["name"]
    client.step("stepIn")
    assert client.step("reverseContinue")["name"] == "module prime"
    assert client.step("continue")["name"] == frame["name"]
    refused = client.ask("evaluate", expression="nonsense", context="repl", frameId=client.frame["id"])
    assert "'nonsense' is not an answer" in refused["message"]
    assert client.leave() == 0
    assert client.events()[-2:] == ["exited", "terminated"]
    assert client.errors == b""
    assert not [name for name in client.events() if "/" in name], "it knows no such events"
    shown = {m["body"]["category"] for m in client.log if m.get("event") == "output"}
    assert shown == {"console", "stdout"}, "it drops telemetry"


def test_a_previously_stopped_thread_does_not_prevent_the_replay_from_stopping(
    start: Callable[[], NvimDap], workspace: Path
) -> None:
    program = workspace / "threads.py"
    program.write_text(THREADS, encoding="utf-8")
    client = start()
    points = client.run(program=str(program), cwd=str(workspace), breakpoints={program: [5]})
    assert [(point["line"], point["verified"]) for point in points] == [(5, True)]
    assert client.stop()["name"] == "work"
    assert client.held != 1
    client.typed("find the bug")
    client.stop()
    assert client.held == 1
    client.typed("no")
    client.stop()
    assert client.leave() == 0


def test_a_pending_breakpoint_keeps_its_line(start: Callable[[], NvimDap], workspace: Path) -> None:
    program = workspace / "prime.py"
    client = start()
    client.run(program=str(program), cwd=str(workspace))
    client.stop()
    assert client.leave() == 0
    client = start()
    recording = str(Recordings(workspace).newest_first()[0])
    points = client.run(recording=recording, cwd=str(workspace), breakpoints={program: [16, 26]})
    assert [(point["line"], point["verified"]) for point in points] == [(16, False), (26, False)]
    changed = [client.event("breakpoint")["breakpoint"] for _ in points]
    assert [(point["id"], point["verified"]) for point in changed] == [(point["id"], True) for point in points]
    client.stop()
    client.step("reverseContinue")
    assert client.step("continue")["line"] in (16, 26)
    assert client.do("setBreakpoints", source={"path": str(program)}, breakpoints=[], lines=[]) == {"breakpoints": []}
    assert client.leave() == 0


def test_it_can_pause_what_is_recorded_and_go_to_the_line_of_the_cursor(
    start: Callable[[], NvimDap], workspace: Path
) -> None:
    program = workspace / "endless.py"
    program.write_text(ENDLESS, encoding="utf-8")
    client = start()
    client.run(program=str(program), cwd=str(workspace))
    client.wait(lambda m: m.get("event") == "output" and m["body"]["category"] == "stdout")
    assert client.event("thread")["reason"] == "started"  # without, it does not ask for threads
    [thread] = client.plain("threads")["threads"]
    client.threads = {thread["id"]}
    client.do("pause", threadId=thread["id"])
    client.stop()
    assert "is not a file URI" in client.refused("gotoTargets", source={"path": "file://[x"}, line=4, column=1)
    targets = client.do("gotoTargets", source={"path": program.as_uri()}, line=4, column=1)["targets"]
    client.do("goto", threadId=client.held, targetId=targets[-1]["id"])
    assert client.stop()["line"] == 4
    stale = client.frame["id"]
    client.step("stepBack")
    assert client.do("scopes", frameId=stale) == {"scopes": []}, "it stumbles over an answer without scopes"
    assert client.leave() == 0


def test_an_editor_that_is_closed_leaves_nothing_behind(start: Callable[[], NvimDap], workspace: Path) -> None:
    program = workspace / "endless.py"
    program.write_text(ENDLESS, encoding="utf-8")
    client = start()
    client.run(program=str(program), cwd=str(workspace))
    said = client.wait(lambda m: m.get("event") == "output" and m["body"]["category"] == "stdout")
    client.send(
        {"type": "request", "command": "disconnect", "arguments": {"restart": False, "terminateDebuggee": True}}
    )
    time.sleep(0.1)  # all that it waits then
    assert client.interrupt() == 0
    assert not is_alive(int(said["body"]["output"]))


@pytest.mark.parametrize("configuration", [{"program": "nothing.py"}, {}])
def test_a_rejected_configuration_gives_the_reason(start: Callable[[], NvimDap], configuration: dict[str, str]) -> None:
    client = start()
    client.do("initialize", adapterID="nvim-dap", **client.facts)
    assert client.refused("launch", type="adebug", request="launch", name="x", **configuration).startswith("program: ")
    assert client.interrupt() == 0


@pytest.mark.skipif(NVIM is None, reason="nvim is not installed")
def test_the_configuration_in_the_guide_is_understood_by_neovim_and_by_the_adapter(
    start: Callable[[], NvimDap], workspace: Path
) -> None:
    """Only the tables that the configuration fills are there; nothing reads them but the test."""
    [lua] = re.findall(r"```lua\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    script = workspace / "guide.lua"
    script.write_text(
        "local tables = { adapters = {}, configurations = {} }\n"
        "package.preload.dap = function() return tables end\n"
        f"{lua}\nio.write(vim.json.encode(tables))\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [str(NVIM), "--headless", "-u", "NONE", "-c", f"luafile {script}", "-c", "qall"],
        capture_output=True, text=True, timeout=LIMIT, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    tables = json.loads(done.stdout)
    adapter = tables["adapters"]["adebug"]
    assert (adapter["type"], adapter["command"], adapter["args"]) == ("executable", "adebug", ["dap"])
    program = workspace / "prime.py"
    places = {"${file}": str(program), "${workspaceFolder}": str(workspace)}
    for configuration in tables["configurations"]["python"]:
        assert (configuration.pop("type"), configuration.pop("request")) == ("adebug", "launch")
        assert configuration.pop("name")
        text = json.dumps(configuration)
        for name, place in places.items():
            text = text.replace(name, place)
        client = start()
        client.do("initialize", adapterID="nvim-dap", **client.facts)
        client.do("launch", type="adebug", request="launch", name="x", **json.loads(text))
        client.event("initialized")
        assert client.leave() == 0
