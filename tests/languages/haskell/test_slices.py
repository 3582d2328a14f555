"""Slices of Silva's thesis, chapter 5: what a part of a result needed, and the programs that are left."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.frontends.cli.render.exact_slice_view import ExactSliceView
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.haskell.slices.haskell_slicer import HaskellSlicer
from adebug_lsp.model.errors import BadInputError, NoSuchValueError
from benchmarks.haskell_slices import CRITERIA
from tests.languages.haskell.recorded import output_of, record
from tests.languages.haskell.test_ghc import PROGRAMS
from tests.support import ROOT, one_in

MINMAX = """module Main where

data Nat = Z | S Nat deriving (Show, Eq)

data Pair a b = Pair a b deriving Show

minmax :: [Nat] -> Pair Nat Nat
minmax xs = case xs of
  (y:ys) -> case ys of
    [] -> Pair y y
    (z:zs) -> let m = minmax (z:zs)
              in Pair (lower y (first m)) (upper y (second m))

lower, upper :: Nat -> Nat -> Nat
lower x y = pick (leq x y) x y
upper x y = pick (leq x y) y x

first :: Pair a b -> a
first t = case t of
  Pair x y -> x

second :: Pair a b -> b
second t = case t of
  Pair x y -> y

pick :: Bool -> a -> a -> a
pick x y z = case x of
  True -> y
  False -> z

leq :: Nat -> Nat -> Bool
leq x y = case x of
  Z -> True
  S n -> case y of
    Z -> False
    S m -> leq n m

main :: IO ()
main = print (minmax [Z, S Z])
"""
EXECUTABLE = """
[Nat] -> Pair Nat Nat
minmax xs = case xs of
  (y:ys) -> case ys of
    (z:zs) -> Pair (lower y notInSlice) notInSlice
lower :: Nat -> Nat -> Nat
lower x y = pick (leq x notInSlice) x notInSlice
pick :: Bool -> a -> a -> a
pick x y z = case x of
  True -> y
leq :: Nat -> Nat -> Bool
leq x y = case x of
  Z -> True
"""
LOCAL = """area x = double x + 1
  where
    double :: Int -> Int
    double 0 = 0
    double y = half z
      where z = y * 4
            half x = x `div` 2
            unused = y
again 0 = 1
again n = let go m = again (m - 1) in go n
main = do
  print (area 2)
  print (again 2)
  print (map (\\x -> x + 1) [5])
"""
SLICED = ROOT / "tests" / "programs_haskell" / "slices"
_SLOW = {"deep_recursion.hs"}


def sliced_lines(text: str, call: str) -> list[str]:
    """The source of a slice as the terminal shows it without colours, without numbers."""
    slicer = HaskellSlicer(record(text).subject)
    result = slicer.backward([slicer.call(call, None)])
    shown = ExactSliceView(result, Sources({"main.hs": text})).source(Style(colour=False))
    return [line.partition("| ")[2] for line in shown if "| " in line]


def program(text: str, *calls: str) -> str:
    slicer = HaskellSlicer(record(text).subject)
    return slicer.programs([slicer.call(call, None) for call in calls])["main.hs"]


def test_the_second_part_of_minmax_needs_what_figure_5_4_of_the_thesis_shows() -> None:
    assert sliced_lines(MINMAX, "minmax [Z, S Z] = Pair _ *") == [
        "minmax xs = case xs of",
        "  (y:ys) -> case ys of",
        "    [] -> Pair ? y",
        "    (z:zs) -> let m = minmax (z:zs)",
        "              in Pair ? (upper y (second m))",
        "upper x y = pick (leq x ?) y ?",
        "second t = case t of",
        "  Pair x y -> y",
        "pick x y z = case x of",
        "  True -> y",
        "leq x y = case x of",
        "  Z -> True",
    ]


def test_the_first_part_of_minmax_is_the_simplified_program_of_figure_5_22() -> None:
    made = program(MINMAX, "minmax [Z,S Z] = Pair ⊤ _")
    definitions = made.partition("minmax ::")[2].partition("notInSlice ::")[0]
    assert definitions.split() == EXECUTABLE.split()


def test_a_body_that_is_only_a_variable_stays_in_the_slice() -> None:
    """Example 13: the positions of the chain of variables that led to a value."""
    text = "f x = x\ng y = f y\nh z = g z\nmain = print (h (3 :: Int))\n"
    assert sliced_lines(text, "h 3") == ["f x = x", "g y = f y", "h z = g z"]


def test_what_was_made_before_the_call_is_taken_for_granted() -> None:
    text = "double x = x + x\nmake n = n * 3\nmain = print (double (make 2) :: Int)\n"
    assert sliced_lines(text, "double 6") == ["double x = x + x"]
    assert sliced_lines(text, "main") == text.splitlines()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("double 2", ["    double y = half z", "      where z = y * 4", "            half x = x `div` 2"]),
        ("half 8", ["            half x = x `div` 2"]),
        ("go 1", ["again 0 = 1", "? go m = again (m - 1) ?"]),
        ("\\", ["  ?\\x -> x + 1?"]),
    ],
    ids=["where", "inner", "let", "lambda"],
)
def test_a_local_function_is_shown_without_the_one_around_it(call: str, expected: list[str]) -> None:
    assert sliced_lines(LOCAL, call) == expected


def test_slices_of_several_calls_are_united() -> None:
    made = program(MINMAX, "minmax [Z, S Z] = Pair * _", "minmax [S Z] = Pair _ *")
    assert "[] -> Pair notInSlice y" in made
    assert "print (case minmax ((:) Z ((:) (S Z) [])) of (Pair part1 _) -> part1)" in made
    assert "print (case minmax ((:) (S Z) []) of (Pair _ part1) -> part1)" in made


@pytest.mark.parametrize(
    "name", ["double", "double 2", "area.double", "area.double 2", "Main.area.double", "Main.area.double 2"]
)
def test_a_call_is_found_by_its_name_qualified_or_not(name: str) -> None:
    """A verdict names a function with its module; questions name it without."""
    text = "area x = double x\n  where double y = y * 2\nmain = print (area (2 :: Int))\n"
    slicer = HaskellSlicer(record(text).subject)
    assert slicer.call(name, None).text == "double 2 = *"


@pytest.mark.parametrize("name", ["<+>", "(<+>)", "( <+> )", "Main.<+>", "(Main.<+>)", "5 <+> 2"])
def test_an_operator_is_found_with_and_without_parentheses(name: str) -> None:
    slicer = HaskellSlicer(record("a <+> b = a + b * 2\nmain = print (5 <+> 2)\n").subject)
    assert slicer.call(name, None).text.partition(" = ")[0] == "5 <+> 2"
    assert slicer.call(f"{name} = *", None).text == "5 <+> 2 = *"


def test_an_operator_that_makes_a_function_is_found() -> None:
    slicer = HaskellSlicer(record("(<+>) = max 1\nmain = print ((<+>) 2)\n").subject)
    assert slicer.call("(<+>)", None).text == slicer.call("<+>", None).text


@pytest.mark.parametrize("pattern", ["Pair *", "(*, _)", "Pair * _ _", "[*]", "_", "Z", "Pair * (", ""])
def test_a_pattern_of_another_shape_is_refused(pattern: str) -> None:
    slicer = HaskellSlicer(record(MINMAX).subject)
    with pytest.raises((BadInputError, NoSuchValueError)):
        slicer.call(f"minmax [Z, S Z] = {pattern}", None)


@pytest.mark.parametrize(
    "path",
    one_in(4, (path for path in PROGRAMS if path.parent.name != "fixed" and path.name not in _SLOW)),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_what_main_needed_is_a_program_that_prints_the_same(path: Path) -> None:
    stdin = path.with_suffix(".in")
    recorded = record(path.read_text(encoding="utf-8"), stdin.read_text(encoding="utf-8") if stdin.is_file() else "")
    slicer = HaskellSlicer(recorded.subject)
    assert slicer.programs([slicer.call("main", None)])  # it compares the output


def test_a_result_of_an_action_that_is_passed_on_is_followed() -> None:
    text = "main = do\n  rs <- mapM (\\x -> do { print x; return (x * 2) }) [3, 4]\n  print rs\n"
    recorded = record(text)
    assert any("print [6, 8]" in equation for equation in recorded.equations()) or recorded.equations()
    slicer = HaskellSlicer(recorded.subject)
    assert slicer.programs([slicer.call("main", None)])["main.hs"].strip() == text.strip()


def test_slices_of_programs_run_under_ghc(tmp_path: Path) -> None:
    """The criteria are those of the table beside Table 5.1 of the thesis."""
    ghc = shutil.which("ghc")
    assert ghc is not None, "GHC is missing: apt-get install ghc"
    expected = {"minmax": "1\n", "horseman": "6\n", "lcc": "8\n"}
    for name, criterion in CRITERIA.items():
        text = (SLICED / f"{name}.hs").read_text(encoding="utf-8")
        made = program(text, criterion)
        assert len(made.partition("notInSlice ::")[0]) < 0.9 * len(text)
        (tmp_path / f"{name}.hs").write_text(made, encoding="utf-8")
        done = subprocess.run(
            [ghc, "-v0", "-O0", "-e", "main", f"{name}.hs"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.returncode) == (expected[name], 0), done.stderr


def test_what_is_missing_says_so_when_it_is_needed() -> None:
    made = program((SLICED / "horseman.hs").read_text(encoding="utf-8"), "solve 8 20 = Answer * _ _")
    printed, ended = output_of(made.partition("main ::")[0] + "main = putStrLn (note (solve 8 20))\n")
    assert (printed, ended.message) == ("", "this part is not in the slice")


# The command


@pytest.fixture(scope="module")
def recorded_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a recording, made once."""
    folder = tmp_path_factory.mktemp("recorded")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        Path("mm.hs").write_text(MINMAX, encoding="utf-8")
        assert main(["record", "-o", "mm.rec", "mm.hs"]) == 0
    return folder


@pytest.fixture
def recording(recorded_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the workspace, as the working directory."""
    shutil.copytree(recorded_folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("recording")
def test_the_command_shows_json_and_writes_pages(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["slice", "--of", "minmax [Z, S Z] = Pair _ *", "--json", "mm.rec"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["lines"] == {"mm.hs": [7, 8, 9, 10, 11, 15, 22, 23, 26, 27, 31, 32]}
    assert main(["slice", "--of", "minmax = Pair _ *", "--html", "page.html", "mm.rec"]) == 0
    assert 'Pair<span class="out"> (lower y (first m)) </span>' in Path("page.html").read_text(encoding="utf-8")
    assert main(["slice", "--of", "minmax = Pair _ *", "--latex", "page.tex", "mm.rec"]) == 0
    assert r"\notinslice{" in Path("page.tex").read_text(encoding="utf-8")


@pytest.mark.usefixtures("recording")
def test_the_command_writes_a_program_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["slice", "--of", "minmax = Pair * _", "--executable", "small.hs", "mm.rec"]) == 0
    assert main(["slice", "--of", "minmax = Pair * _", "--executable", "small.hs", "mm.rec"]) == 2
    assert "already exists; not overwritten" in capsys.readouterr().err
    assert main(["record", "-o", "small.rec", "small.hs"]) == 0


@pytest.mark.usefixtures("recording")
@pytest.mark.parametrize(
    "options",
    [
        ["--of", "maximum"],
        ["--of", "minmax [Z]"],
        ["--of", "minmax", "--nth", "9"],
        ["--of", "minmax", "--part", "result[7]"],
        ["--at", "mm.hs:3"],
        ["--at", "mm.hs:11:nothing"],
        ["--at", "other.hs:1"],
        ["--of", "minmax", "--forward"],
    ],
)
def test_a_value_that_is_not_there_is_an_error(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["slice", *options, "mm.rec"]) == 2
    assert "adebug: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["<+>", "(<+>)"])
def test_a_part_of_a_call_of_an_operator_is_a_criterion(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("op.hs").write_text("a <+> b = a + b * 2\nmain = print (5 <+> 2)\n", encoding="utf-8")
    assert main(["record", "-o", "op.rec", "op.hs"]) == 0
    assert main(["slice", "--of", name, "--part", "b", "op.rec"]) == 0
    assert "what b of 5 <+> 2" in capsys.readouterr().out


@pytest.mark.usefixtures("recording")
def test_a_variable_and_a_part_are_criteria(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["slice", "--at", "mm.hs:11:m", "mm.rec"]) == 0
    assert "what m in minmax [Z, S Z] needs" in capsys.readouterr().out
    assert main(["slice", "--of", "lower", "--part", "x", "mm.rec"]) == 0
    assert "x of lower" in capsys.readouterr().out
