"""Sessions about sequential Erlang: their verdicts, and the effect of naming the expected clause."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.languages.erlang.beam import needs_erlang
from tests.support import ROOT
from tests.warm_start import COMMAND

pytestmark = needs_erlang


@pytest.mark.parametrize("strategy", ["divide-and-query-biased", "top-down"])
def test_the_cipher_ends_at_the_clause_of_the_paper(tmp_path: Path, strategy: str) -> None:
    shutil.copytree(ROOT / "tests" / "programs_erlang" / "vigenere", tmp_path / "vigenere")
    command = [
        *COMMAND,
        "run",
        "--strategy",
        strategy,
        "--reference",
        "fixed",
        "vigenere.erl",
    ]
    done = subprocess.run(
        [*command, "--call", "vigenere:main()"],
        cwd=tmp_path / "vigenere", stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "in vigenere.cycle_to/2\n" in done.stdout, done.stdout + done.stderr
    assert "\n  vigenere.erl:34:5\n    List\n" in done.stdout, done.stdout  # what its first clause gives


CHOICE = """-module(choice).
-export([main/0, safe/0]).
main() -> kind(7).
kind(N) ->
    Rest = N rem 2,
    case {N, Rest} of
        {0, _} -> zero;
        {1, _} -> one;
        {_, 1} when N > 10 -> large_odd;
        {7, _} -> seven;
        {_, 0} -> even;
        _ when Rest > 0 -> other
    end.
safe() -> guarded([]).
guarded(List) -> try hd(List) catch error:badarg when List =:= [] -> none; _:_ -> unknown; thrown -> thrown end.
"""


def chosen(folder: Path, call: str, answers: list[str]) -> list[str]:
    """The questions about a choice and after it, and the code that is found."""
    (folder / "choice.erl").write_text(CHOICE, encoding="utf-8")
    (folder / "answers").write_text("\n".join(answers) + "\n", encoding="utf-8")
    command = [
        *COMMAND,
        "run",
        "--strategy",
        "top-down",
        "--answers",
        "answers",
        "choice.erl",
    ]
    done = subprocess.run(
        [*command, "--call", call], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    lines = done.stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if " matches: " in line)
    return [line.strip().partition("?    at ")[0] for line in lines[first:] if line[:2] != "> "]


def test_the_clause_that_should_have_been_taken_is_an_answer(tmp_path: Path) -> None:
    verdict = chosen(tmp_path, "choice:main()", ["no", "yes", "no", "3", "no"])
    assert verdict[:8] == [
        "4. for {7,1}, clause 4 of `case` matches: `{7, _}`",
        "1 clause 1 should have been taken: `{0, _}`",
        "2 clause 2 should have been taken: `{1, _}`",
        "3 clause 3 should have been taken: `{_, 1} when N > 10`",
        "4 clause 5 should have been taken: `{_, 0}`",
        "5 clause 6 should have been taken: `_ when Rest > 0`",
        "5. for {7,1}, clause 3 of `case`, `{_, 1} when N > 10`, does not match",
        "given     N = 7",
    ]
    assert "Bug found after 5 answers, in choice.kind/1" in verdict
    assert verdict[verdict.index("choice.erl:9:9") + 1] == "{_, 1} when N > 10"


def test_if_a_later_clause_was_expected_the_taken_one_is_wrong(tmp_path: Path) -> None:
    verdict = chosen(tmp_path, "choice:main()", ["no", "yes", "no", "5", "no"])
    assert verdict[6] == "5. for {7,1}, clause 4 of `case` matches: `{7, _}`"
    assert verdict[verdict.index("choice.erl:10:9") + 1] == "{7, _}"


def test_the_handler_that_should_have_been_taken_is_an_answer(tmp_path: Path) -> None:
    verdict = chosen(tmp_path, "choice:safe()", ["no", "no", "2"])
    assert verdict[:4] == [
        "3. for {error,badarg}, handler 1 of `try` matches: `error:badarg when List =:= []`",
        "1 List = []",
        "2 handler 2 should have been taken: `_:_`",
        "3 handler 3 should have been taken: `thrown`",
    ]
    assert "Bug found after 3 answers, in choice.guarded/1" in verdict


def test_the_expression_itself_may_be_wrong_and_tabs_are_blanks(tmp_path: Path) -> None:
    text = "-module(tabs).\n-export([one/1, two/0]).\none({N}) ->\n\tput(n, N),\n\tN.\ntwo() -> 2.\n"
    (tmp_path / "tabs.erl").write_text(text, encoding="utf-8")

    def output_of(answers: str) -> str:
        command = [*COMMAND, "run", "--strategy", "top-down", "tabs.erl"]
        done = subprocess.run(
            [*command, "--call", "tabs:one({1}) + tabs:two()"],
            cwd=tmp_path, input=answers, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return done.stdout

    assert "Bug found after 2 answers, in the run\n  tabs:one({1}) + tabs:two() = 3 is wrong" in output_of("yes\nyes\n")
    shutil.rmtree(tmp_path / ".adebug")
    assert "\n    one({N}) ->\n            put(n, N),\n            N\n" in output_of("no\nyes\nyes\nyes\n")


def test_a_wrong_argument_leads_to_the_call_that_produced_it(tmp_path: Path) -> None:
    text = """-module(passed).
-export([main/0]).
main() -> N = count(), Other = made(N), List = made(N + 1), used(List, Other, N).
count() -> 2.
made(N) -> lists:seq(1, N).
used(List, Other, N) -> length(List) + length(Other) + N.
"""
    (tmp_path / "passed.erl").write_text(text, encoding="utf-8")
    command = [*COMMAND, "run", "--strategy", "top-down", "passed.erl"]
    for argument, culprit in (("List", "made(3) = [1,2,3]"), ("Other", "made(2) = [1,2]"), ("N", "main() = ")):
        done = subprocess.run(
            command, cwd=tmp_path, input=f"yes\nd\nd\nmark {argument}\nquit\n", capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip
        shutil.rmtree(tmp_path / ".adebug")
        assert "not known" not in done.stdout + done.stderr
        assert culprit in done.stdout.rpartition(f"> mark {argument}")[2], (argument, done.stdout)
