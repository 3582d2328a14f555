"""Values are recorded completely, however large, and the recording grows in proportion to the work."""

import re
from pathlib import Path

import pytest

from adebug_lsp.languages.erlang.oracles.reference import Reference, are_equal
from adebug_lsp.languages.erlang.reading.term_text import is_complete
from adebug_lsp.languages.erlang.reading.terms import Atom, Bits, Fun, Improper, MapTerm, Term
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record

pytestmark = needs_erlang

LARGE = """
-export([main/0]).
main() -> [{What, same(value(What))} || What <- [list,improper,nested,tuple,tree,map,few,binary,bits,text]].
same(Value) -> Value.
value(list) -> lists:seq(1, 5000);
value(improper) -> lists:seq(1, 5000) ++ last;
value(nested) -> [lists:seq(N, N + 3000) || N <- [1, 2, 3]];
value(tuple) -> list_to_tuple(lists:seq(1, 3000));
value(tree) -> lists:foldl(fun(N, Tree) -> {N, Tree, <<"leaf">>} end, nil, lists:seq(1, 3000));
value(map) -> maps:from_list([{N, [N, {N}]} || N <- lists:seq(1, 3000)]);
value(few) -> #{long => lists:seq(1, 3000), wide => list_to_tuple(lists:seq(1, 3000)), 1 => #{}};
value(binary) -> << <<(N rem 256)>> || N <- lists:seq(1, 30000) >>;
value(bits) -> << << N:1 >> || N <- lists:seq(1, 40001) >>;
value(text) -> lists:duplicate(3000, $x).
"""
_COUNT = list(range(1, 5001))


def _tree(deep: int) -> object:
    tree: object = Atom("nil")
    for number in range(1, deep + 1):
        tree = (number, tree, b"leaf")
    return tree


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Term, Term]]:
    """The argument and the result of each call of `same`, by the name of the value."""
    run = record(tmp_path_factory.mktemp("large"), LARGE).opened.run
    calls = [frame for frame in range(len(run.frames)) if run.site(frame).function == "same"]
    values = {}
    for name, frame in zip(re.findall(r"^value\((\w+)\)", LARGE, re.MULTILINE), calls, strict=True):
        returned, result = run.outcome(frame)
        assert returned
        values[name] = run.arguments(frame)[0], result
    return values


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("list", _COUNT),
        ("improper", Improper(tuple(_COUNT), Atom("last"))),
        ("nested", [list(range(n, n + 3001)) for n in (1, 2, 3)]),
        ("tuple", tuple(range(1, 3001))),
        ("tree", _tree(3000)),
        ("map", MapTerm(tuple((n, [n, (n,)]) for n in range(1, 3001)))),
        (
            "few",
            MapTerm(
                ((Atom("long"), _COUNT[:3000]), (Atom("wide"), tuple(_COUNT[:3000])), (1, MapTerm(()))),
            ),
        ),
        ("binary", bytes(n % 256 for n in range(1, 30001))),
        ("text", [ord("x")] * 3000),
    ],
)
def test_large_values_are_whole(large: dict[str, tuple[Term, Term]], what: str, value: Term) -> None:
    argument, result = large[what]
    assert are_equal(argument, value)
    assert are_equal(result, value)


def test_a_large_bit_string_is_whole(large: dict[str, tuple[Term, Term]]) -> None:
    argument, _result = large["bits"]
    assert isinstance(argument, Bits)
    assert (len(argument.data), argument.last) == (5001, 1)


WALKS = """
-export([main/2]).
main(walk, N) -> walk(lists:seq(1, N));
main(build, N) -> length(build(N, []));
main(map, N) -> map_size(lists:foldl(fun put/2, #{}, lists:seq(1, N)));
main(tree, N) -> gb_trees:size(lists:foldl(fun insert/2, gb_trees:empty(), lists:seq(1, N)));
main(binary, N) -> bytes(binary:copy(<<"0123456789abcdef">>, N), 0).
walk([]) -> done;
walk([_ | T]) -> walk(T).
build(0, Built) -> Built;
build(N, Built) -> build(N - 1, [N | Built]).
put(N, Map) -> Map#{N => {N}}.
insert(N, Tree) -> gb_trees:insert(N, {N}, Tree).
bytes(<<_:128, Rest/binary>>, N) -> bytes(Rest, N + 1);
bytes(<<>>, N) -> N.
"""


@pytest.mark.parametrize("least", [500, pytest.param(1500, marks=pytest.mark.suites)])
@pytest.mark.parametrize("what", ["walk", "build", "map", "tree", "binary"])
def test_the_recording_grows_linearly_with_the_work(tmp_path: Path, what: str, least: int) -> None:
    sizes = []
    for many in (least, 2 * least):
        run = record(tmp_path, WALKS, f"program:main({what}, {many})").opened.run
        assert all(is_complete(run.arguments(frame)) for frame in range(0, len(run.frames), 97))
        sizes.append(len(run.recording.trace) / len(run.frames))
    assert sizes[1] < 1.6 * sizes[0]


def test_a_value_that_is_much_larger_than_its_memory_is_cut(tmp_path: Path) -> None:
    program = (
        "-export([main/0]).\nmain() -> size(last(lists:foldl(fun(_, T) -> {T, T} end, x, lists:seq(1, 60)))).\n"
        "last(T) -> T.\n"
    )
    run = record(tmp_path, program, timeout=60).opened.run
    assert run.recording.ended["value"] == 2
    frame = next(frame for frame in range(len(run.frames)) if run.site(frame).function == "last")
    assert not is_complete(run.arguments(frame))


def test_a_program_that_deletes_all_tables_is_recorded(tmp_path: Path) -> None:
    program = (
        "-export([main/0]).\nmain() -> [catch ets:delete(T) || T <- ets:all()], len(lists:seq(1, 9000)).\n"
        "len(L) -> length(L).\n"
    )
    recorded = record(tmp_path, program)
    assert recorded.ended.message == "program:main() = 9000"
    assert recorded.tree[1].startswith("  len([1,2,3,")


def test_a_fun_with_large_captured_values_is_identified_by_its_position(tmp_path: Path) -> None:
    program = (
        "-export([main/0]).\nmain() -> L = lists:seq(1, 9000), each(fun(N) -> lists:nth(N, L) end, [3]).\n"
        "each(F, [N]) -> F(N).\n"
    )
    run = record(tmp_path, program).opened.run
    fun = next(run.arguments(frame)[0] for frame in range(len(run.frames)) if run.site(frame).function == "each")
    assert isinstance(fun, Fun)
    assert fun.creation is not None
    assert run.recording.sites[fun.creation[1]].kind == "fun"


TOTALS = """
-export([main/0]).
main() -> total(prices(6000)).
prices(N) -> [{N, N * 2} || N <- lists:seq(1, N)].
total(Prices) -> lists:sum([P || {_, P} <- dearer(Prices, 5990)]).
dearer([], _) -> [];
dearer([{N, _} = Price | Rest], Least) when N > Least -> [Price | dearer(Rest, Least)];
dearer([_ | Rest], Least) -> dearer(Rest, Least).
"""


def test_a_reference_judges_calls_with_large_values(tmp_path: Path) -> None:
    recorded = record(tmp_path, TOTALS)
    right = tmp_path / "right"
    right.mkdir()
    (right / "program.erl").write_text(f"-module(program).\n{TOTALS.replace('N > Least', 'N >= Least')}")
    subject = recorded.subject
    with Reference.open(str(right), tmp_path, subject) as reference:
        opinions = {
            subject.run.site(frame).function: reference.opinion(
                Question(subject.tree.facts(node), subject.behaviour(node))
            )
            for node in range(4)
            if (frame := subject.frame(node)) is not None
        }
    assert {name: opinion.judgement for name, opinion in opinions.items() if opinion is not None} == {
        "main": Judgement.NO,
        "prices": Judgement.YES,
        "total": Judgement.NO,
        "dearer": Judgement.NO,
    }


def test_equal_calls_with_large_values_are_equal(tmp_path: Path) -> None:
    program = "-export([main/0]).\nmain() -> [len(lists:seq(1, N)) || N <- [9000, 9000, 9001]].\nlen(L) -> length(L).\n"
    subject = record(tmp_path, program).subject
    first, same, other = [subject.behaviour(node).identity for node in (1, 2, 3)]
    assert first
    assert first == same
    assert first != other


@pytest.mark.parametrize("value", ["lists:seq(1, 2000)", "maps:from_list([{{N}, N} || N <- lists:seq(1, 2000)])"])
def test_a_large_message_has_its_sender(tmp_path: Path, value: str) -> None:
    program = (
        "-export([main/0]).\nmain() -> Self = self(), spawn(fun() -> Self ! small, Self ! value() end),\n"
        f"    receive Large when Large =/= small -> ok end, receive small -> ok end.\nvalue() -> {value}.\n"
    )
    run = record(tmp_path, program).opened.run
    taken = [step.message for process in run.processes.all for step in process.steps if step.message is not None]
    assert [message.sender for message in taken] == [1, 1]
    assert run.processes.all[0].steps[1].mailbox == [taken[1]]


def test_a_reference_can_be_called_with_a_fun_of_a_module(tmp_path: Path) -> None:
    program = (
        '-export([main/0, each/2]).\nmain() -> each(fun string:uppercase/1, ["a", "b"]).\n'
        "each(F, L) -> [F(E) || E <- L].\n"
    )
    recorded = record(tmp_path, program)
    subject = recorded.subject
    with Reference.open(str(tmp_path / "program.erl"), tmp_path, subject) as reference:
        opinion = reference.opinion(Question(subject.tree.facts(1), subject.behaviour(1)))
    assert opinion is not None
    assert opinion.judgement is Judgement.YES
