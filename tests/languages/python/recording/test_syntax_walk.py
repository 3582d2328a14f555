"""Walking over a syntax tree finds what `ast` finds, in the same order, and completes locations as `ast` does."""

import ast
import random
import sysconfig
from pathlib import Path

import pytest

from adebug_lsp.languages.python.recorder.analysis.syntax_walk import (
    Transformer,
    Visitor,
    children,
    fix_locations,
    walk,
)

LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.alias)
LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = [LIBRARY / name for name in ("dataclasses.py", "typing.py", "asyncio/tasks.py", "textwrap.py", "tokenize.py")]
EVERYTHING = """
import a, b as c
from . import d
def f(a, /, b=1, *c, d, e=2, **g) -> {**x, 'y': 1}:
    global h
    match a:
        case {'k': 1, **rest} | [1, *others] | P(x, y=2) as whole if b: pass
    async def inner():
        async with a as b, c: await d
        return [x async for x in y if x] + [*z]
    try: pass
    except* E as e: raise F from e
    return lambda p, q=1, *, r: (p := f"{q!r:>{r}}"), a[1:2:3], a < b <= c, not a, a if b else c
"""


def trees() -> list[ast.Module]:
    text = EVERYTHING
    try:
        ast.parse(text)
    except SyntaxError:  # before 3.11
        text = text.replace("except*", "except")
    return [ast.parse(text), *(ast.parse(path.read_bytes()) for path in FILES)]


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: str(len(tree.body)))
def test_every_node_is_walked_over_in_the_order_of_the_text(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if not isinstance(node, LEFT_OUT):
            assert children(node) == [n for n in ast.iter_child_nodes(node) if not isinstance(n, LEFT_OUT)]
    nodes = list(walk(tree))
    assert set(nodes) == {node for node in ast.walk(tree) if not isinstance(node, LEFT_OUT)}
    visited: list[ast.AST] = []

    class All(Visitor):
        def visit(self, node: ast.AST) -> None:
            visited.append(node)
            super().visit(node)

    All().visit(tree)
    assert visited == nodes


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: str(len(tree.body)))
def test_locations_are_completed_as_by_ast(tree: ast.Module) -> None:
    expected = ast.parse(ast.unparse(tree))
    stripped = ast.parse(ast.unparse(tree))
    chance = random.Random(7)
    for node, copy in zip(ast.walk(expected), ast.walk(stripped), strict=True):
        if hasattr(node, "lineno") and not isinstance(node, LEFT_OUT) and chance.random() < 0.5:
            names = chance.choice([("lineno", "col_offset", "end_lineno", "end_col_offset"), ("end_lineno",)])
            for name in names:
                delattr(node, name)
                delattr(copy, name)
    ast.fix_missing_locations(expected)
    fix_locations(stripped)
    assert ast.dump(stripped, include_attributes=True) == ast.dump(expected, include_attributes=True)


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: str(len(tree.body)))
def test_every_expression_can_be_replaced(tree: ast.Module) -> None:
    class Renamed(Transformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, ast.Name):
                return ast.copy_location(ast.Name(f"{node.id}_", node.ctx), node)
            return self.generic_visit(node)

    class RenamedByAst(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.copy_location(ast.Name(f"{node.id}_", node.ctx), node)

    text = ast.unparse(tree)
    assert ast.dump(Renamed().visit(ast.parse(text))) == ast.dump(RenamedByAst().visit(ast.parse(text)))
