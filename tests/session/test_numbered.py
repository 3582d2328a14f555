"""Questions as numbered lists: which answer each number stands for."""

import pytest
from attrs import evolve

from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour, NodeFacts, Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.session.numbered import answer_by_number, is_numbered, items

STEP = Behaviour(
    "a step",
    before=Environment(
        (Binding("State", Value("3"), Role.ARGUMENT), Binding("message", Value("{add,5}"), Role.MAILBOX))
    ),
    after=Environment((Binding("sent 1 to P", Value("ok"), Role.MAILBOX), Binding("State", Value("8")))),
    result=Value("done"),
)
FACTS = NodeFacts(7, 0, NodeKind.PROCESS_STEP, Site("step"), 0, False, 40, 0, 9)
QUESTION = Question(FACTS, STEP)


def test_inputs_come_before_effects() -> None:
    assert [item.text for item in items(STEP)] == [
        "State = 3",
        "message = {add,5}",
        "sent 1 to P = ok",
        "State = 8, afterwards",
        "gave done",
    ]


def test_an_input_that_is_wrong_is_marked_and_an_output_makes_the_answer_no() -> None:
    wrong_message = answer_by_number(QUESTION, 2)
    assert (wrong_message.node, wrong_message.judgement) == (7, Judgement.INADMISSIBLE)
    assert wrong_message.mark == Mark(MarkOf.ARGUMENT, ("message",))
    for number in (3, 4, 5):
        assert answer_by_number(QUESTION, number).judgement is Judgement.NO
        assert answer_by_number(QUESTION, number).mark is None
    assert answer_by_number(QUESTION, 0).judgement is Judgement.YES


def test_a_number_without_an_item_is_refused() -> None:
    with pytest.raises(BadAnswerError, match=r"there is no item 6$"):
        answer_by_number(QUESTION, 6)
    call = evolve(QUESTION, behaviour=Behaviour("f(1) = 2", result=Value("2")))
    assert is_numbered(QUESTION)
    assert not is_numbered(call)
    with pytest.raises(BadAnswerError, match="the question is not a numbered list"):
        answer_by_number(call, 1)


def test_naming_the_expected_clause_marks_the_choice() -> None:
    clause = Binding("clause 2", Value("`[]`"), Role.CLAUSE)
    choice = Question(FACTS, Behaviour("clause 1 matches", after=Environment((Binding("N", Value("1")), clause))))
    assert is_numbered(choice)
    assert [item.text for item in items(choice.behaviour)] == ["N = 1", "clause 2 should have been taken: `[]`"]
    answer = answer_by_number(choice, 2)
    assert (answer.judgement, answer.mark) == (Judgement.NO, Mark(MarkOf.RESULT, ("clause 2",)))
