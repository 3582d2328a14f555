"""Checks the planted-bug programs beside this file: `python tests/programs/check.py [NAME ...]`.

A program is a folder: the code with one bug, its twin in `fixed/`, and `about.json`, which says what the bug is, where
it stands, and what is right. `expects` is what the twin prints; for a project with a pytest suite (`tests`) it is a
sentence, and `failing` names the tests that the bug makes fail. If code is `missing`, the place is the statement beside
or around it.

Each program must go wrong as described, its twin must not, and the two may differ only near the bug. Any supported
interpreter that has pytest will do; the exit code is 1 if a program is not as described.
"""

import difflib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LEAST_PROGRAMS = 42
LEAST_PROJECTS = 10
LEAST_TESTS = 6
NEAR = 3
"""How many lines away from the named line a difference may be."""
PATIENCE = 60.0
"""Seconds that no program needs, not even on a busy machine."""
ENDLESS = 2.0
"""Seconds after which a program that should be endless counts as endless."""


def main(names: list[str]) -> int:
    """Check the named programs, or all; print what is wrong and return the exit code."""
    everything = sorted(path.parent.name for path in HERE.glob("*/about.json"))
    chosen = names or everything
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints_by_name = dict(zip(chosen, pool.map(lambda name: list(problems(HERE / name)), chosen), strict=True))
    if not names:
        complaints_by_name["all programs"] = list(
            problems_of_collection([read_about(HERE / name) for name in everything])
        )
    for name, complaints in complaints_by_name.items():
        for complaint in complaints:
            print(f"{name}: {complaint}")
    wrong = sum(map(bool, complaints_by_name.values()))
    print(
        f"{len(chosen)} programs checked, {wrong} with problems"
        if wrong
        else f"{len(chosen)} programs are as described"
    )
    return 1 if wrong else 0


def read_about(folder: Path) -> dict[str, Any]:
    """The content of a program's `about.json`."""
    about: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return about


def problems_of_collection(abouts: list[dict[str, Any]]) -> Iterator[str]:
    """The deficiencies of the programs as a collection."""
    if len(abouts) < LEAST_PROGRAMS:
        yield f"{len(abouts)} programs instead of at least {LEAST_PROGRAMS}"
    if sum("tests" in about for about in abouts) < LEAST_PROJECTS:
        yield f"fewer than {LEAST_PROJECTS} have tests"
    if not any("endless" in about for about in abouts):
        yield "none is endless"


def problems(folder: Path) -> Iterator[str]:
    """All that is not as described in one program's folder."""
    about = read_about(folder)
    yield from problems_of_place(folder, about)
    yield from problems_of_twin(folder, about)
    yield from problems_of_tests(folder, about) if about.get("tests") else problems_of_run(folder, about)


def lines_of(path: Path) -> list[str]:
    """The lines of a source file."""
    return path.read_text(encoding="utf-8").splitlines()


def problems_of_place(folder: Path, about: dict[str, Any]) -> Iterator[str]:
    """The wrong text stands once on the line that is named."""
    buggy = about["buggy"]
    line = lines_of(folder / buggy["path"])[buggy["line"] - 1]
    if line.count(buggy["text"]) != 1:
        yield f"{buggy['path']}:{buggy['line']} does not hold {buggy['text']!r} once, but is {line!r}"


def problems_of_twin(folder: Path, about: dict[str, Any]) -> Iterator[str]:
    """The twin has the same files, and differs in one place, near the line that is named."""
    buggy = about["buggy"]
    for path in sorted(sources(folder) ^ sources(folder / "fixed")):
        yield f"{path} is missing in one of the twins"
    for path in sorted(sources(folder) & sources(folder / "fixed")):
        if path != buggy["path"] and lines_of(folder / path) != lines_of(folder / "fixed" / path):
            yield f"{path} differs from its twin, but the bug is in {buggy['path']}"
    yield from problems_of_difference(
        lines_of(folder / buggy["path"]), lines_of(folder / "fixed" / buggy["path"]), buggy
    )


def sources(folder: Path) -> set[str]:
    """The files of a program, relative to its folder, without its twin and its description."""
    paths = {path.relative_to(folder) for pattern in ("*.py", "*.toml") for path in folder.rglob(pattern)}
    return {path.as_posix() for path in paths if path.parts[0] != "fixed"}


def problems_of_difference(wrong: list[str], right: list[str], buggy: dict[str, Any]) -> Iterator[str]:
    """The lines that differ are few and near; they include the named one, unless something is missing beside it."""
    matcher = difflib.SequenceMatcher(None, wrong, right, autojunk=False)
    hunks = [(start + 1, end) for tag, start, end, _, _ in matcher.get_opcodes() if tag != "equal"]
    if not hunks:
        yield "the twins are equal"
        return
    line = buggy["line"]
    if min(start for start, _ in hunks) < line - NEAR or max(end for _, end in hunks) > line + NEAR:
        yield f"the twins differ in lines {hunks}, not only near line {line}"
    if not buggy.get("missing") and not any(start <= line <= end for start, end in hunks):
        yield f"line {line} is the same in both twins"


def run(folder: Path, arguments: list[str], seed: int = 0, patience: float = PATIENCE) -> tuple[int | None, str]:
    """Exit code and output of one run of this interpreter in a folder; no exit code if it had to be ended."""
    settings = {"PYTHONHASHSEED": str(seed), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
    settings["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=patience,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def problems_of_run(folder: Path, about: dict[str, Any]) -> Iterator[str]:
    """The program goes wrong, the same way each time; its twin prints what is expected."""
    code, output = run(folder / "fixed", ["program.py"])
    if code != 0 or output.rstrip("\n") != about["expects"]:
        yield f"the fixed program ends with {code} and prints {output!r}"
    if about.get("endless"):
        if run(folder, ["program.py"], patience=ENDLESS)[0] is not None:
            yield "the program is not endless"
        return
    first, second = (run(folder, ["program.py"], seed) for seed in (1, 2))
    if first != second:
        yield "two runs of the program differ"
    if first[0] is None:
        yield f"the program does not end within {PATIENCE} s"
    elif first == (code, output):
        yield "the program does what its twin does"
    yield from problems_of_call(folder, about)


def problems_of_call(folder: Path, about: dict[str, Any]) -> Iterator[str]:
    """The expression to start with, if there is one, shows the bug too."""
    if "call" not in about:
        return
    script = ["-c", f"from program import *; print({about['call']})"]
    if run(folder, script) == run(folder / "fixed", script):
        yield f"{about['call']} gives the same in both twins"


def problems_of_tests(folder: Path, about: dict[str, Any]) -> Iterator[str]:
    """Exactly the named tests fail; all tests of the twin pass."""
    code, wrong = outcomes(folder)
    failing = sorted(name for name, passed in wrong.items() if not passed)
    if code != 1 or failing != sorted(about["failing"]):
        yield f"pytest ends with {code}, and these tests fail: {failing}"
    code, right = outcomes(folder / "fixed")
    if code != 0 or not all(right.values()):
        yield f"pytest ends with {code} in the twin"
    if len(wrong) < LEAST_TESTS or wrong.keys() != right.keys():
        yield f"{len(wrong)} tests, and {len(right)} in the twin"


def outcomes(folder: Path) -> tuple[int | None, dict[str, bool]]:
    """The exit code of pytest, and which tests passed."""
    code, output = run(folder, ["-m", "pytest", "-q", "--tb=no", "-rA", "-p", "no:cacheprovider", "--color=no"])
    passed = {}
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("PASSED", "FAILED", "ERROR"):
            passed[rest.split(" - ")[0]] = word == "PASSED"
    return code, passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
