"""A question as a numbered list, answered with the number of the first wrong item.

Values from before come first: if one of them is wrong, the rest is not the fault of the code in question.
"""

from collections.abc import Mapping

from attrs import frozen

from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.values import Binding, Role


@frozen
class Item:
    """One item of the list, with the judgement and mark that its number stands for."""

    text: str
    judgement: Judgement
    mark: Mark | None = None


def items(behaviour: Behaviour) -> list[Item]:
    """Everything that a behaviour shows, in reading order."""
    shown = [
        Item(f"{binding.name} = {binding.value.text}", Judgement.INADMISSIBLE, Mark(MarkOf.ARGUMENT, (binding.name,)))
        for binding in behaviour.before.bindings
    ]
    before = {binding.name: binding.value.text for binding in behaviour.before.bindings}
    shown += [_afterwards(binding, before) for binding in behaviour.after.bindings]
    for name, value in (("gave", behaviour.result), ("raised", behaviour.raised)):
        shown += [] if value is None else [Item(f"{name} {value.text}", Judgement.NO)]
    return shown


def _afterwards(binding: Binding, before: Mapping[str, str]) -> Item:
    """The item of a binding after the code ran; choices among clauses have a text of their own."""
    if binding.role == Role.CLAUSE:
        mark = Mark(MarkOf.RESULT, (binding.name,))
        return Item(f"{binding.name} should have been taken: {binding.value.text}", Judgement.NO, mark)
    return Item(
        f"{binding.name} = {binding.value.text}{', afterwards' if binding.name in before else ''}", Judgement.NO
    )


def is_numbered(question: Question) -> bool:
    """Whether to show a question as a list: it has messages or a choice of clauses, and no single result."""
    before, after = question.behaviour.before.bindings, question.behaviour.after.bindings
    return any(binding.role in (Role.MAILBOX, Role.CLAUSE) for binding in (*before, *after))


def answer_by_number(question: Question, number: int) -> Answer:
    """The answer that the number of an item stands for; 0 means that nothing is wrong."""
    listed = items(question.behaviour) if is_numbered(question) else []
    if number > len(listed):
        raise BadAnswerError(f"there is no item {number}" + ("" if listed else "; the question is not a numbered list"))
    if not number:
        return Answer(question.node, Judgement.YES)
    chosen = listed[number - 1]
    return Answer(question.node, chosen.judgement, chosen.mark)
