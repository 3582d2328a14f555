"""Sessions about the two programs of the paper on sequential Erlang: the questions, and where they end."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.languages.erlang.beam import needs_erlang
from tests.support import ROOT

pytestmark = needs_erlang


def dialogue(folder: Path, name: str, call: str, answers: list[str], *options: str) -> list[str]:
    """The questions that are asked, each on its line, and the end."""
    shutil.copytree(ROOT / "tests" / "programs_erlang" / name, folder / name)
    (folder / name / "answers").write_text("\n".join(answers) + "\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "adebug_lsp",
        "run",
        *options,
        "--answers",
        "answers",
        f"{name}.erl",
        "--call",
        call,
    ]
    done = subprocess.run(command, cwd=folder / name, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    asked = [line.partition("?    at ")[0] for line in lines if line[:1].isdigit() and "?    at " in line]
    return [*asked, *(line for line in lines if line.startswith("Bug found")), lines[lines.index(asked_end(lines)) + 1]]


def asked_end(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("  ") and " is wrong, and everything" in line)


def test_the_stock_is_asked_about_as_in_the_paper(tmp_path: Path) -> None:
    answers = ["no", "yes", "no", "no", "no", "no", "no"]
    found = dialogue(tmp_path, "stock", "stock:test()", answers, "--strategy", "top-down")
    orders = "[[{item,water,3},{item,rice,3}],[{item,rice,4}]]"
    stock = "[{item,rice,5},{item,water,1},{item,saffron,8}]"
    assert found == [
        f"1. check_orders({orders}, {stock}) = [{{item,water,3}},{{item,rice,7}}]",
        "2. unify_orders([{item,water,3},{item,rice,3},{item,rice,4}]) = [{item,water,3},{item,rice,7}]",
        f"3. check_order([{{item,water,3}},{{item,rice,7}}], {stock}) = [{{item,water,3}},{{item,rice,7}}]",
        "4. the fun at line 23 of stock:check_order/2, given ({item,water,3}), = {true,{item,water,3}}",
        f"5. check_item({{item,water,3}}, {stock}) = {{true,{{item,water,3}}}}",
        "6. ItemStock = false",
        "7. lists:keyfind(Name, 1, Stock) = false",
        "Bug found after 7 answers, in stock.check_item/2",
        "  stock.erl:26:17",
    ]


def test_the_cipher_is_asked_about_as_in_the_paper(tmp_path: Path) -> None:
    answers = ["yes", "yes", "trust", "no", "no", "no"]
    found = dialogue(tmp_path, "vigenere", "vigenere:main()", answers, "--strategy", "divide-and-query-biased")
    assert found == [
        '1. normalize("Attack tomorrow dawn") = "ATTACKTOMORROWDAWN"',
        '2. normalize("lemon") = "LEMON"',
        "3. encipher(65, 76) = 76",
        '3. cycle_to(18, "LEMON") = "LEMONLEMONLEMONLEMON"',
        '4. cycle_to(3, "LEMON") = "LEMON"',
        '5. for {3,"LEMON"}, clause 1 of the function matches: `(N, List) when N =< length(List)`,'
        ' with N = 3; List = "LEMON"',
        "Bug found after 5 answers, in vigenere.cycle_to/2",
        "  vigenere.erl:33:9",
    ]


@pytest.mark.parametrize("strategy", ["divide-and-query-biased", "expected-cost", "top-down"])
def test_the_cipher_ends_at_the_clause_of_the_paper(tmp_path: Path, strategy: str) -> None:
    shutil.copytree(ROOT / "tests" / "programs_erlang" / "vigenere", tmp_path / "vigenere")
    command = [
        sys.executable,
        "-m",
        "adebug_lsp",
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
    assert "\n    cycle_to(N, List) when N =< length(List) ->\n" in done.stdout, done.stdout


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
        sys.executable,
        "-m",
        "adebug_lsp",
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
    first = next(at for at, line in enumerate(lines) if " matches: " in line)
    return [line.strip().partition("?    at ")[0] for line in lines[first:] if line[:2] != "> "]


def test_the_clause_that_should_have_been_taken_is_an_answer(tmp_path: Path) -> None:
    found = chosen(tmp_path, "choice:main()", ["no", "yes", "no", "3", "no"])
    assert found[:8] == [
        "4. for {7,1}, clause 4 of `case` matches: `{7, _}`",
        "1 clause 1 should have been taken: `{0, _}`",
        "2 clause 2 should have been taken: `{1, _}`",
        "3 clause 3 should have been taken: `{_, 1} when N > 10`",
        "4 clause 5 should have been taken: `{_, 0}`",
        "5 clause 6 should have been taken: `_ when Rest > 0`",
        "5. for {7,1}, clause 3 of `case`, `{_, 1} when N > 10`, does not match",
        "N = 7",
    ]
    assert "Bug found after 5 answers, in choice.kind/1" in found
    assert found[found.index("choice.erl:9:9") + 1] == "{_, 1} when N > 10"


def test_if_a_later_clause_was_meant_the_one_that_was_taken_is_wrong(tmp_path: Path) -> None:
    found = chosen(tmp_path, "choice:main()", ["no", "yes", "no", "5", "no"])
    assert found[6] == "5. for {7,1}, clause 4 of `case` matches: `{7, _}`"
    assert found[found.index("choice.erl:10:9") + 1] == "{7, _}"


def test_the_handler_that_should_have_been_taken_is_an_answer(tmp_path: Path) -> None:
    found = chosen(tmp_path, "choice:safe()", ["no", "no", "2"])
    assert found[:4] == [
        "3. for {error,badarg}, handler 1 of `try` matches: `error:badarg when List =:= []`",
        "1 List = []",
        "2 handler 2 should have been taken: `_:_`",
        "3 handler 3 should have been taken: `thrown`",
    ]
    assert "Bug found after 3 answers, in choice.guarded/1" in found
