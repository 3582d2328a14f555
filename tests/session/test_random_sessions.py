"""Sessions with random answers of every kind: they never crash, never loop, and undo and redo are exact."""

from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    AskSkipped,
    Judgement,
    Mark,
    MarkOf,
    Reject,
    Restart,
    Revoke,
    Scope,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
    Untrust,
)
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.json import step_from_json, step_to_json
from adebug_lsp.model.transformations import TRANSFORMATIONS
from adebug_lsp.search.strategies import names
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.slicing.dependence_contract import Trace
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.handmade import HandmadeTree
from tests.support import is_buggy, labelled

NODES = st.integers(0, 14) | st.integers(15, 50)
"""Also nodes that only a transformed tree has."""
MARKS = st.builds(Mark, st.sampled_from(MarkOf), st.tuples() | st.tuples(st.integers(0, 2)))
ROUTINES = st.integers(0, 5).map(lambda rule: f"r{rule}")
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(Answer, NODES, st.sampled_from(Judgement), st.none() | MARKS, st.none() | st.just("3")),
    st.builds(Trust, st.just(Scope.ROUTINE), ROUTINES),
    st.builds(Trust, st.just(Scope.MODULE), st.sampled_from(["m0", "m1"])),
    st.builds(Untrust, st.just(Scope.ROUTINE), ROUTINES),
    st.builds(AddRule, ROUTINES, st.sampled_from(["*1*", "r?([0-9])", "("])),
    st.builds(SwitchStrategy, st.sampled_from(names())),
    st.builds(SwitchGranularity, st.sampled_from(["routine", "statement", "expression"])),
    st.builds(Transform, st.sampled_from([*TRANSFORMATIONS])),
    st.builds(Restart, NODES),
    st.builds(Reject, NODES),
    st.builds(Revoke, NODES),
    st.just(AskSkipped()),
)


class MarkedSubject(HandmadeSubject):
    """A random tree in which every mark leads to some earlier node, or nowhere."""

    @property
    def dependences(self) -> "AnyTraces":
        return AnyTraces(self.tree)


class AnyTraces:
    def __init__(self, tree: ExecutionTree) -> None:
        self.tree = tree

    def trace(self, node: int, mark: Mark) -> Trace | None:
        if mark.path == (2,):
            return None
        origin = (node * 7 + len(mark.path)) % len(self.tree)
        return Trace(
            origin, frozenset({origin, *self.tree.ancestors(origin), *range(origin, self.tree.end(origin), 2)})
        )


def apply(session: Session, move: Step | str | Judgement) -> None:
    """Apply any step to a session; an invalid step must be refused and leave the session unchanged."""
    before = session.steps, session.outcome
    try:
        if move == "undo":
            session.undo()
        elif move == "redo":
            session.redo()
        elif isinstance(move, Judgement):
            session.answer(move)
        else:
            assert not isinstance(move, str)
            session.say(move)
    except AdebugError:
        assert (session.steps, session.outcome) == before


MOVES = st.one_of(STEPS, st.sampled_from(["undo", "redo"]), st.sampled_from(Judgement), st.sampled_from(Judgement))


@settings(max_examples=250, deadline=None)
@given(
    handmade=labelled(most=15),
    moves=st.lists(MOVES, max_size=25),
    strategy=st.sampled_from(names()),
    ask_root=st.booleans(),
)
def test_any_mix_of_answers_is_survived(
    handmade: HandmadeTree, moves: list[Step | str | Judgement], strategy: str, ask_root: bool
) -> None:
    session = Session(MarkedSubject(handmade), Options(strategy, root_is_wrong=not ask_root))
    for move in moves:
        apply(session, move)
        if isinstance(session.outcome, Ask):
            node = session.outcome.question.node
            assert session.levels.is_made(node) or session.state.space.is_askable(node)
    rebuilt = Session(session.subject, session.options, steps=session.steps)
    assert rebuilt.outcome == session.outcome
    assert [step_from_json(step_to_json(step)) for step in session.steps] == list(session.steps)
    for _ in range(2 * len(handmade.tree) + 1):  # with the ranges of a transformed tree
        if not isinstance(session.outcome, Ask):
            break
        session.answer(Judgement.YES)
    assert not isinstance(session.outcome, Ask)


@settings(max_examples=100, deadline=None)
@given(handmade=labelled(most=15), moves=st.lists(STEPS | st.sampled_from(Judgement), max_size=12))
def test_undo_restores_the_state_exactly(handmade: HandmadeTree, moves: list[Step | Judgement]) -> None:
    check_undo(Session(MarkedSubject(handmade), Options("expected-cost")), moves)


def check_undo(session: Session, moves: list[Step | Judgement]) -> None:
    """Undo and redo return to each state on the way."""
    history = [snapshot(session)]
    for move in moves:
        steps = session.steps
        apply(session, move)
        if session.steps != steps:
            history.append(snapshot(session))
    for expected in reversed(history[:-1]):
        session.undo()
        assert snapshot(session) == expected
    for expected in history[1:]:
        session.redo()
        assert snapshot(session) == expected


def snapshot(session: Session) -> object:
    state = session.state
    return (
        session.steps,
        session.outcome,
        state.space.top,
        dict(state.space.judged),
        list(state.space.answers),
        state.strategy,
        state.granularity,
        set(state.trusted),
        dict(state.reopened),
        session.contradictions,
        session.transformations,
    )


@settings(max_examples=150, deadline=None)
@given(
    handmade=labelled(most=12),
    strategy=st.sampled_from(names()),
    unknown=st.sets(st.integers(0, 11)),
    ask_root=st.booleans(),
)
def test_a_truthful_oracle_that_sometimes_does_not_know_still_gets_the_bug(
    handmade: HandmadeTree, strategy: str, unknown: set[int], ask_root: bool
) -> None:
    """In trees whose candidates are all listed: longer lists are shortened."""
    wrong = handmade.wrong | {0}
    session = Session(HandmadeSubject(handmade), Options(strategy, root_is_wrong=not ask_root))
    while isinstance(session.outcome, Ask):
        node = session.outcome.question.node
        if node in unknown:
            session.answer(Judgement.UNKNOWN)
        else:
            session.answer(Judgement.NO if node in wrong else Judgement.YES)
    verdict = session.outcome.verdict
    if isinstance(session.outcome, Found):
        assert verdict.node is not None
        assert is_buggy(handmade, verdict.node, wrong)
    else:
        assert isinstance(session.outcome, DeadEnd)
        candidates = [c.node for c in (*verdict.known_wrong, *verdict.unknown)]
        assert any(is_buggy(handmade, node, wrong) for node in candidates)
