"""`python -m tests.fidelity.compare SUITE... [--python PY] [--how full]`: runs suites bare and recorded, and compares.

The suites are those of `suites.py` and the programs in `constructs/`. Without a name, all of them.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from tests.fidelity.fetch import environment_of, source_of
from tests.fidelity.interpreters import version_of
from tests.fidelity.running import INSIDE, WAYS, How, Program, Seen, copy_of, run_both
from tests.fidelity.suites import KNOWN, PACKAGES, STANDARD, Package, Standard

CONSTRUCTS = Path(__file__).parent / "constructs"
TOOL_PROGRAMS = Path(__file__).parent / "tools"
EXIT_CODES = {
    **dict.fromkeys(("bad_imports", "exits", "interrupted", "py311", "recursion", "uncaught"), 1),
    **dict.fromkeys(("py315_lazy", "py315_lazy_all", "py315_lazy_modules"), 1),
    "hard_exit": 7,
}
"""Exit codes of constructs that do not end with 0; `terminated` ends by a signal."""

SETTINGS = {
    "py314_templates": {"PYTHONWARNINGS": "error"},
    "py315_lazy_all": {"PYTHON_LAZY_IMPORTS": "all"},
}
"""Environment variables of some constructs."""

SHOWN = 20


class NoTestsError(Exception):
    """The interpreter was installed without the tests of its library."""


def package_program(package: Package, python: str) -> Program:
    """The whole test suite of a package, by pytest; the interpreter is one that has pytest."""
    options = ("-p", "fidelity_outcomes", "-p", "no:cacheprovider", "-o", "addopts=", "-q")
    return Program(
        fill=copy_of(source_of(package)),
        command=("-m", "pytest", *options, *package.tests),
        python=environment_of(python),
        path=(package.source, str(INSIDE)),
    )


def standard_program(suite: Standard, python: str) -> Program:
    """A test module of the standard library, and the modules that it tests, as the user's own code."""
    library = Path(_ask(python, "import sysconfig; print(sysconfig.get_path('stdlib'))"))

    def fill(workspace: Path) -> None:
        shutil.copy(INSIDE / "drive.py", workspace)
        for name in (f"test/{suite.name}", *(module.replace(".", "/") for module in suite.modules)):
            _copy_module(library, name, workspace)

    return Program(fill, ("drive.py", suite.name, *suite.modules), python)


def construct_program(path: Path, python: str) -> Program:
    """One of the programs that use a part of the language and print what they see."""
    settings = SETTINGS.get(path.stem, {})
    return Program(copy_of(CONSTRUCTS), (path.name, "first", "second argument"), python, settings=settings)


def tool_program(path: Path, python: str) -> Program:
    """A program that uses tools from the index which replace parts of the standard library."""
    return Program(copy_of(TOOL_PROGRAMS), (path.name,), environment_of(python))


def constructs(version: tuple[int, int]) -> list[Path]:
    """The programs that an interpreter can run: `py312.py` and all `py312_...` need that version."""
    files = sorted(CONSTRUCTS.glob("*.py"))
    return [path for path in files if not path.stem.startswith("py3") or (3, int(path.stem[3:5])) <= version]


def differences(bare: Seen, other: Seen, *, whole_output: bool) -> list[str]:
    """Differences between the bare run and another one; output is compared only on request."""
    differing = []
    if bare.code != other.code:
        differing.append(f"exit code {bare.code} became {other.code}: {other.errors[-1500:] or other.output[-1500:]}")
    for test in sorted({*bare.tests, *other.tests}):
        before, after = bare.tests.get(test), other.tests.get(test)
        if before != after:
            differing.append(f"{test}: {before} became {after}")
    differing += [f"warning gone: {text}" for text in _less(bare.warnings, other.warnings)]
    differing += [f"new warning: {text}" for text in _less(other.warnings, bare.warnings)]
    if whole_output:
        differing += _line_differences("stdout", bare.output, other.output)
        differing += _line_differences("stderr", bare.errors, other.errors)
    return differing


def program_of(name: str, python: str) -> Program:
    """The program behind a suite's name."""
    for package in PACKAGES:
        if package.name == name:
            return package_program(package, python)
    for suite in STANDARD:
        if suite.name == name:
            return standard_program(suite, python)
    if (TOOL_PROGRAMS / f"{name}.py").exists():
        return tool_program(TOOL_PROGRAMS / f"{name}.py", python)
    return construct_program(CONSTRUCTS / f"{name}.py", python)


def names_of(python: str) -> list[str]:
    """All suites that an interpreter can run."""
    version = version_of(python)
    standard = [suite.name for suite in STANDARD if suite.since <= version]
    return [*(package.name for package in PACKAGES), *standard, *(path.stem for path in constructs(version))]


def compare(name: str, python: str, how: How) -> tuple[Seen, Seen, list[str]]:
    """Run one suite bare and the other way; returns both runs and their differences."""
    bare, other = run_both(program_of(name, python), how)
    whole_output = any((folder / f"{name}.py").exists() for folder in (CONSTRUCTS, TOOL_PROGRAMS))
    differing = differences(bare, other, whole_output=whole_output)
    _reason, known = KNOWN.get(name, ("", []))
    return bare, other, [text for text in differing if _name_in(text) not in known]


def _name_in(text: str) -> str:
    """The test that a difference is about; a part of a test has the name of the whole."""
    return re.split("[.:]", text.partition(": ")[0].partition(" (")[0])[-1]


def passed(seen: Seen) -> int:
    """How many tests passed."""
    return sum(outcomes[-1].endswith("passed") for outcomes in seen.tests.values())


def _less(left: Sequence[str], right: Sequence[str]) -> list[str]:
    rest = list(right)
    missing = []
    for text in left:
        if text in rest:
            rest.remove(text)
        else:
            missing.append(text)
    return missing


def _line_differences(name: str, before: str, after: str) -> list[str]:
    """The first line in which two outputs differ; later differences usually follow from it."""
    if before == after:
        return []
    left, right = before.splitlines(keepends=True), after.splitlines(keepends=True)
    shorter = min(len(left), len(right))
    place = next((number for number in range(shorter) if left[number] != right[number]), shorter)
    was, now = ("".join(lines[place : place + 3]) or "the end" for lines in (left, right))
    return [f"{name} differs from line {place + 1} on: {was!r} became {now!r}"]


def _copy_module(library: Path, name: str, workspace: Path) -> None:
    package, module = library / name, library / f"{name}.py"
    target = workspace / name
    target.parent.mkdir(exist_ok=True)
    if package.is_dir():
        shutil.copytree(package, target, ignore=shutil.ignore_patterns("__pycache__"))
    elif module.is_file():
        shutil.copy(module, target.with_suffix(".py"))
    else:
        raise NoTestsError(f"{module} is missing; on Debian and Ubuntu the package libpython3-testsuite has it")


def _ask(python: str, code: str) -> str:
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Compare the named suites; returns 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="tests.fidelity.compare", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="a package, a test module or a construct")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs the suites")
    parser.add_argument("--how", default="full", choices=WAYS, help="what to compare the bare run with")
    options = parser.parse_args()
    known = names_of(options.python)
    unknown = [name for name in options.suites if name not in known]
    if unknown:
        parser.error(f"unknown suite {', '.join(unknown)}; known: {', '.join(known)}")
    total = 0
    for name in options.suites or known:
        begin = perf_counter()
        bare, _other, differing = compare(name, options.python, WAYS[options.how])
        took = f"{perf_counter() - begin:.1f} s"
        print(f"{name}: {passed(bare)} of {len(bare.tests)} tests pass bare, {len(differing)} differences, {took}")
        for text in differing[:SHOWN]:
            print(f"  {text}")
        if len(differing) > SHOWN:
            print(f"  and {len(differing) - SHOWN} more")
        total += len(differing)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
