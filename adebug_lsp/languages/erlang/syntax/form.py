"""Syntax of one form of an Erlang file. Offsets are relative to its text, so it can be reused at another position."""

from collections.abc import Iterator

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.syntax.scanner import Token

Span = tuple[int, int]
"""Start and end offset."""
_WIDE = 1 << 32
"""Larger than any offset in a file."""


@frozen
class Clause:
    """A clause of a function, fun, case, if, receive, try or maybe."""

    anchor: int
    span: Span
    head: Span | None
    """Patterns between the parentheses, if any; None if there are none (`if`, `f()`)."""
    guard: Span | None
    body: Span


@define
class Form:
    """Nodes, clauses and macros of a form."""

    kind: str = "lost"
    """`function`, `attribute`, `lost` (syntax error), or empty for white space."""
    span: Span = (0, 0)
    """Without the dot."""
    name: str = ""
    name_span: Span = (0, 0)
    arity: int = 0
    clauses: list[Clause] = field(factory=list)
    """Clauses of the function."""
    _nodes: dict[str, dict[int, int]] = field(factory=dict)
    """Span by kind and anchor, packed into one integer, because the garbage collector does not track integers and
    there are hundreds of thousands.
    """
    _outer: dict[tuple[str, int], list[Span]] = field(factory=dict)
    """Spans of nodes that share kind and anchor with one in `_nodes`, inner ones first."""
    parts: dict[int, Clause] = field(factory=dict)
    """All clauses by anchor."""
    macros: list[tuple[int, Span]] = field(factory=list)
    """Anchors and spans of macro uses, inner ones first."""
    tokens: list[Token] = field(factory=list)
    """Tokens of an attribute."""

    def add(self, kind: str, anchor: int, start: int, end: int) -> None:
        """Add a node after its children; `anchor` is where the compiler places it."""
        of_kind = self._nodes.get(kind)
        if of_kind is None:
            of_kind = self._nodes[kind] = {}
        span = start * _WIDE + end
        if of_kind.setdefault(anchor, span) != span:
            self._outer.setdefault((kind, anchor), []).append((start, end))

    def spans(self, kind: str, anchor: int) -> list[Span]:
        """Spans of the nodes of a kind at an anchor, inner ones first."""
        span = self._nodes.get(kind, {}).get(anchor)
        return [] if span is None else [_span(span), *self._outer.get((kind, anchor), [])]

    def around(self, anchor: int, without: frozenset[str]) -> Iterator[Span]:
        """Spans around an offset, except those of some kinds."""
        for kind in self._nodes.keys() - without:
            for span in map(_span, self._nodes[kind].values()):
                if span[0] <= anchor <= span[1]:
                    yield span


def _span(packed: int) -> Span:
    return divmod(packed, _WIDE)


class FormError(Exception):
    """The form has a syntax error."""
