"""Every planted bug of the Erlang programs is found with its fixed twin as the reference, some by the real command.

The verdict is one place: the clause, or the `receive`, or a part of one, that holds the planted line.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.frontends.shared.json_protocol import verdict_line
from adebug_lsp.frontends.shared.open_session import SessionOptions, SessionTarget, session_about
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.language import Request
from adebug_lsp.session.outcome import Ask
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import silent
from tests.support import ROOT
from tests.warm_start import COMMAND

PROGRAMS = ROOT / "tests" / "programs_erlang"
ABOUT = {
    path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(PROGRAMS.glob("*/about.json"))
}
ELSEWHERE = {"alarm": 2, "frames": 3}
"""The wrong code is a record's default or a macro: the verdict names it beside the code that uses it, as so many."""
ON_THE_WAY = {"counter": 2}
"""What a process did between two messages went through several functions: the verdict names them all."""
PROCESS = r"process <0\.\d+\.0>"
ERRORS = {
    "lost_message": ("collect/2", rf"{PROCESS}, with Shop = north, .* waits at line 18 and takes none of {{sale,"),
    "late_reply": ("call/2", rf".* clause 1 of `receive` matches: `{{answer, _, Answer}}`, .* in {PROCESS}, is wrong"),
    "tcp_one": (
        "server_fun/3",
        rf"{PROCESS}, with MainPid = .* at line 17, sent rst to .* and ended with rst is",
    ),
    "counter": ("adder/3", rf"{PROCESS} began with adder\(.*, sent {{read,.* and waits for a message at line 20"),
}
"""The four errors of the paper: a `receive` that takes nothing, one that takes the wrong message, what a process does
after it took one, and what it does first; with the function that is named, and what is said."""
pytestmark = needs_erlang


def verdict_of(name: str, workspace: Path) -> dict[str, Any]:
    """The outcome of a session that only the twin answers."""
    about = ABOUT[name]
    program = workspace / f"{about['call'].partition(':')[0]}.erl"
    limit = about["timeout"] / 1000 if "timeout" in about else None
    request = Request(workspace=workspace, program=program, call=about["call"], timeout=limit)
    Erlang().record(request, workspace / "run.adebug", silent)
    opened = Erlang().open(workspace / "run.adebug", silent)
    subject = opened.subject(opened.entries[0])
    with opened.oracles(subject, "fixed", silent) as oracles:
        open_session = session_about(SessionTarget(subject, name, name), SessionOptions(), None, oracles)
        open_session.give_up()
        outcome = open_session.session.outcome
        assert not isinstance(outcome, Ask)
        return verdict_line(outcome.verdict, open_session.session, Sources(subject.sources()))


def verdict_by_command(name: str, workspace: Path) -> dict[str, Any]:
    """The same through the command line, which takes a second longer."""
    about = ABOUT[name]
    limit = ["--timeout", str(about["timeout"] / 1000)] if "timeout" in about else []
    program = about["call"].partition(":")[0] + ".erl"
    command = [*COMMAND, "run", "--json", "--reference", "fixed", *limit, program]
    done = subprocess.run(
        [*command, "--call", about["call"]],
        cwd=workspace, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines, done.stderr[-2000:]
    assert lines[-1]["type"] == "verdict", (lines[-1], done.stderr[-2000:])
    verdict: dict[str, Any] = lines[-1]
    return verdict


def covers(place: dict[str, Any], path: str, line: int) -> bool:
    start, end = place["range"]["start"]["line"] + 1, place["range"]["end"]["line"] + 1
    return bool(place["path"] == path and start <= line <= end)


def one_clause(name: str) -> range:
    """The lines of the clause that holds the planted line; where none matched, of the function."""
    buggy = ABOUT[name]["buggy"]
    lines = (PROGRAMS / name / buggy["path"]).read_text(encoding="utf-8").splitlines()
    heads = [number for number, line in enumerate(lines, 1) if line[:1].isalpha()]  # all else is indented
    if "missing" in buggy:
        heads = [number for number in heads if not lines[number - 2].endswith(";")]
    first = max(number for number in heads if number <= buggy["line"])
    return range(first, min((number for number in heads if number > first), default=len(lines) + 1))


@pytest.mark.parametrize("name", sorted(ABOUT))
def test_the_planted_bug_is_found_with_the_twin(name: str, tmp_path: Path) -> None:
    workspace, about = tmp_path / name, ABOUT[name]
    shutil.copytree(PROGRAMS / name, workspace)
    verdict = verdict_by_command(name, workspace) if name in ERRORS else verdict_of(name, workspace)
    assert verdict["asked"] == 0
    buggy = about["buggy"]
    assert any(covers(place, buggy["path"], buggy["line"]) for place in verdict["buggy"]), verdict
    assert verdict["kind"] != "candidates", verdict
    if name in ERRORS:
        function, explanation = ERRORS[name]
        assert verdict["callable"] == f"{name}.{function}"
        assert re.match(explanation, verdict["explanation"]), verdict["explanation"]
    ranges = [place["range"] for place in verdict["buggy"]]
    places = (ELSEWHERE | ON_THE_WAY).get(name, 1)
    assert len(ranges) == places, verdict
    if places == 1:
        clause = one_clause(name)
        assert all(place["start"]["line"] + 1 in clause and place["end"]["line"] + 1 in clause for place in ranges), (
            verdict
        )
