"""EUnit's tests: which there are in a workspace, and how those of a recorded run ended.

All are run one after the other, in one recording; what a test did is what happened from its first event to that of
the next one.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import define, frozen

from adebug_lsp.languages.erlang.frames import LOST
from adebug_lsp.languages.erlang.run import ErlangRun, Raised
from adebug_lsp.languages.erlang.showing import atom_text, text
from adebug_lsp.languages.erlang.subject import ErlangSubject
from adebug_lsp.languages.erlang.syntax import parse
from adebug_lsp.languages.erlang.terms import Atom
from adebug_lsp.languages.language import Entry
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Opinion

FOLDERS = ("test", "src", ".")
PROJECT = "rebar.config"
_TESTS = Atom("adebug_tests")
_CALL = re.compile(r"[\w:@']+\(.*\)")


@frozen
class Test:
    """A test function, or a generator of tests."""

    file: Path
    module: str
    name: str

    @property
    def id(self) -> str:
        """How it is called."""
        return f"{self.module}:{self.name}"


@frozen
class Ran:
    """A test that was recorded."""

    entry: Entry
    first: int
    last: int
    left: tuple[int, ...] = ()
    """The activations that an exception has ended, from the test inwards."""


def find_tests(workspace: Path, wanted: tuple[str, ...]) -> list[Test]:
    """The tests in the files and folders that are named, or those with the names; without any, of the workspace."""
    places = [workspace / one for one in wanted if ":" not in one]
    named = {one for one in wanted if ":" in one}
    for place in places:
        if not place.exists():
            raise BadInputError(f"{place}: is not there; name files, folders, or module:test")
    files = [file for place in places or [workspace / name for name in FOLDERS] for file in _files(place)]
    found = [test for file in dict.fromkeys(files) for test in _tests_in(file)]
    chosen = [test for test in found if not named or test.id in named]
    if not chosen:
        what = ", ".join(sorted(named)) if named else "functions whose names end in _test or _test_"
        raise BadInputError(f"there are no such tests: {what}")
    return chosen


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.glob("*.erl"))


def _tests_in(file: Path) -> Iterator[Test]:
    try:
        syntax = parse(file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise BadInputError(f"{file}: cannot be read: {error.strerror}") from error
    for one in syntax.functions if syntax.has_eunit else ():
        if one.arity == 0 and one.name.strip("'").endswith(("_test", "_test_")):
            yield Test(file.resolve(), syntax.module or file.stem, one.name.strip("'"))


def expression(tests: list[Test]) -> str:
    """What runs them."""
    pairs = ", ".join(f"{{{atom_text(test.module)}, {atom_text(test.name)}}}" for test in tests)
    return f"adebug_recorder:tests([{pairs}])"


def outcomes(value: Any) -> dict[tuple[str, str], Any] | None:
    """What became of every test, in the value that a run of tests gave; None for another value."""
    if not isinstance(value, tuple) or len(value) != 2 or value[0] != _TESTS or not isinstance(value[1], list):
        return None
    return {(str(one[0]), str(one[1])): one[2] for one in value[1] if isinstance(one, tuple) and len(one) == 3}


def ran_tests(run: ErlangRun, tests: list[tuple[str, str]]) -> list[Ran]:
    """The tests of a recorded run, in order; one that was under way at the end has failed."""
    how = outcomes(run.recording.ended.get("value")) or {}
    begun = [(test, first) for test in tests if (first := _first_event(run, *test)) is not None]
    found = []
    for at, (test, first) in enumerate(begun):
        last = begun[at + 1][1] - 1 if at + 1 < len(begun) else len(run.recording.events) - 1
        outcome = how.get(test, Atom("unfinished"))
        message = "" if outcome == "ok" else f"{test[0]}:{test[1]}() {_told(outcome)}"
        raised = Raised(str(outcome[0]), outcome[1]) if isinstance(outcome, tuple) and len(outcome) == 2 else None
        left = [] if raised is None else list(_left_by_exception(run, first))
        run.known_raised.update((frame, raised) for frame in left if raised is not None)
        found.append(Ran(Entry(":".join(test), outcome != "ok", message), first, last, tuple(left)))
    return found


def _left_by_exception(run: ErlangRun, first: int) -> Iterator[int]:
    """The activations that the exception of a test has ended: those that were under way with the test itself."""
    frames = run.frames
    test = frames.numbered[run.recording.events.frame[first]]
    ended = {test}
    for frame in range(test, len(frames)):
        below = frame == test or (frames.parent[frame] in ended and frames.status[frame] == LOST)
        if below and frames.last[frame] == frames.last[test]:
            ended.add(frame)
            yield frame


@define(eq=False)
class FailingTest:
    """What a failed test says: it is wrong itself, and so is the call whose value it compared."""

    subject: ErlangSubject
    ran: Ran
    name: str = "the failing test"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        frame = None if question.zoomed else self.subject.frame(question.node)
        if frame is None or not self.ran.left:
            return None
        if frame in self.ran.left:
            return Opinion(Judgement.NO, "it ended the test")
        found = self._judged
        if found is None or frame != found[0]:
            return None
        return Opinion(Judgement.NO, f"line {found[1]} expects {text(found[2])}", expected=text(found[2]))

    @cached_property
    def _judged(self) -> tuple[int, int, Any] | None:
        """The call that was compared, the line, and what it should have given; None where that cannot be told."""
        run, inner = self.subject.run, self.ran.left[-1]
        match run.known_raised[inner].reason:
            case ("assertEqual", [*facts]):
                told = {str(one[0]): one[1] for one in facts if isinstance(one, tuple) and len(one) == 2}
            case _:
                return None
        written = told.get("expression")
        if not isinstance(written, str | bytes | list) or not {"line", "expected", "value"} <= told.keys():
            return None
        if not _CALL.fullmatch("".join(text(written)[1:-1].split())):
            return None
        frames = run.frames
        below = (at for at in range(inner + 1, len(frames)) if frames.parent[at] == inner)
        calls = [at for at in below if frames.process[at] == frames.process[inner]]
        given = [at for at in calls if run.outcome(at) == (True, told["value"])]
        return (given[0], told["line"], told["expected"]) if len(calls) == 1 and given else None


def _told(outcome: Any) -> str:
    if isinstance(outcome, tuple) and len(outcome) == 2:
        return f"raised {outcome[0]}:{text(outcome[1], 200)}"
    return "did not end" if outcome == "unfinished" else "failed"


def _first_event(run: ErlangRun, module: str, name: str) -> int | None:
    for frame in range(len(run.frames)):
        site = run.site(frame)
        if site.kind == "function" and (site.module, site.function, site.arity) == (module, name, 0):
            return run.frames.first[frame]
    return None
