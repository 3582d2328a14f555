"""Syntax of an Erlang file: exact ranges of the nodes of abstract code, and its functions.

Nothing is run, and macros are not expanded. The compiler reports line 3, column 5 (from 1, in code points;
https://www.erlang.org/doc/apps/stdlib/erl_anno.html); `Syntax` returns the range of that node (from 0). A form is
parsed once, when it is needed; a syntax error loses the form that it is in, and no other.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.syntax.form import Clause, Form, FormError
from adebug_lsp.languages.erlang.syntax.form_parser import parse_form
from adebug_lsp.languages.erlang.syntax.line_offsets import Lines
from adebug_lsp.languages.erlang.syntax.scanner import atom, ends_form, form_starts, split_forms
from adebug_lsp.model.source import Position, Range

_DEFINITION = re.compile(r"-\s*define\s*\(\s*([^\s(),%]+)\s*([,(])")
_ALTERNATIVE_KINDS = {"cons": "rest", "tuple": "caught"}
"""Nodes that share their kind with others but have no text of their own: list tails, `Class:Pattern:Stack`."""
_NON_EXPRESSIONS = frozenset(
    [
        "attribute",
        "b_generate",
        "b_generate_strict",
        "bin_element",
        "caught",
        "clause",
        "else",
        "function",
        "generate",
        "generate_strict",
        "m_generate",
        "m_generate_strict",
        "map_field_assoc",
        "map_field_exact",
        "record_field",
        "rest",
    ]
)


@frozen
class ClauseParts:
    """Ranges of the parts of a clause."""

    range: Range
    head: Range | None
    """Patterns, without the parentheses around arguments; None if there are none (`if`, `f() ->`)."""
    guard: Range | None
    """Without `when`."""
    body: Range


@frozen(eq=False, slots=False)
class Function:
    """A function with all its clauses."""

    name: str
    """As Erlang writes it, with quotes if it needs them."""
    arity: int
    exported: bool
    range: Range
    """Without the dot."""
    name_range: Range
    _start: int
    _form: Form = field(repr=False)
    _lines: Lines = field(repr=False)

    @cached_property
    def clauses(self) -> tuple[ClauseParts, ...]:
        """Clauses in order; computed on demand, since few of a file are used."""
        return tuple(_clause_parts(self._lines, self._start, clause) for clause in self._form.clauses)


def _clause_parts(lines: Lines, start: int, clause: Clause) -> ClauseParts:
    return ClauseParts(
        lines.range(start, clause.span),
        lines.range(start, clause.head) if clause.head else None,
        lines.range(start, clause.guard) if clause.guard else None,
        lines.range(start, clause.body),
    )


@define(eq=False)
class _Section:
    """Text up to a dot: one form, or several if there is an error. Its offset is kept elsewhere."""

    text: str
    _read: tuple[frozenset[str], list[tuple[int, Form]]] | None = None
    _definitions: list[tuple[str, bool]] | None = None

    @property
    def definitions(self) -> list[tuple[str, bool]]:
        """Names of the macros that it defines, and whether they have parameters."""
        if self._definitions is None:
            matches = _DEFINITION.findall(self.text) if "define" in self.text else []
            self._definitions = [(name, opening == "(") for name, opening in matches]
        return self._definitions

    @property
    def is_settled(self) -> bool:
        """Whether its end does not depend on the text after it: no quote in it can be closed later."""
        if self._read is None or '"""' in self.text:
            return False
        return all(form.kind != "lost" for _, form in self._read[1])

    def forms(self, constants: frozenset[str]) -> list[tuple[int, Form]]:
        """Its forms with their offsets."""
        if "?" not in self.text:
            constants = frozenset()
        if self._read is None or self._read[0] != constants:
            self._read = (constants, list(_forms(self.text, constants)))
        return self._read[1]


def _forms(text: str, constants: frozenset[str]) -> Iterator[tuple[int, Form]]:
    """Parses the text up to a dot. After an error a dot may be missing, so a later line may start another form."""
    whole = _form(text, constants)
    first = whole.span[0]
    yield 0, whole
    if whole.kind in ("function", ""):
        return
    names = [name for begin, name in form_starts(text, first) if begin == first]
    for begin, name in form_starts(text, first + 1):
        if name and name in names:
            continue  # another clause of the erroneous function
        form = _form(text[begin:], constants)
        if form.kind != "lost":
            yield begin, form
            return


def _form(text: str, constants: frozenset[str]) -> Form:
    try:
        return parse_form(text, constants)
    except FormError:
        space = re.match(r"(?:\s|%[^\n]*)*", text)
        return Form(span=(space.end() if space else 0, len(text)))


def _is_form(text: str) -> bool:
    return _form(text, frozenset()).kind != "lost"


@frozen(eq=False, slots=False)
class Syntax:
    """The syntax of one text."""

    text: str
    _sections: Sequence[_Section] = field(repr=False)
    _starts: Sequence[int] = field(repr=False)
    """Where the sections start."""

    def range_at(self, kind: str, line: int, column: int, nested: int = 0) -> Range | None:
        """Range of the node of abstract code with this tag at a position of the compiler (from 1).

        Nodes of one kind share a position only as in `(f(X))(Y)`, where both calls are at `f`: `nested` counts inwards
        from the outermost. The result of a macro is at the macro's name, or at the last token of an argument, and has
        the range of the macro use. Returns None if there is no such node.
        """
        located = self._find(line, column)
        if located is None:
            return None
        start, form, anchor = located
        spans = form.spans(kind, anchor) or form.spans(_ALTERNATIVE_KINDS.get(kind, ""), anchor)
        if nested < len(spans):
            return self._lines.range(start, spans[-1 - nested])
        around = [(place, span) for place, span in form.macros if span[0] <= anchor < span[1]]
        for place, _ in around:
            if place != anchor and (outer := form.spans(kind, place)):  # the expansion begins with the argument
                return self._lines.range(start, outer[-1])
        if around:
            return self._lines.range(start, around[0][1])
        return self._lines.range(start, spans[0]) if spans else None

    def clause_at(self, line: int, column: int) -> ClauseParts | None:
        """Parts of the clause at a position of the compiler (from 1)."""
        located = self._find(line, column)
        if located is None:
            return None
        start, form, anchor = located
        places = [anchor, *(place for place, span in form.macros if span[0] <= anchor < span[1])]
        clause = next((form.parts[place] for place in places if place in form.parts), None)
        return _clause_parts(self._lines, start, clause) if clause else None

    def expression_at(self, position: Position) -> Range | None:
        """The smallest expression around a position."""
        located = self._find(position.line + 1, position.column + 1)
        if located is None:
            return None
        start, form, anchor = located
        around = list(form.around(anchor, _NON_EXPRESSIONS))
        return self._lines.range(start, min(around, key=lambda span: span[1] - span[0])) if around else None

    @cached_property
    def functions(self) -> Sequence[Function]:
        """Functions in textual order, from both branches of an `-ifdef`; not those whose name is a macro."""
        return [
            Function(
                form.name,
                form.arity,
                self._exports_all or (form.name, form.arity) in self._exports,
                self._lines.range(start, form.span),
                self._lines.range(start, form.name_span),
                start,
                form,
                self._lines,
            )
            for start, form in self._forms()
            if form.kind == "function" and form.name and not form.name.startswith("?")
        ]

    @cached_property
    def broken_forms(self) -> Sequence[Range]:
        """Ranges of the forms with syntax errors."""
        return [self._lines.range(start, form.span) for start, form in self._forms() if form.kind == "lost"]

    @cached_property
    def module(self) -> str | None:
        """Name in `-module`, as Erlang writes it."""
        return next(iter(self._words("module")), None)

    @cached_property
    def behaviours(self) -> Sequence[str]:
        """Modules whose callbacks are defined here."""
        return [*self._words("behaviour"), *self._words("behavior")]

    @cached_property
    def has_eunit(self) -> bool:
        """Whether EUnit is included, which exports the test functions."""
        included = [
            word
            for start, form in self._attributes("include_lib")
            for word in _tokens_of_kind(self, start, form, "string")
        ]
        return '"eunit/include/eunit.hrl"' in included

    @cached_property
    def _exports(self) -> set[tuple[str, int]]:
        exports = set()
        for start, form in self._attributes("export"):
            words = form.tokens
            for place, (kind, _, _) in enumerate(words):
                if kind == "/":
                    name, arity = (self.text[start + words[p][1] : start + words[p][2]] for p in (place - 1, place + 1))
                    if arity.isdigit():
                        exports.add((atom(name), int(arity)))
        return exports

    @cached_property
    def _exports_all(self) -> bool:
        return any(
            "export_all" in _tokens_of_kind(self, start, form, "atom") for start, form in self._attributes("compile")
        )

    def _words(self, attribute: str) -> list[str]:
        """First atom of each attribute of a name."""
        names = [_tokens_of_kind(self, start, form, "atom")[1:2] for start, form in self._attributes(attribute)]
        return [atom(word) for words in names for word in words]

    def _attributes(self, name: str) -> Iterator[tuple[int, Form]]:
        return ((start, form) for start, form in self._forms() if form.kind == "attribute" and form.name == name)

    @cached_property
    def _constants(self) -> frozenset[str]:
        """Macros without parameters."""
        definitions = [definition for section in self._sections for definition in section.definitions]
        return frozenset(n for n, called in definitions if not called) - frozenset(
            n for n, called in definitions if called
        )

    def _forms(self) -> Iterator[tuple[int, Form]]:
        for start, section in zip(self._starts, self._sections, strict=True):
            for offset, form in section.forms(self._constants):
                yield start + offset, form

    # Positions

    @cached_property
    def _lines(self) -> Lines:
        return Lines.of(self.text)

    def _find(self, line: int, column: int) -> tuple[int, Form, int] | None:
        """The form at a position: its start, itself, and the offset in it."""
        position = self._lines.offset(line, column)
        if position is None:
            return None
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return None
        start = self._starts[index]
        for offset, form in reversed(self._sections[index].forms(self._constants)):
            if start + offset <= position:
                return start + offset, form, position - start - offset
        return None

    def changed(self, text: str) -> "Syntax":
        """Syntax of a later state of the text; unchanged forms are not parsed again.

        The start of a form does not depend on the text before it, so forms before and after the change are reused.
        """
        known = {section.text: section for section in self._sections}
        kept = self._unchanged(text)
        sections, starts = list(self._sections[:kept]), list(self._starts[:kept])
        longer = len(text) - len(self.text)
        resume = starts[-1] + len(sections[-1].text) if kept else 0
        for start, end in split_forms(text, _is_form, resume):
            index = bisect_left(self._starts, start - longer)
            if self._starts[index : index + 1] == [start - longer] and text[start:] == self.text[start - longer :]:
                sections += self._sections[index:]
                starts += [place + longer for place in self._starts[index:]]
                break
            sections.append(known.get(text[start:end]) or _Section(text[start:end]))
            starts.append(start)
        return Syntax(text, sections, starts)

    def _unchanged(self, text: str) -> int:
        """Number of leading sections that end where they did."""
        for index, (start, section) in enumerate(zip(self._starts, self._sections, strict=True)):
            end = start + len(section.text)
            if not (text.startswith(section.text, start) and ends_form(text, end) and section.is_settled):
                return index
        return len(self._sections)


def _tokens_of_kind(syntax: Syntax, start: int, form: Form, kind: str) -> list[str]:
    """Texts of the tokens of a kind in an attribute."""
    return [syntax.text[start + begin : start + end] for token_kind, begin, end in form.tokens if token_kind == kind]


def parse(text: str) -> Syntax:
    """Syntax of a text."""
    return Syntax("", [], []).changed(text)
