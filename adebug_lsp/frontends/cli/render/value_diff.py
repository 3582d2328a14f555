"""Renders values: inputs, changes with the changed part highlighted, and the result."""

from attrs import frozen

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.text import cells, lines_of
from adebug_lsp.model.values import Binding, Role, Value


@frozen
class Change:
    """Two texts, and the part in which they differ."""

    before: str
    after: str
    start: int
    """Length of the common prefix."""
    end: int
    """Length of the common suffix of the rest."""


def change(before: str, after: str) -> Change:
    """Compute the difference between two texts."""
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    most = shorter - start
    end = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    return Change(before, after, start, end)


@frozen
class Room:
    """The space on the screen that is available for values."""

    width: int
    rows: int


def diff(behaviour: Behaviour, style: Style, room: Room | None = None) -> list[str]:
    """The environments as a diff, then the result or the exception; with limited room, changes come first."""
    same: list[str] = []
    changes: list[str] = []
    lines: list[str] = []
    after = {binding.name: binding for binding in behaviour.after.bindings}
    before = {binding.name: binding for binding in behaviour.before.bindings}
    for name, binding in before.items():
        later = after.get(name)
        if later is None or later.value.text == binding.value.text:
            unseen = "" if later is None else "  (changed in a part that is not shown)"
            same.append(fitted(f"    {escape(name)} = {escape(binding.value.text)}", room) + unseen)
            lines.append(same[-1])
        else:
            changes += (difference := _changed(name, binding.value, later.value, style, room))
            lines += difference
    for name, binding in after.items():
        if binding.role == Role.OUTPUT:
            changes += (effect := _effect(binding, style, room))
            lines += effect
        elif name not in before:
            changes.append(style.come(fitted(f"  + {escape(name)} = {escape(binding.value.text)}", room)))
            lines.append(changes[-1])
    if room is not None and len(lines) > room.rows:
        lines = _changes_first(same, changes, room.rows)
    return lines + outcome(behaviour, style, room)


def _effect(binding: Binding, style: Style, room: Room | None) -> list[str]:
    """Text that was written or read, line by line as it was: behind its name if it is one line."""
    head, texts = f"  {escape(binding.name)}:", [escape(line) for line in lines_of(binding.value.text)]
    if len(texts) < 2:
        return [style.come(fitted(" ".join([head, *texts]), room))]
    return [style.come(head), *(f"    | {fitted(text, room)}" for text in texts)]


def _changes_first(same: list[str], changes: list[str], rows: int) -> list[str]:
    """The lines that fit: changes first, then unchanged values."""
    kept = changes[: max(rows - 1, 1)]
    left_out = [f"  … {len(changes) - len(kept)} more lines of changes"] if len(kept) < len(changes) else []
    free = max(rows - len(kept) - len(left_out) - 1, 0)
    unchanged = [f"    … {len(same) - free} more that did not change"] if free < len(same) else []
    return [*kept, *left_out, *same[:free], *unchanged]


def fitted(text: str, room: Room | None) -> str:
    """Shorten a text to two lines of the room by leaving out its middle."""
    most = len(text) if room is None else 2 * room.width
    return text if len(text) <= most else f"{text[: most * 2 // 3]} … {text[-(most // 3 - 4) :]}"


def outcome(behaviour: Behaviour, style: Style, room: Room | None = None) -> list[str]:
    """The result or the exception."""
    lines = []
    if behaviour.result is not None:
        lines.append(f"  gave   {style.strong(fitted(escape(behaviour.result.text), room))}")
    if behaviour.raised is not None:
        lines.append(f"  raised {style.strong(fitted(escape(behaviour.raised.text), room))}")
    return lines


def _narrowed(difference: Change, room: Room | None) -> Change:
    """Shorten a difference by leaving out common text and the middle of very long parts."""
    if room is None or max(len(difference.before), len(difference.after)) <= 2 * room.width:
        return difference
    beside, most = room.width // 2, room.width
    head = difference.before[: difference.start]
    tail = difference.before[len(difference.before) - difference.end :]
    head = head if len(head) <= beside else f"…{head[-beside:]}"
    tail = tail if len(tail) <= beside else f"{tail[:beside]}…"
    parts = [text[difference.start : len(text) - difference.end] for text in (difference.before, difference.after)]
    parts = [part if len(part) <= most else f"{part[:most]}…" for part in parts]
    return Change(head + parts[0] + tail, head + parts[1] + tail, len(head), len(tail))


def _changed(name: str, before: Value, after: Value, style: Style, room: Room | None) -> list[str]:
    """Render a changed value as two lines, with the differing part highlighted or underlined."""
    difference = _narrowed(change(escape(before.text), escape(after.text)), room)
    lines = []
    for sign, text, set_apart in (("-", difference.before, style.gone), ("+", difference.after, style.come)):
        end = len(text) - difference.end
        part = style.changed(text[difference.start : end])
        head = f"  {sign} {escape(name)} = "
        lines.append(set_apart(head + text[: difference.start]) + part + set_apart(text[end:]))
        if sign == "+" and not style.colour:
            lines.append(
                " " * cells(head + text[: difference.start]) + "^" * max(cells(text[difference.start : end]), 1)
            )
    return lines


def bindings_in_short(bindings: tuple[Binding, ...]) -> str:
    """`a = 1, b = 2`."""
    return ", ".join(f"{escape(binding.name)} = {escape(binding.value.text)}" for binding in bindings)
