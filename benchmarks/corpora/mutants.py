"""Mutates functions, one small and typical mistake at a time.

Every mutant is one function with one change. Mutants are in source order, so that the same source
always yields the same mutants.
"""

import ast
from collections.abc import Iterator
from copy import deepcopy

from attrs import frozen

KINDS = (
    "arithmetic",  # another operator: a + b, a - b
    "comparison",  # another comparison: a < b, a <= b
    "off-by-one",  # an integer constant that is one too large or too small
    "connective",  # and, or
    "negation",  # a negated condition
    "dropped-operand",  # a + b, a
    "variable",  # another parameter or variable of the same function
    "arguments",  # two arguments of a call, swapped
    "base-case",  # another constant where a constant is returned
    "result",  # another expression of the same function is returned
    "branches",  # the two outcomes of a conditional, swapped
    "slice-bound",  # a bound of a slice removed
)

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mod, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


@frozen
class Mutant:
    """One function with one change."""

    kind: str
    function: str
    line: int
    column: int
    change: str
    """The original and the new code."""
    definition: ast.FunctionDef


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of every function of a module."""
    for definition in ast.parse(source).body:
        if isinstance(definition, ast.FunctionDef):
            yield from _of_function(definition)


def _of_function(definition: ast.FunctionDef) -> Iterator[Mutant]:
    names = _names(definition)
    results = [node.value for node in ast.walk(definition) if isinstance(node, ast.Return) and node.value is not None]
    places = [place for statement in definition.body for place in _places(statement)]
    seen = {ast.unparse(definition)}
    for parent, field, index, node in places:
        for kind, replacement in _replacements(parent, node, names, results):
            _put(parent, field, index, ast.copy_location(replacement, node))
            text = ast.unparse(definition)
            if text not in seen:
                seen.add(text)
                change = f"{ast.unparse(node)} -> {ast.unparse(replacement)}"
                copy = ast.fix_missing_locations(deepcopy(definition))
                yield Mutant(kind, definition.name, node.lineno, node.col_offset, change, copy)
            _put(parent, field, index, node)


Place = tuple[ast.AST, str, int | None, ast.expr]
"""The parent of an expression, the field that holds it, and its index if that field is a list."""


def _places(node: ast.AST) -> Iterator[Place]:
    """Every expression below a node, in source order."""
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if isinstance(child, ast.expr):
                yield node, name, index if isinstance(value, list) else None, child
            if isinstance(child, ast.AST):
                yield from _places(child)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.expr) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _names(definition: ast.FunctionDef) -> list[str]:
    """The parameters, then the variables, in source order."""
    names = [argument.arg for argument in definition.args.args]
    stored = [
        node
        for statement in definition.body
        for _, _, _, node in _places(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys(names + [node.id for node in stored]))


def _replacements(
    parent: ast.AST, node: ast.expr, names: list[str], results: list[ast.expr]
) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(parent, ast.If | ast.IfExp) and node is parent.test:
        yield "negation", ast.UnaryOp(ast.Not(), node)
    if isinstance(parent, ast.Return):
        yield from _results(node, results)
    yield from _of_operation(node)
    yield from _of_atom(node, names)
    yield from _of_structure(node)


def _of_operation(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.BinOp(left, op, right):
            yield from (("arithmetic", ast.BinOp(left, other(), right)) for other in _ARITHMETIC.get(type(op), ()))
            if isinstance(op, ast.Add | ast.Sub):
                yield "dropped-operand", left
            if isinstance(op, ast.Add):
                yield "dropped-operand", right
        case ast.Compare(left, [op], [right]):
            for other in _COMPARISONS.get(type(op), ()):
                yield "comparison", ast.Compare(left, [other()], [right])
        case ast.BoolOp(op, values):
            yield "connective", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)


def _of_atom(node: ast.expr, names: list[str]) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Constant(bool()):
            pass
        case ast.Constant(int() as number):
            yield "off-by-one", ast.Constant(number + 1)
            yield "off-by-one", ast.Constant(number - 1)
        case ast.Name(name, ast.Load()) if name in names:
            place = names.index(name)
            others = names[place + 1 :] + names[:place]
            yield from (("variable", ast.Name(other, ast.Load())) for other in others[:2])


def _of_structure(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Call(function, arguments, keywords):
            for left in range(len(arguments) - 1):
                swapped = [*arguments[:left], arguments[left + 1], arguments[left], *arguments[left + 2 :]]
                yield "arguments", ast.Call(function, swapped, keywords)
        case ast.IfExp(test, body, orelse):
            yield "branches", ast.IfExp(test, orelse, body)
        case ast.Slice(lower, upper, step):
            if lower is not None:
                yield "slice-bound", ast.Slice(None, upper, step)
            if upper is not None:
                yield "slice-bound", ast.Slice(lower, None, step)


def _results(node: ast.expr, results: list[ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    """Replacements of a returned expression: another constant of the same type, or the expression of another return."""
    if isinstance(node, ast.Constant):
        for other in (0, 1, True, False):
            if type(other) is type(node.value) and other != node.value:
                yield "base-case", ast.Constant(other)
    place = next(place for place, result in enumerate(results) if result is node)
    yield from (("result", other) for other in (results[place + 1 :] + results[:place])[:2])
