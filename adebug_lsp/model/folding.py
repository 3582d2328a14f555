"""Shortens the text of a value by leaving out whole parts, so that no number, name or key is cut.

Values of all languages are texts with brackets, quotes and commas; nothing else is assumed about them.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

MORE = "…"
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(
    r"""(?<!\w)b?'(?:[^'\\]|\\.)*'|(?<!\w)b?"(?:[^"\\]|\\.)*"|[(\[{]|[)\]}]|,\s*|[^()\[\]{},'"]+|.""", re.DOTALL
)
_DEEPEST = 40
"""Depth of nesting below which brackets are plain text."""
_LONG_STRING = 24
"""Length from which quoted text, and other text without parts, is cut."""


@frozen
class _Group:
    """Brackets with their content."""

    begin: str
    items: tuple["_Item", ...]
    end: str

    def whole(self) -> str:
        return f"{self.begin}{', '.join(item.whole() for item in self.items)}{self.end}"

    def least(self) -> str:
        return f"{self.begin}{MORE}{self.end}" if self.items else self.whole()

    def fitted(self, most: int) -> str:
        inner = _fitted_items(self.items, most - len(self.begin) - len(self.end))
        return f"{self.begin}{inner}{self.end}"


@frozen
class _Item:
    """The content between two commas: texts and groups in sequence."""

    pieces: tuple["str | _Group", ...]

    def whole(self) -> str:
        return "".join(piece if isinstance(piece, str) else piece.whole() for piece in self.pieces)

    def least(self) -> str:
        return "".join(_cut(piece, _LONG_STRING) if isinstance(piece, str) else piece.least() for piece in self.pieces)

    def fitted(self, most: int) -> str:
        """The item in at most this length, or its shortest form; later pieces get what earlier ones leave."""
        if len(whole := self.whole()) <= most:
            return whole
        shortest = [_cut(p, _LONG_STRING) if isinstance(p, str) else p.least() for p in self.pieces]
        spare, texts = most - sum(map(len, shortest)), list[str]()
        for piece, least in zip(self.pieces, shortest, strict=True):
            room = len(least) + max(spare, 0)
            texts.append(_cut(piece, max(room, _LONG_STRING)) if isinstance(piece, str) else _better(piece, room))
            spare -= len(texts[-1]) - len(least)
        return "".join(texts)


def fold(text: str, most: int) -> str:
    """A text in about `most` characters: whole parts in brackets are left out, long quoted text in its middle."""
    return text if len(text) <= most else _item(text).fitted(most)


def fold_both(first: str, second: str, most: int) -> tuple[str, str]:
    """Two different texts, folded so that they still differ."""
    folded = fold(first, most), fold(second, most)
    if folded[0] != folded[1] or first == second:
        return folded
    return _around_difference(first, second, most)


def fold_lines(lines: Sequence[str], most: int) -> list[str]:
    """Lines of output: the first and the last ones."""
    if len(lines) <= most:
        return list(lines)
    first = max(most // 3, 1)
    last = max(most - first - 1, 1)
    left_out = len(lines) - first - last
    return [*lines[:first], f"{MORE} {left_out} more lines", *lines[-last:]]


def is_balanced(text: str) -> bool:
    """Whether the brackets of a text match, apart from those in quotes."""
    expected: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in _BRACKETS:
            expected.append(_BRACKETS[token])
        elif token in _BRACKETS.values() and (not expected or expected.pop() != token):
            return False
    return not expected


def _better(group: _Group, most: int) -> str:
    """A group with some of its items, unless only its brackets fit."""
    least = group.least()
    return least if most <= len(least) else group.fitted(most)


def _cut(text: str, most: int) -> str:
    """Quoted text without its middle, and other text unless it is very long: a number is never cut."""
    if len(text) <= max(most, _LONG_STRING):
        return text
    quote = text[-1] if text[-1] in "'\"" and text.lstrip("b")[:1] == text[-1] else ""
    if not quote and len(text) <= 2 * _LONG_STRING:
        return text
    head = max(most * 2 // 3, 8)
    tail = max(most - head - 1, 4)
    return f"{text[:head]}{MORE}{text[-tail:]}"


def _fitted_items(items: tuple[_Item, ...], most: int) -> str:
    """As many items as fit in their shortest form, from the start; the remaining room goes to the shortest first."""
    shortest = [len(item.least()) for item in items]
    kept = len(items)
    while kept and sum(shortest[:kept]) + 2 * (kept - 1) + len(_tail(items[kept:])) > most:
        kept -= 1
    if not kept:
        return MORE
    spare = most - sum(shortest[:kept]) - 2 * (kept - 1) - len(_tail(items[kept:]))
    texts: dict[int, str] = {}
    wanted = sorted(range(kept), key=lambda index: len(items[index].whole()) - shortest[index])
    for position, index in enumerate(wanted):
        texts[index] = items[index].fitted(shortest[index] + spare // (kept - position))
        spare -= max(len(texts[index]) - shortest[index], 0)
    return ", ".join(texts[index] for index in range(kept)) + _tail(items[kept:])


def _tail(left_out: tuple[_Item, ...]) -> str:
    """The number of items left out, unless the text itself leaves out others."""
    is_exact = not any(item.pieces in (("...",), (MORE,)) for item in left_out)
    return f", {MORE} {len(left_out)} more" if left_out and is_exact else f", {MORE}" if left_out else ""


def _around_difference(first: str, second: str, most: int) -> tuple[str, str]:
    """The parts around the first difference of two texts."""
    shorter = min(len(first), len(second))
    differs = next((index for index in range(shorter) if first[index] != second[index]), shorter)
    start = max(differs - most // 3, 0)
    return _window(first, start, most), _window(second, start, most)


def _window(text: str, start: int, most: int) -> str:
    end = start + max(most, 8)
    return f"{MORE if start else ''}{text[start:end]}{MORE if end < len(text) else ''}"


def _item(text: str) -> _Item:
    """Parse a text; unmatched brackets are plain text."""
    tokens = [match.group() for match in _TOKEN.finditer(text)]
    open_groups: list[tuple[str, list[list[str | _Group]]]] = [("", [[]])]
    for token, is_last in _with_last(tokens):
        begin, items = open_groups[-1]
        if token in _BRACKETS and not is_last and len(open_groups) <= _DEEPEST:
            open_groups.append((token, [[]]))
        elif begin and token == _BRACKETS[begin]:
            open_groups.pop()
            open_groups[-1][1][-1].append(_group(begin, items, token))
        elif begin and token.startswith(","):
            items.append([])
        else:
            items[-1].append(token)
    while len(open_groups) > 1:  # never closed
        begin, items = open_groups.pop()
        open_groups[-1][1][-1].append(_group(begin, items, ""))
    return _Item(tuple(open_groups[0][1][0]))


def _with_last(tokens: list[str]) -> Iterator[tuple[str, bool]]:
    return ((token, index == len(tokens) - 1) for index, token in enumerate(tokens))


def _group(begin: str, items: list[list[str | _Group]], end: str) -> _Group:
    if items == [[]]:
        return _Group(begin, (), end)
    trailing = [""] if not items[-1] else []  # `(1,)`
    shown = items[:-1] if trailing else items
    return _Group(begin, tuple(_Item(tuple(item)) for item in shown), f",{end}" if trailing else end)
