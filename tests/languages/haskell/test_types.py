"""Inferred types, and errors at exact ranges."""

import pytest

from adebug_lsp.languages.haskell.engine.load import ModuleError, load
from adebug_lsp.languages.haskell.types.types import show_scheme


def types(text: str) -> dict[str, str]:
    program = load("main.hs", text, lambda _name: None)
    return {
        name.removeprefix("Main."): show_scheme(b.scheme) for name, b in program.binds.items() if name[:5] == "Main."
    }


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("f x = x", "f", "a -> a"),
        ("f x y = x", "f", "a -> b -> a"),
        ("f g xs = [g x | x <- xs]", "f", "(a -> b) -> [a] -> [b]"),
        ("f x = x + 1", "f", "Num a => a -> a"),
        ("f x y = show x ++ y", "f", "Show a => a -> String -> String"),
        ("f = map fst", "f", "[(a, b)] -> [a]"),
        ("f xs = sum xs / 2", "f", "(Foldable a, Fractional b) => a b -> b"),
        ("f 0 = 'a'\nf n = f (n - 1)", "f", "(Eq a, Num a) => a -> Char"),
        ("data T a = L | N a (T a)\nf L = []\nf (N x t) = x : f t", "f", "T a -> [a]"),
        ("f m = do { x <- m; return (x, x) }", "f", "Monad a => a b -> a (b, b)"),
        ("ev 0 = True\nev n = od (n - 1)\nod 0 = False\nod n = ev (n - 1)", "od", "(Eq a, Num a) => a -> Bool"),
        ("n = 3", "n", "Integer"),
        ("x = 2.5 * 2", "x", "Double"),
    ],
)
def test_a_type_is_inferred(text: str, name: str, expected: str) -> None:
    context, _, inferred = types(text)[name].rpartition(" => ")
    expected_context, _, expected_type = expected.rpartition(" => ")
    assert inferred == expected_type
    assert set(context.strip("()").split(", ")) == set(expected_context.strip("()").split(", "))


@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ("f :: Int -> Int\nf x = x ++ [1]\n", "expected", "x"),
        ("f x = not (x && 'c')\n", "expected Bool, found Char", "'c'"),
        ("f = if 1 then 2 else 3\n", "no instance of Num for Bool", "1"),
        ("f x = y\n", "variable not in scope: y", "y"),
        ("f = filterr even\n", "did you mean filter?", "filterr"),
        ("f :: Foo -> Int\nf = length\n", "type not in scope: Foo", "Foo"),
        ("f (Just x y) = x\n", "has 1 argument, but the pattern has 2", "(Just x y)"),
        ("f x x = 1\n", "bound twice", "x"),
        ("f = show id\n", "no instance of Show", "show"),
        ("f :: a -> a -> Bool\nf x y = x == y\n", "add Eq a => to the signature", "=="),
        ("f x = x x\n", "type error", "x"),
        ("f 1 = 2\nf = 3\n", "different numbers of arguments", "f"),
        ("f = 1\ng = 2\nf = 3\n", "defined twice", "f = 3"),
        ("data T = A\nf = print A\n", "no instance of Show for T", "print"),
        ("f :: Int\n", "lacks a definition", "f"),
        ("import Data.Nothing\nf = 1\n", "was not found beside this file", "import Data.Nothing"),
        ('f = read "1" == read "2"\n', "ambiguous type", "=="),
        ("f = 1 == 2 == 3\n", "add parentheses", "=="),
        ('instance Show (Maybe Int) where show _ = ""\n', "use a newtype", ""),
    ],
)
def test_an_error_names_its_place(text: str, message: str, code: str) -> None:
    with pytest.raises(ModuleError, match=message.replace("(", r"\(").replace("?", r"\?")) as error:
        load("main.hs", text, lambda _name: None)
    assert text[error.value.start : error.value.end].strip("()") == code.strip("()") or code == ""
