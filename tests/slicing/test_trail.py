"""Chapter 6 of the thesis: the redex trail of Figure 1.1, both prunes, and Theorems 56 and 57 on random programs."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf, Restart
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.slicing.trail import START, TrailDependences, chop, collect
from adebug_lsp.tree.columns import ExecutionTree
from tests.slicing.lazy_machine import Expression, Machine, Program
from tests.slicing.sqrtest import PROGRAM, TRUSTED, call, con, number, var
from tests.support import example

EIGHT = Mark(MarkOf.ARGUMENT, (0, "r"))
"""The third part of the tuple that `test` got."""
TWO = Mark(MarkOf.RESULT, ("r", "l", "r"))
"""The second element of the list that `partialsums` gave."""


@pytest.fixture(scope="module")
def machine() -> Machine:
    machine = Machine(PROGRAM)
    machine.run(call("main"))
    return machine


@pytest.fixture(scope="module")
def run(machine: Machine) -> tuple[ExecutionTree, TrailDependences]:
    return machine.tree(TRUSTED)


def ids(nodes: Any) -> set[int]:
    """The numbers of the thesis count from 1."""
    return {node + 1 for node in nodes}


def test_the_trail_has_the_size_of_figure_6_3(machine: Machine) -> None:
    assert len(machine.trail) == 177
    assert len(list(machine.trail.reductions())) == 47


def test_the_tree_is_that_of_figure_1_3(machine: Machine, run: tuple[ExecutionTree, TrailDependences]) -> None:
    tree, dependences = run
    drawn = example("sqrtest").tree
    assert tree.parent.tolist() == drawn.parent.tolist()
    assert machine.equation(dependences.redexes[22]) == (("sum2", "3"), "2")
    assert machine.equation(dependences.redexes[2]) == (("test", ("(,,)", "9", "9", "8")), "False")


def test_marking_8_removes_eleven_nodes(run: tuple[ExecutionTree, TrailDependences]) -> None:
    tree, dependences = run
    trace = dependences.trace(2, EIGHT)
    assert trace is not None
    assert ids(set(range(len(tree))) - trace.influencers) == {3, *range(5, 16)}
    assert trace.origin + 1 == 17


def test_marking_2_leaves_three_nodes(run: tuple[ExecutionTree, TrailDependences]) -> None:
    _tree, dependences = run
    trace = dependences.trace(19, TWO)
    assert trace is not None
    assert ids(trace.influencers) == {20, 23, 24}
    assert trace.origin + 1 == 23


def test_marking_the_function_name_slices_from_the_start_to_the_call(
    run: tuple[ExecutionTree, TrailDependences],
) -> None:
    """Who brought `comput3` in: computs, and what led to it; nothing that computed its siblings."""
    _tree, dependences = run
    trace = dependences.trace(15, Mark(MarkOf.CALL))
    assert trace is not None
    assert trace.origin + 1 == 4
    assert ids(trace.influencers) == {1, 2, 4, 25, 26, 27}


def test_the_example_file_says_what_the_trail_says(run: tuple[ExecutionTree, TrailDependences]) -> None:
    _tree, dependences = run
    marks = example("sqrtest-marked").marks
    for node, mark in ((2, EIGHT), (19, TWO)):
        trace = dependences.trace(node, mark)
        assert trace is not None
        assert (marks[node].origin, marks[node].influencers) == (trace.origin, trace.influencers)


class TrailSubject:
    """The run of Figure 1.1 as the subject of a session."""

    suspicion = None
    plumbing = None

    def __init__(self, machine: Machine, tree: ExecutionTree, dependences: TrailDependences) -> None:
        self.machine = machine
        self.tree = tree
        self.dependences = dependences

    def behaviour(self, node: int) -> Behaviour:
        return Behaviour(str(self.machine.equation(self.dependences.redexes[node])))

    def behaviour_key(self, node: int) -> str:
        return ""

    def code(self, node: int) -> tuple[Location, ...]:
        return ()

    def holds(self, rule: str, node: int) -> bool | None:
        return None

    def inside(self, node: int) -> None:
        return None

    def sources(self) -> dict[str, str]:
        return {}


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [("top-down", [1, 2, 3, 4, 16, 17, 20, 23, 24]), ("subterm-tracking", [1, 2, 3, 17, 16, 20, 23, 24])],
)
def test_the_marked_session_of_figure_6_5(
    machine: Machine, run: tuple[ExecutionTree, TrailDependences], strategy: str, expected: list[int]
) -> None:
    wrong = example("sqrtest").wrong
    session = Session(TrailSubject(machine, *run), Options(strategy, root_is_wrong=False))
    asked = []
    while isinstance(session.outcome, Ask):
        node = session.outcome.question.node
        asked.append(node + 1)
        judgement = Judgement.NO if node in wrong else Judgement.YES
        session.say(Answer(node, judgement, {2: EIGHT, 19: TWO}.get(node)))
    assert asked == expected
    assert session.outcome.verdict.rule == "sum2"


def test_collect_is_chop_on_figure_1_1(machine: Machine) -> None:
    """Theorem 56, for pairs of a reduction and a node below it."""
    trail = machine.trail
    starts = list(trail.reductions())[::6]
    pairs = [(start, end) for start in starts for end in range(0, len(trail), 2) if start in trail.prefixes(end)]
    assert len(pairs) > 80
    for start, end in pairs:
        assert collect(trail, start, end) == chop(trail, start, end)


# Random programs: functions over whole numbers that give a number or a pair; one of them is wrong.

FUNCTIONS = 5


@st.composite
def expressions(draw: st.DrawFn, kinds: tuple[bool, ...], own: int, pair: bool, depth: int) -> Expression:
    later = [f"f{index}" for index in range(own + 1, len(kinds)) if kinds[index] == pair]
    simple = depth == 0 or draw(st.integers(0, 3)) == 0

    def inner(of_pair: bool = False) -> Expression:
        return draw(expressions(kinds, own, of_pair, depth - 1))

    if pair:
        if later and not simple:
            return call(draw(st.sampled_from(later)), inner(), inner())
        return con("pair", inner(), inner()) if depth else con("pair", var(0), var(1))
    if simple:
        return draw(st.sampled_from([var(0), var(1), number(1), number(2), number(3)]))
    choice = draw(st.integers(0, 2))
    if choice == 0:
        return call(draw(st.sampled_from(["+", "-", "*"])), inner(), inner())
    if choice == 1 and later:
        return call(draw(st.sampled_from(later)), inner(), inner())
    return call(draw(st.sampled_from(["first", "second"])), inner(True))


@st.composite
def programs(draw: st.DrawFn) -> tuple[Program, Program, str]:
    """A wrong program, the intended one, and the function in which they differ."""
    kinds = (draw(st.booleans()), *(draw(st.booleans()) for _ in range(FUNCTIONS - 1)))

    def body(index: int) -> Expression:
        return draw(expressions(kinds, index, kinds[index], 3))

    intended: dict[str, tuple[int, Expression]] = {f"f{index}": (2, body(index)) for index in range(FUNCTIONS)}
    intended["first"] = (1, ("case", var(0), {"pair": (2, var(1))}))
    intended["second"] = (1, ("case", var(0), {"pair": (2, var(2))}))
    broken = draw(st.integers(0, FUNCTIONS - 1))
    wrong = {**intended, f"f{broken}": (2, body(broken))}
    return wrong, intended, f"f{broken}"


def expected_value(intended: Program, function: str, arguments: tuple[Any, ...], filling: int) -> Any:
    machine = Machine(intended)
    return machine.show(machine.run(call(function, *(_literal(argument, filling) for argument in arguments))))


def _literal(shown: Any, filling: int) -> Expression:
    if isinstance(shown, tuple):
        return con(shown[0], *(_literal(part, filling) for part in shown[1:]))
    return number(filling if shown == "_" else int(shown))


def wrong_parts(machine: Machine, dependences: TrailDependences, intended: Program) -> dict[int, list[tuple[str, ...]]]:
    """For every wrong node the paths to the parts of its result that are wrong.

    An argument that was never needed may be anything: the intended function must give the same whatever it is. A part
    of the result that was never needed cannot be wrong.
    """
    wrong: dict[int, list[tuple[str, ...]]] = {}
    for node, redex in dependences.redexes.items():
        (function, *arguments), result = machine.equation(redex)
        meant = [_parts(expected_value(intended, function, tuple(arguments), filling)) for filling in (0, 7)]
        parts = _parts(result)
        bad = [path for path, part in parts.items() if part != "_" and any(m[path] != part for m in meant)]
        if bad:
            wrong[node] = bad
    return wrong


def _parts(value: Any) -> dict[tuple[str, ...], Any]:
    if isinstance(value, tuple):
        return {("l", "r"): value[1], ("r",): value[2]}
    return {(): value}


def run_of(program: Program, inputs: tuple[int, int]) -> tuple[Machine, ExecutionTree, TrailDependences]:
    machine = Machine(program)
    machine.run(call("f0", number(inputs[0]), number(inputs[1])))
    return machine, *machine.tree()


@settings(max_examples=80, deadline=None)
@given(case=programs(), inputs=st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_a_mark_never_prunes_the_node_that_caused_it(
    case: tuple[Program, Program, str], inputs: tuple[int, int]
) -> None:
    """Theorem 57: whichever wrong part of a result is marked, a buggy node stays among the influencers."""
    machine, tree, dependences = run_of(case[0], inputs)
    wrong = wrong_parts(machine, dependences, case[1])
    buggy = {node for node in wrong if not wrong.keys() & set(tree.children(node))}
    for node, paths in wrong.items():
        for path in paths:
            trace = dependences.trace(node, Mark(MarkOf.RESULT, path))
            assert trace is not None
            assert {n for n in trace.influencers if tree.contains(node, n)} & buggy


@settings(max_examples=80, deadline=None)
@given(
    case=programs(),
    inputs=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    strategy=st.sampled_from(["top-down", "subterm-tracking", "dynamic-weighting", "expected-cost", "combined"]),
)
def test_marking_every_wrong_result_still_ends_at_a_buggy_node(
    case: tuple[Program, Program, str], inputs: tuple[int, int], strategy: str
) -> None:
    """Whole sessions from a wrong node on, with an oracle that marks the first wrong part of every wrong result."""
    machine, tree, dependences = run_of(case[0], inputs)
    wrong = wrong_parts(machine, dependences, case[1])
    if not wrong:
        return
    session = Session(TrailSubject(machine, tree, dependences), Options(strategy))
    session.say(Restart(min(wrong)))
    while isinstance(session.outcome, Ask):
        node = session.outcome.question.node
        if node in wrong:
            session.say(Answer(node, Judgement.NO, Mark(MarkOf.RESULT, wrong[node][0])))
        else:
            session.answer(Judgement.YES)
    verdict = session.outcome.verdict.node
    assert verdict in wrong
    assert not wrong.keys() & set(tree.children(verdict))


@settings(max_examples=40, deadline=None)
@given(case=programs(), inputs=st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_collect_is_chop(case: tuple[Program, Program, str], inputs: tuple[int, int]) -> None:
    """Theorem 56 on random programs, from the start and from every reduction."""
    machine = Machine(case[0])
    machine.run(call("f0", number(inputs[0]), number(inputs[1])))
    trail = machine.trail
    assume(len(trail) < 120)
    for end in range(0, len(trail), 3):
        for start in [START, *(r for r in trail.reductions() if r in trail.prefixes(end))]:
            assert collect(trail, start, end) == chop(trail, start, end)
