"""The same test, run in the reference tree, as an oracle: a call with the same inputs should have the same outcome.

"Yes" and "no" need inputs that are known to be equal; the order of calls proves nothing. A "no" also needs the recorded
version to repeat the recorded outcome: otherwise time, chance or an address decides it.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from attrs import define, frozen

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Routine
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.reading.value_digest import HIDDEN, Digester
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.oracle import Opinion

MOST_CALLS = 1000
"""Calls of one routine that are compared."""
_TEMPORARY = re.compile(
    r"[^\s'\"]{0,200}[/\\]pytest-of-[^/\\]{1,50}[/\\]pytest-\d+|(?<=[/\\])tmp\w{8}\b|\b0x[0-9a-f]{6,}"
)
"""Folders of pytest's `tmp_path`, names made by `tempfile`, and addresses."""
_SAME = Opinion(Judgement.YES, "the same test does the same there in the reference")
_OTHER = Opinion(Judgement.NO, "the same test gives another result there in the reference")

Record = Callable[[], Run | None]
"""Records the test again; None, after reporting why, if that is impossible."""


@frozen
class Call:
    """Inputs and outcome of one call, as texts that can be compared between two runs."""

    inputs: str
    around: Mapping[str, str]
    """The outside variables that it read, as they were before it."""
    outcome: str
    is_known: bool
    """Whether everything that decides the outcome is recorded."""

    def same_inputs(self, other: "Call") -> bool:
        """Whether another call had the same inputs; of the variables around, those count that both read."""
        both = self.around.keys() & other.around.keys()
        return self.inputs == other.inputs and all(self.around[name] == other.around[name] for name in both)


class Calls:
    """The calls of a run, by routine."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._behaviours = BehaviourBuilder(run)
        self._workspace = str(run.recording.meta.get("workspace", ""))
        self._digester = Digester(run.recording.values, run.heap, self._plain)
        self._calls: dict[tuple[str, str], list[Call]] = {}

    def of(self, routine: Routine) -> list[Call]:
        """The first calls of the routine that has the same name in this run."""
        name = (routine.module.name, routine.qualname)
        if name not in self._calls:
            spans = [self._run.spans[number] for number in self._numbers.get(name, ())[:MOST_CALLS]]
            self._calls[name] = [self.call(span) for span in spans]
        return self._calls[name]

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], list[int]]:
        numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
        for routine in self._run.spans.routines:
            if routine.node >= 0:
                key = (routine.module.name, routine.qualname)
                numbers[key] = self._run.activations_of(routine, len(self._run.recording.words))
        return numbers

    def _plain(self, text: str) -> str:
        """A text without what differs between runs and trees: the folder, temporary names, addresses."""
        text = text.replace(self._workspace, "") if self._workspace else text
        return _TEMPORARY.sub("", text) if "/" in text or "\\" in text or "0x" in text else text

    def call(self, span: Span) -> Call:
        """The inputs and the outcome of a span."""
        behaviours, digest = self._behaviours, self._digester.digest
        start, end = span.first + 1, span.last + 1
        records = self._run.summary(span, span.first, span.last)
        arguments = behaviours.arguments(span, records)
        inputs = [digest(word, start) for _name, word in arguments]
        around = dict(self._outside_variables(span, start))
        result, raised = behaviours.outcome(span)
        after = [digest(word, end) for _name, word in arguments]
        after += ["" if word is None else digest(word, end) for word in (result, raised)]
        after += [f"{name} {digest}" for name, digest in sorted(self._outside_variables(span, end))]
        is_known = not span.open and not any(text.endswith(HIDDEN) for text in (*inputs, *around.values(), *after))
        outcome = [*after, *map(self._plain, behaviours.effects.lines(span.first, span.last))]
        return Call(repr(inputs), around, repr(outcome), is_known)

    def _outside_variables(self, span: Span, moment: int) -> Iterator[tuple[str, str]]:
        for module, name in self._behaviours.global_variables.used_in(span, span.first, span.last):
            word = self._behaviours.global_variables.at(module, name, moment)
            if word is not None and self._behaviours.is_mutable(word):
                yield f"{module.name}.{name}", self._digester.digest(word, moment)


@define(eq=False)
class Twin:
    """Answers about calls by the run of the same test in the reference."""

    run: Run
    record_reference: Record
    record_again: Record

    def opinion(self, span: Span) -> Opinion | None:
        """The judgement of a call; None if the other run has no such call, or several with different outcomes."""
        if span.kind is NodeKind.GENERATOR or span.routine.node < 0 or self._reference is None:
            return None
        call = self._recorded.call(span)
        there = [other for other in self._reference.of(span.routine) if other.same_inputs(call)]
        if not call.is_known or not there or not all(other.is_known for other in there):
            return None
        if len({other.outcome for other in there}) > 1:
            return None
        if there[0].outcome == call.outcome:
            return _SAME
        return _OTHER if self._is_stable(span.routine, call) else None

    def _is_stable(self, routine: Routine, call: Call) -> bool:
        """Whether a second run of the recorded version has this outcome for these inputs, too."""
        if self._again is None:
            return False
        again = {other.outcome for other in self._again.of(routine) if other.same_inputs(call)}
        return again == {call.outcome}

    @cached_property
    def _recorded(self) -> Calls:
        return Calls(self.run)

    @cached_property
    def _reference(self) -> Calls | None:
        run = self.record_reference()
        return None if run is None else Calls(run)

    @cached_property
    def _again(self) -> Calls | None:
        run = self.record_again()
        return None if run is None else Calls(run)
