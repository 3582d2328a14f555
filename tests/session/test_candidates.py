"""A search confined to some code, and lists of candidates: ranked, explained, and no longer than a screen."""

from attrs import frozen

from adebug_lsp.model.answers import Confine, Elsewhere, Judgement, Source
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.verdicts import VerdictKind
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Opinion
from adebug_lsp.session.candidates import MOST
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.support import example

_PLACE = (Location("a.py", Range(Position(0, 0), Position(0, 5))),)


@frozen
class Compared:
    """An oracle that compared code, and judges what is left like this."""

    confined: Confine
    judgement: Judgement | None = None
    first: tuple[int, ...] = ()
    name: str = "reference"

    def opinion(self, _question: Question) -> Opinion | None:
        return None if self.judgement is None else Opinion(self.judgement)


def confined(*routines: str, judgement: Judgement | None = None, elsewhere: tuple[Elsewhere, ...] = ()) -> Session:
    oracle = Compared(Confine(routines, Source("reference"), elsewhere), judgement)
    options = Options("top-down", root_is_wrong=True, root_failed=True)
    return Session(HandmadeSubject(example("sqrtest")), options, oracles=Chain([oracle]))


def routines_asked(session: Session) -> set[str]:
    routines = set()
    while isinstance(session.outcome, Ask):
        routines.add(session.outcome.question.facts.site.routine)
        session.answer(Judgement.YES)
    return routines


def names() -> list[str]:
    return sorted({site.routine for site in example("sqrtest").tree.sites})


def test_only_the_confined_routines_are_asked_about() -> None:
    routine = names()[0]
    assert routines_asked(confined(routine)) == {routine}


def test_if_no_code_is_left_nothing_is_wrong() -> None:
    outcome = confined().outcome
    assert isinstance(outcome, Found)
    assert outcome.verdict.kind is VerdictKind.NONE


def test_if_all_that_is_left_was_judged_right_the_only_routine_is_the_verdict() -> None:
    routine = names()[0]
    outcome = confined(routine, judgement=Judgement.YES).outcome
    assert isinstance(outcome, Found)
    assert outcome.verdict.node is not None
    assert example("sqrtest").tree.site_of(outcome.verdict.node).routine == routine
    assert "the only code below it that the reference has changed" in outcome.verdict.explanation


def test_if_all_that_is_left_was_judged_right_several_routines_are_candidates() -> None:
    left = names()[:3]
    outcome = confined(*left, judgement=Judgement.YES).outcome
    assert isinstance(outcome, DeadEnd)
    assert {candidate.routine for candidate in outcome.verdict.unknown} <= set(left)
    assert len(outcome.verdict.unknown) > 1
    assert {candidate.why for candidate in outcome.verdict.unknown} == {"the reference has other code here"}


def test_code_that_ran_before_is_the_verdict_if_nothing_else_is_left() -> None:
    outcome = confined(elsewhere=(Elsewhere("lib", _PLACE),)).outcome
    assert isinstance(outcome, Found)
    assert (outcome.verdict.kind, outcome.verdict.code) == (VerdictKind.BUG, _PLACE)


def test_a_list_has_at_most_a_screen_of_candidates() -> None:
    many = tuple(Elsewhere(f"lib{number}", _PLACE) for number in range(MOST + 5))
    outcome = confined(elsewhere=many).outcome
    assert isinstance(outcome, DeadEnd)
    assert len(outcome.verdict.unknown) == MOST
    assert outcome.verdict.left_out == 5


def test_a_replay_needs_no_oracle() -> None:
    session = confined(names()[0], judgement=Judgement.YES)
    again = Session(session.run, session.options, steps=session.steps)
    assert again.outcome == session.outcome
