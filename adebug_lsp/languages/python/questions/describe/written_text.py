"""The text that `str` and `repr` returned for a recorded value.

It is computed for types whose text is known, read from recorded calls of `__str__` and `__repr__` for others, and
otherwise None: calling such a method again could return something else or have effects.
"""

import datetime
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from attrs import define, field

from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.reading.recorded_values import (
    Atom,
    Derived,
    Described,
    Member,
    Object,
    TupleLike,
    TypeInfo,
)
from adebug_lsp.languages.python.reading.structure.spans import Span

_DEEPEST = 20
_TEXT_METHODS = ("__str__", "__repr__")
_PLAIN_ERRORS = frozenset(
    f"builtins.{name}"
    for name in (
        *("BaseException", "Exception", "ValueError", "TypeError", "RuntimeError", "ArithmeticError", "LookupError"),
        *("IndexError", "ZeroDivisionError", "AssertionError", "AttributeError", "NotImplementedError"),
    )
)
"""Exceptions whose text consists of their arguments."""
_BUILT: dict[str, Callable[..., Any]] = {
    "datetime.date": datetime.date,
    "datetime.timedelta": datetime.timedelta,
    "decimal.Decimal": Decimal,
    "fractions.Fraction": Fraction,
    **{f"pathlib.{flavour}Path": str for flavour in ("Posix", "Windows", "PurePosix", "PureWindows")},
}
"""Immutable types of the standard library whose text follows from the arguments recorded for them."""


@define(eq=False)
class WrittenText:
    """The texts of the values that one call wrote."""

    evaluations: Evaluations
    moment: int
    calls: list[Span]
    """Activations that library code began during the call; each of a `__str__` or `__repr__` is used once, in order."""
    _around: list[int] = field(factory=list)

    def str_of(self, word: int) -> str | None:
        """The text that `str` returned."""
        described = self._described(word)
        if isinstance(described, Atom):
            return described.value if isinstance(described.value, str) else _atom(described.value)
        recorded = self._recorded(word, _TEXT_METHODS)
        if recorded is not None:
            return recorded
        if isinstance(described, Derived) and described.type.base == "str":
            return self.str_of(described.value)
        if isinstance(described, Object) and described.type.base == "str" and described.extra is not None:
            return self.str_of(described.extra)
        if isinstance(described, Derived) and described.type.base == "built":
            return self._built(described)
        if isinstance(described, Object) and described.type.base == "exception":
            return self._error(described)
        return self.repr_of(word)

    def repr_of(self, word: int) -> str | None:
        """The text that `repr` returned."""
        described = self._described(word)
        if isinstance(described, Atom):
            return _atom(described.value)
        recorded = self._recorded(word, _TEXT_METHODS[1:])
        if recorded is not None or word in self._around or len(self._around) > _DEEPEST:
            return recorded
        self._around.append(word)
        try:
            if isinstance(described, TupleLike):
                return self._sequence(described)
            if isinstance(described, Derived):
                return self._named_tuple(described)
            if isinstance(described, Member):
                return self._member(described)
            return self._object(word, described) if isinstance(described, Object) else None
        finally:
            self._around.pop()

    def _described(self, word: int) -> Described:
        return self.evaluations.run.recording.values.value(word)

    def _all(self, words: Sequence[int]) -> list[str] | None:
        texts = [self.repr_of(word) for word in words]
        known = [text for text in texts if text is not None]
        return known if len(known) == len(texts) else None

    def _sequence(self, described: TupleLike) -> str | None:
        """The text of a tuple, frozenset, range or slice."""
        items = described.items
        if described.type == "range" and self.evaluations.plain(items[2]) == 1:  # start, stop, step
            items = items[:2]
        texts = self._all(items)
        if texts is None:
            return None
        inner = ", ".join(texts)
        if described.type == "frozenset":
            return _set_text(texts, "frozenset()", f"frozenset({{{inner}}})")
        if described.type == "tuple":
            return f"({inner},)" if len(texts) == 1 else f"({inner})"
        return f"{described.type}({inner})"

    def _object(self, word: int, described: Object) -> str | None:
        """The text of a list, dictionary or other object."""
        state = self.evaluations.run.heap.state(word, self.moment)
        if state.uncertain:
            return None
        if described.type.fields is not None and self._is_generated(described.type):
            return self._with_fields(described.type.name, described.type, dict(state.attributes))
        if described.type.full_name == "dict":
            keys, values = self._all([key for key, _ in state.pairs]), self._all([value for _, value in state.pairs])
            if keys is None or values is None:
                return None
            return f"{{{', '.join(f'{key}: {value}' for key, value in zip(keys, values, strict=True))}}}"
        texts = self._all(state.items)
        if described.type.full_name == "list" and texts is not None:
            return f"[{', '.join(texts)}]"
        if described.type.full_name == "set" and texts is not None:
            return _set_text(texts, "set()", f"{{{', '.join(texts)}}}")
        return None

    def _with_fields(self, name: str, kind: TypeInfo, words: dict[str, int]) -> str | None:
        names = [field_name for field_name, is_shown, _ in kind.fields or () if is_shown]
        if not words.keys() >= set(names):
            return None
        texts = self._all([words[field_name] for field_name in names])
        if texts is None:
            return None
        return f"{name}({', '.join(f'{field_name}={text}' for field_name, text in zip(names, texts, strict=True))})"

    def _is_generated(self, kind: TypeInfo) -> bool:
        """Whether a class of fields has the generated `__repr__`: a written one would have been recorded."""
        modules = self.evaluations.run.program.modules
        sources = [module.source for module in modules if kind.module in (module.name, "__main__")]
        is_derived = any(not base.startswith(("builtins.", "typing.", "collections.")) for base in kind.bases)
        return (
            kind.is_user_class
            and not is_derived
            and bool(sources)
            and not any("repr=False" in text for text in sources)
        )

    def _named_tuple(self, described: Derived) -> str | None:
        kind = described.type
        items = self.evaluations.items(described.value, self.moment)
        if kind.fields is None or items is None or not self._is_generated(kind):
            return None
        names = [name for name, _, _ in kind.fields]
        return self._with_fields(kind.name.rpartition(".")[2], kind, dict(zip(names, items, strict=False)))

    def _member(self, member: Member) -> str | None:
        """The text of a member of a plain enumeration; that of others depends on the version of Python."""
        name, value = self.evaluations.plain(member.name), self.repr_of(member.value)
        is_plain = member.type.bases == ("enum.Enum",) and isinstance(name, str) and value is not None
        title = member.type.name.rpartition(".")[2]
        return (f"{title}.{name}" if len(self._around) == 1 else f"<{title}.{name}: {value}>") if is_plain else None

    def _recorded(self, word: int, names: Sequence[str]) -> str | None:
        """The text that a recorded method returned for an object."""
        for call in self.calls:
            if call.routine.name in names and self.evaluations.run.record(call.first).words[:1] == (word,):
                self.calls.remove(call)
                returned = self.evaluations.returned(call)
                text = None if returned is None else self.evaluations.plain(returned[1])
                return text if isinstance(text, str) else None
        return None

    def _error(self, described: Object) -> str | None:
        own = set() if described.type.is_user_class else {f"{described.type.module}.{described.type.name}"}
        if described.extra is None or not {*own, *described.type.bases} <= _PLAIN_ERRORS:
            return None
        arguments = self.evaluations.items(described.extra, self.moment) or ()
        if not arguments:
            return ""
        return self.str_of(arguments[0]) if len(arguments) == 1 else self.repr_of(described.extra)

    def _built(self, described: Derived) -> str | None:
        """The text of a date, a number or a path, computed from its arguments."""
        words = self.evaluations.items(described.value, self.moment) or ()
        plain = [self.evaluations.plain(word) for word in words]
        try:
            if described.type.full_name == "datetime.datetime":
                *numbers, zone, _fold = plain
                return str(datetime.datetime(*numbers)) if zone is None else None
            make = _BUILT.get(described.type.full_name)
            return None if make is None else str(make(*plain))
        except (ValueError, TypeError, OverflowError, ArithmeticError):
            return None


def _set_text(items: list[str], empty: str, text: str) -> str | None:
    """The text of a set; the order of several items depends on its history."""
    return text if len(items) == 1 else None if items else empty


def _atom(value: Any) -> str | None:
    try:
        return repr(value)
    except ValueError:  # an int of more digits than Python converts
        return None
