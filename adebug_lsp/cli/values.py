"""Values on the screen: what was there before, what changed, with the changed part set apart, and what came out."""

from attrs import frozen

from adebug_lsp.cli.plain import plain
from adebug_lsp.cli.style import Style
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.values import Binding, Value


@frozen
class Change:
    """Two texts, and the part by which they differ."""

    before: str
    after: str
    start: int
    """How many characters the two have in common at the start."""
    end: int
    """How many at the end, apart from those."""


def change(before: str, after: str) -> Change:
    """Where two texts differ."""
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    most = shorter - start
    end = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    return Change(before, after, start, end)


def diff(behaviour: Behaviour, style: Style) -> list[str]:
    """The environments as a diff, then the result or the exception."""
    lines: list[str] = []
    after = {binding.name: binding for binding in behaviour.after.bindings}
    before = {binding.name: binding for binding in behaviour.before.bindings}
    for name, binding in before.items():
        later = after.get(name)
        if later is None or later.value.text == binding.value.text:
            unseen = "" if later is None else "  (changed in a part that is not shown)"
            lines.append(f"    {plain(name)} = {plain(binding.value.text)}{unseen}")
        else:
            lines += _changed(name, binding.value, later.value, style)
    for name, binding in after.items():
        if name not in before:
            lines.append(style.come(f"  + {plain(name)} = {plain(binding.value.text)}"))
    return lines + outcome(behaviour, style)


def outcome(behaviour: Behaviour, style: Style) -> list[str]:
    """What came out."""
    lines = []
    if behaviour.result is not None:
        lines.append(f"  gave   {style.strong(plain(behaviour.result.text))}")
    if behaviour.raised is not None:
        lines.append(f"  raised {style.strong(plain(behaviour.raised.text))}")
    return lines


def _changed(name: str, before: Value, after: Value, style: Style) -> list[str]:
    found = change(plain(before.text), plain(after.text))
    lines = []
    for sign, text, set_apart in (("-", found.before, style.gone), ("+", found.after, style.come)):
        end = len(text) - found.end
        part = style.changed(text[found.start : end])
        head = f"  {sign} {plain(name)} = "
        lines.append(set_apart(head + text[: found.start]) + part + set_apart(text[end:]))
        if sign == "+" and not style.colour:
            lines.append(" " * (len(head) + found.start) + "^" * max(end - found.start, 1))
    return lines


def bindings_in_short(bindings: tuple[Binding, ...]) -> str:
    """`a = 1, b = 2`."""
    return ", ".join(f"{plain(binding.name)} = {plain(binding.value.text)}" for binding in bindings)
