"""Slow operations in a replay, oracles and verifying runs, can be cancelled."""

import sys
import time
from pathlib import Path

import pytest

from tests.frontends.dap.client import Client
from tests.frontends.dap.conftest import Start
from tests.frontends.dap.test_live import processes_of

SUMS = """def one(n):
    return n + 1


def main():
    total = 0
    for n in range(60):
        total += one(n)
    return total


print(main())
"""
SLOW = SUMS.replace("    return n + 1\n", "    import time\n\n    time.sleep(0.5)\n    return n + 1\n")
"""Returns the same results, but takes half a minute for all calls."""
SECONDS = 10
"""Far less than that, and far more than is needed."""

MODE = """import os


def mode():
    return os.environ.get("MODE", "none")


def main():
    found = mode()
    return found + "!"


print(main())
"""
ENDLESS = MODE.replace("import os\n", "import os\nimport time\n").replace(
    '    return found + "!"', "    print('again', flush=True)\n    while found:\n        time.sleep(0.01)"
)


@pytest.fixture
def slow(start: Start, workspace: Path) -> Client:
    """A session whose oracle has begun to look at call after call."""
    (workspace / "sums.py").write_text(SUMS, encoding="utf-8")
    (workspace / "right").mkdir()
    (workspace / "right/sums.py").write_text(SLOW, encoding="utf-8")
    client = start(supportsProgressReporting=True)
    client.launch(program="sums.py", reference="right", python=sys.executable, strategy="single-stepping")
    progress(client, "looking for the first question: 1 s")
    return client


def progress(client: Client, text: str) -> str:
    """Wait for a progress event whose message has this text; returns its id."""
    event = client.wait(lambda m: m.get("event", "").startswith("progress") and text in m["body"].get("message", ""))
    progress_id: str = event["body"]["progressId"]
    return progress_id


def cancel(client: Client) -> None:
    shown = [m["body"]["progressId"] for m in client.log if m.get("event") == "progressStart"]
    client.do("cancel", progressId=shown[-1])


def test_cancelling_skips_a_slow_oracle_until_a_later_answer(slow: Client) -> None:
    began = time.monotonic()
    cancel(slow)
    assert slow.question().startswith(("one(", "iteration"))
    assert "you are asked instead" in slow.output()
    seq = slow.send({"type": "request", "command": "adebug/answer", "arguments": {"answer": "yes"}})
    progress(slow, "working")
    waiting = slow.send({"type": "request", "command": "adebug/why", "arguments": {}})
    slow.do("cancel", requestId=waiting)
    slow.do("cancel", requestId=seq)
    assert slow.wait(lambda m: m.get("request_seq") == seq)["success"]
    assert slow.wait(lambda m: m.get("request_seq") == waiting)["message"] == "cancelled"
    assert slow.question().startswith(("one(", "iteration"))
    assert time.monotonic() - began < SECONDS
    slow.close()
    numbers = [m["body"]["progressId"] for m in slow.log if m.get("event") == "progressStart"]
    assert len(numbers) == len(set(numbers)) == slow.events().count("progressEnd") == 2


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("vanish", [True, False])
def test_a_slow_oracle_does_not_delay_the_end(slow: Client, workspace: Path, vanish: bool) -> None:
    began = time.monotonic()
    if vanish:
        slow.end()
    else:
        slow.close()
    assert time.monotonic() - began < SECONDS
    assert processes_of(workspace) == []


def printed(client: Client) -> None:
    """Wait until the endless program has come to its loop."""
    client.wait(lambda m: m.get("event") == "output" and "again" in m["body"]["output"])


def begin(start: Start, workspace: Path) -> Client:
    (workspace / "mode.py").write_text(MODE, encoding="utf-8")
    client = start(supportsProgressReporting=True)
    client.launch(program="mode.py", strategy="top-down", env={"MODE": "fast"})
    assert client.question() == "main() = 'fast!'?"
    client.answer("no")
    return client


def test_a_verifying_run_shows_its_output_and_can_be_ended(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    (workspace / "mode.py").write_text(ENDLESS, encoding="utf-8")
    seq = client.send({"type": "request", "command": "adebug/verify", "arguments": {}})
    printed(client)
    progress(client, "verifying")
    cancel(client)
    refused = client.wait(lambda m: m.get("request_seq") == seq)
    assert refused["message"] == "the new run was stopped, so nothing was compared"
    assert not refused["body"]["error"]["showUser"], "who has cancelled it knows that"
    assert client.do("adebug/verdict")["question"] is not None
    client.close()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("vanish", [True, False])
def test_a_verifying_run_ends_with_the_session(start: Start, workspace: Path, vanish: bool) -> None:
    client = begin(start, workspace)
    (workspace / "mode.py").write_text(ENDLESS, encoding="utf-8")
    client.send({"type": "request", "command": "adebug/verify", "arguments": {}})
    printed(client)
    if vanish:
        client.end()
    else:
        client.close()
    assert processes_of(workspace) == []


def test_verify_repeats_this_session_in_its_environment(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    later = start()
    later.launch(program="prime.py")
    later.question()
    later.close()
    (workspace / "mode.py").write_text(MODE.replace('"!"', '"?"'), encoding="utf-8")
    verified = client.do("adebug/verify")
    assert verified == {"holds": True, "lines": ["1 of 1 intended results now hold"]}
    assert client.output("stdout") == "fast!\nfast?\n"
    client.close()


def test_console_input_can_end_a_program_without_a_debugger(start: Start, workspace: Path) -> None:
    (workspace / "mode.py").write_text(ENDLESS, encoding="utf-8")
    client = start()
    client.launch(program="mode.py", env={"MODE": "fast"})
    printed(client)
    assert "'find the bug' ends it" in client.refused("evaluate", expression="found", context="repl")
    client.do("evaluate", expression="Find the bug", context="repl")
    assert "did not end" in client.question()
    client.close()
