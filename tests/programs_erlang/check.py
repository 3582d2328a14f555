"""Checks the planted-bug programs beside this file: `python tests/programs_erlang/check.py [NAME ...]`.

A program is a folder: modules with one bug, their twins in `fixed/`, and `about.json`, which says what the bug is,
where it stands, in which function and clause, and what is right. `call` is the expression to start with; `expects` is
what it gives with the twin, `gives` what it gives with the bug: a value as `~w` prints it, `error:Reason`, or `timeout`
if it has not ended after `timeout` milliseconds. If code is `missing`, the place is the clause beside it, and `clause`
is null; it is null as well if the bug stands outside of all clauses, in a macro or a record.

Each program must go wrong as described, its twin must not, and the two may differ only near the bug. It takes `erl`
and `erlc`; the exit code is 1 if a program is not as described.
"""

import difflib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LEAST_SEQUENTIAL = 40
LEAST_CONCURRENT = 12
NEAR = 3
"""Maximum distance of a difference from the named line."""
PATIENCE = 20_000
"""Time limit in milliseconds, ample even on a busy machine."""

Clauses = dict[tuple[str, str, int], int]
"""The line of each clause, by file, function and number."""


def main(names: list[str]) -> int:
    """Check the named programs, or all; print what is wrong and return the exit code."""
    everything = sorted(path.parent.name for path in HERE.glob("*/about.json"))
    chosen = names or everything
    abouts = {name: read_about(HERE / name) for name in everything}
    results, clauses = run([job for name in chosen for job in jobs(name, abouts[name])])
    complaints_by_name = {name: list(problems(name, abouts[name], results, clauses[name])) for name in chosen}
    if not names:
        complaints_by_name["all programs"] = list(problems_of_collection(list(abouts.values())))
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
    """Read the program's `about.json`."""
    about: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return about


def sources(folder: Path) -> list[str]:
    """The names of the modules' files in a folder."""
    return sorted(path.name for path in folder.glob("*.erl"))


def jobs(name: str, about: dict[str, Any]) -> Iterator[tuple[str, list[str], str, int]]:
    """The run of a program and the run of its twin: name, files, call, milliseconds."""
    patience = about.get("timeout", PATIENCE)
    for label, folder, limit in ((name, HERE / name, patience), (f"{name}/fixed", HERE / name / "fixed", PATIENCE)):
        yield label, [str(folder / path) for path in sources(folder)], about["call"], limit


def run(todo: list[tuple[str, list[str], str, int]]) -> tuple[dict[str, str], dict[str, Clauses]]:
    """The result of each job, and the clauses of its functions."""
    with tempfile.TemporaryDirectory() as scratch:
        terms = "".join(
            f"{{{text(name)}, [{', '.join(map(text, files))}], {text(call)}, {limit}}}.\n"
            for name, files, call, limit in todo
        )
        (Path(scratch) / "jobs").write_text(terms, encoding="utf-8")
        subprocess.run(["erlc", "-o", scratch, str(HERE / "run_all.erl")], check=True, stdin=subprocess.DEVNULL)
        start = ["erl", "-noshell", "-noinput", "-enable-feature", "maybe_expr", "-kernel", "logger_level", "none"]
        subprocess.run(
            [*start, "-eval", 'run_all:main(["jobs", "found"]).'], cwd=scratch, stdin=subprocess.DEVNULL, check=True
        )
        return read_results((Path(scratch) / "found").read_text(encoding="utf-8"), [name for name, *_ in todo])


def text(value: str) -> str:
    """A string as Erlang writes it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_results(printed: str, names: list[str]) -> tuple[dict[str, str], dict[str, Clauses]]:
    """The lines that the VM wrote, as results and clauses by the name of the job."""
    results = {}
    clauses: dict[str, Clauses] = {name: {} for name in names}
    for line in printed.splitlines():
        kind, name, *rest = line.split("\t")
        if kind == "result":
            results[name] = rest[0]
        else:
            path, function, number, start = rest
            clauses[name][path, function, int(number)] = int(start)
    return results, clauses


def problems_of_collection(abouts: list[dict[str, Any]]) -> Iterator[str]:
    """Problems of the collection as a whole."""
    concurrent = [about for about in abouts if about["concurrent"]]
    sequential = [about for about in abouts if not about["concurrent"]]
    if len(sequential) < LEAST_SEQUENTIAL:
        yield f"{len(sequential)} sequential programs instead of at least {LEAST_SEQUENTIAL}"
    if len(concurrent) < LEAST_CONCURRENT:
        yield f"{len(concurrent)} concurrent programs instead of at least {LEAST_CONCURRENT}"
    if not any(about["gives"] == "timeout" for about in sequential):
        yield "no sequential program is endless"
    if not any(about["gives"] == "timeout" for about in concurrent):
        yield "no concurrent program is blocked"
    if not any(about["gives"].startswith("error:") for about in abouts):
        yield "no program ends with an error"


def problems(name: str, about: dict[str, Any], results: dict[str, str], clauses: Clauses) -> Iterator[str]:
    """Differences between one program and its description."""
    yield from problems_of_place(HERE / name, about)
    yield from problems_of_twin(HERE / name, about["buggy"])
    yield from problems_of_clause(about, clauses)
    if results[name] != about["gives"]:
        yield f"the program gives {results[name]}"
    if results[f"{name}/fixed"] != about["expects"]:
        yield f"the twin gives {results[f'{name}/fixed']}"
    if about["gives"] == about["expects"]:
        yield "the program does what its twin does"
    if ("timeout" in about) != (about["gives"] == "timeout"):
        yield "the milliseconds of `timeout` belong to what never ends"


def lines_of(path: Path) -> list[str]:
    """The lines of a source file."""
    return path.read_text(encoding="utf-8").splitlines()


def problems_of_place(folder: Path, about: dict[str, Any]) -> Iterator[str]:
    """The wrong text stands once on the line that is named."""
    buggy = about["buggy"]
    line = lines_of(folder / buggy["path"])[buggy["line"] - 1]
    if line.count(buggy["text"]) != 1:
        yield f"{buggy['path']}:{buggy['line']} does not hold {buggy['text']!r} once, but is {line!r}"


def problems_of_clause(about: dict[str, Any], clauses: Clauses) -> Iterator[str]:
    """The named function exists, and the named line stands in its named clause."""
    buggy, routine, number = about["buggy"], about["routine"], about["clause"]
    if not any(function == routine for _, function, _ in clauses):
        yield f"there is no {routine}"
    before = [(start, clause) for clause, start in clauses.items() if clause[0] == buggy["path"]]
    holding = max((item for item in before if item[0] <= buggy["line"]), default=None)
    if number is not None and (holding is None or holding[1] != (buggy["path"], routine, number)):
        yield f"line {buggy['line']} is not in clause {number} of {routine}, but in {holding}"


def problems_of_twin(folder: Path, buggy: dict[str, Any]) -> Iterator[str]:
    """The twin has the same files, and differs in one place, near the line that is named."""
    names = sources(folder)
    if names != sources(folder / "fixed"):
        yield "the twin has other files"
        return
    for path in names:
        wrong, right = lines_of(folder / path), lines_of(folder / "fixed" / path)
        if path == buggy["path"]:
            yield from problems_of_difference(wrong, right, buggy)
        elif wrong != right:
            yield f"{path} differs from its twin, but the bug is in {buggy['path']}"


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
