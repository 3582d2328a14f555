"""Looks a name or a path such as `items[0].price` up in what a question shows; nothing is ever run."""

import re
from collections.abc import Callable

from adebug_lsp.dap.variables import Named
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.model.values import Key, Value
from adebug_lsp.session.words import read_mark

_PATH = re.compile(r"\s*([^\W\d]\w*)\s*(.*?)\s*$", re.DOTALL)


Other = Callable[[str], Value | None]
"""The value of a variable that a question does not show."""


def look_up(behaviour: Behaviour, expression: str, other: Other = lambda _name: None) -> Named:
    """The value of an expression after the behaviour, or before it; raises `BadInputError` where there is none.

    A text with an arrow tells both where they differ.
    """
    name, steps = read_path(expression)
    before, after = behaviour.before.value(name), behaviour.after.value(name)
    if name == "result" and before is None and after is None:
        after = behaviour.result
    elif name == "raised" and before is None and after is None:
        after = behaviour.raised
    if before is None and after is None:
        before = other(name)
    if before is None and after is None:
        raise BadInputError(f"{name} is not among the values of this question")
    found = [at(value, steps) for value in (before, after) if value is not None]
    known = [value for value in found if value is not None]
    if not known:
        raise BadInputError(f"{expression.strip()} is not known here")
    last = known[-1]
    text = f"{known[0].text} -> {last.text}" if known[0].text != last.text else last.text
    whole = after if after is not None else before
    return Named(text, last, expression.strip(), None if whole is None else whole.moment)


def value_before(behaviour: Callable[[], Behaviour], expression: str, variable: Other) -> Value:
    """The value of an expression before a behaviour; raises `BadInputError` where there is none.

    A variable is found faster than what a question shows, which is looked at only for the others.
    """
    name, steps = read_path(expression)
    whole = variable(name)
    whole = behaviour().before.value(name) if whole is None else whole
    found = None if whole is None else at(whole, steps)
    if found is None:
        raise BadInputError(f"{expression.strip()} is not known here")
    return found


def read_path(expression: str) -> tuple[str, tuple[Key, ...]]:
    """A name and the way from it to a part."""
    found = _PATH.match(expression)
    if found is None:
        raise BadInputError("only names and their parts can be looked up in a recording, such as items[0].price")
    try:
        return found[1], read_mark(f"result{found[2]}").path
    except BadAnswerError as error:
        raise BadInputError(
            f"only names and their parts can be looked up in a recording, not {expression.strip()!r}"
        ) from error


def is_path(expression: str) -> bool:
    """Whether this is a name or a part of one."""
    try:
        read_path(expression)
    except BadInputError:
        return False
    return True


def at(value: Value, steps: tuple[Key, ...]) -> Value | None:
    """The part that a way leads to."""
    exact = exact_path(value, steps)
    return None if exact is None else value.at(exact)


def exact_path(value: Value, steps: tuple[Key, ...]) -> tuple[Key, ...] | None:
    """A way with the keys as the value has them: that of a dictionary is a text in the program's language."""
    exact: list[Key] = []
    for key in steps:
        found = next(
            (part for wanted in (key, str(key), repr(key)) for part in value.parts if part.key == wanted), None
        )
        if found is None:
            return None
        exact.append(found.key)
        value = found.value
    return tuple(exact)
