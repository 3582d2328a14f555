"""Texts of behaviours on one line, and which values they show whole."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from adebug_lsp.model.changes import differences, named
from adebug_lsp.model.folding import fold
from adebug_lsp.model.presentation import AFTER, BEFORE, OUTPUT, address
from adebug_lsp.model.text import lines_of
from adebug_lsp.model.values import Binding, Role, Value

_SHORT = 60
_RECEIVER = 40
_ARGUMENTS = 60
"""Characters of all arguments together; longer ones are shown below the headline."""
_MOST_CHANGES = 4


@frozen
class OneLine:
    """A text, and the addresses of the values that it shows whole."""

    text: str
    shown: tuple[str, ...] = ()


def short(text: str, most: int = _SHORT) -> str:
    """A text on one line, folded."""
    return fold(" ".join(text.split()) if "\n" in text else text, most)


def of_value(value: Value, where: str) -> OneLine:
    """A value with its address, which counts as shown if nothing was folded."""
    text = short(value.text)
    return OneLine(text, (where,) if text == value.text else ())


def joined(lines: Iterable[OneLine], separator: str = ", ") -> OneLine:
    """Several texts as one."""
    every = list(lines)
    shown = (place for line in every for place in line.shown)
    return OneLine(separator.join(line.text for line in every), tuple(shown))


def called(name: str, receiver: Binding | None, arguments: Sequence[Binding], parameters: Sequence[str]) -> OneLine:
    """A call with its arguments, as in `Point(1, 2).moved(3, by=4)`; a large receiver is shown as its class."""
    inside = joined(_argument(binding, parameters) for binding in arguments)
    if receiver is None or len(receiver.value.text) > _RECEIVER:
        return OneLine(f"{name}({inside.text})", inside.shown)
    head = f"{receiver.value.text}.{name.rpartition('.')[2]}"
    return OneLine(f"{head}({inside.text})", (address(BEFORE, receiver.name), *inside.shown))


def headline(name: str, call: OneLine, arguments: Sequence[Binding]) -> str:
    """A call without its outcome: with arguments if those are short and whole, otherwise only the name."""
    inside = ", ".join(binding.value.text for binding in arguments)
    whole = {address(BEFORE, binding.name) for binding in arguments} <= {*call.shown}
    return call.text if whole and len(inside) <= _ARGUMENTS else f"{name}(…)"


def _argument(binding: Binding, parameters: Sequence[str]) -> OneLine:
    value = of_value(binding.value, address(BEFORE, binding.name))
    return value if binding.name in parameters else OneLine(f"{binding.name}={value.text}", value.shown)


def of_changes(before: Iterable[Binding], after: Sequence[Binding]) -> OneLine:
    """The changes between two environments."""
    old = {binding.name: binding.value for binding in before}
    changes = [_change(old.get(binding.name), binding) for binding in after]
    more = len(changes) - _MOST_CHANGES
    return joined([*changes[:_MOST_CHANGES], *([OneLine(f"{more} more")] if more > 0 else [])])


def _change(old: Value | None, binding: Binding) -> OneLine:
    """The change of a variable."""
    if binding.role == Role.OUTPUT:
        return _output(binding)
    if old is None:
        value = of_value(binding.value, address(AFTER, binding.name))
        return OneLine(f"{binding.name} = {value.text}", value.shown)
    lines, whole = list[str](), True
    for change in differences(old, binding.value):
        text = change.text(10**6).replace(" → ", " -> ")
        lines.append(f"{named(binding.name, change.path)}: {change.text(_SHORT).replace(' → ', ' -> ')}")
        whole = whole and lines[-1].endswith(text) and "\n" not in text
    return OneLine(", ".join(lines), (address(AFTER, binding.name),) if whole else ())


def _output(binding: Binding) -> OneLine:
    lines = lines_of(binding.value.text)
    if len(lines) > 1:
        return OneLine(f"{binding.name} {len(lines)} lines")
    value = of_value(binding.value, address(OUTPUT, binding.name))
    return OneLine(f"{binding.name} {value.text}", value.shown)
