"""A mark on a part of a result leads to the call that made it; later calls without influence are skipped."""

import re
import subprocess
from pathlib import Path

import pytest

from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.values import Key
from adebug_lsp.session.session import Session
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record
from tests.warm_start import COMMAND

pytestmark = needs_erlang

PROGRAM = """
-export([main/0]).
main() ->
    Squares = squares([1, 2, 3, 4]),
    {Squares, halves([10, 20, 30]), thirds([3, 6, 9]), sorted([3, 1, 2]), pair(5), chosen(5), binary(7), same(),
     tail(3), #{odd => odd(7), even => even(8)}, lists:reverse(halves([2, 4])), late(1)}.
squares([]) -> [];
squares([X | Rest]) -> [square(X) | squares(Rest)].
square(X) -> X * X.
halves(List) -> [half(X) || X <- List].
half(X) -> X div 2.
thirds(List) -> lists:map(fun(X) -> third(X) end, List).
third(X) -> X div 3.
sorted([]) -> [];
sorted([P | Rest]) -> sorted([X || X <- Rest, X < P]) ++ [P] ++ sorted([X || X <- Rest, X >= P]).
pair(X) -> First = odd(X), Second = even(X), noise(a), {First, {Second, First}}.
odd(X) -> {odd, X}.
even(X) -> {even, X}.
noise(X) -> [X, noise].
chosen(X) ->
    Value = odd(X),
    case noise(X) of
        [_, noise] -> {Value, here};
        _ -> {none, there}
    end.
binary(X) -> Old = <<7>>, New = number(X), noise(a), {Old, <<New>>}.
number(X) -> X.
same() -> A = number(1), B = number(2), {A, B div 2}.
tail(0) -> [done, square(3)];
tail(N) -> noise(N), tail(N - 1).
late(X) -> {made, noise(X), X}.
"""


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> ErlangSubject:
    return record(tmp_path_factory.mktemp("origins"), PROGRAM).subject


def node_of(subject: ErlangSubject, text: str) -> int:
    return next(node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith(text))


def traced(subject: ErlangSubject, text: str, path: tuple[Key, ...]) -> tuple[str, set[str]]:
    """The text of the call that made a part, and the calls below the marked one that have no influence on it."""
    node = node_of(subject, text)
    trace = subject.dependences.trace(node, Mark(MarkOf.RESULT, path))
    assert trace is not None
    below = range(node + 1, subject.tree.end(node))
    return call_text(subject, trace.origin), {
        call_text(subject, node) for node in below if node not in trace.influencers
    }


def call_text(subject: ErlangSubject, node: int) -> str:
    return subject.behaviour(node).text.split(" = ")[0]


@pytest.mark.parametrize(
    ("call", "path", "origin", "cut"),
    [
        # by a recursion that puts one element before the others
        ("squares([1,2,3,4])", (0,), "square(1)", {"squares([2,3,4])", "square(2)", "square(3)", "square(4)"}),
        ("squares([1,2,3,4])", (2,), "square(3)", {"squares([4])", "square(4)", "squares([])"}),
        ("squares([1,2,3,4])", (-1,), "square(4)", {"squares([])"}),
        # by one call for each element
        ("halves([10,20,30])", (1,), "half(20)", {"half(10)", "half(30)"}),
        ("thirds([3,6,9])", (0,), "third(3)", {"third(6)", "third(9)"}),
        # at the beginning and at the end of a list
        ("sorted([3,1,2])", (2,), "sorted([3,1,2])", set()),
        # in structures in structures
        ("pair(5)", (0, 0), "odd(5)", {"even(5)", "noise(a)"}),
        ("pair(5)", (0, 1), "odd(5)", {"noise(a)"}),
        ("pair(5)", (1, 0), "even(5)", {"noise(a)"}),
        ("pair(5)", (1, 0, 1), "even(5)", {"noise(a)"}),
        # what decided that it is there has influence
        ("chosen(5)", (0,), "odd(5)", set()),
        ("chosen(5)", (1,), "chosen(5)", set()),
        # numbers become binaries, and nothing tells of that
        ("binary(7)", (1,), "binary(7)", {"noise(a)"}),
        # that an earlier call gave an equal value says nothing
        ("same()", (1,), "same()", set()),
        ("same()", (0,), "same()", set()),
        # the result of a last call is that of the call
        ("tail(3)", (1,), "square(3)", set()),
        ("tail(3)", (0,), "tail(0)", {"square(3)"}),
        ("late(1)", (0,), "late(1)", {"noise(1)"}),
        ("late(1)", (1, 1), "noise(1)", set()),
    ],
)
def test_a_part_leads_to_the_call_that_made_it(
    subject: ErlangSubject, call: str, path: tuple[Key, ...], origin: str, cut: set[str]
) -> None:
    node, without_influence = traced(subject, call, path)
    assert node == origin
    assert cut <= without_influence
    assert bool(cut) == bool(without_influence)


def test_a_mark_inside_a_large_result_goes_through_several_calls(subject: ErlangSubject) -> None:
    assert traced(subject, "main()", (0, 2))[0] == "square(3)"
    assert traced(subject, "main()", (8, 1))[0] == "square(3)"
    assert traced(subject, "main()", (9, "odd", 1))[0] == "odd(7)"
    assert "late(1)" in traced(subject, "main()", (0, 2))[1]


@pytest.mark.parametrize("path", [(), (7,), ("x",), (0, 0, 0)])
def test_a_path_without_a_part_is_not_followed(subject: ErlangSubject, path: tuple[Key, ...]) -> None:
    node = node_of(subject, "halves([10,20,30])")
    assert subject.dependences.trace(node, Mark(MarkOf.RESULT, path)) is None


BILL = """-module(program).
-export([main/0]).
main() -> bill([{tea, 2}, {rice, 5}, {salt, 1}, {oil, 7}, {milk, 3}, {corn, 4}]).
bill(Items) -> [price(Item) || Item <- Items].
price({Name, Amount}) -> {Name, total(each(Name), Amount)}.
total(Each, Amount) -> Each * Amount.
each(oil) -> 9;
each(Name) -> length(atom_to_list(Name)).
"""


@pytest.mark.parametrize(
    ("answer", "asked"),
    [("no", ["price({tea,2}) = {tea,6}"]), ("mark result[3][1]", ["price({oil,7}) = {oil,63}", "each(oil) = 9"])],
)
def test_the_next_questions_are_about_what_made_the_part(tmp_path: Path, answer: str, asked: list[str]) -> None:
    (tmp_path / "program.erl").write_text(BILL, encoding="utf-8")
    done = subprocess.run(
        [*COMMAND, "run", "--strategy", "top-down", "program.erl"],
        cwd=tmp_path, input=f"{answer}\nno\nquit\n", capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    questions = re.findall(r"^\d+\. (.*)\?    at ", done.stdout, re.MULTILINE)
    assert questions[0].startswith("bill(")
    assert questions[1 : 1 + len(asked)] == asked, done.stdout


@pytest.mark.parametrize(
    ("call", "path", "message"),
    [
        ("square(4)", (0,), r"there is no result\[0\]; result is 16, which has no parts; mark result itself"),
        ("odd(7)", (2,), r"there is no result\[2\]; what can be marked: result, result\[0\], result\[1\]"),
        ("odd(7)", ("x",), r"there is no result.x; what can be marked: result, result\[0\], result\[1\]"),
    ],
)
def test_a_part_that_does_not_exist_is_refused(
    subject: ErlangSubject, call: str, path: tuple[Key, ...], message: str
) -> None:
    node = next(node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith(f"{call} ="))
    session = Session(subject)
    with pytest.raises(BadAnswerError, match=f"^{message}"):
        session.say(Answer(node, Judgement.NO, Mark(MarkOf.RESULT, path)))
    assert session.steps == ()
    session.say(Answer(node, Judgement.NO, Mark(MarkOf.RESULT, path[:-1])))


def test_a_list_that_reads_as_a_text_has_its_elements(tmp_path: Path) -> None:
    program = "-export([main/0]).\nmain() -> {letters(97)}.\nletters(X) -> [X, X + 1, X + 2].\n"
    subject = record(tmp_path, program).subject
    node = next(node for node in range(len(subject.tree)) if subject.behaviour(node).text == 'letters(97) = "abc"')
    Session(subject).say(Answer(node, Judgement.NO, Mark(MarkOf.RESULT, (2,))))
    with pytest.raises(BadAnswerError, match=r"there is no result\[3\]"):
        Session(subject).say(Answer(node, Judgement.NO, Mark(MarkOf.RESULT, (3,))))
