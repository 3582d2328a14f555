"""Every answer of a session, one by one, on small trees."""

from threading import Event

import pytest

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
    Trust,
    Untrust,
)
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import AdebugError, BadAnswerError, OracleError, UnknownNameError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.verdicts import VerdictKind
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Opinion
from adebug_lsp.session.handmade_subject import HandmadeSubject, truth
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.tree.handmade import read_handmade
from tests.support import example, no, yes

UNKNOWN, INADMISSIBLE = Judgement.UNKNOWN, Judgement.INADMISSIBLE


def on(
    name: str = "sqrtest", strategy: str = "top-down", *, ask_root: bool = False, oracles: Chain | None = None
) -> Session:
    options = Options(strategy, root_is_wrong=not ask_root)
    return Session(HandmadeSubject(example(name)), options, oracles=oracles)


def asked(session: Session) -> int:
    """The number of the node in question, as the thesis counts."""
    assert isinstance(session.outcome, Ask)
    return session.outcome.question.node + 1


def say(session: Session, *words: str) -> None:
    for word in words:
        session.answer(Judgement(word))


def test_a_session_ends_with_a_verdict() -> None:
    session = on()
    say(session, "no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "no", "yes")
    assert isinstance(session.outcome, Found)
    verdict = session.outcome.verdict
    assert (verdict.kind, verdict.node, verdict.rule, verdict.text) == (VerdictKind.BUG, 22, "sum2", "sum2 3 = 2")


def test_all_right_means_no_bug() -> None:
    session = on(ask_root=True)
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.kind is VerdictKind.NONE


def test_an_answer_without_a_question_is_refused() -> None:
    session = on(ask_root=True)
    say(session, "yes")
    with pytest.raises(BadAnswerError, match="no question"):
        say(session, "yes")


def test_why_shows_how_many_candidates_each_answer_would_leave() -> None:
    session = on(strategy="divide-and-query-optimal")
    why = session.why()
    assert (why.candidates, why.yes_leaves, why.no_leaves) == (27, 18, 9)
    assert why.because == "yes and no leave as equally many candidates as possible"


# Undo and redo


def test_undo_and_redo_to_any_depth() -> None:
    session = on()
    seen = [asked(session)]
    for word in ("no", "yes", "no"):
        say(session, word)
        seen.append(asked(session))
    for expected in reversed(seen[:-1]):
        session.undo()
        assert asked(session) == expected
    for expected in seen[1:]:
        session.redo()
        assert asked(session) == expected


def test_nothing_to_undo_or_redo_is_a_message() -> None:
    session = on()
    with pytest.raises(BadAnswerError, match="nothing to undo"):
        session.undo()
    with pytest.raises(BadAnswerError, match="nothing to redo"):
        session.redo()


def test_a_new_answer_forgets_what_was_undone() -> None:
    session = on()
    say(session, "no")
    session.undo()
    say(session, "no")
    with pytest.raises(BadAnswerError, match="nothing to redo"):
        session.redo()


# Don't know


def test_a_dead_end_offers_the_candidates_in_two_groups() -> None:
    session = on()
    say(session, "no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "unknown", "yes")
    assert isinstance(session.outcome, DeadEnd)
    verdict = session.outcome.verdict
    assert [c.text for c in verdict.known_wrong] == ["partialsums 3 = [6,2]"]
    assert [c.text for c in verdict.unknown] == ["sum2 3 = 2"]


def test_a_dead_end_asks_the_skipped_questions_again() -> None:
    session = on()
    say(session, "no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "unknown", "yes")
    session.say(AskSkipped())
    assert asked(session) == 23
    say(session, "no")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.rule == "sum2"


def test_the_only_call_that_no_oracle_judged_is_asked_about() -> None:
    calls = [(f"{name} = 1", 2, "routine") for name in "abc"]
    rows = [("main = 1", None, "routine"), ("a, b, c", 1, "projection"), *calls]
    nodes = [
        {"id": number, "parent": parent, "rule": text.split()[0], "text": text, "kind": kind, "wrong": number == 1}
        for number, (text, parent, kind) in enumerate(rows, 1)
    ]
    said = {"a, b, c": UNKNOWN, "a = 1": Judgement.YES, "b = 1": UNKNOWN, "c = 1": Judgement.YES}
    oracle = Says("tests", {text: Opinion(judgement) for text, judgement in said.items()})
    session = Session(HandmadeSubject(read_handmade({"nodes": nodes})), Options("top-down"), oracles=Chain([oracle]))
    assert asked(session) == 4
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.node == 0


def test_asking_skipped_questions_needs_some() -> None:
    with pytest.raises(BadAnswerError, match="skipped"):
        on().say(AskSkipped())


# Inadmissible and marks


def test_inadmissible_is_a_verdict_of_its_own() -> None:
    """Node 3 should not have been called with (9,9,8); all else that node 2 called is right: node 2 made the call."""
    session = on()
    say(session, "no", "inadmissible", "yes", "yes")
    assert isinstance(session.outcome, Found)
    verdict = session.outcome.verdict
    assert (verdict.kind, verdict.node, verdict.called) == (VerdictKind.INADMISSIBLE, 1, 2)
    assert "test (9,9,8) = False" in verdict.explanation


def test_inadmissible_arguments_of_the_whole_run() -> None:
    session = on(ask_root=True)
    say(session, "inadmissible")
    assert isinstance(session.outcome, Found)
    assert (session.outcome.verdict.kind, session.outcome.verdict.called) == (VerdictKind.INADMISSIBLE, 0)


def test_inadmissible_leads_to_an_ordinary_bug_when_a_sibling_is_wrong() -> None:
    session = on()
    say(session, "no", "inadmissible", "no", "yes", "yes", "no", "yes", "no", "yes", "no", "yes")
    assert isinstance(session.outcome, Found)
    assert (session.outcome.verdict.kind, session.outcome.verdict.node) == (VerdictKind.BUG, 22)


def test_nodes_excluded_by_a_mark_are_restored_before_a_verdict() -> None:
    """The mark on 8 cut comput1 and comput2 away; when all else is right, they must be asked about."""
    handmade = example("sqrtest-marked")
    session = Session(HandmadeSubject(handmade), Options("top-down"))
    say(session, "no")
    session.say(truth(handmade, 2))
    say(session, "no", "yes")
    assert asked(session) == 5


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(1, Judgement.YES, Mark(MarkOf.RESULT)), "the answer to that is no"),
        (Answer(1, INADMISSIBLE, Mark(MarkOf.RESULT)), "the answer to that is no"),
        (Answer(1, UNKNOWN, Mark(MarkOf.CALL)), "cannot carry one"),
        (Answer(1, Judgement.YES, expected="3"), "goes with the answer no"),
        (Answer(99, Judgement.YES), "no node 99"),
        (Answer(-1, Judgement.YES), "no node -1"),
    ],
)
def test_answers_that_do_not_fit_change_nothing(answer: Answer, message: str) -> None:
    session = on()
    with pytest.raises(BadAnswerError, match=message):
        session.say(answer)
    assert session.steps == ()
    assert asked(session) == 2


# Trust


def test_trust_asks_nothing_about_a_routine_but_goes_below_it() -> None:
    session = on()
    say(session, "no")
    session.say(Trust(Scope.ROUTINE, "computs"))
    say(session, "yes")
    assert asked(session) == 5


def test_untrust_takes_it_back() -> None:
    session = on()
    say(session, "no")
    session.say(Trust(Scope.ROUTINE, "test"))
    assert asked(session) == 4
    session.say(Untrust(Scope.ROUTINE, "test"))
    assert asked(session) == 3


def test_trusting_a_module() -> None:
    nodes = [
        {"id": 1, "parent": None, "rule": "main", "module": "app", "wrong": True},
        {"id": 2, "parent": 1, "rule": "parse", "module": "library"},
        {"id": 3, "parent": 2, "rule": "split", "module": "library"},
        {"id": 4, "parent": 2, "rule": "callback", "module": "app"},
    ]
    session = Session(HandmadeSubject(read_handmade({"nodes": nodes})), Options("top-down"))
    session.say(Trust(Scope.MODULE, "library"))
    assert asked(session) == 4


def test_trusting_what_is_wrong_is_named() -> None:
    session = on()
    session.say(Trust(Scope.ROUTINE, "sum2"))
    session.say(no(22))
    assert [c.text for c in session.contradictions] == ["sum2 3 = 2 is answered no, but the routine sum2 is trusted"]
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert "you trusted this routine, but your answers say it is wrong" in session.outcome.verdict.explanation


@pytest.mark.parametrize(
    "step", [Trust(Scope.ROUTINE, "sum3"), Trust(Scope.MODULE, "nowhere"), Untrust(Scope.ROUTINE, "sum2")]
)
def test_trust_needs_a_name_that_is_there(step: Step) -> None:
    session = on()
    with pytest.raises(BadAnswerError):
        session.say(step)
    assert session.steps == ()


# Rules


def test_a_rule_decides_all_pending_behaviours_of_its_routine() -> None:
    """Sums of numbers are not negative: every listsum is judged at once, and says by which rule."""
    session = on()
    session.say(AddRule("listsum", "* = [0-9]"))
    judged = {step.node + 1: step for step in session.steps if isinstance(step, Answer)}
    assert set(judged) == {8, 9, 10, 11, 17, 18, 19, 25, 26, 27}
    assert {step.source.oracle for step in judged.values()} == {"rule"}


def test_a_broken_rule_leads_to_the_smallest_instance() -> None:
    session = on()
    session.say(AddRule("list", "* = [[][]]"))
    assert session.state.space.top == 13  # list 3 1 = [3], below list 3 2 and list 3 3, which break it too
    session.undo()
    assert asked(session) == 2


class PickySubject(HandmadeSubject):
    """A language that cannot read some rules."""

    def holds(self, rule: str, node: int) -> bool | None:
        raise BadAnswerError(f"{rule!r} is not an expression")


def test_a_rule_that_cannot_be_read_is_refused() -> None:
    session = Session(PickySubject(example("sqrtest")), Options("top-down"))
    with pytest.raises(BadAnswerError, match="not an expression"):
        session.say(AddRule("list", "("))
    assert session.steps == ()


def test_no_rule_of_a_hand_made_tree_takes_forever() -> None:
    """A saved session may come from anywhere; a pattern that is hard to match is only slow to write."""
    nodes = [{"id": 1, "parent": None, "rule": "f", "text": "f"}]
    nodes.append({"id": 2, "parent": 1, "rule": "g", "text": "a" * 5000})
    session = Session(HandmadeSubject(read_handmade({"nodes": nodes})), Options("top-down"))
    session.say(AddRule("g", "*a" * 40 + "b"))
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.node == 1


# Strategy, granularity, restart


def test_switching_the_strategy_keeps_the_answers() -> None:
    session = on()
    say(session, "no", "yes")
    session.say(SwitchStrategy("divide-and-query-optimal"))
    assert asked(session) == 7
    with pytest.raises(UnknownNameError, match="did you mean 'top-down'"):
        session.say(SwitchStrategy("top-dwn"))


KINDS: list[dict[str, object]] = [
    {"id": 1, "parent": None, "rule": "f", "wrong": True},
    {"id": 2, "parent": 1, "rule": "loop", "kind": "loop", "wrong": True},
    {"id": 3, "parent": 2, "rule": "g", "kind": "routine"},
    {"id": 4, "parent": 2, "rule": "x = y", "kind": "statement", "wrong": True},
    {"id": 5, "parent": 4, "rule": "y", "kind": "expression", "wrong": True},
]


def test_zoom_continues_inside_the_buggy_routine() -> None:
    subject = HandmadeSubject(read_handmade({"nodes": KINDS}))
    session = Session(subject, Options("top-down", granularity=Granularity.ROUTINE))
    assert asked(session) == 3
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert (session.outcome.verdict.node, session.outcome.verdict.can_zoom) == (0, True)
    session.say(SwitchGranularity("statement"))
    say(session, "no", "no")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.node == 3
    session.say(SwitchGranularity("expression"))
    say(session, "no")
    assert isinstance(session.outcome, Found)
    assert (session.outcome.verdict.node, session.outcome.verdict.can_zoom) == (4, False)


def test_code_judged_right_is_not_zoomed_into() -> None:
    entries = [{**entry, "parent": 3} if entry["id"] == 4 else entry for entry in KINDS if entry["id"] != 2]
    nodes = [{**entry, "parent": 1} if entry["id"] == 3 else entry for entry in entries]
    session = Session(
        HandmadeSubject(read_handmade({"nodes": nodes})), Options("top-down", granularity=Granularity.ROUTINE)
    )
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert not session.outcome.verdict.can_zoom


def test_unknown_granularity() -> None:
    with pytest.raises(BadAnswerError, match="routine, statement, expression"):
        on().say(SwitchGranularity("atom"))


def test_restart_looks_below_a_node() -> None:
    session = on()
    session.say(Restart(19))
    assert asked(session) == 21


def test_restart_below_a_node_that_was_judged_right() -> None:
    session = on()
    session.say(yes(3))
    session.say(Restart(19))
    assert asked(session) == 21


# Revise


def finished() -> Session:
    session = on()
    say(session, "no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "no", "yes")
    return session


def test_rejecting_a_verdict_opens_the_answers_it_rests_on() -> None:
    session = finished()
    session.say(Reject(22))
    assert isinstance(session.outcome, Ask)
    assert {n + 1 for n in session.state.reopened} == {23, 24}
    assert (session.outcome.question.node + 1, session.outcome.question.default) == (23, "no")
    assert session.why().because == "the rejected verdict rests on it"
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.rule == "partialsums"


def test_confirming_all_answers_gives_the_same_verdict() -> None:
    session = finished()
    session.say(Reject(22))
    say(session, "no", "yes")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.rule == "sum2"


def test_a_verdict_rests_on_answers_below_trusted_nodes_and_on_equal_behaviours() -> None:
    nodes = [
        {"id": 1, "parent": None, "rule": "main"},
        {"id": 2, "parent": 1, "rule": "g", "text": "g 1", "behaviour": "same"},
        {"id": 3, "parent": 1, "rule": "f"},
        {"id": 4, "parent": 3, "rule": "map"},
        {"id": 5, "parent": 4, "rule": "h"},
        {"id": 6, "parent": 3, "rule": "g", "text": "g 1", "behaviour": "same"},
    ]
    session = Session(HandmadeSubject(read_handmade({"nodes": nodes})), Options("top-down"))
    session.say(Trust(Scope.ROUTINE, "map"))
    say(session, "yes", "no", "yes")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.node == 2
    session.say(Reject(2))
    assert {n + 1 for n in session.state.reopened} == {2, 3, 5}


def test_rejecting_again_opens_everything() -> None:
    session = finished()
    session.say(Reject(22))
    say(session, "no", "yes")
    session.say(Reject(22))
    assert len(session.state.reopened) == 11


def test_only_a_verdict_can_be_rejected() -> None:
    with pytest.raises(BadAnswerError, match="is not the verdict"):
        on().say(Reject(3))


# Contradictions


def test_two_answers_on_one_behaviour_are_named() -> None:
    nodes = [
        {"id": 1, "parent": None, "rule": "f", "wrong": True},
        {"id": 2, "parent": 1, "rule": "g", "text": "g 1 = 2", "behaviour": "g1"},
        {"id": 3, "parent": 1, "rule": "g", "text": "g 1 = 2", "behaviour": "g1"},
    ]
    session = Session(HandmadeSubject(read_handmade({"nodes": nodes})), Options("top-down"))
    session.say(yes(1))
    assert isinstance(session.outcome, Found)
    session.say(no(2))
    assert [c.text for c in session.contradictions] == ["g 1 = 2 was answered yes before and is now answered no"]


def test_two_expected_values_for_one_behaviour_are_named() -> None:
    session = on()
    session.say(Answer(22, Judgement.NO, expected="3"))
    session.say(Answer(22, Judgement.NO, expected="4"))
    assert [c.text for c in session.contradictions] == ["sum2 3 = 2 should give 4, but 3 was expected before"]


# Oracles


class Says:
    """An oracle with fixed opinions."""

    def __init__(self, name: str, opinions: dict[str, Opinion | OracleError]) -> None:
        self._name = name
        self.opinions = opinions
        self.questions: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    def opinion(self, question: Question) -> Opinion | None:
        self.questions.append(question.behaviour.text)
        opinion = self.opinions.get(question.behaviour.text)
        if isinstance(opinion, OracleError):
            raise opinion
        return opinion


def test_an_oracle_answers_and_is_named() -> None:
    chain = Chain([Says("tests", {"sqrtest [1,2] = False": Opinion(Judgement.NO, "test_sqr")})])
    session = on(oracles=chain)
    assert asked(session) == 3
    (step,) = session.steps
    assert isinstance(step, Answer)
    assert (step.source.oracle, step.source.reason) == ("tests", "test_sqr")


def test_undo_removes_later_answers_by_oracles() -> None:
    chain = Chain([Says("tests", {"test (9,9,8) = False": Opinion(Judgement.YES)})])
    session = on(oracles=chain)
    say(session, "no")
    assert asked(session) == 4
    session.undo()
    assert (asked(session), session.steps) == (2, ())


def test_an_oracle_that_fails_is_reported_and_a_person_is_asked() -> None:
    chain = Chain([Says("tests", {"sqrtest [1,2] = False": OracleError("it broke")})])
    session = on(oracles=chain)
    assert asked(session) == 2
    assert chain.problems == ["it broke"]


def test_oracles_that_contradict_each_other_are_reported_and_not_obeyed() -> None:
    text = "sqrtest [1,2] = False"
    chain = Chain([Says("a", {text: Opinion(Judgement.NO)}), Says("b", {text: Opinion(Judgement.YES)})])
    session = on(oracles=chain)
    assert asked(session) == 2
    assert chain.problems == [f"a says no to {text}, b says yes: you decide"]


def test_oracles_can_be_skipped_and_are_asked_again_later() -> None:
    oracle = Says("slow", {"test (9,9,8) = False": Opinion(Judgement.YES)})
    stop = Event()
    chain = Chain([oracle], stop=stop)
    stop.set()
    session = on(oracles=chain)
    assert (asked(session), oracle.questions) == (2, [])
    stop.clear()
    say(session, "no")
    assert asked(session) == 4
    assert oracle.questions[0] == "test (9,9,8) = False"


def test_an_unsure_opinion_is_only_a_default() -> None:
    chain = Chain([Says("old", {"sqrtest [1,2] = False": Opinion(Judgement.NO, sure=False)})])
    session = on(oracles=chain)
    assert isinstance(session.outcome, Ask)
    assert (asked(session), session.outcome.question.default) == (2, "no")


def test_revoking_an_oracles_answer_asks_the_person() -> None:
    chain = Chain([Says("tests", {"sqrtest [1,2] = False": Opinion(Judgement.YES)})])
    session = on(oracles=chain)
    assert isinstance(session.outcome, Found)
    session.say(Revoke(1))
    assert asked(session) == 2
    with pytest.raises(BadAnswerError, match="node 5 has no answer"):
        session.say(Revoke(5))


# A run that was only taken to be wrong


MAIN = "main = False"


def right_by(*texts: str) -> Chain:
    """An oracle that knows some behaviours to be right."""
    return Chain([Says("reference", {text: Opinion(Judgement.YES, "it gives the same") for text in texts})])


def test_if_everything_is_right_an_oracle_can_clear_the_run() -> None:
    session = on(oracles=right_by("sqrtest [1,2] = False", MAIN))
    assert isinstance(session.outcome, Found)
    verdict = session.outcome.verdict
    assert (verdict.kind, verdict.node, verdict.code) == (VerdictKind.NONE, None, ())
    assert verdict.explanation.startswith("all of this run is right by the reference (it gives the same); if it is not")
    again = Session(session.run, session.options, steps=session.steps)
    assert again.outcome == session.outcome


def test_a_no_bug_verdict_can_be_undone() -> None:
    session = on(oracles=right_by(MAIN))
    say(session, "yes")
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.kind is VerdictKind.NONE
    session.undo()
    assert asked(session) == 2
    session.redo()
    session.say(Restart(0))
    assert isinstance(session.outcome, Found)
    assert (session.outcome.verdict.kind, session.outcome.verdict.node) == (VerdictKind.BUG, 0)


def test_an_oracle_does_not_clear_a_failed_run_or_one_with_a_no() -> None:
    options = Options("top-down", root_failed=True)
    failed = Session(HandmadeSubject(example("sqrtest")), options, oracles=right_by("sqrtest [1,2] = False", MAIN))
    blamed = on(oracles=right_by(MAIN))
    say(blamed, "inadmissible")
    doubted = on(oracles=right_by("sqrtest [1,2] = False", MAIN))
    doubted.say(Revoke(0))
    for session in (failed, blamed, doubted):
        assert isinstance(session.outcome, Found)
        assert session.outcome.verdict.node == 0
    assert isinstance(failed.outcome, Found)
    assert failed.outcome.verdict.explanation.endswith(
        "; by the reference nothing else is, so that what failed is itself wrong, or else the reference"
    )


def test_unknown_calls_are_not_right_just_because_the_run_is() -> None:
    session = on(oracles=right_by(MAIN))
    while isinstance(session.outcome, Ask):
        say(session, "unknown")
    assert isinstance(session.outcome, DeadEnd)


# Saving and rebuilding


def test_a_session_is_rebuilt_from_its_steps_without_asking_oracles() -> None:
    oracle = Says("tests", {"test (9,9,8) = False": Opinion(Judgement.YES)})
    session = on(oracles=Chain([oracle]))
    say(session, "no")
    before = len(oracle.questions)
    again = Session(session.subject, session.options, oracles=Chain([oracle]), steps=session.steps)
    assert (again.outcome, again.steps) == (session.outcome, session.steps)
    assert len(oracle.questions) == before + 1  # about the open question only


def test_an_unknown_strategy_is_refused_at_once() -> None:
    with pytest.raises(AdebugError, match="unknown strategy"):
        on(strategy="guess")
