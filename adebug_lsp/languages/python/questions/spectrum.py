"""Spectrum-based suspicion (Ochiai), from the code that passing and failing tests executed.

Coverage is counted by records: at full level one per statement, branch and loop. A site (a routine or a loop) is as
suspect as its most suspect code that the failing test executed. Code executed before the tests, module bodies and calls
by the test runner count as executed by every test.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import LOOPS, Marker
from adebug_lsp.languages.python.reading.structure.run_structure import Test
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.recorder.contract import FIRST_VALUE, TEST_END
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.kinds import ROUTINE_KINDS
from adebug_lsp.oracles.oracle import Opinion
from adebug_lsp.tree.columns import Ints

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

_PASSED, _OVER = "call:passed", "teardown:"
_NOT_CODE = frozenset({"raised", "left", "thrown"})
"""Records of how code ended; counting them would make all callers of the code that raised look suspect."""
_STEPPED = frozenset({"generator", "async_generator"})
"""Routines whose loops have no nodes, because a step can begin in one iteration and end in another."""

MOST_CALLS = 50
"""Number of calls by passing tests that are compared with the call in question; building behaviours is slow."""

SiteKey = tuple[int, int]
"""The number of a routine, and the syntax node of a loop in it or of the routine itself."""


def ochiai(passed: Ints, failed: Ints, failing: int) -> Floats:
    """Suspicion, from 0 to 1, of code executed by these numbers of passing and failing tests."""
    suspicion: Floats = failed / np.sqrt(np.maximum(failing * (passed + failed), 1))
    return suspicion


@frozen(eq=False)
class Spectrum:
    """Suspicion of the code that one failing test executed."""

    sites: dict[SiteKey, float]
    common: float
    """Suspicion of code that every test executed."""

    def of_sites(self, keys: Iterable[SiteKey]) -> Floats:
        """The suspicion of each of these sites."""
        return np.array([self.sites.get(key, self.common) for key in keys], dtype=np.float64)


@define(eq=False)
class Coverage:
    """Coverage of all tests of a recording."""

    run: Run
    called_by_runner: frozenset[int]
    """Routines that no recorded code called, by number: tests and fixtures."""
    passing: list[Test]
    failing: list[Test]
    passed: Ints
    """For every marker, the number of passing tests that executed its code."""
    failed: Ints

    def spectrum(self, test: Test) -> Spectrum | None:
        """The spectrum of a failing test; None if no test passed, or this one did not fail."""
        if test.failure is None or not self.passing:
            return None
        suspicion = ochiai(self.passed, self.failed, len(self.failing))
        common = ochiai(np.array([len(self.passing)]), np.array([len(self.failing)]), len(self.failing))
        sites: dict[SiteKey, float] = {}
        for number in np.flatnonzero(_executed(self.run, test)).tolist():
            marker = self.run.program.markers.get(number)
            site = None if marker is None else self._site(marker)
            if site is not None:
                sites[site] = max(sites.get(site, 0.0), float(suspicion[number]))
        return Spectrum(sites, float(common[0]))

    def calls(self, routine: int, most: int) -> list[Span]:
        """The first calls of a routine that passing tests made."""
        spans = self.run.spans
        numbers = np.flatnonzero(np.frombuffer(spans.activation, np.int32) == np.arange(len(spans)))
        numbers = numbers[np.frombuffer(spans.routine, np.int32)[numbers] == routine]
        first = np.frombuffer(spans.first, np.int64)[numbers]
        begins, ends = np.array([(test.first, test.last) for test in self.passing], dtype=np.int64).reshape(-1, 2).T
        before = np.searchsorted(begins, first, "right") - 1
        during = (before >= 0) & (first <= np.append(ends, -1)[before])
        return [spans[number] for number in numbers[during][:most].tolist()]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(routine): number for number, routine in enumerate(self.run.program.routines)}

    def _site(self, marker: Marker) -> SiteKey | None:
        """The site that a record counts for; None for code that counts as executed by every test."""
        module, about = marker.module, marker.module.routines[marker.routine]
        routine = self._numbers[id(about)]
        if marker.kind in _NOT_CODE or about.kind == "module" or routine in self.called_by_runner:
            return None
        if about.kind in _STEPPED:
            return routine, about.node
        if marker.node >= 0 and module.nodes[marker.node].kind in LOOPS:
            return routine, marker.node
        return routine, next(iter(module.loops_around(marker.node)), about.node)


def coverage(run: Run) -> Coverage:
    """Count the coverage of every test. Has to run before roots are added above spans: it reads their parents."""
    tests = run.structure.tests
    passing = [test for test in tests if _has_passed(run, test)]
    failing = [test for test in tests if test.failure is not None]
    first = tests[0].first if tests else 0
    tops = [number for number in run.tops if run.spans.first[number] >= first]
    by_runner = frozenset(run.spans.routine[number] for number in tops)
    return Coverage(run, by_runner, passing, failing, _count(run, passing), _count(run, failing))


@define(eq=False)
class PassingTests:
    """An oracle with unsure answers: a call that did the same as one in a passing test is probably correct."""

    coverage: Coverage
    behaviours: BehaviourBuilder
    span_of: Callable[[Question], Span | None]
    name: str = "passing tests"
    _known: dict[int, set[str]] = field(factory=dict)
    """Identities of the calls of each routine."""

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        span, identity = self.span_of(question), question.behaviour.identity
        if span is None or not identity or question.facts.kind not in ROUTINE_KINDS:
            return None
        routine = self.coverage.run.spans.routine[span.number]
        if routine not in self._known:
            calls = self.coverage.calls(routine, MOST_CALLS)
            self._known[routine] = {self.behaviours.call(call).identity for call in calls}
        if identity not in self._known[routine]:
            return None
        return Opinion(Judgement.YES, "a passing test made the same call", sure=False)


def _words(run: Run, test: Test) -> NDArray[np.uint32]:
    """The records of one test; those of an interrupted test extend to the end."""
    words: NDArray[np.uint32] = run.recording.words[test.first : test.last + 1 if test.last >= 0 else None]
    return words


def _count(run: Run, tests: Sequence[Test]) -> Ints:
    counts = np.zeros(_markers(run), dtype=np.int64)
    for test in tests:
        counts += _executed(run, test)
    return counts


def _executed(run: Run, test: Test) -> Bools:
    words, seen = _words(run, test), np.zeros(_markers(run), dtype=np.bool_)
    seen[words[words < len(seen)]] = True
    return seen


def _markers(run: Run) -> int:
    return 1 + max(run.program.markers, default=0)


def _has_passed(run: Run, test: Test) -> bool:
    """Whether a test was called and passed, as opposed to failed, skipped or expected to fail."""
    return test.failure is None and _PASSED in _reported_outcomes(run, test)


def has_ended(run: Run, test: Test) -> bool:
    """Whether a test ran to its end, including its fixtures."""
    return any(report.startswith(_OVER) for report in _reported_outcomes(run, test))


def _reported_outcomes(run: Run, test: Test) -> list[str]:
    """The outcomes that pytest reported for the phases of a test."""
    words, ends = run.recording.words, test.first + np.flatnonzero(_words(run, test) == TEST_END)
    outcomes = words[ends[ends + 2 < len(words)] + 2]
    return [str(run.recording.values.atom(int(word))) for word in outcomes if word >= FIRST_VALUE]
