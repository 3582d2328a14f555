"""Assertions in the source: the expression that one checks, and the value that it expects."""

import ast

from adebug_lsp.languages.python.reading.static import STATEMENTS, Module

_EQUAL = frozenset(
    {"assertEqual", "assertEquals", "assertIs", "assertAlmostEqual", "assertListEqual", "assertDictEqual"}
)
_WITH = ("With", "AsyncWith")
_TRUE, _FALSE = frozenset({"assertTrue"}), frozenset({"assertFalse"})


def statement_on(module: Module, routine: int, line: int) -> int | None:
    """The innermost statement of a routine on a line."""
    statement = None
    for number in module.inside(routine):
        node = module.nodes[number]
        if node.kind in STATEMENTS and number != routine and node.place and node.place[0] <= line <= node.place[2]:
            statement = number
    return statement


def asserted_expression(module: Module, statement: int) -> tuple[int, str | None] | None:
    """The checked expression, and the text of its expected value."""
    node, children = module.nodes[statement], module.children(statement)
    if node.kind == "Assert" and children:
        return _condition(module, children[0])
    if node.kind in _WITH:
        return statement, None
    if node.kind == "Expr" and children and module.nodes[children[0]].kind == "Call":
        function, *arguments = module.children(children[0])
        name = module.nodes[function].extra
        if name in _EQUAL and len(arguments) >= 2:
            return _sides(module, arguments[0], arguments[1])
        if name in _TRUE | _FALSE and arguments:
            return arguments[0], str(name in _TRUE)
    return None


def _condition(module: Module, test: int) -> tuple[int, str | None] | None:
    node, children = module.nodes[test], module.children(test)
    if node.kind == "UnaryOp" and node.extra == "Not":
        return children[0], "False"
    if node.kind == "Compare" and len(children) == 2:
        if node.extra in (["Eq"], ["Is"]):
            return _sides(module, children[0], children[1])
        return children[0], None
    return test, "True"


def _sides(module: Module, left: int, right: int) -> tuple[int, str | None] | None:
    """Splits a comparison into the checked side and the literal."""
    for subject, written in ((left, right), (right, left)):
        text = _literal(module, written)
        if text is not None and _literal(module, subject) is None:
            return subject, text
    for subject, other in ((left, right), (right, left)):
        if not calls_in(module, other) and (other is right or calls_in(module, subject)):
            return subject, None
    return None


def _literal(module: Module, number: int) -> str | None:
    """Literal value of an expression as text; that of `approx(x)` is x."""
    if module.nodes[number].kind == "Call":
        function, *arguments = module.children(number)
        if module.nodes[function].extra == "approx" and arguments:
            return _literal(module, arguments[0])
        return None
    try:
        return repr(ast.literal_eval(" ".join(module.text(number).split())))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def calls_in(module: Module, number: int) -> list[int]:
    """All calls in an expression."""
    return [n for n in module.inside(number) if module.nodes[n].kind == "Call"]
