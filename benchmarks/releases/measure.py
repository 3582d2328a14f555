"""What adebug makes of one bug: how far its verdict is from what the newer release changed, and what it asked."""

import math
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from adebug_lsp.model.errors import AdebugError
from benchmarks.releases.changes import MODULE, Changes, changes_between
from benchmarks.releases.corpus import Bug
from benchmarks.releases.fetch import Cache, matching
from benchmarks.releases.person import Person, recorded_test
from benchmarks.releases.processes import run
from benchmarks.releases.suites import QUIET, environment
from benchmarks.releases.talk import Talk, talk

MODES = ("reference", "drift", "by-hand")
OUTCOMES = ("line", "function", "neither", "candidates", "none", "silence", "crash")
COLUMNS = 80


@frozen
class Asked:
    """One question to a person."""

    kind: str
    lines: int
    """Lines of 80 columns that its text and values take."""

    plumbing: bool
    """It is about code that carries the test: the test's own files, the loading of a module, a `__repr__`."""

    answer: str
    text: str


@frozen
class Result:
    """One bug in one mode."""

    outcome: str
    """Where the verdict is: on a changed `line`, in a changed `function`, or `neither`. Or there is none: `candidates`,
    `none` (no bug), `silence` until the time limit, `crash`."""

    kind: str = ""
    """Kind of the verdict."""

    lines: int = 0
    """Lines of code in the verdict, or in all candidates."""

    holds: bool = False
    """Whether those lines contain a changed one."""

    inside: bool = False
    """Whether all of them are in changed functions."""

    questions: int = 0
    """Answered by anybody; without a verdict only those asked of a person are known."""

    asked: tuple[Asked, ...] = ()
    first: float | None = None
    """Seconds to the first question to a person, or to the verdict."""

    seconds: float = 0.0
    bare: float = 0.0
    """Seconds of the test alone, not recorded."""

    places: tuple[str, ...] = field(default=())
    """The first places of the verdict."""

    note: str = ""


def measure(cache: Cache, bug: Bug, mode: str, limit: float) -> Result:
    """Runs one bug, from a fresh copy of the tree so that nothing is left of earlier sessions."""
    python = cache.python(bug.package, bug.fixed)
    buggy, fixed = (cache.tree(bug.package, code, bug.fixed) for code in (bug.buggy, bug.fixed))
    changes = changes_between(buggy, fixed, bug.package)
    tests = [*QUIET, bug.test]
    with _copy(buggy) as workspace:
        variables = environment(workspace, bug.package)
        bare = run([str(python), "-m", "pytest", *tests], workspace, limit, variables).seconds
        options = ["--python", str(python), "--workspace", str(workspace)]
        if mode != "by-hand":
            reference = fixed if mode == "reference" else cache.tree(bug.package, str(bug.later), bug.fixed)
            held = talk([*options, "--reference", str(reference), *tests], workspace, variables, _absent, limit)
            return judged(held, changes, matching(buggy, bug.package.tests), bare)
        try:
            with (
                recorded_test(fixed, python, tests, environment(fixed, bug.package)) as newer,
                recorded_test(workspace, python, tests, variables) as older,
            ):
                person = Person(newer, older, changes)
                held = talk([*options, *tests], workspace, variables, person.answer, limit)
        except AdebugError as error:
            return Result("crash", bare=bare, note=f"the person could not record: {error}")
    return judged(held, changes, matching(buggy, bug.package.tests), bare)


def judged(held: Talk, changes: Changes, tests: Sequence[str], bare: float) -> Result:
    """Compares the end of a conversation with what the newer release changed."""
    asked = tuple(_asked(q, a, tests) for q, a in zip(held.questions, held.answers, strict=True))
    verdict = held.verdict
    if verdict is None:
        outcome = "crash" if held.error else "silence"
        note = held.error or f"while {held.doing}"
        return Result(
            outcome,
            questions=len(asked),
            asked=asked,
            first=held.first,
            seconds=held.seconds,
            bare=bare,
            note=note,
        )
    places = _lines(verdict["buggy"])
    holds = any(line in changes.lines.get(path, ()) for path, line in places)
    return Result(
        _outcome(verdict["kind"], places, changes, holds=holds),
        kind=verdict["kind"],
        lines=len(places),
        holds=holds,
        inside=bool(places) and all(changes.scope_at(*place) in changes.scopes for place in places),
        questions=verdict["questions"],
        asked=asked,
        first=held.first,
        seconds=held.seconds,
        bare=bare,
        places=tuple(f"{path}:{line}" for path, line in sorted(places)[:3]),
        note="" if holds else str(verdict["explanation"])[:160],
    )


def _outcome(kind: str, places: set[tuple[str, int]], changes: Changes, *, holds: bool) -> str:
    if kind in ("candidates", "none"):
        return kind
    if holds:
        return "line"
    return "function" if any(changes.scope_at(*place) in changes.scopes for place in places) else "neither"


def _lines(places: Sequence[Mapping[str, Any]]) -> set[tuple[str, int]]:
    """Paths and lines, counted from 1."""
    return {
        (place["path"], line + 1)
        for place in places
        if place["path"] is not None
        for line in range(place["range"]["start"]["line"], place["range"]["end"]["line"] + 1)
    }


def _asked(question: Mapping[str, Any], answer: str, tests: Sequence[str]) -> Asked:
    path = question["path"] or ""
    of_tests = any(path == test or path.startswith(f"{test}/") for test in tests) or path.endswith("conftest.py")
    carries = question["kind"] == "routine" and _carries(question)
    return Asked(question["kind"], shown_lines(question), of_tests or carries, answer, question["text"][:200])


def _carries(question: Mapping[str, Any]) -> bool:
    """Whether a routine is the loading of a module, or makes a text for pytest's message."""
    return str(question["text"]).startswith("module ") or str(question["callable"]).endswith((MODULE, ".__repr__"))


def shown_lines(question: Mapping[str, Any]) -> int:
    """Lines that the question takes in a terminal of 80 columns: its headline, and a line for each variable."""
    names = {**question["before"], **question["after"]}
    values = [f"{name}: {question['before'].get(name, '')} -> {question['after'].get(name, '')}" for name in names]
    return sum(
        max(1, math.ceil(len(line) / COLUMNS)) for text in (question["text"], *values) for line in text.split("\n")
    )


def _absent(_question: Mapping[str, Any]) -> str:
    """Nobody is at the keyboard."""
    return "unknown"


@contextmanager
def _copy(tree: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        workspace = Path(temporary).resolve() / tree.name
        shutil.copytree(tree, workspace, symlinks=True)
        yield workspace
