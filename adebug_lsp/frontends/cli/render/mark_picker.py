"""The list from which the user picks a part to mark: one row for each part of the values that a question shows."""

from collections.abc import Iterator

from attrs import frozen

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.values import Key, Role, Value

_MOST = 500


@frozen
class Row:
    """One thing that can be marked."""

    mark: Mark
    text: str


def rows(behaviour: Behaviour) -> list[Row]:
    """The result and its parts, values of variables afterwards, arguments and outer variables, and the call itself."""
    choices: list[Row] = []
    if behaviour.result is not None:
        choices += _parts(MarkOf.RESULT, (), "result", behaviour.result)
    for binding in behaviour.after.bindings:
        if binding.role is not Role.OUTPUT:
            choices += _parts(MarkOf.AFTER, (binding.name,), f"{binding.name} afterwards", binding.value)
    for binding in behaviour.before.bindings:
        if binding.role in (Role.ARGUMENT, Role.RECEIVER, Role.GLOBAL, Role.MAILBOX):
            choices += _parts(MarkOf.ARGUMENT, (binding.name,), binding.name, binding.value)
    return [*choices[:_MOST], Row(Mark(MarkOf.CALL), "the call itself: it should never have been made")]


def window(length: int, chosen: int, height: int) -> range:
    """The range of rows to show, which includes the chosen one."""
    start = max(0, min(chosen - height // 2, length - height))
    return range(start, min(start + height, length))


def _parts(of: MarkOf, path: tuple[Key, ...], name: str, value: Value) -> Iterator[Row]:
    indent = "  " * (len(path) - (of is not MarkOf.RESULT))
    yield Row(Mark(of, path), f"{indent}{escape(name)} = {escape(value.text)}")
    for part in value.parts:
        step = f"[{part.key!r}]" if isinstance(part.key, int) else str(part.key)
        yield from _parts(of, (*path, part.key), step, part.value)
