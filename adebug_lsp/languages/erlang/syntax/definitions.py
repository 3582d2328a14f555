"""Finds the macros and record defaults that a piece of code uses."""

from collections.abc import Iterator

from attrs import define, field

from adebug_lsp.languages.erlang.syntax.scanner import Token, split_forms, tokens

Span = tuple[int, int]
_OPENING, _CLOSING = frozenset(["(", "{", "[", "<<"]), frozenset([")", "}", "]", ">>"])
_ENDS_VALUE = frozenset(["var", "atom", ")", "}", "]", "macro"])


@define(eq=False, slots=False)
class Definitions:
    """Macros and records of a text."""

    text: str
    macros: dict[str, list[Span]] = field(factory=dict)
    """Spans of the definitions of each macro, in order; a macro may be redefined."""
    records: dict[str, dict[str, Span]] = field(factory=dict)
    """Fields with a default value, by record."""

    def __attrs_post_init__(self) -> None:
        for start, end in split_forms(self.text, lambda _: True, 0):
            form = [(kind, start + first, start + last) for kind, first, last in tokens(self.text[start:end])]
            name = self._text(form[1]) if len(form) > 1 else ""
            if form[0][0] == "-" and name == "define":
                self._macro(form)
            elif form[0][0] == "-" and name == "record":
                self._record(form)

    def executed_by(self, start: int, end: int) -> list[Span]:
        """Spans of the definitions that code between two offsets uses, in order of use."""
        definitions: dict[Span, None] = {}
        waiting = [(start, end)]
        while waiting:
            span = waiting.pop()
            for definition in self._named(*span):
                if definition not in definitions and not (start <= definition[0] and definition[1] <= end):
                    definitions[definition] = None
                    waiting.append(definition)
        return list(definitions)

    def _named(self, start: int, end: int) -> Iterator[Span]:
        """The definitions of the macros and records that code names."""
        code = [(kind, start + first, start + last) for kind, first, last in tokens(self.text[start:end])]
        for index, token in enumerate(code):
            if token[0] == "macro":
                known = self.macros.get(self._text(token).lstrip("?").strip(), [])
                before = [span for span in known if span[1] <= token[1]]
                yield from before[-1:] or known[:1]
            elif token[0] == "#" and not (index and code[index - 1][0] in _ENDS_VALUE) and code[index + 1][0] == "atom":
                defaults = self.records.get(self._text(code[index + 1]), {})
                assigned = self._assigned(code[index + 2 :])
                yield from (span for name, span in defaults.items() if name not in assigned and "_" not in assigned)

    def _assigned(self, code: list[Token]) -> set[str]:
        """Fields that a record construction assigns."""
        assigned, depth = set(), 0
        for index, token in enumerate(code):
            depth += (token[0] in _OPENING) - (token[0] in _CLOSING)
            if depth <= 0:
                break
            if depth == 1 and token[0] in ("atom", "var") and code[index + 1][0] == "=":
                assigned.add(self._text(token))
        return assigned

    def _macro(self, form: list[Token]) -> None:
        """Read `-define(NAME, ...).`, with or without parameters."""
        comma = next((index for index, depth in _depths(form) if form[index][0] == "," and depth == 1), None)
        if comma is not None and comma + 3 < len(form):
            last = [index for index, token in enumerate(form) if token[0] == ")"][-1:]
            if last and comma + 1 < last[0]:
                span = form[comma + 1][1], form[last[0] - 1][2]
                self.macros.setdefault(self._text(form[3]), []).append(span)

    def _record(self, form: list[Token]) -> None:
        """Read `-record(name, {field = default :: type, ...}).` or `-record #name{...}.` (OTP 29)."""
        begin = next((index for index, token in enumerate(form) if token[0] == "{"), 0)
        named = [token for token in form[2:begin] if token[0] not in ("(", "#", ",")]
        name, fields = self._text(named[0]) if named else "", dict[str, Span]()
        start, field_name = -1, ""
        inside = dict(_depths(form)).get(begin, 0)
        for index, depth in _depths(form):
            kind = form[index][0]
            if depth == inside and kind == "=" and start < 0:
                field_name, start = self._text(form[index - 1]), index + 1
            elif start >= 0 and ((depth == inside and kind in (",", "::")) or (depth == inside - 1 and kind == "}")):
                if start < index:
                    fields[field_name] = form[start][1], form[index - 1][2]
                start = -1
        self.records.setdefault(name, fields)

    def _text(self, token: Token) -> str:
        return self.text[token[1] : token[2]]


def _depths(code: list[Token]) -> Iterator[tuple[int, int]]:
    """Index of each token, and the bracket depth after it."""
    depth = 0
    for index, token in enumerate(code):
        depth += (token[0] in _OPENING) - (token[0] in _CLOSING)
        yield index, depth
