"""EUnit tests: finds them in a workspace, and reads their outcomes from a recorded run.

All tests run one after the other in one recording; a test covers the events from its first to the first of the next.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from attrs import define, frozen

from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.reading.frames import LOST
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised
from adebug_lsp.languages.erlang.reading.term_text import atom_text, text
from adebug_lsp.languages.erlang.reading.terms import Atom, Term
from adebug_lsp.languages.erlang.syntax.file_syntax import Syntax, parse
from adebug_lsp.languages.language import Entry
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Opinion

SOURCE_FOLDERS = ("test", "src", ".")
_TESTS = Atom("adebug_tests")
_CALL = re.compile(r"[\w:@']+\(.*\)")


@frozen
class Test:
    """A test function or a test generator."""

    file: Path
    module: str
    name: str

    @property
    def id(self) -> str:
        """`module:function`, as on the command line."""
        return f"{self.module}:{self.name}"


@frozen
class RecordedTest:
    """A test in a recorded run, with the range of its events."""

    entry: Entry
    first: int
    last: int
    raised_frames: tuple[int, ...] = ()
    """Activations that an exception ended, from the test inwards."""


def find_tests(workspace: Path, wanted: tuple[str, ...]) -> list[Test]:
    """Tests in the named files and folders, or with the given ids; without any, those of the workspace."""
    named = {name for name in wanted if ":" in name}
    tests = [test for file in _files(workspace, wanted) for test in _tests_in(file, _read(file))]
    chosen = [test for test in tests if not named or test.id in named]
    if not chosen and not find_files_with_errors(workspace, wanted):
        what = ", ".join(sorted(named)) if named else "functions whose names end in _test or _test_"
        raise BadInputError(f"no such tests: {what}")
    return chosen


def find_files_with_errors(workspace: Path, wanted: tuple[str, ...]) -> list[Path]:
    """Test files with syntax errors, whose tests may be missing; none if tests are named by id."""
    if any(":" in name for name in wanted):
        return []
    read = [(file, _read(file)) for file in _files(workspace, wanted)]
    return [file.resolve() for file, syntax in read if syntax.has_eunit and syntax.broken_forms]


def _files(workspace: Path, wanted: tuple[str, ...]) -> list[Path]:
    places = [workspace / name for name in wanted if ":" not in name]
    for place in places:
        if not place.exists():
            raise BadInputError(f"{place}: not found; name files, folders, or module:test")
    folders = places or [workspace / name for name in SOURCE_FOLDERS]
    return list(dict.fromkeys(name for place in folders for name in _files_in(place)))


def _files_in(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.glob("*.erl"))


def _read(file: Path) -> Syntax:
    try:
        return parse(file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise BadInputError(f"{file}: cannot be read: {error.strerror}") from error


def _tests_in(file: Path, syntax: Syntax) -> Iterator[Test]:
    for function in syntax.functions if syntax.has_eunit else ():
        if function.arity == 0 and function.name.strip("'").endswith(("_test", "_test_")):
            yield Test(file.resolve(), syntax.module or file.stem, function.name.strip("'"))


def tests_expression(tests: list[Test]) -> str:
    """The expression that runs some tests."""
    pairs = ", ".join(f"{{{atom_text(test.module)}, {atom_text(test.name)}}}" for test in tests)
    return f"adebug_recorder:tests([{pairs}])"


def test_outcomes(value: Term) -> dict[tuple[str, str], Term] | None:
    """Outcome of each test in the value of a test run; None for any other value."""
    if not isinstance(value, tuple) or len(value) != 2 or value[0] != _TESTS or not isinstance(value[1], list):
        return None
    return {
        (str(outcome[0]), str(outcome[1])): outcome[2]
        for outcome in value[1]
        if isinstance(outcome, tuple) and len(outcome) == 3
    }


def recorded_tests(run: ErlangRun, tests: list[tuple[str, str]]) -> list[RecordedTest]:
    """Tests of a recorded run, in order; a test that had not ended has failed."""
    how = test_outcomes(run.recording.ended.get("value")) or {}
    begun = [(test, first) for test in tests if (first := _first_event(run, *test)) is not None]
    recorded = []
    for number, (test, first) in enumerate(begun):
        last = begun[number + 1][1] - 1 if number + 1 < len(begun) else len(run.recording.events) - 1
        outcome = how.get(test, Atom("unfinished"))
        message = "" if outcome == "ok" else f"{test[0]}:{test[1]}() {_outcome_text(outcome)}"
        raised = Raised(str(outcome[0]), outcome[1]) if isinstance(outcome, tuple) and len(outcome) == 2 else None
        raised_frames = [] if raised is None else list(_frames_left_by_exception(run, first))
        run.known_raised.update((frame, raised) for frame in raised_frames if raised is not None)
        recorded.append(
            RecordedTest(Entry(":".join(test), outcome != "ok", message), first, last, tuple(raised_frames))
        )
    return recorded


def _frames_left_by_exception(run: ErlangRun, first: int) -> Iterator[int]:
    """Activations that the exception of a test ended: those that were running together with the test itself."""
    frames = run.frames
    test = frames.by_number[run.recording.events.frame[first]]
    ended = {test}
    for frame in range(test, len(frames)):
        below = frame == test or (frames.parent[frame] in ended and frames.status[frame] == LOST)
        if below and frames.last[frame] == frames.last[test]:
            ended.add(frame)
            yield frame


@define(eq=False, slots=False)
class FailingTest:
    """Answers from a failed test: the test is wrong, and so is the call whose value it asserted.

    Other code that the test ran before may be wrong instead; then the answer is only a suggestion.
    """

    subject: ErlangSubject
    test: RecordedTest
    name: str = "the failing test"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        frame = None if question.zoomed else self.subject.frame(question.node)
        if frame is None or not self.test.raised_frames:
            return None
        if frame in self.test.raised_frames:
            sure = self._is_sure(frame)
            if self._is_of_test(frame) and not sure:
                return Opinion(Judgement.UNKNOWN, "it ended the test; what came before may be wrong")
            return Opinion(Judgement.NO, "it ended the test", sure=sure)
        asserted = self._asserted_call
        if asserted is None or frame != asserted[0]:
            return None
        _, reason, expected = asserted
        return Opinion(Judgement.NO, reason, expected=expected, sure=self._is_sure(frame))

    def _is_sure(self, frame: int) -> bool:
        """Whether only this call can be wrong: the test called it, and nothing before it."""
        test = self.test.raised_frames[0]
        by_test = frame == test or self._is_of_test(self.subject.run.frames.parent[frame])
        return by_test and sum(raised < frame for raised in self.test.raised_frames) == frame - test

    def _is_of_test(self, frame: int) -> bool:
        return self.subject.run.site(frame).routine == self.subject.run.site(self.test.raised_frames[0]).routine

    @cached_property
    def _asserted_call(self) -> tuple[int, str, str | None] | None:
        """The asserted call, why it is wrong, and its expected value, as far as they are known."""
        run, inner = self.subject.run, self.test.raised_frames[-1]
        match run.known_raised[inner].reason:
            case (what, [*facts]) if str(what).startswith("assert"):
                details = {str(fact[0]): fact[1] for fact in facts if isinstance(fact, tuple) and len(fact) == 2}
            case _:
                return None
        written, gave = details.get("expression"), details.get("value", details.get("unexpected_success"))
        if not isinstance(written, str | bytes | list) or gave is None or "line" not in details:
            return None
        if not _CALL.fullmatch("".join(text(written)[1:-1].split())):
            return None
        frames = run.frames
        below = (child for child in range(inner + 1, len(frames)) if frames.parent[child] == inner)
        calls = [child for child in below if frames.process[child] == frames.process[inner]]
        returning = [child for child in calls if run.outcome(child) == (True, gave)]
        if len(calls) != 1 or not returning:
            return None
        expected = text(details["expected"]) if "expected" in details else None
        return returning[0], f"line {details['line']} expects {expected or _expectation(str(what), details)}", expected


def _expectation(what: str, details: dict[str, Term]) -> str:
    """Describes an assertion that has no expected value."""
    if "unexpected_success" in details:
        return "an exception"
    return "another value" if what.startswith("assertNot") else f"what matches {text(details.get('pattern'))[1:-1]}"


def _outcome_text(outcome: Term) -> str:
    if isinstance(outcome, tuple) and len(outcome) == 2:
        return f"raised {outcome[0]}:{text(outcome[1], 200)}"
    return "did not end" if outcome == "unfinished" else "failed"


def _first_event(run: ErlangRun, module: str, name: str) -> int | None:
    for frame in range(len(run.frames)):
        site = run.site(frame)
        if site.kind == "function" and (site.module, site.function, site.arity) == (module, name, 0):
            return run.frames.first[frame]
    return None
