"""Tests of Haskell programs: generated arguments, smallest counterexamples, expected output, through the command."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.haskell.engine.load import load
from adebug_lsp.languages.haskell.engine.program_sources import Sources
from adebug_lsp.languages.haskell.testing.arbitrary import Generator
from adebug_lsp.languages.haskell.testing.property_run import Properties
from tests.warm_start import COMMAND

SHOP = """module Shop where

data Coin = Penny | Dime | Bag [Coin] Int
  deriving (Eq, Show)

value :: Coin -> Int
value Penny = 1
value Dime = 10
value (Bag coins n) = sum (map value coins) * n

insert :: Int -> [Int] -> [Int]
insert x [] = [x]
insert x (y : ys)
  | x <= y = x : y : ys
  | otherwise = y : x : ys

isSorted :: [Int] -> Bool
isSorted (x : y : rest) = x <= y && isSorted (y : rest)
isSorted _ = True

prop_sorted :: [Int] -> Bool
prop_sorted xs = isSorted (foldr insert [] xs)
prop_value :: Coin -> Maybe (Char, Double) -> Bool
prop_value c _ = value c >= 0
prop_reverse :: Bool -> String -> Integer -> Bool
prop_reverse b s n = length (reverse s) == length s || b && n > 0
prop_head xs = head xs == head (xs :: [Int])
prop_constant = 1 + 1 == 3
prop_function :: (Int -> Int) -> Bool
prop_function f = f 1 == f 1
prop_number :: Int -> Int
prop_number n = n
prop_endless :: Int -> Bool
prop_endless n = n < 3 || prop_endless (n + 1)
prop_polymorphic xs = reverse (reverse xs) == xs
"""


def properties_of(text: str) -> Properties:
    return Properties(Sources("Shop.hs", (("Shop.hs", text),), ()))


@pytest.fixture(scope="module")
def shop() -> Properties:
    return properties_of(SHOP)


@pytest.mark.parametrize(
    ("name", "counterexample", "problem"),
    [
        ("prop_sorted", "prop_sorted [0, (-1), (-1)]", "is False"),
        ("prop_value", "prop_value (Bag [Penny] (-1)) Nothing", "is False"),
        ("prop_reverse", "", ""),
        ("prop_head", "prop_head []", "failed: Prelude.head: empty list"),
        ("prop_constant", "prop_constant", "is False"),
        ("prop_function", "", "no arguments of type Int -> Int can be generated"),
        ("prop_number", "", "a property has a Bool as its result, but this is Int -> Int"),
        ("prop_polymorphic", "", ""),
    ],
)
def test_the_smallest_counterexample_is_found(shop: Properties, name: str, counterexample: str, problem: str) -> None:
    tested = shop.test(name)
    assert (tested.counterexample, tested.problem) == (counterexample, problem)


def test_the_same_arguments_are_made_each_time(shop: Properties) -> None:
    tested = shop.test("prop_sorted")
    assert tested == shop.test("prop_sorted")
    assert tested.failed


# The interruption may come while the collector calls Hypothesis, which loses it; then it comes again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_property_that_does_not_end_fails() -> None:
    text = "module Shop where\nprop_endless :: Int -> Bool\nprop_endless n = n > 5 || prop_endless (n - 1)\n"
    assert properties_of(text).test("prop_endless").problem == "did not end"


def test_every_generated_value_is_one_of_its_type_and_shrinks_to_an_end() -> None:
    kinds = "[(Coin, Maybe Double)] -> Either Char Ordering -> ()"
    text = SHOP + f"f :: {kinds} -> Bool\nf _ _ _ = True\n"
    program = load("Shop.hs", text, lambda _name: None)
    module = program.modules["Shop"]
    scheme = program.schemes["Shop.f"].type
    generator = Generator(program, module, "seed")
    for size in range(8):
        made = generator.make(scheme.function.argument, size)
        load("Shop.hs", f"{text}value' = f {made.source}\n", lambda _name: None)
        for _step in range(500):
            smaller = next(made.smaller(), None)
            if smaller is None:
                break
            made = smaller
        assert made.source == "[]"


def command(workspace: Path, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    done = subprocess.run(
        [*COMMAND, "test", "--json", *arguments],
        cwd=workspace, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", timeout=180,
        check=False,
    )  # fmt: skip
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"], done.stderr


def test_a_failing_property_is_asked_about_with_its_smallest_counterexample(tmp_path: Path) -> None:
    (tmp_path / "Shop.hs").write_text(SHOP, encoding="utf-8")
    (tmp_path / "fixed").mkdir()
    fixed = SHOP.replace("y : x : ys", "y : insert x ys")
    (tmp_path / "fixed" / "Shop.hs").write_text(fixed, encoding="utf-8")
    _, lines, problems = command(tmp_path, "--reference", "fixed", "Shop.hs::prop_sorted")
    verdict = lines[-1]
    assert verdict["type"] == "verdict", (verdict, problems)
    assert verdict["callable"] == "Main.insert"
    assert verdict["kind"] == "expression"
    assert verdict["buggy"][0]["range"]["start"]["line"] == 14
    assert verdict["asked"] == 0


def test_an_output_that_is_not_the_expected_one_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "sum.hs").write_text(
        "total :: [Int] -> Int\ntotal = foldr (+) 1\nmain :: IO ()\nmain = print (total [1, 2])\n", encoding="utf-8"
    )
    (tmp_path / "sum.expected").write_text("3\n", encoding="utf-8")
    _, lines, problems = command(tmp_path, "sum.hs")
    assert lines[-1]["type"] == "question", problems
    plain = subprocess.run(
        [*COMMAND, "test", "sum.hs"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert "line 1 of the output is '4'; expected is '3'" in plain.stdout + plain.stderr
    (tmp_path / "sum.expected").write_text("4\n", encoding="utf-8")
    code, _, problems = command(tmp_path, "sum.hs")
    assert code == 1
    assert "1 test passed" in problems


def test_a_file_without_tests_says_what_a_test_is(tmp_path: Path) -> None:
    (tmp_path / "plain.hs").write_text("main :: IO ()\nmain = print 1\n", encoding="utf-8")
    code, _, problems = command(tmp_path, "plain.hs")
    assert code == 1
    assert "a test is a definition prop_" in problems
    code, _, problems = command(tmp_path, "missing.hs")
    assert code == 2
    assert "there is no such Haskell file" in problems
