"""Formats recorded Python values as texts with parts; also provides their digests and descriptions.

A text is as close to that of `repr` as possible without running the program, and limited in depth, breadth and length.
Digests and descriptions have no limits.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import prod
from typing import Any

from attrs import evolve, frozen

from adebug_lsp.languages.python.reading.array_elements import Elements, Index, read_elements
from adebug_lsp.languages.python.reading.differing_parts import At, DifferingParts
from adebug_lsp.languages.python.reading.heap.object_states import Heap, State
from adebug_lsp.languages.python.reading.plain_values import describe
from adebug_lsp.languages.python.reading.recorded_values import (
    STREAMS,
    Atom,
    Derived,
    Member,
    Object,
    Opaque,
    TupleLike,
    TypeInfo,
)
from adebug_lsp.languages.python.reading.recording_file import Recording
from adebug_lsp.languages.python.reading.value_digest import Digester
from adebug_lsp.model.changes import differences
from adebug_lsp.model.values import Key, Part, Value

MOST_TEXT = 2000
MOST_DIGITS = 200
_LONGEST_OWNER = 60
BUILTIN = "builtin_function_or_method"
DESCRIPTORS = ("method_descriptor", "wrapper_descriptor", "classmethod_descriptor")
"""The types of functions and bound methods made in C, and of such methods taken from their class."""
_BREADTH = (100, 100, 30, 10, 5, 5)
"""Parts shown at each depth."""
_ELEMENTS = (40, 12, 6, 3, 1)
"""Elements of an array shown at each depth."""
_MOST_DIFFERING = 8
"""Elements shown because they differ between two states of an array."""
_FEW = 6
"""Attributes up to which an object is shown with all of them; of more, only those with content are shown."""
_MOST_PARTS = 3000
"""Parts of one value in total."""


class ValueFormatter:
    """Formats the values of one recording."""

    def __init__(self, recording: Recording, heap: Heap) -> None:
        self._values = recording.values
        self._heap = heap
        self._digester = Digester(recording.values, heap)

    def value(self, number: int, position: int) -> Value:
        """A value as it was just before a position."""
        return evolve(_Formatting(self, position).value(number), moment=position)

    def differing(self, before: Value, after: Value) -> tuple[Value, Value] | None:
        """Two states of a value that list the parts that differ; None if they already do."""
        sides = [self._elements(value) for value in (before, after)]
        if sides[0] is None or sides[1] is None:
            return self._with_differing_parts(before, after)
        indices = tuple(islice(sides[0].differing(sides[1]), _MOST_DIFFERING))
        old, new = (
            evolve(_Formatting(self, value.moment or 0, indices).value(value.identity or 0), moment=value.moment)
            for value in (before, after)
        )
        return old, new

    def _with_differing_parts(self, before: Value, after: Value) -> tuple[Value, Value] | None:
        """Both states with their first differing parts, if no difference is in view."""
        if before.identity is None or after.identity is None or None in (before.moment, after.moment):
            return None
        if all(change.in_view for change in differences(before, after)):
            return None
        ends = At(before.identity, before.moment or 0), At(after.identity, after.moment or 0)
        search = DifferingParts(
            self._values, self._heap, self.digest, lambda key: self.value(key, ends[0].position).text
        )
        differs = False
        for part in search.between(*ends):
            before = self._grafted(before, part.path, part.before, ends[0].position)
            after = self._grafted(after, part.path, part.after, ends[1].position)
            differs = True
        return (before, after) if differs else None

    def _grafted(self, whole: Value, path: tuple[Key, ...], words: tuple[int | None, ...], position: int) -> Value:
        """A value that also lists the part at a path."""
        if not path or words[0] is None:
            return whole
        listed = next((part for part in whole.parts if part.key == path[0]), None)
        below = self.value(words[0], position) if listed is None else listed.value
        inner = self._grafted(below, path[1:], words[1:], position)
        others = tuple(part for part in whole.parts if part is not listed)
        left = whole.elided - 1 if listed is None and whole.elided else whole.elided
        return evolve(whole, parts=(*others, Part(path[0], inner)), elided=left)

    def _elements(self, value: Value) -> Elements | None:
        if value.identity is None or value.moment is None:
            return None
        described = self._values.value(value.identity)
        if not isinstance(described, Object) or described.type.base != "array":
            return None
        return read_elements(self._values, self._heap.state(value.identity, value.moment))

    def parts(self, number: int, position: int, start: int, count: int) -> tuple[Part, ...]:
        """Some parts of an object as they were just before a position; its content comes first."""
        return _Formatting(self, position).page(number, start, count)

    def digest(self, number: int, position: int) -> str:
        """A digest: equal for two values, even of different recordings, exactly if they have the same structure."""
        return self._digester.digest(number, position)

    def plain(self, number: int, position: int) -> dict[str, Any]:
        """A description from which another process can rebuild the value; raises `CannotRebuild`."""
        return describe(self._values, self._heap, number, position)


@frozen
class _PartToShow:
    """A part to show: its name, its prefix in the text, and its number."""

    key: Key
    before: str
    number: int


class _Formatting:
    """Formats one value at one position."""

    def __init__(self, formatter: ValueFormatter, position: int, focus: tuple[Index, ...] = ()) -> None:
        self._focus = focus
        """Indices of the elements of an array that are shown in any case."""
        self._values = formatter._values
        self._heap = formatter._heap
        self._position = position
        self._path: list[int] = []
        self._left = _MOST_PARTS

    def value(self, number: int) -> Value:
        """The value with its text and parts."""
        described = self._values.value(number)
        if isinstance(described, Atom):
            return Value(atom_text(described.value), described.type)
        if isinstance(described, TypeInfo):
            return Value(f"<class '{described.full_name}'>", "type", number)
        if isinstance(described, Member):
            return self._member(described)
        if isinstance(described, Opaque):
            return Value(self._opaque(number, described), described.type.full_name, number)
        if number in self._path:
            return Value(_cycle_text(described), _type_name(described), number)
        self._path.append(number)
        try:
            if isinstance(described, TupleLike):
                return self._tuple(described)
            return self._derived(described) if isinstance(described, Derived) else self._object(number, described)
        finally:
            self._path.pop()

    def page(self, number: int, start: int, count: int) -> tuple[Part, ...]:
        """Parts of an object, however many it has."""
        described = self._values.value(number)
        if not isinstance(described, Object):
            return ()
        state = self._heap.state(number, self._position)
        self._path.append(number)
        content: list[tuple[Key, int]] = [
            *((self.value(key).text, value) for key, value in state.pairs[start : start + count]),
            *enumerate(state.items[start : start + count], start),
        ]
        after = max(start - len(state.pairs) - len(state.items), 0)
        content += _attributes(described.type, state)[after : after + count - len(content)]
        return tuple(Part(key, self.value(value)) for key, value in content)

    def _opaque(self, number: int, opaque: Opaque) -> str:
        """A method made in C is shown with its receiver, or the class that it was taken from."""
        made_in_c = opaque.type.name in (BUILTIN, *DESCRIPTORS) and opaque.module is None
        if not made_in_c or opaque.name is None or opaque.receiver is None:
            return opaque_text(opaque)
        owner = self._values.value(opaque.receiver)
        if isinstance(owner, TypeInfo):
            return f"{owner.full_name}.{opaque.name}"
        if number in self._path or len(self._path) >= len(_BREADTH):
            return opaque_text(opaque)
        self._path.append(number)
        text = self.value(opaque.receiver).text
        self._path.pop()
        if len(text) > _LONGEST_OWNER:
            text = f"{text[: _LONGEST_OWNER // 2]}...{text[-_LONGEST_OWNER // 4 :]}"
        return (
            f"({text}).{opaque.name}" if isinstance(owner, Atom) and text[0] not in "'\"b" else f"{text}.{opaque.name}"
        )

    def _member(self, member: Member) -> Value:
        """A member by its name; a combination of flags may have none."""
        name = self._values.atom(member.name)
        text = f".{name}" if isinstance(name, str) else f"({self.value(member.value).text})"
        return Value(short(member.type) + text, member.type.full_name)

    def _tuple(self, sequence: TupleLike) -> Value:
        items = list(_indexed(sequence.items))
        if sequence.type == "tuple":
            return self._build("(", items, ",)" if len(items) == 1 else ")", sequence.type)
        if sequence.type == "frozenset":
            begin, end = ("frozenset({", "})") if items else ("frozenset(", ")")
            return self._build(begin, self._in_order(sequence.items), end, sequence.type)
        if sequence.type == "range" and self._values.atom(sequence.items[2]) == 1:
            items = items[:2]
        return self._build(f"{sequence.type}(", items, ")", sequence.type)

    def _derived(self, derived: Derived) -> Value:
        kind = derived.type
        if kind.full_name in ("builtins.frozendict", "frozendict"):
            return self._frozen(derived)
        if kind.base == "built":
            return Value(self._built(derived), kind.full_name)
        if kind.base == "tuple":
            items = self._values.items(derived.value)
            if kind.fields is not None and len(kind.fields) == len(items):
                named = [
                    _PartToShow(name[0], f"{name[0]}=", item) for name, item in zip(kind.fields, items, strict=True)
                ]
                return evolve(self._build(f"{short(kind)}(", named, ")", kind.full_name), indexed=len(items))
            return self._build(
                f"{short(kind)}((", list(_indexed(items)), ",))" if len(items) == 1 else "))", kind.full_name
            )
        inner = self.value(derived.value)
        return Value(inner.text, kind.full_name, None, inner.parts, inner.elided)

    def _frozen(self, derived: Derived) -> Value:
        """A frozen dictionary (PEP 814)."""
        pairs = [
            self._values.items(pair)
            for table in self._values.items(derived.value)
            for pair in self._values.items(table)
        ]
        items = [
            _PartToShow(text := self.value(key).text if index <= _BREADTH[0] else "", f"{text}: ", value)
            for index, (key, value) in enumerate(pairs)
        ]
        begin, end = ("frozendict({", "})") if items else ("frozendict(", ")")
        return self._build(begin, items, end, derived.type.full_name)

    def _built(self, derived: Derived) -> str:
        """A value of the standard library, shown as a call of its class."""
        if derived.type.module == "re" and (text := self._of_re(derived)) is not None:
            return text
        arguments = [self.value(item).text for item in self._values.items(derived.value)]
        shown = _BUILT.get(derived.type.name, _all)(arguments)
        module = (
            "datetime." if derived.type.module == "datetime" else "zoneinfo." if derived.type.name == "ZoneInfo" else ""
        )
        text = f"{module}{derived.type.name}({', '.join(shown)})"
        return "datetime.timezone.utc" if text == "datetime.timezone(datetime.timedelta(0))" else text

    def _of_re(self, derived: Derived) -> str | None:
        """A pattern or a match, as Python shows it."""
        items = self._values.items(derived.value)
        spans = self._values.items(items[-1]) if derived.type.name == "Match" and items else ()
        span = [self._values.atom(item) for item in self._values.items(spans[0])] if spans else []
        match [derived.type.name, *(self._values.atom(item) for item in items), *span]:
            case ["Pattern", str() | bytes() as pattern, int(flags)] if flags >= 0:
                explicit = flags & ~re.UNICODE if isinstance(pattern, str) else flags
                return f"re.compile({self.value(items[0]).text}{f', {re.RegexFlag(explicit)!r}' if explicit else ''})"
            case ["Match", _, str() | bytes() as string, _, _, _, int(low), int(high)]:
                return f"<re.Match object; span=({low}, {high}), match={_bounded(repr(string[low:high]))}>"
        return None

    def _object(self, number: int, obj: Object) -> Value:
        """The text of a mutable object, by its type."""
        state = self._heap.state(number, self._position)
        if obj.type.base == "array":
            return self._array(number, obj, state)
        if obj.type.base in ("frame", "series"):
            return self._frame(number, obj, state)
        begin, items, end = self._layout(obj, state)
        named = [_PartToShow(name, f"{name}=", value) for name, value in _attributes(obj.type, state)]
        if obj.type.base == "exception" or (obj.extra is not None and obj.type.base in _WITH_VALUE):
            shown = self._with_value(number, obj, named)
        elif state.shape == "bytes":
            shown = Value(_bounded(f"{begin}{_bytes_text(state.data)}{end}"), obj.type.full_name, number)
        elif state.shape:
            shown = self._build(begin, items, end, obj.type.full_name, number)
        elif obj.type.base == "partial" and obj.extra is not None:
            return self._partial(number, obj)
        else:
            return self._instance(number, obj, state, named)
        if named and state.shape:
            more = self._build("", named, "", "")
            shown = Value(shown.text, shown.type, number, (*shown.parts, *more.parts), shown.elided + more.elided)
        return _perhaps(shown) if state.uncertain else shown

    def _array(self, number: int, obj: Object, state: State) -> Value:
        """A numpy array: its elements, its shape if the elements do not show it, and their type."""
        name = "array" if obj.type.full_name == "numpy.ndarray" else short(obj.type)
        elements = read_elements(self._values, state)
        if elements is None:
            return Value(f"{name}(...)", obj.type.full_name, number)
        inner = self._rows(elements, elements.shape, 0, len(self._path) - 1)
        words = [inner.text]
        if inner.text.find("...") >= 0 or not elements.size:
            words.append(f"shape {elements.shape}")
        words.append(elements.type)
        if not elements.exact:
            words.append("not all elements compared")
        away = [index for index in self._focus if inner.at(index) is None and elements.is_known(elements.offset(index))]
        elsewhere = [(index, self._element(elements, elements.offset(index))) for index in away]
        seen = "".join(f"; [{', '.join(map(str, index))}] = {value.text}" for index, value in elsewhere)
        return Value(
            _bounded(f"{name}({', '.join(words)}{seen})"), obj.type.full_name, number, inner.parts, inner.elided
        )

    def _rows(self, elements: Elements, shape: Index, offset: int, depth: int) -> Value:
        """The part of an array that begins at an offset."""
        if not shape:
            return self._element(elements, offset) if elements.is_known(offset) else Value("...")
        step, length = prod(shape[1:]), shape[0]
        most = max(0, min(_ELEMENTS[min(depth, len(_ELEMENTS) - 1)], self._left))
        first = range(length if length <= most else most - most // 4)
        last = range(max(len(first), length - most // 4), length)
        parts, texts, at = [], [], 0
        for index in (*first, *last):
            if not elements.is_known(offset + index * step):
                continue
            if index > at:
                texts.append("...")
            self._left -= 1
            parts.append(Part(index, self._rows(elements, shape[1:], offset + index * step, depth + 1)))
            texts.append(parts[-1].value.text)
            at = index + 1
        if at < length:
            texts.append("...")
        return Value(f"[{', '.join(texts)}]", "", None, tuple(parts), length - len(parts))

    def _frame(self, number: int, obj: Object, state: State) -> Value:
        """A pandas frame by its columns, or a series, with labels unless those are 0, 1, 2..."""
        names = dict(state.attributes)
        if "blocks" not in names:
            return Value(f"{short(obj.type)}(...)", obj.type.full_name, number)
        labels, count = self._column(names["index"])
        index = [] if self._counts(names["index"]) else [("index", labels)]
        columns = list(self._columns(names["blocks"]))
        if obj.type.base == "series":
            shown = columns[0][1] if columns else Value("[]")
            name = self.value(names["name"]).text if "name" in names else "None"
            words = [shown.text, shown.type, *([] if name == "None" else [f"name {name}"])]
            words += [f"index {value.text}" for _name, value in index]
            return Value(_bounded(f"Series({', '.join(words)})"), obj.type.full_name, number, shown.parts, shown.elided)
        keys, _count = self._column(names["columns"])
        titles = {part.key: part.value.text for part in keys.parts}
        held = [
            (titles.get(place, str(place)), value) for place, value in sorted(columns, key=lambda column: column[0])
        ]
        words = [f"{key}: {value.text} {value.type}" for key, value in held[: _BREADTH[2]]]
        words += ["..."] * (len(held) > _BREADTH[2])
        words[:0] = [f"index: {value.text}" for _name, value in index]
        text = _bounded(f"{short(obj.type)}({', '.join(words)}; {count} rows)")
        return Value(text, obj.type.full_name, number, tuple(Part(key, value) for key, value in [*index, *held]))

    def _counts(self, number: int) -> bool:
        """Whether labels are 0, 1, 2..."""
        labels = self._values.value(number)
        return isinstance(labels, TupleLike) and [self._values.atom(item) for item in labels.items[::2]] == [0, 1]

    def _columns(self, blocks: int) -> Iterator[tuple[int, Value]]:
        """Each column of a frame, with its place."""
        for block in self._values.items(blocks):
            places, content = self._values.items(block)
            spread = self._values.value(places)
            if isinstance(spread, TupleLike):
                columns = list(range(*(self._values.atom(item) or 0 for item in spread.items)))
            else:
                held = self._elements_of(places)
                columns = [] if held is None else held.head.tolist()
            for row, place in enumerate(columns):
                yield place, self._column(content, row)[0]

    def _column(self, number: int, row: int = 0) -> tuple[Value, int]:
        """The elements of one row of a block, or the labels of an axis; and their number."""
        described = self._values.value(number)
        if isinstance(described, TupleLike) and described.type == "range":
            start, stop, step = (self._values.atom(item) for item in described.items)
            labels = range(start, stop, step)
            parts = tuple(Part(place, Value(str(label))) for place, label in enumerate(labels[: _BREADTH[2]]))
            return Value(f"range({start}, {stop})", "range", None, parts, len(labels) - len(parts)), len(labels)
        codes = self._elements_of(number)
        if isinstance(described, TupleLike) and len(described.items) == 2:
            return self._categories(*described.items)
        if codes is None or not codes.shape:
            return Value("(contents not recorded)"), 0
        count = codes.shape[-1]
        shown = self._rows(codes, (count,), row * count, 1)
        return evolve(shown, type=codes.type), count

    def _categories(self, codes: int, labels: int) -> tuple[Value, int]:
        shown, count = self._column(codes)
        known = {str(part.key): part.value.text for part in self._column(labels)[0].parts}
        parts = tuple(Part(part.key, Value(known.get(part.value.text, "nan"))) for part in shown.parts)
        texts = [part.value.text for part in parts] + ["..."] * bool(shown.elided)
        return Value(f"[{', '.join(texts)}]", "category", None, parts, shown.elided), count

    def _elements_of(self, number: int) -> Elements | None:
        described = self._values.value(number)
        if not isinstance(described, Object) or described.type.base != "array":
            return None
        return read_elements(self._values, self._heap.state(number, self._position))

    def _element(self, elements: Elements, offset: int) -> Value:
        if offset < len(elements.objects):
            return self.value(elements.objects[offset])
        return Value(elements.text(offset), elements.type)

    def _instance(self, number: int, obj: Object, state: State, named: list[_PartToShow]) -> Value:
        """An object that has only attributes."""
        if state.uncertain and not named:
            return Value(f"{short(obj.type)}(...)", obj.type.full_name, number)
        if obj.type.module == "unittest.mock":
            return self._mock(number, obj, named)
        hidden: set[Key] = {name for name, is_shown, _compared in obj.type.fields or () if not is_shown}
        empty = {item.key for item in named if self._is_empty(item.number)} - hidden if len(named) > _FEW else set()
        hidden |= empty
        shown = self._build(
            f"{short(obj.type)}(",
            [attribute for attribute in named if attribute.key not in hidden],
            f", {len(empty)} empty)" if empty else ")",
            obj.type.full_name,
            number,
        )
        unseen = self._build("", [attribute for attribute in named if attribute.key in hidden], "", "")
        shown = Value(shown.text, shown.type, number, (*shown.parts, *unseen.parts), shown.elided)
        return _perhaps(shown) if state.uncertain else shown

    def _is_empty(self, number: int) -> bool:
        """Whether a value is None, or a container or text without content."""
        value = self._values.value(number)
        if isinstance(value, Atom):
            return value.value is None or value.value in ("", b"")
        if isinstance(value, TupleLike):
            return value.type in ("tuple", "frozenset") and not value.items
        if not isinstance(value, Object):
            return False
        state = self._heap.state(number, self._position)
        return bool(state.shape) and not (state.items or state.pairs or state.data or state.uncertain)

    def _mock(self, number: int, obj: Object, named: list[_PartToShow]) -> Value:
        """A mock by its calls and its children, without its own bookkeeping."""
        held = {str(item.key): item.number for item in named}
        items = [
            _PartToShow(key, f"{key}=", held[f"_mock_{key}"])
            for key in ("call_count", "call_args")
            if f"_mock_{key}" in held and (key == "call_count" or not self._is_empty(held[f"_mock_{key}"]))
        ]
        children = self._heap.state(held["_mock_children"], self._position) if "_mock_children" in held else None
        for key, child in () if children is None else children.pairs:
            name = str(self._values.atom(key))
            items.append(_PartToShow(name, f"{name}=", child))
        return self._build(f"{short(obj.type)}(", items, ")", obj.type.full_name, number)

    def _partial(self, number: int, obj: Object) -> Value:
        """A partial function with its arguments."""
        function, positional, named = (*self._values.items(obj.extra or 0), *[None] * 3)[:3]
        if function is None or positional is None or named is None:
            return Value(f"{short(obj.type)}(...)", obj.type.full_name, number)
        words = [_PartToShow("func", "", function), *_indexed(self._values.items(positional))]
        for key, value in self._heap.state(named, self._position).pairs:
            words.append(_PartToShow(str(self._values.atom(key)), f"{self._values.atom(key)}=", value))
        return self._build(f"{short(obj.type)}(", words, ")", obj.type.full_name, number)

    def _with_value(self, number: int, obj: Object, named: list[_PartToShow]) -> Value:
        """An exception with its arguments, or an object of a class that derives from an immutable builtin."""
        more = self._build("", named, "", "")
        if obj.type.base == "exception":
            arguments = self._values.items(obj.extra) if obj.extra is not None else ()
            shown = self._build(f"{short(obj.type)}(", list(_indexed(arguments)), ")", obj.type.full_name)
            if obj.type.name == "AssertionError":  # pytest puts colours into its explanations
                shown = evolve(shown, text=_COLOUR.sub("", shown.text))
        else:
            shown = self.value(obj.extra) if obj.extra is not None else Value("")
        return Value(shown.text, obj.type.full_name, number, (*shown.parts, *more.parts), shown.elided)

    def _layout(self, obj: Object, state: State) -> tuple[str, list[_PartToShow], str]:
        """The brackets around the content of a container, and the content."""
        kind, base = obj.type, obj.type.base
        begin, end = _BRACKETS.get(base, ("", ""))
        if kind.full_name == "collections.defaultdict" and obj.extra is not None:
            begin = f"{self.value(obj.extra).text}, {begin}"
        if base == "deque" and obj.extra is not None and self._values.atom(obj.extra) is not None:
            end = f"{end}, maxlen={self._values.atom(obj.extra)}"
        if state.shape == "set":
            items = self._in_order(state.items)
            begin, end = (begin, end) if items else ("", "")
        else:
            items = self._pairs(state) if state.shape == "mapping" else list(_indexed(state.items))
        if kind.module == "builtins" and base != "bytearray" and begin:
            return begin, items, end
        return f"{short(kind)}({begin}", items, f"{end})"

    def _pairs(self, state: State) -> list[_PartToShow]:
        shown = []
        for index, (key, value) in enumerate(state.pairs):
            # The text of a key that is not shown is not needed.
            text = self.value(key).text if index <= _BREADTH[0] else ""
            shown.append(_PartToShow(text, f"{text}: ", value))
        return shown

    def _in_order(self, items: tuple[int, ...]) -> list[_PartToShow]:
        """Sort the items of a set, which is easier to read and to compare."""
        numbers = sorted(items, key=self._rank) if len(items) <= _BREADTH[0] else items
        return list(_indexed(numbers))

    def _rank(self, number: int) -> tuple[Any, ...]:
        value = self._values.atom(number)
        if isinstance(value, int | float):
            return (0, value, "")
        return (1, 0, self.value(number).text)

    def _build(self, begin: str, items: list[_PartToShow], end: str, kind: str, identity: int | None = None) -> Value:
        """A value with brackets around its parts, limited in breadth and length."""
        depth = len(self._path) - 1
        most = _BREADTH[depth] if depth < len(_BREADTH) else 0
        most = max(0, min(most, self._left))
        shown = items[:most]
        self._left -= len(shown)
        parts = tuple(Part(item.key, self.value(item.number)) for item in shown)
        texts = [item.before + part.value.text for item, part in zip(shown, parts, strict=True)]
        elided = len(items) - len(shown)
        if elided:
            texts.append("...")
        return Value(_bounded(begin + ", ".join(texts) + end), kind, identity, parts, elided)


_BRACKETS = {
    "list": ("[", "]"),
    "deque": ("[", "]"),
    "dict": ("{", "}"),
    "ordered": ("{", "}"),
    "set": ("{", "}"),
}
_COLOUR = re.compile(r"\\x1b\[[\d;]*m")
_WITH_VALUE = frozenset(("int", "float", "complex", "str", "bytes", "tuple", "frozenset"))


def _all(arguments: list[str]) -> list[str]:
    return arguments


def _datetime(arguments: list[str]) -> list[str]:
    *fixed, zone, fold = arguments
    least = 5 if len(fixed) == 7 else 2
    while len(fixed) > least and fixed[-1] == "0":
        fixed.pop()
    zone_given = [f"tzinfo={zone}"] if zone != "None" else []
    return [*fixed, *(["fold=1"] if fold == "1" else []), *zone_given]


def _timedelta(arguments: list[str]) -> list[str]:
    names = ("days", "seconds", "microseconds")
    return [f"{name}={text}" for name, text in zip(names, arguments, strict=False) if text != "0"] or ["0"]


def _uuid(arguments: list[str]) -> list[str]:
    digits = arguments[0].strip("'")
    return [f"'{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}'"]


def _interpolation(arguments: list[str]) -> list[str]:
    *shown, conversion, specification = arguments
    if specification != "''":
        return arguments
    return [*shown, conversion] if conversion != "None" else shown


_BUILT: dict[str, Callable[[list[str]], list[str]]] = {
    "datetime": _datetime,
    "time": _datetime,
    "timedelta": _timedelta,
    "UUID": _uuid,
    "Interpolation": _interpolation,
    "ZoneInfo": lambda arguments: [f"key={arguments[0]}"],
}


def _indexed(numbers: Iterable[int]) -> Iterable[_PartToShow]:
    return (_PartToShow(index, "", number) for index, number in enumerate(numbers))


def _attributes(kind: TypeInfo, state: State) -> list[tuple[str, int]]:
    """The attributes of an object; a dataclass's fields come first, in their order."""
    held = dict(state.attributes)
    first = [name for name, _shown, _compared in kind.fields or () if name in held]
    return [*((name, held.pop(name)) for name in first), *held.items()]


def short(kind: TypeInfo) -> str:
    """The short name of a class."""
    return kind.name.rpartition("<locals>.")[2]


def _type_name(value: TupleLike | Derived | Object) -> str:
    return value.type if isinstance(value, TupleLike) else value.type.full_name


def _cycle_text(value: TupleLike | Derived | Object) -> str:
    """The text of a value inside itself."""
    base = value.type if isinstance(value, TupleLike) else value.type.base
    return {"list": "[...]", "deque": "[...]", "dict": "{...}", "ordered": "{...}", "set": "{...}"}.get(base, "...")


def _perhaps(value: Value) -> Value:
    """Mark the text of a value as uncertain."""
    return Value(f"{value.text} (perhaps)", value.type, value.identity, value.parts, value.elided)


def opaque_text(opaque: Opaque) -> str:
    """The text of a value that is known by name only."""
    kind, name = opaque.type.name, opaque.name
    if name is None:
        return f"<{opaque.type.full_name} object>"
    if opaque.type.module == STREAMS:
        return f"<{opaque.type.full_name} name={name!r}>"
    plain = name.rpartition("<locals>.")[2]
    if kind == "sentinel" and opaque.type.module == "builtins":  # PEP 661
        return plain
    words = {BUILTIN: "built-in function", "method": "bound method"}
    return f"<module '{name}'>" if opaque.type.name == "module" else f"<{words.get(kind, kind)} {plain}>"


def atom_text(value: Any) -> str:
    """An atom as Python would write it, if that is not too long."""
    if isinstance(value, int) and not isinstance(value, bool):
        return _integer_text(value)
    if isinstance(value, str) and len(value) > MOST_TEXT:
        half = MOST_TEXT // 2
        return f"{repr(value[:half])[:-1]}…{repr(value[-half:])[1:]}"
    return _bytes_text(value) if isinstance(value, bytes) else repr(value)


def _bytes_text(value: bytes) -> str:
    half = MOST_TEXT // 4
    return f"{repr(value[:half])[:-1]}…{repr(value[-half:])[2:]}" if len(value) > 2 * half else repr(value)


def _integer_text(value: int) -> str:
    """An int in decimal; a very large one as its leading hexadecimal digits and approximate length."""
    digits = int(value.bit_length() * 0.30103) + 1
    if digits <= MOST_DIGITS:
        return str(value)
    size = value.bit_length()
    return f"{'-' if value < 0 else ''}{abs(value) >> (size - size % 4 - 80):#x}… (about {digits} digits)"


def _bounded(text: str) -> str:
    if len(text) <= MOST_TEXT:
        return text
    half = MOST_TEXT // 2
    return f"{text[:half]}…{text[-half:]}"
