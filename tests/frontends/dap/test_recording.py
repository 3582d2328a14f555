"""Runs without a breakpoint: programs, modules, calls, tests and recordings, and ending such a run early."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.frontends.shared.recordings import Recordings
from tests.frontends.dap.client import Client
from tests.frontends.dap.conftest import Start
from tests.frontends.dap.test_protocol import ENDLESS
from tests.support import EXAMPLES

FAILING = """\
import os, sys

def share(total, people):
    return total // people

def report(total, people):
    return "each gets %d" % share(total, people)

print("begin", os.environ.get("NAME"), sys.argv[1:], os.getcwd() == os.environ.get("HERE"), flush=True)
print("trouble ahead", file=sys.stderr, flush=True)
print(report(10, 0))
"""


def test_output_is_forwarded_and_an_exception_is_asked_about(start: Start, workspace: Path) -> None:
    (workspace / "failing.py").write_text(FAILING, encoding="utf-8")
    (workspace / "below").mkdir()
    client = start()
    here = workspace / "below"
    client.launch(
        program="../failing.py", args=["a b", "c"], env={"NAME": "Ann", "HERE": str(here)}, cwd=str(here),
        workspace="..", python=sys.executable,
    )  # fmt: skip
    client.question()
    assert client.output("stdout") == "begin Ann ['a b', 'c'] True\n"
    assert client.output("stderr").startswith("trouble ahead\nTraceback")
    assert "adebug: the program raised ZeroDivisionError" in client.output()
    while "Bug found" not in client.log[-1]["body"].get("description", ""):
        question = client.log[-1]["body"]["description"]
        client.answer("no" if "raised" in question else "yes")
    assert client.do("exceptionInfo", threadId=1)["exceptionId"] == "ZeroDivisionError"
    client.close()
    exited = next(m for m in client.log if m.get("event") == "exited")
    assert exited["body"]["exitCode"] == 1


@pytest.mark.parametrize(("command", "arguments"), [("pause", {"threadId": 1}), ("adebug/find", {})])
def test_output_comes_while_the_program_runs_and_an_endless_loop_is_ended_and_asked_about(
    start: Start, workspace: Path, command: str, arguments: dict[str, int]
) -> None:
    (workspace / "endless.py").write_text(ENDLESS, encoding="utf-8")
    client = start()
    client.launch(program="endless.py")
    client.wait(lambda m: m.get("event") == "output" and m["body"]["category"] == "stdout")
    assert [thread["id"] for thread in client.do("threads")["threads"]] == [1]
    client.do(command, **arguments)
    assert "iterations" in client.question()
    assert client.do("threads")["threads"][0]["id"] == 1
    client.close()


def test_a_test_that_was_running_when_the_run_was_ended_is_asked_about(start: Start, workspace: Path) -> None:
    text = (
        "def grow(n):\n    while n != 10:\n        n += 3\n        if n == 6:\n            print('six', flush=True)\n"
        "    return n\n\n\ndef test_passes():\n    assert grow(10) == 10\n\n\n"
        "def test_grows():\n    assert grow(0) == 10\n"
    )
    (workspace / "test_grow.py").write_text(text, encoding="utf-8")
    client = start()
    client.launch(pytest=["-s", "-p", "no:cacheprovider", "test_grow.py"], python=sys.executable)
    client.wait(lambda m: m.get("event") == "output" and "six" in m["body"]["output"])
    client.do("pause", threadId=1)
    assert "did not end" in client.question()
    assert "asking about test_grow.py::test_grows: the program was" in client.output("console")
    client.close()


def test_progress_is_reported_to_clients_that_support_it_and_can_be_cancelled(start: Start, workspace: Path) -> None:
    (workspace / "endless.py").write_text(ENDLESS, encoding="utf-8")
    client = start(supportsProgressReporting=True)
    client.launch(program="endless.py")
    progress = client.event("progressStart")
    client.wait(lambda m: m.get("event") == "output" and m["body"]["category"] == "stdout")
    client.do("cancel", progressId="another")
    client.do("cancel", progressId=progress["progressId"])
    client.question()
    assert client.event("progressEnd")["progressId"] == progress["progressId"]
    client.close()
    assert client.events().count("progressStart") == client.events().count("progressEnd") == 1


def test_a_run_that_takes_too_long_is_stopped(start: Start, workspace: Path) -> None:
    (workspace / "endless.py").write_text(ENDLESS, encoding="utf-8")
    client = start()
    client.launch(program="endless.py", timeout=0.5)
    client.question()
    assert "stopped after 0.5 seconds" in client.output()
    client.close()


def ask_about_shop(client: Client, **configuration: Any) -> None:
    client.launch(**configuration)
    assert client.question() == "amount_of([('lamp', 2), ('chair', 1)]) = 100?"
    assert client.answer("yes") == "discount(100) = 0?"
    assert client.answer("expected 10") == "`if amount > 100` was False: so line 9 was skipped?"
    assert client.answer("no") == "Bug found after 3 answers, in cart.discount"


def test_a_failing_test_is_asked_about(start: Start, workspace: Path) -> None:
    for file in ("cart.py", "test_cart.py"):
        (workspace / file).write_bytes((EXAMPLES / "shop" / file).read_bytes())
    client = start()
    ask_about_shop(client, pytest=["-q", "-p", "no:cacheprovider"], granularity="expression")
    assert "asking about test_cart.py::test_from_a_hundred_on" in client.output()
    client.close()


@pytest.mark.parametrize(
    ("configuration", "selected"),
    [
        ({"pytest": ["-q", "test_cart.py"]}, ["test_cart.py::test_from_a_hundred_on"]),
        ({"pytest": ["-q"], "whole": True}, []),
        ({"pytest": ["-q", "test_cart.py::test_from_a_hundred_on"]}, []),
    ],
)
def test_of_a_suite_only_the_failing_test_is_recorded_unless_all_are_wanted(
    start: Start, workspace: Path, configuration: dict[str, Any], selected: list[str]
) -> None:
    for file in ("cart.py", "test_cart.py"):
        (workspace / file).write_bytes((EXAMPLES / "shop" / file).read_bytes())
    client = start()
    client.launch(**configuration)
    client.question()
    (note,) = (workspace / ".adebug/recordings").glob("*.json")
    assert json.loads(note.read_text(encoding="utf-8"))["selected"] == selected
    assert client.output("stdout").count("1 failed") == 1
    client.close()


def test_a_reference_answers_what_it_can(start: Start, workspace: Path) -> None:
    (workspace / "right").mkdir()
    text = (workspace / "prime.py").read_text(encoding="utf-8")
    (workspace / "right/prime.py").write_text(text.replace("while i < lim", "while i <= lim"), encoding="utf-8")
    client = start()
    client.launch(program="prime.py", reference="right", python=sys.executable)
    assert client.question() == "Bug found after 0 answers, in prime.is_prime"
    assert "by reference (" in client.output()
    client.close()


def test_tests_that_pass_end_the_session(start: Start, workspace: Path) -> None:
    (workspace / "test_right.py").write_text("def test_right():\n    assert True\n", encoding="utf-8")
    client = start()
    client.launch(pytest=["-q", "-p", "no:cacheprovider"])
    client.event("terminated")
    assert "no test failed" in client.output("stderr")
    client.close()
    assert client.events().count("terminated") == 1


def test_modules_calls_and_recordings_are_launched(start: Start, workspace: Path) -> None:
    client = start()
    client.launch(program="prime.py", call="is_prime(9)", strategy="top-down")
    assert client.question() == "inflection_point(9) = 3.0?"
    client.close()
    client = start()
    client.launch(module="prime", strategy="top-down")
    assert client.question() == "main(): printed 9 is prime: True?"
    client.close()
    recording, _ = Recordings(workspace).newest_first()
    again = start()
    again.launch(recording=str(recording), fresh=True)
    assert again.question() == "the loop `while i < lim` (line 25): i: 2 -> 3?"
    again.close()
    other = start()
    other.do("initialize", adapterID="adebug")
    assert other.refused("launch", recording="prime.py").startswith("recording: ")
    other.close()


def test_a_program_that_cannot_be_run_ends_the_session_with_a_message(start: Start, workspace: Path) -> None:
    client = start()
    client.launch(program="prime.py", python="git")
    client.event("terminated")
    assert "git: not a Python interpreter" in client.output("stderr")
    client.close()
