"""A question as a numbered list: the number of the first wrong item is an answer of its own.

What was there before comes first: where that is wrong, the code that is asked about is not to blame for the rest.
"""

from collections.abc import Mapping

from attrs import frozen

from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.values import Binding, Role


@frozen
class Item:
    """One thing that may be wrong."""

    text: str
    judgement: Judgement
    mark: Mark | None = None


def items(behaviour: Behaviour) -> list[Item]:
    """All that a behaviour shows, in the order in which it is to be looked at."""
    found = [
        Item(f"{one.name} = {one.value.text}", Judgement.INADMISSIBLE, Mark(MarkOf.ARGUMENT, (one.name,)))
        for one in behaviour.before.bindings
    ]
    before = {one.name: one.value.text for one in behaviour.before.bindings}
    found += [_afterwards(one, before) for one in behaviour.after.bindings]
    for name, value in (("gave", behaviour.result), ("raised", behaviour.raised)):
        found += [] if value is None else [Item(f"{name} {value.text}", Judgement.NO)]
    return found


def _afterwards(one: Binding, before: Mapping[str, str]) -> Item:
    if one.role == Role.CLAUSE:
        mark = Mark(MarkOf.RESULT, (one.name,))
        return Item(f"{one.name} should have been taken: {one.value.text}", Judgement.NO, mark)
    return Item(f"{one.name} = {one.value.text}{', afterwards' if one.name in before else ''}", Judgement.NO)


def is_numbered(question: Question) -> bool:
    """Whether a question is shown as a list: where messages came and went, or clauses were chosen, there is no single
    result to judge."""
    before, after = question.behaviour.before.bindings, question.behaviour.after.bindings
    return any(binding.role in (Role.MAILBOX, Role.CLAUSE) for binding in (*before, *after))


def answer_by_number(question: Question, number: int) -> Answer:
    """The answer that an item of the list stands for; 0: nothing of it is wrong."""
    listed = items(question.behaviour) if is_numbered(question) else []
    if number > len(listed):
        raise BadAnswerError(f"there is no item {number}" + ("" if listed else "; the question is no list"))
    if not number:
        return Answer(question.node, Judgement.YES)
    chosen = listed[number - 1]
    return Answer(question.node, chosen.judgement, chosen.mark)
