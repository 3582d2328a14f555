"""The JSON protocol as a program speaks it: real processes, exact lines, and nothing else on standard output."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.transformations import TRANSFORMATIONS
from adebug_lsp.store.store import Store
from tests.support import EXAMPLES, ROOT
from tests.warm_start import command

CALC = command("tests.frontends.cli.calc")

SHOP = """\
𝒂rea(w, h) = w * h + 1
both(a) = 𝒂rea(a, 3) + 𝒂rea(1, a)
main() = both(2) - 1
"""
"""The first letter takes two UTF-16 units, and becomes an ordinary `a` where it is a name."""

QUESTION = {
    "type", "version", "id", "kind", "callable", "text", "path", "range", "before", "after", "result", "raised",
    "presentation", "projection", "remaining", "answers",
}  # fmt: skip


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "shop.calc").write_text(SHOP, encoding="utf-8")
    return tmp_path


def calc(*arguments: str, cwd: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*CALC, *arguments],
        cwd=cwd, input=stdin, capture_output=True, text=True, timeout=120, check=False, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


def talk(*arguments: str, cwd: Path, says: list[Any]) -> tuple[list[dict[str, Any]], int, str]:
    """All lines that a process prints in response to a list of answers."""
    stdin = "".join((said if isinstance(said, str) else json.dumps(said)) + "\n" for said in says)
    done = calc(*arguments, cwd=cwd, stdin=stdin)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def answer(word: str, **more: object) -> dict[str, object]:
    return {"answer": word, **more}


def types_of(lines: list[dict[str, Any]]) -> list[str]:
    """The types of lines, with consecutive progress lines counted once."""
    return [line["type"] for number, line in enumerate(lines) if line["type"] != "progress" or number == 0]


def test_a_whole_session_down_to_the_expression(workspace: Path) -> None:
    lines, code, stderr = talk(
        "run", "--json", "shop.calc", cwd=workspace, says=[answer(word) for word in ("no", "no", "yes", "no")]
    )
    questions = [line for line in lines if line["type"] == "question"]
    assert types_of(lines) == ["progress", *["question"] * 4, "verdict"]
    assert [line["id"] for line in questions] == [1, 2, 3, 4]
    assert [line["kind"] for line in questions] == ["routine", "routine", "expression", "expression"]
    assert all(set(line) == QUESTION for line in questions)
    second = questions[1]
    assert (second["callable"], second["before"], second["result"]) == ("calc.area", {"w": "2", "h": "3"}, "7")
    assert second["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 23}}
    (projection,) = questions[3]["projection"]
    assert projection["range"] == {"start": {"line": 0, "character": 14}, "end": {"line": 0, "character": 23}}
    verdict = lines[-1]
    assert (verdict["kind"], verdict["callable"], verdict["questions"], verdict["asked"]) == (
        "expression", "calc.area", 4, 4,
    )  # fmt: skip
    assert verdict["buggy"] == [{**projection, "text": "w * h + 1"}]
    assert (code, verdict["version"]) == (0, 1)
    assert stderr == "program output\nheard: \n"  # the program saw none of the answers


def test_a_reference_answers_for_the_person(workspace: Path) -> None:
    (workspace / "right.calc").write_text(SHOP.replace("+ 1\n", "\n", 1), encoding="utf-8")
    lines, code, _stderr = talk(
        "run", "--json", "--reference", "right.calc", "shop.calc",
        cwd=workspace, says=[answer("yes"), answer("no")],
    )  # fmt: skip
    assert (lines[-1]["questions"], lines[-1]["asked"], code) == (4, 2, 0)


def test_bad_answers_are_errors_and_the_question_stays(workspace: Path) -> None:
    bad = [
        "{", "[]", "3", '{"answer": 3}', answer("perhaps"), answer("yes", because="so"), answer("yes", id=9),
        answer("yes", expected="3"), answer("no", expected=3), answer("no", mark={"of": "everything"}),
        answer("trust", mark={"of": "call"}), answer("undo"), answer("restart", id=1), answer("restart x"),
        "[" * 100_000,
    ]  # fmt: skip
    lines, code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=[*bad, answer("no", id=1)])
    assert types_of(lines) == ["progress", "question", *["error"] * len(bad), "question"]
    assert {line["id"] for line in lines if line["type"] == "error"} == {1}
    assert code == 1


def test_why_undo_redo_trust_and_quit(workspace: Path) -> None:
    says = [answer("why"), answer("no"), answer("undo"), answer("redo"), answer("trust"), answer("quit"), answer("no")]
    lines, code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=says)
    asked = [(line["id"], line["callable"]) for line in lines if line["type"] == "question"]
    assert asked == [
        (1, "calc.both"), (1, "calc.both"), (2, "calc.area"), (3, "calc.both"), (4, "calc.area"), (5, "calc.both"),
    ]  # fmt: skip
    assert lines[2]["why"]["candidates"] == 4
    assert code == 1


def test_transformations_are_listed_applied_and_undone(tmp_path: Path) -> None:
    nodes = [{"id": 0, "wrong": True, "text": "main"}]
    nodes += [{"id": n, "parent": 0, "rule": f"f{n}", "text": f"f{n}()", "wrong": n == 4} for n in range(1, 5)]
    (tmp_path / "tree.json").write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    says = [
        answer("transform"), answer("transform halving"), answer("yes"), answer("undo"), answer("undo"),
        answer("transform compression"), answer("transform halfing"),
    ]  # fmt: skip
    lines, _code, _stderr = talk("open", "--json", "--strategy", "top-down", "tree.json", cwd=tmp_path, says=says)
    assert lines[1]["transformations"] == dict(TRANSFORMATIONS)
    half, single = "2 in a row: f1(); f2()", "f1()"
    assert [line.get("text") for line in lines if line["type"] == "question"] == [
        single, single, half, "2 in a row: f3(); f4()", half, single,
    ]  # fmt: skip
    assert [line["message"].partition(":")[0] for line in lines if line["type"] == "error"] == [
        "nothing to compress", "unknown transformation 'halfing'; did you mean 'halving'?",
    ]  # fmt: skip


def test_an_expected_value_and_a_mark_are_stored_with_the_answer(workspace: Path) -> None:
    says = [answer("no", expected="8", mark={"of": "result", "path": []})]
    _lines, code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=says)
    assert code == 1
    with Store.open(workspace) as store:
        (saved,) = store.answers.all()
    assert (saved.text, saved.expected) == ("both(2) = 10", "8")


def test_a_mark_on_a_part_that_does_not_exist_changes_nothing(workspace: Path) -> None:
    says = [answer("no", mark={"of": "result", "path": [0]}), answer("mark argument.b")]
    lines, _code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=says)
    question, *errors = [line for line in lines if line["type"] != "progress"]
    assert [(line["type"], line["id"]) for line in errors] == [("error", question["id"])] * 2
    assert errors[0]["message"] == "there is no result[0]; result is 10, which has no parts; mark result itself"
    assert errors[1]["message"] == "there is no argument.b; what can be marked: result, argument.a, call"


def test_dont_know_ends_with_candidates(workspace: Path) -> None:
    lines, code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=[answer("unknown")] * 3)
    verdict = lines[-1]
    assert (verdict["kind"], code) == ("candidates", 0)
    places = [(place["text"], place["range"]["start"]["line"]) for place in verdict["buggy"]]
    assert len(places) == len(set(places)) == 3  # area was called twice, and is one piece of code


def test_all_right_means_none(workspace: Path) -> None:
    lines, code, _stderr = talk("run", "--json", "--ask-root", "shop.calc", cwd=workspace, says=[answer("yes")] * 3)
    assert (lines[-1]["kind"], lines[-1]["buggy"], code) == ("none", [], 0)


def test_no_answers_at_all(workspace: Path) -> None:
    lines, code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=[])
    assert types_of(lines) == ["progress", "question"]
    assert code == 1


def test_a_process_that_gets_its_answers_one_by_one_ends_with_the_verdict(workspace: Path) -> None:
    """The client need not close its end first."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.frontends.cli.calc", "run", "--json", "--granularity", "routine", "shop.calc"],
        cwd=workspace, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    while (line := json.loads(process.stdout.readline()))["type"] != "verdict":
        if line["type"] == "question":
            process.stdin.write('{"answer": "no"}\n')
            process.stdin.flush()
    assert process.wait(timeout=60) == 0
    assert (line["kind"], line["callable"]) == ("routine", "calc.area")
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--json", "nowhere.calc"], "nowhere.calc: there is no such file"),
        (["run", "--json", "."], "is not a file"),
        (["run", "--json"], "name a program"),
        (["run", "--json", "broken.calc"], "broken.calc:1: not a definition"),
        (["run", "--json", "--reference", "nowhere", "shop.calc"], "reference nowhere does not exist"),
        (["run", "--json", "--strategy", "guess", "shop.calc"], "unknown strategy"),
        (["run", "--json", "--workspace", "nowhere", "shop.calc"], "nowhere: there is no such folder"),
        (["open", "--json", "nowhere"], "nowhere: cannot be read"),
    ],
)
def test_an_impossible_request_is_an_error_line_with_exit_code_2(
    workspace: Path, arguments: list[str], message: str
) -> None:
    (workspace / "broken.calc").write_text("main( = 3\n", encoding="utf-8")
    lines, code, stderr = talk(*arguments, cwd=workspace, says=[])
    assert lines[-1]["type"] == "error"
    assert message in lines[-1]["message"]
    assert message in stderr
    assert code == 2


def test_hand_made_trees_support_json_lines(tmp_path: Path) -> None:
    lines, code, stderr = talk(
        "open", "--json", str(EXAMPLES / "sqrtest.json"), cwd=tmp_path, says=[answer(w) for w in ("no", "no", "yes")]
    )
    assert [line["type"] for line in lines] == ["question"] * 4
    assert (lines[0]["path"], lines[0]["range"], lines[0]["result"]) == (None, None, None)
    assert (code, stderr) == (1, "")
    resumed, code, _stderr = talk(
        "open", "--json", str(EXAMPLES / "sqrtest.json"), cwd=tmp_path, says=[answer(w) for w in ("no", "yes")]
    )
    assert (resumed[0]["text"], resumed[-1]["asked"], code) == (lines[3]["text"], 5, 0)


def test_dead_ends_are_asked_again_when_a_session_is_resumed(tmp_path: Path) -> None:
    tree = str(EXAMPLES / "append.json")
    first, code, _stderr = talk("open", "--json", tree, cwd=tmp_path, says=[answer("unknown")] * 20)
    assert (first[-1]["kind"], code) == ("candidates", 0)
    again, code, _stderr = talk("open", "--json", tree, cwd=tmp_path, says=[answer("yes")] * 20)
    assert (again[0]["type"], again[-1]["type"], code) == ("question", "verdict", 0)


def test_the_page_about_the_protocol_shows_what_is_sent(workspace: Path) -> None:
    text = (ROOT / "docs/reference/json-protocol.md").read_text(encoding="utf-8")
    examples = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)]
    lines, _code, _stderr = talk("run", "--json", "shop.calc", cwd=workspace, says=[answer("no")] * 4)
    for number, kind in ((0, "question"), (2, "verdict")):
        sent = next(line for line in lines if line["type"] == kind)
        assert list(examples[number]) == list(sent)
        assert not [key for key in sent if key != "type" and f"`{key}`" not in text]


@given(st.text(alphabet="aé𝒂\ud800\t", max_size=12), st.integers(0, 12))
def test_columns_in_utf_16(line: str, column: int) -> None:
    column = min(column, len(line))
    place = Location("f", Range(Position(1, 0), Position(1, column)))
    units = len(line[:column].encode("utf-16-le", "surrogatepass")) // 2
    assert Sources({"f": f"first\r\n{line}\rlast"}).lsp_range(place)["end"] == {"line": 1, "character": units}


def test_the_text_of_a_place() -> None:
    sources = Sources({"f": "one\ntwo\nthree"})
    assert sources.text(Location("f", Range(Position(0, 1), Position(2, 2)))) == "ne\ntwo\nth"
    assert sources.text(Location("f", Range(Position(1, 0), Position(1, 2)))) == "tw"
    assert sources.text(Location("g", Range(Position(1, 0), Position(1, 2)))) == ""
    assert sources.text(Location("f", Range(Position(1, 0), Position(7, 2)))) == ""
