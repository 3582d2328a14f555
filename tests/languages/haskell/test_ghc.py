"""Every construct prints under adebug's engine what it prints under GHC; all programs are compiled by GHC at once."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.languages.haskell.recorded import output_of
from tests.support import EXAMPLES, ROOT

_FOLDER = ROOT / "tests" / "programs_haskell"
PROGRAMS = [
    *sorted((_FOLDER / "constructs").glob("*.hs")),
    *sorted((_FOLDER / "slices").glob("*.hs")),
    *sorted(EXAMPLES.glob("*.hs")),
    *sorted(_FOLDER.glob("*/program.hs")),
    *sorted(_FOLDER.glob("*/fixed/program.hs")),
]
_HEADER = re.compile(r"^module Main.*?where\n", re.MULTILINE | re.DOTALL)
_DRIVER = """module Main where
import System.Environment
import System.IO
{imports}
main :: IO ()
main = do
  [name] <- getArgs
  hSetBuffering stdout LineBuffering
  case name of
{cases}
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One program that runs any of the programs, by name."""
    ghc = shutil.which("ghc")
    assert ghc is not None, "GHC is missing: apt-get install ghc"
    folder = tmp_path_factory.mktemp("ghc")
    names = [f"P{number}" for number in range(len(PROGRAMS))]
    for name, program in zip(names, PROGRAMS, strict=True):
        text = _HEADER.sub("", program.read_text(encoding="utf-8"))
        text = re.sub(r"\A((?:\s*--.*\n)*)", "", text)
        (folder / f"{name}.hs").write_text(f"module {name} (main) where\n{text}", encoding="utf-8")
    imports = "\n".join(f"import qualified {name}" for name in names)
    cases = "\n".join(f'    "{name}" -> () <$ {name}.main' for name in names)
    (folder / "Main.hs").write_text(_DRIVER.format(imports=imports, cases=cases), encoding="utf-8")
    options = ["-v0", "-O0", "-j2", "-XBangPatterns", "-o", "all"]
    done = subprocess.run([ghc, *options, "Main.hs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "all"


def test_there_are_enough_programs() -> None:
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_program_prints_the_same_under_ghc(program: Path, compiled: Path) -> None:
    name = f"P{PROGRAMS.index(program)}"
    expected = subprocess.run([compiled, name], capture_output=True, text=True, check=False, encoding="utf-8")
    output, outcome = output_of(program.read_text(encoding="utf-8"))
    assert output == expected.stdout
    assert (outcome.exit_code == 0) == (expected.returncode == 0), outcome
