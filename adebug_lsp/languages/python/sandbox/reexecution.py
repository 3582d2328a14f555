"""Executes an activation again that was recorded by its calls alone: in the sandbox, with full recording.

Its calls are answered from the recording. The new recording must have the same calls, loops, iterations and values in
the same order; where anything differs, the activation stays without an inside.
"""

import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType

from attrs import define, field, frozen

from adebug_lsp.languages.python.reading.recorded_values import Atom
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.languages.python.reading.run import Record, Run, read_run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.sandbox.bindings import Bindings
from adebug_lsp.languages.python.sandbox.call_outcomes import CallOutcomes
from adebug_lsp.languages.python.sandbox.reexecution_script import CannotExecute, Script, around
from adebug_lsp.languages.python.sandbox.requests import open_request
from adebug_lsp.languages.python.sandbox.sandbox_process import Sandbox
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.kinds import NodeKind

TIME_LIMIT = 30.0
"""Seconds that executing an activation again may take."""
MOST_AROUND = 6
"""Activations that are tried: the requested one and those that led to it."""


@frozen(eq=False)
class ReexecutedCall:
    """An activation that was executed again."""

    run: Run
    """The recording of this activation alone."""
    spans: dict[int, int]
    """Maps span numbers of the whole run to those of `run`: the activation, its loops and iterations, its calls."""

    def span(self, old: Span) -> Span:
        """The span here that corresponds to a span of the whole run."""
        return self.run.spans[self.spans[old.number]]


@define(eq=False)
class Reexecution:
    """Executes activations of one run again; close it, or use it in a `with` statement."""

    run: Run
    outcomes: CallOutcomes
    workspace: Path
    interpreter: Path
    problem: Callable[[str], None]
    """Called with the reason if an activation cannot be executed again."""
    _sandbox: Sandbox | None = None
    _found: dict[int, ReexecutedCall | None] = field(factory=dict)
    _bindings: Bindings | None = None
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def of(self, activation: Span) -> ReexecutedCall | None:
        """An activation with its inside; None if it cannot be executed again, which is reported once."""
        if activation.number not in self._found:
            self._found[activation.number] = None
            try:
                self._found[activation.number] = self._execute(activation)
            except AdebugError as error:
                self.problem(f"{activation.routine.callable} cannot be executed again: {error}")
        return self._found[activation.number]

    def _execute(self, target: Span) -> ReexecutedCall:
        """Executes an activation or, if it cannot be called on its own, one that led to it."""
        failed: list[CannotExecute] = []
        for root in islice(around(self.run, target), MOST_AROUND):
            try:
                return self._execute_from(root, target)
            except CannotExecute as error:  # noqa: PERF203 - to try takes much longer
                failed.append(error)
                if error.final:
                    break
        raise failed[0]

    def _execute_from(self, root: Span, target: Span) -> ReexecutedCall:
        """Execute a root again, with the target's inside; raises `CannotExecute`."""
        if self._bindings is None:
            self._bindings = Bindings(self.run)
        script = Script(self.run, self.outcomes, self._bindings, root, target)
        request, out = script.request(), Path(self._place()) / f"{target.number}.adebug"
        reply = self._process().ask({**request, "out": str(out), "meta": self.run.recording.meta})
        if reply.get("late"):
            raise CannotExecute("it takes too long", final=True)
        if "cannot" in reply:
            raise CannotExecute(str(reply["cannot"]), final=reply.get("final", False))
        made = read_run(open_recording(out))
        return ReexecutedCall(made, _compared(self.run, root, script.entered, made))

    def _process(self) -> Sandbox:
        if self._sandbox is None:
            opening = {**open_request(self.run, self.workspace), "reexecute": True}
            if self.run.recording.meta.get("call") is not None:
                opening["main"] = ""  # a call has no main program
            self._sandbox = Sandbox(self.interpreter, opening, TIME_LIMIT)
        return self._sandbox

    def _place(self) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="adebug-")
        return str(self._folder.name)

    def close(self) -> None:
        """End the process and delete its recordings."""
        if self._sandbox is not None:
            self._sandbox.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._sandbox = self._folder = None

    def __enter__(self) -> "Reexecution":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def _compared(old: Run, root: Span, entered: set[int], new: Run) -> dict[int, int]:
    """Pairs the spans of both recordings; raises `CannotExecute` where they differ."""
    if len(new.tops) != 1:
        raise CannotExecute("the second execution recorded nothing")
    pairs: dict[int, int] = {}
    waiting = [(root, new.spans[new.tops[0]])]
    while waiting:
        activation, again = waiting.pop()
        spans, others = list(_below(old, activation)), list(_below(new, again))
        if [_signature(span) for span in spans] != [_signature(span) for span in others]:
            raise CannotExecute("the second execution takes another path")
        _check_records(old, activation, new, again)
        pairs |= {span.number: again.number for span, again in zip(spans, others, strict=True)}
        inside = zip(spans[1:], others[1:], strict=True)
        waiting += [(span, again) for span, again in inside if span.number in entered]
    return pairs


def _below(run: Run, span: Span) -> Iterator[Span]:
    """A span with its loops, iterations and calls, without the inside of the calls."""
    yield span
    for number in run.children(span.number):
        child = run.spans[number]
        if child.kind in (NodeKind.LOOP, NodeKind.ITERATION):
            yield from _below(run, child)
        else:
            yield child


def _signature(span: Span) -> tuple[NodeKind, str, int, bool]:
    return (span.kind, span.routine.callable, span.node, span.raised)


def _check_records(old: Run, activation: Span, new: Run, again: Span) -> None:
    """Check that every record of the activation was written again, with the same plain values."""
    recorded = {(m.kind, m.node) for m in activation.routine.module.markers if m.routine == activation.routine.index}
    first = old.between(activation, activation.first, activation.last)
    second = [
        record
        for record in new.between(again, again.first, again.last)
        if (record.marker.kind, record.marker.node) in recorded
    ]
    if [(r.marker.kind, r.marker.node) for r in first] != [(r.marker.kind, r.marker.node) for r in second]:
        raise CannotExecute("the second execution does something else")
    for record, repeated in zip(first, second, strict=True):
        if not _same_atoms(old, record, new, repeated):
            raise CannotExecute("the second execution gives other values")


def _same_atoms(old: Run, record: Record, new: Run, repeated: Record) -> bool:
    there = {node: word for node, word in zip(repeated.marker.slots, repeated.words, strict=True) if node >= 0}
    for node, word in zip(record.marker.slots, record.words, strict=True):
        if node in there:
            first, second = old.recording.values.value(word), new.recording.values.value(there[node])
            if isinstance(first, Atom) and repr(first) != repr(second):
                return False
    return True
