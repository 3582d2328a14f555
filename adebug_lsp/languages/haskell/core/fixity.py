"""Binds flat operator sequences by the fixities of their operators (Haskell 2010 report, section 10.6)."""

from collections.abc import Callable

from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

DEFAULT = ("infixl", 9)
_NEGATION = ("infixl", 6)
Lookup = Callable[[t.Expression], tuple[str, int]]


def bind(infix: t.Infix, fixity_of: Lookup) -> t.Expression:
    """Rebuild a flat sequence as a tree of binary applications; negations stay `Negation`."""
    operands: list[t.Expression] = []
    pending: list[tuple[t.Expression | None, tuple[str, int], int]] = []  # operator (None: a negation), fixity, start

    def reduce() -> None:
        operator, _, start = pending.pop()
        right = operands.pop()
        if operator is None:
            operands.append(t.Negation((start, right.span[1]), right))
        else:
            left = operands.pop()
            operands.append(t.Apply((left.span[0], right.span[1]), operator, [left, right]))

    def operand(item: t.Expression) -> None:
        if isinstance(item, t.Negation):
            pending.append((None, _NEGATION, item.span[0]))
            item = item.operand
        operands.append(item)

    operand(infix.items[0])
    for position in range(1, len(infix.items), 2):
        operator = infix.items[position]
        fixity = fixity_of(operator)
        while pending and _binds_tighter(pending[-1][1], fixity, operator):
            reduce()
        pending.append((operator, fixity, 0))
        operand(infix.items[position + 1])
    while pending:
        reduce()
    return operands[0]


def _binds_tighter(left: tuple[str, int], right: tuple[str, int], operator: t.Expression) -> bool:
    """Whether the left operator comes first; raises `HaskellSyntaxError` if neither does."""
    if left[1] != right[1]:
        return left[1] > right[1]
    if left[0] == right[0] == "infixl":
        return True
    if left[0] == right[0] == "infixr":
        return False
    name = getattr(operator, "name", "")
    raise HaskellSyntaxError(f"{name} cannot be mixed with the operator before it; add parentheses", *operator.span)
