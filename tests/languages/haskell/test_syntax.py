"""Layout, fixity and ranges of the grammar; what is outside says so."""

from typing import Any

import pytest
from attrs import fields, has
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.parser import parse
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError


def shape(node: Any) -> Any:
    """A tree without its spans and parentheses."""
    if isinstance(node, t.Parenthesised):
        return shape(node.inner)
    if isinstance(node, list | tuple):
        return [shape(item) for item in node]
    if has(type(node)):
        names = [a.name for a in fields(type(node)) if a.name not in ("span", "name_span")]
        return [type(node).__name__, *(shape(getattr(node, name)) for name in names)]
    return node


def nodes(node: Any) -> list[t.Node]:
    below = [node] if isinstance(node, t.Node) else []
    if isinstance(node, list | tuple):
        return [inner for item in node for inner in nodes(item)]
    if has(type(node)):
        below += [inner for a in fields(type(node)) for inner in nodes(getattr(node, a.name)) if a.name != "span"]
    return below


def test_layout_is_the_same_as_braces() -> None:
    laid_out = (
        "f x = case x of\n  1 -> y\n  _ -> let a = 1\n           b = 2\n       in a\n where y = 2\ng = do\n  p\n  q\n"
    )
    braces = "{ f x = case x of { 1 -> y; _ -> let { a = 1; b = 2 } in a } where { y = 2 }; g = do { p; q } }"
    assert shape(parse(laid_out)) == shape(parse(braces))


def test_a_token_that_does_not_fit_closes_the_block() -> None:
    assert shape(parse("f = (case x of y -> z)\n")) == shape(parse("f = (case x of { y -> z })\n"))
    assert shape(parse("f = [let a = 1 in a, 2]\n")) == shape(parse("f = [let { a = 1 } in a, 2]\n"))
    assert shape(parse("f = do a; b\n")) == shape(parse("f = do { a; b }\n"))


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        ("f x = (x\n", "parse error", "\n"),
        ("f = let x = 1\n", "parse error", ""),
        ("f = 'ab'\n", "not a character", "'"),
        ('f = "abc\n', "does not end", '"'),
        ("{- open\nf = 1\n", "comment does not end", "{-"),
        ("default (Int)\n", "not supported", "default"),
        ("newtype T = A Int Int\n", "one constructor with one field", "T"),
        ("f = if x then y\n", "expected `else`", ""),
    ],
)
def test_errors_have_a_message_and_a_range(text: str, message: str, where: str) -> None:
    with pytest.raises(HaskellSyntaxError, match=message) as error:
        parse(text)
    assert text[error.value.start : error.value.end] in (where, "")
    assert 0 <= error.value.start <= error.value.end <= len(text)


_VARIABLES = st.sampled_from(["x", "y", "xs", "f"])


def _expressions() -> st.SearchStrategy[str]:
    atoms = st.one_of(_VARIABLES, st.integers(0, 99).map(str), st.sampled_from(['"s"', "'c'", "True", "[]", "()"]))

    def more(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(_VARIABLES, inner).map(lambda p: f"{p[0]} ({p[1]})"),
            st.tuples(inner, st.sampled_from(["+", "*", ":", "++", "`div`", "."]), inner).map(
                lambda p: f"({p[0]}) {p[1]} ({p[2]})"
            ),
            st.tuples(inner, inner).map(lambda p: f"({p[0]}, {p[1]})"),
            st.tuples(inner, inner).map(lambda p: f"[{p[0]}, {p[1]}]"),
            st.tuples(inner, inner, inner).map(lambda p: f"if {p[0]} then {p[1]} else {p[2]}"),
            st.tuples(_VARIABLES, inner).map(lambda p: f"\\{p[0]} -> {p[1]}"),
            st.tuples(_VARIABLES, inner, inner).map(lambda p: f"let {{ {p[0]} = {p[1]} }} in {p[2]}"),
            st.tuples(inner, inner).map(lambda p: f"case {p[0]} of {{ (a : _) -> {p[1]}; _ -> b }}"),
            st.tuples(inner, _VARIABLES, inner).map(lambda p: f"[{p[0]} | {p[1]} <- {p[2]}]"),
            st.tuples(inner, inner).map(lambda p: f"do {{ q <- {p[0]}; {p[1]} }}"),
        )

    return st.recursive(atoms, more, max_leaves=8)


@settings(max_examples=60, deadline=None)
@given(_expressions())
def test_the_text_of_a_node_parses_to_the_node(text: str) -> None:
    """Printing and parsing are inverse: the range of every expression holds exactly its text."""
    source = f"value = {text}\n"
    equation = parse(source).declarations[0]
    assert isinstance(equation, t.Equation)
    for node in nodes(equation.rhs):
        is_operator = isinstance(node, t.Var | t.Con) and node.name in ("+", "*", ":", "++", ".", "div")
        if isinstance(node, t.Expression) and not isinstance(node, t.Wildcard) and not is_operator:
            start, end = node.span
            again = parse(f"value = {source[start:end]}\n").declarations[0]
            assert isinstance(again, t.Equation)
            assert shape(again.rhs.branches[0].body) == shape(node)
