"""What is known of one form of an Erlang file. Places are offsets into its text: it is the same wherever it stands."""

from collections.abc import Iterator

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.syntax.scanner import Token

Span = tuple[int, int]
"""Where a text starts and ends."""
_WIDE = 1 << 32
"""More than any place in a file."""


@frozen
class Clause:
    """A clause of a function, fun, case, if, receive, try or maybe."""

    anchor: int
    span: Span
    head: Span | None
    """Patterns: what stands between the parentheses, if there are some; None where there is none (`if`, `f()`)."""
    guard: Span | None
    body: Span


@define
class Form:
    """What a form contains."""

    kind: str = "lost"
    """`function`, `attribute`, `lost` (with an error), or nothing for white space."""
    span: Span = (0, 0)
    """Without the dot."""
    name: str = ""
    name_span: Span = (0, 0)
    arity: int = 0
    clauses: list[Clause] = field(factory=list)
    """Of the function."""
    _nodes: dict[str, dict[int, int]] = field(factory=dict)
    """By kind and place. A span is one number here: the garbage collector does not look at numbers, and there are
    hundreds of thousands."""
    _outer: dict[tuple[str, int], list[Span]] = field(factory=dict)
    """Of the few that share kind and place with one in `_nodes`: those around it, inner ones first."""
    parts: dict[int, Clause] = field(factory=dict)
    """All clauses by their place."""
    macros: list[tuple[int, Span]] = field(factory=list)
    """Uses of macros: where the name stands, and the use with its arguments; inner ones first."""
    tokens: list[Token] = field(factory=list)
    """Of an attribute."""

    def add(self, kind: str, anchor: int, start: int, end: int) -> None:
        """A node, after those in it."""
        of_kind = self._nodes.get(kind)
        if of_kind is None:
            of_kind = self._nodes[kind] = {}
        span = start * _WIDE + end
        if of_kind.setdefault(anchor, span) != span:
            self._outer.setdefault((kind, anchor), []).append((start, end))

    def spans(self, kind: str, anchor: int) -> list[Span]:
        """The nodes of a kind at a place, inner ones first."""
        span = self._nodes.get(kind, {}).get(anchor)
        return [] if span is None else [_span(span), *self._outer.get((kind, anchor), [])]

    def around(self, anchor: int, without: frozenset[str]) -> Iterator[Span]:
        """The nodes around a place, but for those of some kinds."""
        for kind in self._nodes.keys() - without:
            for span in map(_span, self._nodes[kind].values()):
                if span[0] <= anchor <= span[1]:
                    yield span


def _span(packed: int) -> Span:
    return divmod(packed, _WIDE)


class FormError(Exception):
    """There is an error in the form."""
