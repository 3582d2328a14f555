"""Remarks about a text that is edited, and types by place."""

from pathlib import Path

import pytest

from adebug_lsp.languages.haskell.editor.check import HaskellCheck, check
from adebug_lsp.languages.language import Severity
from adebug_lsp.model.source import Position
from tests.support import ROOT

HEAD = "data T = A | B Int | C T [T]\n"


def checked(text: str) -> HaskellCheck:
    return check(Path("/nowhere/main.hs"), text)


def remarks(text: str) -> list[tuple[Severity, str, str]]:
    """Remarks with the code that they are about."""
    lines = text.split("\n")
    rows = []
    for remark in checked(text).remarks:
        start, end = remark.range.start, remark.range.end
        code = lines[start.line][start.column : end.column] if start.line == end.line else ""
        rows.append((remark.severity, remark.message, code))
    return sorted(rows, key=str)


@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ("f :: Bool -> Int\nf True = 1\n", "missing case: f False", "f"),
        (
            HEAD + "f :: T -> Bool -> Int\nf A True = 1\nf (B n) _ = n\nf (C _ _) _ = 2\n",
            "missing case: f A False",
            "f",
        ),
        (HEAD + "f :: T -> Int\nf A = 1\nf (B n) = n\nf (C _ (x : _)) = f x\n", "missing case: f (C _ [])", "f"),
        ("f :: [a] -> Bool\nf xs = case xs of\n  [] -> True\n", "missing case: (_ : _)", "xs"),
        ("f :: Int -> Bool\nf 0 = True\nf 1 = False\n", "missing case: f _", "f"),
        ("f :: [a] -> [a] -> Int\nf [] _ = 0\nf _ [] = 1\n", "missing case: f (_ : _) (_ : _)", "f"),
        ("f :: Maybe Int -> Int\nf (Just n) | n > 0 = n\nf Nothing = 0\n", "missing case: f (Just _)", "f"),
    ],
)
def test_a_missing_case_is_named(text: str, message: str, code: str) -> None:
    assert remarks(text) == [(Severity.WARNING, message, code)]


@pytest.mark.parametrize(
    "text",
    [
        "f :: Bool -> Int\nf True = 1\nf False = 2\n",
        "f :: Int -> Int\nf n | n > 0 = 1\n    | otherwise = 2\n",
        "f :: (Bool, Maybe a) -> Int\nf (True, _) = 1\nf (False, Just _) = 2\nf (_, Nothing) = 3\n",
        "f :: [Int] -> [Int]\nf xs = [y | Just y <- map Just xs]\n",
        "f :: Int -> Int\nf n = a + b\n  where\n    (a, b) = divMod n 2\n",
        "newtype N = N Int\nf :: N -> Int\nf (N n) = n\n",
        'f :: String -> Int\nf "a" = 1\nf _ = 2\n',
    ],
)
def test_complete_definitions_get_no_remark(text: str) -> None:
    assert remarks(text) == []


def test_variables_that_are_not_used_are_named() -> None:
    text = "f :: Int -> Int -> Int\nf x _y = let z = 1 in g 2\n  where\n    g a = x\n"
    assert remarks(text) == [(Severity.UNUSED, "a is not used", "a"), (Severity.UNUSED, "z is not used", "z")]


@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ("f = 'a' + y\n", "variable not in scope: y", "y"),
        ("f x = not (x && 'c')\n", "type error: expected Bool, found Char", "'c'"),
        ("import Data.Nothing\n", "module Data.Nothing was not found", "import Data.Nothing"),
    ],
)
def test_an_error_has_its_range(text: str, message: str, code: str) -> None:
    (remark,) = remarks(text)
    assert remark[0] is Severity.ERROR
    assert remark[1].startswith(message)
    assert remark[2] == code


def test_an_error_of_an_imported_module_is_told(tmp_path: Path) -> None:
    (tmp_path / "Other.hs").write_text("module Other where\nf = y\n", encoding="utf-8")
    (remark,) = check(tmp_path / "main.hs", "import Other\nmain = print 1\n").remarks
    assert "Other.hs:2:5: variable not in scope: y" in remark.message


def test_a_name_has_its_type() -> None:
    text = "f :: Int -> [Int]\nf n = map g xs\n  where\n    xs = [1 .. n]\n    g x = x * 2\n"
    described = checked(text).described
    assert described(Position(1, 0)) is not None
    texts = {column: hover[1] for column in range(15) if (hover := described(Position(1, column))) is not None}
    assert texts[2] == "n :: Int"
    assert texts[7] == "map :: (a -> b) -> [a] -> [b]"
    assert texts[12] == "xs :: [Int]"
    assert described(Position(0, 4)) is None


@pytest.mark.parametrize("program", sorted((ROOT / "tests/programs_haskell").glob("*/fixed/program.hs")), ids=str)
def test_real_programs_have_no_missing_cases(program: Path) -> None:
    if program.parent.parent.name == "hamming":  # infinite lists
        return
    checked_remarks = check(program, program.read_text(encoding="utf-8")).remarks
    assert [remark.message for remark in checked_remarks if remark.severity is not Severity.UNUSED] == []
