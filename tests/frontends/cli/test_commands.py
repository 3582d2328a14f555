"""The command line as a user sees it: real processes, their output, their exit codes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adebug_lsp.store.store import Store
from tests.support import EXAMPLES, ROOT
from tests.warm_start import COMMAND

SQRTEST = str(EXAMPLES / "sqrtest.json")


def adebug(*arguments: str, cwd: Path = ROOT, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd, input=stdin, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


def test_help_says_how_to_serve_an_editor() -> None:
    assert "--tcp PORT" in adebug("lsp", "--help", cwd=ROOT).stdout


def test_the_version_is_printed_without_slow_imports() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "adebug_lsp", "--version"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.stdout.startswith("adebug ")
    assert not loaded & {"numpy", "adebug_lsp.session.session", "adebug_lsp.store.store"}


def test_help_names_commands_and_strategies() -> None:
    shown = adebug("--help")
    assert shown.returncode == 0
    for word in ("open", "simulate", "doctor", "expected-cost", "divide-by-yes", "examples:"):
        assert word in shown.stdout


@pytest.mark.parametrize("command", ["open", "simulate", "doctor"])
def test_every_command_has_help(command: str) -> None:
    assert adebug(command, "--help").returncode == 0


def test_no_command_is_bad_usage() -> None:
    assert adebug().returncode == 2


# simulate


def test_simulate_all_prints_one_line_for_each_strategy() -> None:
    shown = adebug("simulate", SQRTEST, "--all", "--json")
    played = [json.loads(line) for line in shown.stdout.splitlines()]
    assert len(played) == 21
    assert {play["buggy"] for play in played} == {23}
    assert all(set(play) == {"strategy", "questions", "buggy"} for play in played)


def test_simulate_prints_a_table() -> None:
    shown = adebug("simulate", SQRTEST, "--strategy", "divide-by-yes", "--ask-root")
    header, row = shown.stdout.splitlines()
    assert header.split() == ["strategy", "questions", "text", "read", "time", "(ms)", "buggy", "asked"]
    assert row.split()[:3] == ["divide-by-yes", "5", "56"]
    assert row.split()[4:] == ["23", "7", "16", "21", "23", "24"]


def test_simulate_transforms_the_tree_first() -> None:
    shown = adebug("simulate", SQRTEST, "--strategy", "top-down", "--transform", "halving", "--json")
    line = json.loads(shown.stdout)
    assert (line["questions"], line["buggy"]) == ([2, "3-4", 3, "5-7", 16, 17, 20, 21, 23, 24], 23)


def test_simulate_says_that_a_transformation_does_not_apply() -> None:
    shown = adebug("simulate", SQRTEST, "--transform", "simplification")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert "simplification is for lazy programs" in shown.stderr


def test_open_transforms_the_tree_first(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text("n\ntransform original\ntransform\n", encoding="utf-8")
    shown = adebug(
        "open", SQRTEST, "--strategy", "top-down", "--transform", "halving", "--transform", "loop-expansion",
        "--answers", str(answers),
    )  # fmt: skip
    assert "transform loop-expansion: nothing to expand: no loop of this run was recorded" in shown.stdout
    assert "(3-4) 2 in a row: " in shown.stdout
    assert "  halving         ask about" in shown.stdout


def test_simulate_where_the_root_turns_out_right(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    nodes = [{"id": 1, "parent": None, "rule": "f"}, {"id": 2, "parent": 1, "rule": "g", "wrong": True}]
    path.write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    shown = adebug("simulate", str(path), "--strategy", "top-down", "--ask-root", "--json")
    assert json.loads(shown.stdout) == {"strategy": "top-down", "questions": [1], "buggy": None}


BAD = {
    "two roots": '{"nodes":[{"id":1,"parent":null,"wrong":true},{"id":2,"parent":null}]}',
    "unknown parent": '{"nodes":[{"id":1,"parent":null,"wrong":true},{"id":2,"parent":9}]}',
    "cycle": '{"nodes":[{"id":1,"parent":null,"wrong":true},{"id":2,"parent":3},{"id":3,"parent":2}]}',
    "no node is wrong": '{"nodes":[{"id":1,"parent":null}]}',
    "not JSON": '{"nodes":[',
    "non-empty list": "[]",
    "nested too deeply": "[" * 100_000,
    "not UTF-8": None,
}


@pytest.mark.parametrize("message", BAD)
def test_bad_trees_are_one_clear_line(tmp_path: Path, message: str) -> None:
    path = tmp_path / "bad.json"
    text = BAD[message]
    if text is None:
        path.write_bytes(b'{"nodes": "\xff"}')
    else:
        path.write_text(text, encoding="utf-8")
    for command in ("simulate", "open"):
        if command == "open" and message == "no node is wrong":
            continue
        shown = adebug(command, str(path), cwd=tmp_path)
        assert shown.returncode == 2
        assert shown.stdout == ""
        (line,) = shown.stderr.splitlines()
        assert line.startswith("adebug: ")
        assert message in line
        assert str(path) in line


def test_a_missing_tree_and_an_unknown_strategy() -> None:
    shown = adebug("simulate", "nowhere.json")
    assert (shown.returncode, shown.stderr.count("\n")) == (2, 1)
    shown = adebug("simulate", SQRTEST, "--strategy", "top-dwn")
    assert shown.returncode == 2
    assert shown.stderr == "adebug: unknown strategy 'top-dwn'; did you mean 'top-down'? [unknown-name]\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_closed_pipe_gives_no_traceback() -> None:
    run = subprocess.run(
        f"{sys.executable} -m adebug_lsp simulate {SQRTEST} --all --json | head -n 1",
        shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in run.stderr


# open

INTRODUCTION = "The run went wrong; 27 steps to search. Did each do what it should have? Answer y or n.\n"
DIALOGUE = """\
(16) comput3 3 = 8?    [about 5 left; h for help]
  Is this what it should have done?
> no
(20) partialsums 3 = [6,2]?    [about 4 left; h for help]
  Is this what it should have done?
> no
(21) sum1 3 = 6?    [about 3 left; h for help]
  Is this what it should have done?
> why
Asked because it narrows the search most for the least reading. 5 candidates left: yes leaves 3, no leaves 2.
> yes
(23) sum2 3 = 2?    [about 2 left; h for help]
  Is this what it should have done?
> no
(24) decr 3 = 2?    [about 1 left; h for help]
  Is this what it should have done?
> yes
Bug found after 5 answers, in the rule sum2
  sum2 3 = 2 is wrong, and everything it depends on is right.
  Not the bug? "reject" reopens the answers, "undo" undoes the last one.
"""


def test_the_demo_dialogue(tmp_path: Path) -> None:
    shown = adebug("open", SQRTEST, "--answers", str(EXAMPLES / "sqrtest.answers"), cwd=tmp_path)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, INTRODUCTION + DIALOGUE, "")
    assert list(tmp_path.iterdir()) == [], "with --answers nothing is stored"


def test_answers_can_be_piped_in_and_the_session_resumes(tmp_path: Path) -> None:
    first = adebug("open", SQRTEST, cwd=tmp_path, stdin="no\nno\n")
    assert first.returncode == 1
    assert first.stdout.splitlines()[-2].startswith("(21)")
    second = adebug("open", SQRTEST, cwd=tmp_path, stdin="yes\nno\nyes\n")
    assert second.returncode == 0
    assert second.stdout.startswith("resuming with 2 answers from before; --fresh starts over\n(21)")
    assert "in the rule sum2" in second.stdout
    third = adebug("open", SQRTEST, cwd=tmp_path)
    assert third.returncode == 0
    assert third.stdout.count("by stored answer") == 5


def test_control_sequences_in_a_tree_are_escaped(tmp_path: Path) -> None:
    """Control characters, a line break that fakes a verdict, and bytes on standard input that are no text."""
    nasty = "f = \x1b[2J\x07\nBug found \u202e\ud800 naïve"
    nodes = [{"id": 1, "parent": None, "text": nasty}, {"id": "\x1b[31m", "parent": 1, "text": nasty, "wrong": True}]
    path = tmp_path / "nasty.json"
    path.write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    for arguments in (["open", str(path)], ["simulate", str(path)]):
        run = subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path, input=b"\xff\xfe\x1b[2J\nno\n", capture_output=True, timeout=60, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        )  # fmt: skip
        assert run.returncode == 0
        assert run.stderr == b""
        assert run.stdout.isascii()
        assert not set(run.stdout) & {0x1B, 0x07}
        assert not [line for line in run.stdout.splitlines() if line.startswith(b"Bug found \\u202e")]


def test_two_sessions_at_once_lose_nothing(tmp_path: Path) -> None:
    """Two terminals on one workspace: no lock errors, and all answers of both are there afterwards."""
    talks = [
        subprocess.Popen(
            [*COMMAND, "open", str(EXAMPLES / name)],
            cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for name in ("sqrtest.json", "sort.json")
    ]  # fmt: skip
    for talk, answers in zip(talks, ("no\nno\nyes\nno\nyes\n", "yes\n" * 8), strict=True):
        assert talk.stdin is not None
        talk.stdin.write(answers)
        talk.stdin.close()
        talk.stdin = None
    for talk in talks:
        out, error = talk.communicate(timeout=60)
        assert error == ""
        assert "Bug found" in out
    with Store.open(tmp_path) as store:
        assert {answer.routine for answer in store.answers.all()} >= {"sum2", "decr", "sort"}
        assert len(store.sessions.all()) == 2


def test_a_bad_answer_in_a_file_names_its_line(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text("no\nperhaps\n", encoding="utf-8")
    shown = adebug("open", SQRTEST, "--answers", str(answers), cwd=tmp_path)
    assert shown.returncode == 2
    assert f"{answers}:2: 'perhaps' is not an answer" in shown.stderr


def test_a_bad_typed_answer_gives_a_message_and_changes_nothing(tmp_path: Path) -> None:
    shown = adebug("open", SQRTEST, cwd=tmp_path, stdin="perhaps\nundo\nno\nh\nq\n")
    assert "adebug: 'perhaps' is not an answer; type h for help" in shown.stdout
    assert "adebug: there is nothing to undo" in shown.stdout
    assert "bad input" in shown.stdout
    assert shown.returncode == 1


def test_a_mark_is_followed_or_reported_as_untraceable(tmp_path: Path) -> None:
    unknown = adebug("open", SQRTEST, cwd=tmp_path, stdin="no\nmark result[1]\n")
    assert "Couldn't trace that value" in unknown.stdout
    marked = str(EXAMPLES / "sqrtest-marked.json")
    (tmp_path / "marked").mkdir()
    known = adebug("open", marked, cwd=tmp_path / "marked", stdin="no\nmark result[1]\n")
    assert "not known" not in known.stdout
    assert "(21)" not in known.stdout


def test_dont_know_reject_and_restart(tmp_path: Path) -> None:
    said = "strategy top-down\nrestart 20\nyes\nunknown\nyes\nskipped\nno\nreject\nyes\n"
    shown = adebug("open", SQRTEST, cwd=tmp_path, stdin=said)
    assert "Dead end: one of these is the bug." in shown.stdout
    assert (
        "(23) sum2 3 = 2?    [about 2 left; h for help]\n  Is this what it should have done?\n  answered before: no\n"
        in shown.stdout
    )
    assert shown.stdout.splitlines()[-3].endswith("in the rule partialsums")


def test_an_oracle_program_answers_what_it_can(tmp_path: Path) -> None:
    program = tmp_path / "oracle.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    question = json.loads(line)\n"
        "    answer = 'yes' if question['routine'] in ('sum1', 'decr') else 'abstain'\n"
        "    print(json.dumps({'id': question['id'], 'answer': answer, 'reason': 'known'}), flush=True)\n",
        encoding="utf-8",
    )
    shown = adebug("open", SQRTEST, "--oracle", f"{sys.executable} {program}", cwd=tmp_path, stdin="no\nno\nno\n")
    assert shown.returncode == 0
    assert "(21) sum1 3 = 6: yes, by" in shown.stdout
    assert "Bug found after 3 answers" in shown.stdout


def test_an_oracle_program_that_does_not_start_is_reported(tmp_path: Path) -> None:
    shown = adebug("open", SQRTEST, "--oracle", "no-such-program", cwd=tmp_path, stdin="no\n")
    assert "no-such-program" in shown.stderr
    assert "(20)" in shown.stdout


def test_an_unwritable_store_is_reported_and_the_session_continues(tmp_path: Path) -> None:
    (tmp_path / ".adebug").write_text("in the way", encoding="utf-8")
    shown = adebug("open", SQRTEST, cwd=tmp_path, stdin="no\nno\nyes\nno\nyes\n")
    assert shown.returncode == 0
    assert ".adebug" in shown.stderr
    assert (tmp_path / ".adebug").read_text(encoding="utf-8") == "in the way"


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent the POSIX way")
def test_an_interrupt_keeps_the_answers(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "adebug_lsp", "open", SQRTEST],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == INTRODUCTION
    assert process.stdout.readline().startswith("(16)")
    assert process.stdout.readline() == "  Is this what it should have done?\n"
    process.stdin.write("no\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith("> no")
    assert process.stdout.readline().startswith("(20)")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _out, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (130, "adebug: interrupted\n")
    again = adebug("open", SQRTEST, cwd=tmp_path, stdin="")
    assert again.stdout.startswith("resuming with 1 answer from")


# doctor


def test_doctor_reports_installed_tools(tmp_path: Path) -> None:
    shown = adebug("doctor", cwd=tmp_path)
    assert shown.returncode == 0
    assert "adebug" in shown.stdout
    report = json.loads(adebug("doctor", "--json", cwd=tmp_path).stdout)
    assert report["ok"] is True
    assert {"adebug", "python", "erlang", "editors", "store"} <= {finding["topic"] for finding in report["findings"]}
