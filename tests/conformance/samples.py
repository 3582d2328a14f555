"""Samples for the conformance suite: in each language the same wrong program, its fixed version and expected names."""

import shutil
from importlib import import_module
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.languages.registry import GROUP, descriptors
from tests.support import EXAMPLES

CALCULATOR = EXAMPLES / "calculator"


@frozen
class Sample:
    """A program whose `double` squares: `total(3)` is 18, and should be 15."""

    language: str
    file: str
    wrong: str
    fixed: str
    buggy: str
    """The routine of the verdict, as `callable` has it."""
    caller: str
    """The routine that calls it."""
    code: str
    """The buggy expression."""
    right: tuple[str, ...]
    """The beginnings of questions whose answer is yes."""
    pieces: tuple[str, ...]
    """Names of routines that an editor shows."""
    line: int
    """The line of `double`, counted from 1."""
    broken: str
    """A text with a syntax error."""
    tests: tuple[str, str] = ("", "")
    """Name and text of a file with a failing test `test_total` or `total_test`."""
    rule: str = ""
    """A rule for `double` that its result breaks."""
    marked: str = ""
    """A program whose `pair` has a list as its result, made by `square` and `double`."""
    condition: tuple[str, str] = ("", "")
    """A condition that is true in `double`, and one that would run code."""
    uses_processes: str = ""
    """A program in which processes send messages."""

    def meant(self, question: str) -> str:
        """The right answer, for a `double` that should double."""
        return "yes" if question.startswith(self.right) else "no"


PYTHON = Sample(
    "python",
    "shop.py",
    "def square(x):\n    return x * x\n\n\ndef double(x):\n    return x * x\n\n\ndef total(a):\n"
    "    return square(a) + double(a)\n\n\nif __name__ == '__main__':\n    print(total(3))\n",
    "def square(x):\n    return x * x\n\n\ndef double(x):\n    return x + x\n\n\ndef total(a):\n"
    "    return square(a) + double(a)\n\n\nif __name__ == '__main__':\n    print(total(3))\n",
    buggy="shop.double",
    caller="shop.total",
    code="x * x",
    right=("square(",),
    pieces=("square", "double", "total"),
    line=6,
    broken="def square(x:\n",
    tests=("test_shop.py", "import shop\n\n\ndef test_total():\n    assert shop.total(3) == 15\n"),
    rule="result == 2 * x",
    marked="def square(xs, x):\n    xs.append(x * x)\n\n\ndef double(xs, x):\n    xs.append(x * x)\n\n\ndef pair(a):\n"
    "    xs = []\n    square(xs, a)\n    double(xs, a)\n    return xs\n\n\nprint(pair(3))\n",
    condition=("x == 3", "square(x) == 9"),
)

ERLANG = Sample(
    "erlang",
    "shop.erl",
    "-module(shop).\n-export([main/0, total/1]).\nsquare(X) -> X * X.\ndouble(X) -> X * X.\n"
    "total(A) -> square(A) + double(A).\nmain() -> total(3).\n",
    "-module(shop).\n-export([main/0, total/1]).\nsquare(X) -> X * X.\ndouble(X) -> X + X.\n"
    "total(A) -> square(A) + double(A).\nmain() -> total(3).\n",
    buggy="shop.double/1",
    caller="shop.total/1",
    code="X * X",
    right=("square(", "shop:square("),
    pieces=("square/1", "double/1", "total/1", "main/0"),
    line=4,
    broken="-module(shop).\nsquare(X -> X.\n",
    tests=(
        "shop_tests.erl",
        '-module(shop_tests).\n-include_lib("eunit/include/eunit.hrl").\n'
        "total_test() -> ?assertEqual(15, shop:total(3)).\n",
    ),
    rule="Result == 2 * X",
    marked="-module(shop).\n-export([main/0]).\nsquare(X) -> X * X.\ndouble(X) -> X * X.\n"
    "pair(A) -> [square(A), double(A + 1)].\nmain() -> pair(3).\n",
    condition=("X =:= 3", "square(X) =:= 9"),
    uses_processes="-module(shop).\n-export([main/0]).\n"
    "main() -> S = self(), spawn(fun() -> S ! 3 end), receive N -> N end.\n",
)

CALC = Sample(
    "calculator",
    "shop.calc",
    "square(x) = x * x\ndouble(x) = x * x\ntotal(a) = square(a) + double(a)\nmain() = total(3)\n",
    "square(x) = x * x\ndouble(x) = x + x\ntotal(a) = square(a) + double(a)\nmain() = total(3)\n",
    buggy="calc.double",
    caller="calc.total",
    code="x * x",
    right=("square(",),
    pieces=("square", "double", "total", "main"),
    line=2,
    broken="square(x = x\n",
    tests=("tests.calc", "double(x) = x * x\ntest_total() = double(3) - 9\n"),
)

_HASKELL = (
    "square :: Int -> Int\nsquare x = x * x\ndouble :: Int -> Int\ndouble x = x {} x\n"
    "total :: Int -> Int\ntotal a = square a + double a\nmain :: IO ()\nmain = print (total 3)\n"
)
HASKELL = Sample(
    "haskell",
    "shop.hs",
    _HASKELL.format("*"),
    _HASKELL.format("+"),
    buggy="Main.double",
    caller="Main.total",
    code="x * x",
    right=("square ",),
    pieces=("square", "double", "total", "main"),
    line=4,
    broken="square x = (x\n",
    tests=(
        "tests.hs",
        _HASKELL.format("*") + "prop_double :: Int -> Bool\nprop_double x = double x == x + x\n",
    ),
    marked="square :: Int -> Int\nsquare x = x * x\ndouble :: Int -> Int\ndouble x = x * x\n"
    "pair :: Int -> [Int]\npair a = [square a, double (a + 1)]\nmain :: IO ()\nmain = print (pair 3)\n",
)

SAMPLES = (PYTHON, ERLANG, HASKELL, CALC)


def install_calculator(folder: Path) -> Path:
    """A folder for `PYTHONPATH` with the calculator as pip installs it: the module, and its entry point."""
    information = folder / "adebug_calculator-1.0.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: adebug-calculator\nVersion: 1.0.0\n")
    (information / "entry_points.txt").write_text(f"[{GROUP}]\ncalculator = calculator:DESCRIPTOR\n")
    shutil.copy(CALCULATOR / "calculator.py", folder)
    return folder


def descriptor_of(name: str) -> LanguageDescriptor:
    """The descriptor of a language of the suite; that of the calculator needs `install_calculator`'s folder."""
    if name == "calculator":
        descriptor: LanguageDescriptor = import_module("calculator").DESCRIPTOR  # the fixture puts it on the path
        return descriptor
    return descriptors()[name]
