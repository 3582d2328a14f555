"""Looks up a name or a path such as `items[0].price` in the values of a question; no code is run."""

from collections.abc import Callable

from adebug_lsp.frontends.dap.replay.variables import Named
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.model.values import Value
from adebug_lsp.session.addresses import MoreParts, Step, find, part_at, read_path

Other = Callable[[str], Value | None]
"""Returns the value of a variable that a question does not show."""


def look_up_address(behaviour: Behaviour, expression: str, more: MoreParts) -> Named | None:
    """The value that an address names, such as `after.items[0]`; None if the expression is not an address."""
    try:
        part = find(behaviour, expression, more)
    except BadAnswerError as error:
        raise BadInputError(str(error)) from error
    if part is None:
        return None
    if part.value is None:
        raise BadInputError(f"{expression.strip()} is not known here")
    return Named(part.value.text, part.value, expression.strip(), part.moment)


def look_up(
    behaviour: Behaviour, expression: str, more: MoreParts | None = None, other: Other = lambda _name: None
) -> Named:
    """The value of an expression after the behaviour, or before it; raises `BadInputError` if there is none.

    If the two differ, the text shows both, with an arrow between them.
    """
    name, steps = _path(expression)
    before, after = behaviour.before.value(name), behaviour.after.value(name)
    if name == "result" and before is None and after is None:
        after = behaviour.result
    elif name == "raised" and before is None and after is None:
        after = behaviour.raised
    if before is None and after is None:
        before = other(name)
    if before is None and after is None:
        raise BadInputError(f"{name} is not among the values of this question")
    parts = [part_at(value, steps, more)[1] for value in (before, after) if value is not None]
    known = [value for value in parts if value is not None]
    if not known:
        raise BadInputError(f"{expression.strip()} is not known here")
    last = known[-1]
    text = f"{known[0].text} -> {last.text}" if known[0].text != last.text else last.text
    whole = after if after is not None else before
    return Named(text, last, expression.strip(), None if whole is None else whole.moment)


def value_before(behaviour: Callable[[], Behaviour], expression: str, variable: Other) -> Value:
    """The value of an expression before a behaviour; raises `BadInputError` if there is none.

    Variables are looked up first, since building a behaviour is slower.
    """
    name, steps = _path(expression)
    whole = variable(name)
    whole = behaviour().before.value(name) if whole is None else whole
    part = None if whole is None else part_at(whole, steps)[1]
    if part is None:
        raise BadInputError(f"{expression.strip()} is not known here")
    return part


def is_path(expression: str) -> bool:
    """Whether this is a name or a part of one."""
    try:
        read_path(expression)
    except BadAnswerError:
        return False
    return True


def _path(expression: str) -> tuple[str, tuple[Step, ...]]:
    try:
        return read_path(expression)
    except BadAnswerError as error:
        what = "only names and their parts can be looked up in a recording, such as items[0].price"
        raise BadInputError(f"{what}; not {expression.strip()!r}") from error
