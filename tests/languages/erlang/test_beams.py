"""Modules without source: recorded from their debug information, or traced call by call."""

import subprocess
from pathlib import Path

import pytest

from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.erlang.recorder.otp import find_erlang
from adebug_lsp.languages.language import Request
from adebug_lsp.model.errors import BadInputError
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import Recorded, record, silent

pytestmark = needs_erlang

PRICES = """-module(prices).
-export([total/2, half/1, keep/2]).
total([], Sum) -> Sum;
total([Price | Rest], Sum) -> total(Rest, add(Price, Sum)).
add(Price, Sum) -> Price * Sum.
half(N) -> check(N) div 2.
check(N) when N rem 2 =:= 0 -> N;
check(N) -> error({odd, N}).
keep(Fun, List) -> [One || One <- List, Fun(One)].
"""
PROGRAM = """
-export([main/0, halves/0, kept/0, apart/0]).
main() -> bill([2, 3]).
bill(Prices) -> {sum, prices:total(Prices, 1)}.
halves() -> [try prices:half(N) catch error:Why -> Why end || N <- [4, 5]].
kept() -> prices:keep(fun(N) -> large(N) end, [1, 20]).
large(N) -> N > 10.
apart() -> {Pid, Ref} = spawn_monitor(prices, half, [8]), receive {'DOWN', Ref, process, Pid, Why} -> Why end.
"""


def compile_away(folder: Path, *options: str) -> None:
    """A compiled module, and nothing of what it was made from."""
    (folder / "prices.erl").write_text(PRICES, encoding="utf-8")
    subprocess.run([find_erlang()[1], *options, "prices.erl"], cwd=folder, check=True, timeout=60)
    (folder / "prices.erl").unlink()


def run_beam(folder: Path, call: str) -> Recorded:
    request = Request(workspace=folder, program=folder / "prices.beam", call=call)
    ended = Erlang().record(request, folder / "run.adebug", silent)
    return Recorded(ended, Erlang().open(folder / "run.adebug", silent))


def test_a_module_with_debug_information_is_recorded_as_from_its_source(tmp_path: Path) -> None:
    compile_away(tmp_path, "+debug_info")
    recorded = record(tmp_path, PROGRAM)
    assert recorded.tree == [
        "program:main() = {sum,6}",
        "  program:bill([2,3]) = {sum,6}",
        "    prices:total([2,3], 1) = 6",
        "      prices:add(2, 1) = 2",
        "      prices:total([3], 2) = 6",
        "        prices:add(3, 2) = 6",
        "        prices:total([], 6) = 6",
    ]
    inner = recorded.subject.inside(3)
    assert inner is not None
    assert inner.tree.facts(1) is not None


def test_of_a_module_without_it_calls_are_recorded(tmp_path: Path) -> None:
    compile_away(tmp_path)
    recorded = record(tmp_path, PROGRAM)
    assert recorded.tree == [
        "program:main() = {sum,6}",
        "  program:bill([2,3]) = {sum,6}",
        "    prices:total([2,3], 1) = 6",
        "      prices:add(2, 1) = 2",
        "      prices:total([3], 2) = 6",
        "        prices:add(3, 2) = 6",
        "        prices:total([], 6) = 6",
    ]
    assert recorded.subject.inside(3) is None
    assert recorded.subject.code(3) == ()
    assert recorded.subject.tree.site_of(3).routine == "prices.add/2"


def test_exceptions_leave_modules_without_source(tmp_path: Path) -> None:
    compile_away(tmp_path)
    recorded = record(tmp_path, PROGRAM, "program:halves()")
    assert recorded.tree == [
        "program:halves() = [2,{odd,5}]",
        "  prices:half(4) = 2",
        "    prices:check(4) = 4",
        "  prices:half(5) raised error:{odd,5}",
        "    prices:check(5) raised error:{odd,5}",
    ]


def test_callbacks_of_a_module_without_source_are_below_its_call(tmp_path: Path) -> None:
    compile_away(tmp_path)
    recorded = record(tmp_path, PROGRAM, "program:kept()")
    shown = [line for line in recorded.tree if "lc$" not in line]
    assert shown == [
        "program:kept() = [20]",
        f"  {shown[1].strip()}",
        "      the fun at line 7 of program:kept/0, given (1), = false",
        "        program:large(1) = false",
        "        the fun at line 7 of program:kept/0, given (20), = true",
        "          program:large(20) = true",
    ]
    assert shown[1].strip().startswith("prices:keep(fun program:")


def test_a_process_may_begin_in_a_module_without_source(tmp_path: Path) -> None:
    compile_away(tmp_path)
    recorded = record(tmp_path, PROGRAM, "program:apart()")
    assert any("prices:half(8) = 4" in line for line in recorded.tree)


@pytest.mark.parametrize("options", [(), ("+debug_info",)])
def test_a_compiled_module_can_be_the_program(tmp_path: Path, options: tuple[str, ...]) -> None:
    compile_away(tmp_path, *options)
    assert run_beam(tmp_path, "prices:total([7], 1)").tree[:2] == ["total([7], 1) = 7", "  add(7, 1) = 7"]


def test_a_compiled_module_is_shown_with_its_source_if_that_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "prices.erl").write_text(PRICES, encoding="utf-8")
    subprocess.run([find_erlang()[1], "+debug_info", "src/prices.erl"], cwd=tmp_path, check=True, timeout=60)
    (where,) = run_beam(tmp_path, "prices:half(2)").subject.code(0)
    assert (where.path, where.range.start.line) == ("src/prices.erl", 5)


def test_a_file_that_is_not_a_module_is_reported(tmp_path: Path) -> None:
    (tmp_path / "prices.beam").write_bytes(b"FOR1 nothing")
    with pytest.raises(BadInputError, match=r"prices\.beam"):
        run_beam(tmp_path, "prices:main()")
