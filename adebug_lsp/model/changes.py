"""The differences between two states of a value, as paths to the parts that differ.

A language decides whether a value changed, by comparing whole values; this module only finds the parts that differ.
"""

from collections.abc import Iterator, Sequence

from attrs import frozen

from adebug_lsp.model.folding import fold, fold_both
from adebug_lsp.model.plural import counted
from adebug_lsp.model.values import Key, Part, Value

_SHORT = 24
"""Length up to which sequences are shown whole, before and after."""
_MOST_DEEP = 12
ARROW = "→"


@frozen
class Change:
    """A part that differs."""

    path: tuple[Key, ...]
    before: Value | None
    """None if the part is new."""
    after: Value | None
    """None if the part is gone."""
    count: int = 0
    """For a sequence: the number of elements added, negative if removed; 0 if the part itself is meant."""

    @property
    def in_view(self) -> bool:
        """Whether both sides look different, and at least one added or removed element is known."""
        if self.before is None or self.after is None:
            extra = self.before or self.after
            return not self.count or (extra is not None and not extra.text.startswith("…"))
        return self.before.text != self.after.text

    def text(self, most: int) -> str:
        """The change without its path, in about `most` characters."""
        if self.count and self.after is not None and self.count > 0:
            return f"+{counted(self.count, 'element')}: {_elements(self.after, most - 14)}"
        if self.count and self.before is not None:
            return f"-{counted(-self.count, 'element')}: {_elements(self.before, most - 14)}"
        if self.before is None or self.after is None:
            gone = self.after is None
            value = self.before if self.after is None else self.after
            return f"{fold('' if value is None else value.text, most - 9)}{', removed' if gone else ', new'}"
        if not self.in_view:
            return f"{fold(self.after.text, most - 32)}, changed in a part not shown"
        before, after = fold_both(self.before.text, self.after.text, max((most - 3) // 2, 8))
        return f"{before} {ARROW} {after}"


def named(name: str, path: Sequence[Key]) -> str:
    """The source text of a part, as in `self.months['2026-02']`."""
    steps = (f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key}]" for key in path)
    return name + "".join(steps)


def differences(before: Value, after: Value) -> list[Change]:
    """The parts in which two states of a value differ; the whole value if no listed part does."""
    return list(_differences(before, after, ())) or [Change((), before, after)]


def same(old: Value, new: Value) -> bool:
    """Whether two values look the same, whichever objects they are."""
    if (old.text, old.type, old.elided) != (new.text, new.type, new.elided) or len(old.parts) != len(new.parts):
        return False
    pairs = zip(old.parts, new.parts, strict=True)
    return all(left.key == right.key and same(left.value, right.value) for left, right in pairs)


def _differences(before: Value, after: Value, path: tuple[Key, ...]) -> Iterator[Change]:
    """The differences of two values at a path, as deep as their structure is the same."""
    if same(before, after):
        return
    comparable = before.type == after.type and (before.parts or after.parts) and len(path) < _MOST_DEEP
    if not comparable or before.elided or after.elided:
        inner = [] if not comparable else [*_of_named(before, after, path), *_of_lengths(before, after, path)]
        yield from inner or [Change(path, before, after)]
    elif _is_sequence(before) and _is_sequence(after):
        yield from _of_sequences(before, after, path)
    else:
        yield from list(_of_named(before, after, path)) or [Change(path, before, after)]


def _of_named(before: Value, after: Value, path: tuple[Key, ...]) -> Iterator[Change]:
    """Attributes, keys, or the listed elements of sequences that are not listed completely."""
    old = {part.key: part.value for part in before.parts}
    new = {part.key: part.value for part in after.parts}
    whole = not (before.elided or after.elided)
    for key in dict.fromkeys((*old, *new)):
        if key in old and key in new:
            yield from _differences(old[key], new[key], (*path, key))
        elif whole:
            yield Change((*path, key), old.get(key), new.get(key))


def _of_lengths(before: Value, after: Value, path: tuple[Key, ...]) -> Iterator[Change]:
    """Elements added or removed at the end of a sequence that is not listed completely."""
    old, new = len(before.parts) + before.elided, len(after.parts) + after.elided
    if old == new or not (_is_sequence(before) and _is_sequence(after)):
        return
    longer = after if new > old else before
    extra = tuple(part for part in longer.parts if isinstance(part.key, int) and part.key >= min(old, new))
    value = Value(", ".join([*(part.value.text for part in extra), *(["…"] * (len(extra) < abs(new - old)))]))
    yield Change(path, None if new > old else value, value if new > old else None, new - old)


def _of_sequences(before: Value, after: Value, path: tuple[Key, ...]) -> Iterator[Change]:
    """Elements added or removed in one place, elements that differ, or both sides whole if those are short."""
    if len(before.text) <= _SHORT and len(after.text) <= _SHORT:
        yield Change(path, before, after)
        return
    old, new = before.parts, after.parts
    if len(old) == len(new):
        for left, right in zip(old, new, strict=True):
            yield from _differences(left.value, right.value, (*path, left.key))
        return
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    if start + end == min(len(old), len(new)):
        more, less = (new, old) if len(new) > len(old) else (old, new)
        extra = more[start : len(more) - end]
        value = Value(", ".join(part.value.text for part in extra), parts=extra)
        count = len(new) - len(old)
        yield Change(path, value if less is new else None, value if less is old else None, count)
        return
    yield Change(path, before, after)


def _common(old: Sequence[Part], new: Sequence[Part]) -> int:
    """Length of the common prefix."""
    pairs = zip(old, new, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if not same(a.value, b.value)), min(len(old), len(new)))


def _is_sequence(value: Value) -> bool:
    return all(isinstance(part.key, int) for part in value.parts)


def _elements(value: Value, most: int) -> str:
    """Elements without brackets."""
    return fold(f"[{value.text}]", max(most, 8) + 2)[1:-1]
