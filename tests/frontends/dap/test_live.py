"""The live phase: breakpoints of debugpy in a program that is being recorded, and the way from there to the replay."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.dap.client import Client
from tests.frontends.dap.conftest import Start
from tests.frontends.dap.test_protocol import ENDLESS
from tests.frontends.dap.test_replay import SHOP
from tests.support import EXAMPLES


@pytest.fixture
def shop(workspace: Path) -> Path:
    path = workspace / "shop.py"
    path.write_text(SHOP, encoding="utf-8")
    return path


def processes_of(workspace: Path) -> list[str]:
    """The command lines of all processes that have to do with a folder."""
    threads = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            where = os.readlink(folder / "cwd")
        except OSError:
            continue
        if str(workspace) in " ".join(words) or where == str(workspace):
            threads.append(" ".join(words))
    return threads


def stop(client: Client) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """The thread that has stopped, why, and its stack."""
    stopped = client.event("stopped")
    return stopped["threadId"], stopped, client.do("stackTrace", threadId=stopped["threadId"])["stackFrames"]


def test_a_breakpoint_then_questions(start: Start, shop: Path) -> None:
    client = start()
    client.launch(program="shop.py", strategy="top-down", breakpoints={shop: [8]})
    thread, stopped, stack = stop(client)
    assert stopped["reason"] == "breakpoint"
    assert [(frame["name"], frame["line"]) for frame in stack] == [("total", 8), ("main", 18), ("<module>", 21)]
    frame = stack[0]["id"]
    local = {"amount": "0", "i": "0", "names": "['lamp', 'chair', 'lamp']", "table": "{'lamp': 30, 'chair': 40}"}
    assert client.values("Locals", frame) == local
    assert client.do("evaluate", expression="names[i] * 2", frameId=frame, context="watch")["result"] == "'lamplamp'"
    assert "after the program has ended" in client.refused("stepBack", threadId=thread)
    client.do("stepIn", threadId=thread)
    assert stop(client)[2][0]["line"] == 2
    client.do("stepOut", threadId=thread)
    assert stop(client)[2][0]["line"] in (7, 8)
    client.do("setBreakpoints", source={"path": str(shop)}, breakpoints=[{"line": 8, "condition": "i == 2"}])
    client.do("continue", threadId=thread)
    _, stopped, stack = stop(client)
    assert client.values("Locals", stack[0]["id"])["i"] == "2"
    client.do("continue", threadId=thread)
    assert client.question() == "main(): printed 100 120?"
    assert client.output("stdout") == "100 120\n"
    client.do("continue", threadId=1)
    in_replay = client.event("stopped")
    assert in_replay["hitBreakpointIds"] == stopped["hitBreakpointIds"]
    assert client.top()["line"] == 8
    client.do("stepBack", threadId=1)
    client.question()
    client.close()
    assert client.events()[-2:] == ["exited", "terminated"]
    assert client.events().count("terminated") == client.events().count("exited") == 1
    assert not [name for name in client.events() if name.startswith("debugpy")]


def test_find_the_bug_at_a_breakpoint_goes_to_the_recording_so_far(start: Start, shop: Path, workspace: Path) -> None:
    client = start()
    client.launch(program="shop.py", strategy="top-down", breakpoints={shop: [9]})
    stop(client)
    client.do("evaluate", expression=" Find the bug", context="repl")
    assert client.question() == "main() did not end?"
    assert client.answer("no").startswith("total(['lamp', 'chair', 'lamp'], {'lamp': 30, 'chair': 40}) did not end")
    client.do("stepIn", threadId=1)
    assert "amount: 0 -> 100" in client.question()
    client.close()
    assert processes_of(workspace) == []


def test_exceptions_stop_the_program_where_they_are_raised(start: Start, workspace: Path) -> None:
    text = "def f(x):\n    return 1 // x\n\ntry:\n    f(0)\nexcept ZeroDivisionError:\n    pass\nf(0)\n"
    (workspace / "raising.py").write_text(text, encoding="utf-8")
    client = start()
    client.do("initialize", adapterID="adebug")
    client.do("launch", program="raising.py")
    client.event("initialized")
    client.do("setExceptionBreakpoints", filters=["uncaught"])  # this alone needs no debugger
    path = {"path": str(workspace / "raising.py")}
    client.do("setBreakpoints", source=path, breakpoints=[{"line": 8}])
    client.do("setExceptionBreakpoints", filters=["raised"])
    client.do("configurationDone")
    thread, stopped, stack = stop(client)
    assert (stopped["reason"], stack[0]["line"], len(stack)) == ("exception", 2, 2)
    assert client.do("exceptionInfo", threadId=thread)["exceptionId"] == "ZeroDivisionError"
    client.do("setExceptionBreakpoints", filters=[])
    client.do("setBreakpoints", source=path, breakpoints=[])
    client.do("continue", threadId=thread)
    client.question()
    assert "ZeroDivisionError" in client.output("stderr")
    client.close()


def test_stop_on_entry_stops_at_the_first_line_of_the_program(start: Start, shop: Path) -> None:
    client = start()
    client.launch(program="shop.py", stopOnEntry=True)
    thread, stopped, stack = stop(client)
    assert (stopped["reason"], stack[0]["source"]["path"], stack[0]["line"]) == ("entry", str(shop), 1)
    client.do("continue", threadId=thread)
    client.question()
    client.close()


def test_a_breakpoint_in_a_test(start: Start, workspace: Path) -> None:
    for file in ("cart.py", "test_cart.py"):
        (workspace / file).write_bytes((EXAMPLES / "shop" / file).read_bytes())
    client = start()
    client.launch(pytest=["-q", "-p", "no:cacheprovider", "-k", "hundred"], breakpoints={workspace / "cart.py": [8]})
    thread, _, stack = stop(client)
    assert (stack[0]["name"], stack[0]["line"]) == ("discount", 8)
    client.do("continue", threadId=thread)
    assert client.question() == "amount_of([('lamp', 2), ('chair', 1)]) = 100?"
    client.close()


def test_a_program_runs_in_the_terminal_of_the_client(start: Start, workspace: Path) -> None:
    (workspace / "ask.py").write_text("name = input()\nprint('hello', name)\n", encoding="utf-8")
    terminals: list[subprocess.Popen[bytes]] = []

    def run(request: dict[str, Any]) -> dict[str, Any]:
        wanted = request["arguments"]
        env = {name: value for name, value in (os.environ | wanted.get("env", {})).items() if value is not None}
        terminal = subprocess.Popen(
            wanted["args"], cwd=wanted["cwd"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert terminal.stdin is not None
        terminal.stdin.write(b"Ann\n")
        terminal.stdin.flush()
        terminals.append(terminal)
        return {"processId": terminal.pid}

    client = start(supportsRunInTerminalRequest=True)
    client.handlers["runInTerminal"] = run
    client.launch(program="ask.py", console="integratedTerminal")
    assert "name = 'Ann'" in client.question()
    client.close()
    (terminal,) = terminals
    assert b"hello Ann" in terminal.communicate(timeout=30)[0]
    other = start()
    other.do("initialize", adapterID="adebug")
    assert other.refused("launch", program="ask.py", console="integratedTerminal").startswith("console: ")
    other.close()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("stopped", [True, False])
def test_a_client_that_vanishes_from_a_live_program_leaves_no_process(
    start: Start, workspace: Path, stopped: bool
) -> None:
    path = workspace / "endless.py"
    path.write_text(ENDLESS, encoding="utf-8")
    client = start()
    client.launch(program="endless.py", breakpoints={path: [5]})
    thread, _, _ = stop(client)
    if not stopped:
        client.do("setBreakpoints", source={"path": str(path)}, breakpoints=[])
        client.do("continue", threadId=thread)
        client.wait(lambda m: m.get("event") == "output" and m["body"]["category"] == "stdout")
        client.do("pause", threadId=thread)
        assert stop(client)[1]["reason"] == "pause"
        client.do("continue", threadId=thread)
    assert len(processes_of(workspace)) >= 2
    client.end()
    assert processes_of(workspace) == []
    assert client.errors == b""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_a_client_that_vanishes_before_the_program_runs_leaves_no_process(
    start: Start, shop: Path, workspace: Path
) -> None:
    client = start()
    client.do("initialize", adapterID="adebug")
    client.do("launch", program="shop.py")
    client.do("setBreakpoints", source={"path": str(shop)}, breakpoints=[{"line": 8}])
    assert len(processes_of(workspace)) >= 2
    client.end()
    assert processes_of(workspace) == []


def test_a_failure_to_start_debugpy_is_reported(
    start: Start, shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("broken")
    (folder / "debugpy").mkdir()
    (folder / "debugpy" / "__init__.py").write_text("raise ImportError", encoding="utf-8")
    client = start(path=folder)
    client.do("initialize", adapterID="adebug")
    client.do("launch", program="shop.py")
    refused = client.refused("setBreakpoints", source={"path": str(shop)}, breakpoints=[{"line": 8}])
    assert refused == "debugpy: it has ended"
    client.close()


def test_an_invalid_program_is_refused_at_once(start: Start, workspace: Path) -> None:
    (workspace / "old").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    client = start()
    client.do("initialize", adapterID="adebug")
    assert client.refused("launch", program="prime.py", python="/nowhere/python").startswith("python: /nowhere/python")
    assert client.refused("launch", program="prime.py", python="old").startswith("python: old")
    client.do("launch", program="prime.py")
    client.close()


def test_a_test_stopped_at_a_breakpoint_can_be_asked_about(start: Start, workspace: Path) -> None:
    for name in ("cart.py", "test_cart.py"):
        (workspace / name).write_bytes((EXAMPLES / "shop" / name).read_bytes())
    client = start()
    breakpoints = {workspace / "cart.py": [10]}
    client.launch(pytest=["test_cart.py::test_from_a_hundred_on"], python=sys.executable, breakpoints=breakpoints)
    assert stop(client)[2][0]["name"] == "discount"
    client.do("adebug/find")
    assert client.question() == "amount_of([('lamp', 2), ('chair', 1)]) = 100?"
    client.close()
