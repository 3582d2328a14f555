"""Answers about Erlang calls become EUnit tests, which a real EUnit runs; only literals are written."""

import subprocess
from pathlib import Path

import pytest
from attrs import astuple

from adebug_lsp.languages.erlang.export_tests import export_tests
from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer
from tests.languages.erlang.beam import needs_erlang, run_erlang
from tests.warm_start import COMMAND

SHOP = r"""-module(shop).
-export([price/1, name/1, 'odd One'/1, order/2, half/1, label/1, stock/0, raw/1]).
price(N) -> N * 3.
name(N) -> [$a + N].
'odd One'(X) -> {X, 'it''s'}.
order(A, B) -> #{A => [B, 1.5], "k" => <<1, 2>>}.
half(N) when N > 0 -> 10 div N;
half(_) -> throw({none, "of \"them\""}).
label(X) -> <<"größe "/utf8, X/binary>>.
stock() -> [hidden(1)].
raw(X) -> self() ! X, <<5:3>>.
hidden(X) -> X.
"""


def saved(text: str, routine: str, judgement: Judgement = Judgement.YES, expected: str | None = None) -> SavedAnswer:
    return SavedAnswer(text, judgement, routine, "shop", text, expected)


RIGHT = [
    saved("price(2) = 6", "price/1"),
    saved("price(-2) = -6", "price/1"),
    saved("shop:price(3) = 9", "price/1"),
    saved("price(4) = 13", "price/1", Judgement.NO, "12"),
    saved('name(2) = "c"', "name/1"),
    saved("order(a, {b,[c|d]}) = #{a => [{b,[c|d]},1.5], \"k\" => <<1,2>>}", "order/2"),
    saved("half(5) = 2", "half/1"),
    saved('half(0) raised throw:{none,"of \\"them\\""}', "half/1"),
    saved("half(x) raised error:badarith", "half/1"),
    saved("half(3) raised error:badarith", "half/1", Judgement.NO, "3"),
    saved('label(<<" = ">>) = <<"größe  = "/utf8>>', "label/1"),
    saved("stock() = [1]", "stock/0"),
    saved("raw($a) = <<5:3>>", "raw/1"),
]  # fmt: skip
LEFT_OUT = [
    saved("price(2) = 7", "price/1", Judgement.NO),
    saved("price(2) = 6", "price/1", Judgement.INADMISSIBLE),
    saved("hidden(1) = 1", "hidden/1"),
    saved("price([1,2,… 5 more]) = 6", "price/1"),
    saved("price([1,2,3…) = 6", "price/1"),
    saved("price(<0.83.0>) = 6", "price/1"),
    saved("price(#Ref<0.1.2.3>) = 6", "price/1"),
    saved("price(fun shop:price/1) = 6", "price/1"),
    saved("price(#shop:box{w = 1}) = 6", "price/1"),
    saved("price(X) = 6", "price/1"),
    saved('price(2) = os:cmd("touch x")', "price/1"),
    saved("price(2) = 6", "price/1", Judgement.NO, 'begin os:cmd("touch x"), 6 end'),
    saved("price(2) = 6", "price/1", Judgement.NO, "6), (7"),
    saved("price(2) = 6", "price/1", Judgement.NO, "?MACRO"),
    saved("price(2) = 6", "price/1", Judgement.NO, '"""\nx\n"""'),
    saved("price(2) did not end", "price/1"),
    saved("half(0) raised error:#{a => 1}", "half/1"),
    saved("the fun at line 3 of shop:price/1, given (1), = 2", "price/1"),
]


@needs_erlang
def test_the_tests_pass_where_the_program_is_right_and_fail_where_it_is_not(tmp_path: Path) -> None:
    (tmp_path / "shop.erl").write_text(SHOP.replace("'it''s'", r"'it\'s'"), encoding="utf-8")
    more = saved(r"'odd One'('A b') = {'A b','it\'s'}", "odd One/1")
    text, count, left_out = astuple(export_tests([*RIGHT, more, *LEFT_OUT], "shop_tests", tmp_path))
    assert (count, left_out) == (len(RIGHT) + 1, len(LEFT_OUT))
    (tmp_path / "shop_tests.erl").write_text(text, encoding="utf-8")
    assert f"All {count} tests passed." in eunit(tmp_path)
    assert not (tmp_path / "x").exists()
    (tmp_path / "shop.erl").write_text(SHOP.replace("N * 3", "N * 4").replace("'it''s'", r"'it\'s'"), encoding="utf-8")
    output = eunit(tmp_path)
    assert "Failed: 4." in output
    assert "price_4_test" in output


def eunit(folder: Path) -> str:
    code = """-module(program).
-export([main/1]).
main(_) ->
    [{ok, _} = compile:file(File, [report]) || File <- ["shop.erl", "shop_tests.erl"]],
    eunit:test(shop).
"""
    return run_erlang(code, folder=folder)


@pytest.mark.parametrize("answer", LEFT_OUT, ids=lambda answer: f"{answer.text} {answer.expected}")
def test_values_without_a_literal_are_left_out(answer: SavedAnswer, tmp_path: Path) -> None:
    (tmp_path / "shop.erl").write_text(SHOP, encoding="utf-8")
    text, count, left_out = astuple(export_tests([answer], "shop_tests", tmp_path))
    assert (count, left_out) == (0, 1)
    assert "test()" not in text


@needs_erlang
def test_answers_of_a_session_are_exported_and_run(tmp_path: Path) -> None:
    program = "-module(shop).\n-export([main/0, price/1]).\nmain() -> price(2) + price(3).\nprice(N) -> N * 3 + 1.\n"
    (tmp_path / "shop.erl").write_text(program, encoding="utf-8")

    def adebug(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path, input=typed, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    adebug("run", "--strategy", "top-down", "--granularity", "routine", "shop.erl", typed="expected 6\nquit\n")
    done = adebug("answers", "export")
    assert done.stdout == "answers_tests.erl: 1 test\n", done.stdout + done.stderr
    assert "?assertEqual(6, shop:price(2))" in (tmp_path / "answers_tests.erl").read_text(encoding="utf-8")
    done = adebug("answers", "export", "-o", "shop_tests.erl")
    assert done.stdout == "shop_tests.erl: 1 test\n", done.stdout + done.stderr
    assert "Failed: 1." in eunit(tmp_path)
    (tmp_path / "shop.erl").write_text(program.replace(" + 1", ""), encoding="utf-8")
    assert "Test passed." in eunit(tmp_path)
    done = adebug("answers", "export", "-o", "test_shop.py")
    assert done.returncode == 2
    assert "so there is no test to write" in done.stderr
