"""Dependences over a run: the origin of a wrong message, variable, argument or part of a result.

Nothing that began later, in any process, can have influenced it.
"""

from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property

import numpy as np
from attrs import define

from adebug_lsp.languages.erlang.questions.origins import ResultOrigins
from adebug_lsp.languages.erlang.questions.process_questions import MESSAGE, NOT_TAKEN, BlockedProcess
from adebug_lsp.languages.erlang.questions.tree_layout import Item
from adebug_lsp.languages.erlang.reading.processes import Message, Process, Step
from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.languages.erlang.reading.terms import canonical
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.slicing.dependence_contract import Trace
from adebug_lsp.tree.columns import ExecutionTree

_MAX_CALLS = 10_000


@define(eq=False, slots=False)
class ErlangDependences:
    """Dependences over the tree of a run."""

    run: ErlangRun
    tree: ExecutionTree
    item: Callable[[int], Item]

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        if mark.in_outcome:
            return self._trace_part(self.item(node), mark)
        source = self._source(self.item(node), str(mark.path[0]) if mark.path else "")
        if source is None:
            return None
        process, event = source
        origin = self._node_at(process, event)
        earlier = np.flatnonzero(self.tree.first <= event)
        return Trace(origin, frozenset({origin, *earlier.tolist()}))

    def _trace_part(self, item: Item, mark: Mark) -> Trace | None:
        """Traces a part of a result to the call that made it, and to everything that began earlier."""
        if not isinstance(item, int) or mark.of is not MarkOf.RESULT:
            return None
        try:
            made = self._origins.of_result(item, mark.path)
        except RecursionError:  # a value may be very deep
            return None
        if made is None:
            return None
        origin = self._node_at(self.run.frames.process[made.frame], self.run.frames.first[made.frame])
        earlier = np.flatnonzero(self.tree.first <= made.until)
        return Trace(origin, frozenset({origin, *earlier.tolist()} - self._nodes_of(set(made.others))))

    def _nodes_of(self, frames: set[int]) -> set[int]:
        """Nodes of activations with all their descendants, and sequences that consist of them."""
        nodes: set[int] = set()
        for node in range(len(self.tree)) if frames else ():
            if node not in nodes and self.item(node) in frames:
                nodes.update(range(node, self.tree.end(node)))
        for node in reversed(range(1, len(self.tree)) if frames else ()):
            if self.item(node) is None and (below := self.tree.children(node)) and nodes.issuperset(below):
                nodes.add(node)
        return nodes

    @cached_property
    def _origins(self) -> ResultOrigins:
        return ResultOrigins(self.run)

    def _source(self, item: Item, name: str) -> tuple[int, int] | None:
        """Process and event by which a named value existed."""
        if isinstance(item, Step | BlockedProcess):
            message = _message(item, name)
            if message is not None:
                return (message.sender, message.sent) if message.sent >= 0 else None
            begun = item.first if isinstance(item, Step) else item.event
            return self._binding_event(item.process.index, begun, name)
        if isinstance(item, Process):
            number = name.removeprefix(f"{MESSAGE} ").partition(" ")[0]
            taken = [step.message for step in item.steps if step.message is not None]
            if number.isdigit() and 0 < int(number) <= len(taken) and taken[int(number) - 1].sent >= 0:
                return taken[int(number) - 1].sender, taken[int(number) - 1].sent
            return self._start_event(item.index)
        if isinstance(item, int):
            first, process = self.run.frames.first[item], self.run.frames.process[item]
            is_top = self.run.processes.frame_at(process, first - 1) < 0
            return (
                self._callback_source(item, name)
                if is_top
                else self._argument_source(item, name) or (process, first - 1)
            )
        return None

    def _argument_source(self, frame: int, name: str) -> tuple[int, int] | None:
        """End of the last sibling call whose result was passed as an argument."""
        run, frames = self.run, self.run.frames
        arguments = [list(canonical(value)) for candidate, value in run.parameters(frame) if candidate == name]
        if not arguments or len(arguments[0]) == 1:  # a number or an atom may come from anywhere
            return None
        value = "".join(arguments[0])
        for candidate in range(frame - 1, max(frames.parent[frame], frame - _MAX_CALLS), -1):
            returned, outcome = (
                run.outcome(candidate) if frames.parent[candidate] == frames.parent[frame] else (False, None)
            )
            if returned and frames.last[candidate] < frames.first[frame] and "".join(canonical(outcome)) == value:
                return frames.process[candidate], frames.last[candidate]
        return None

    def _callback_source(self, frame: int, name: str) -> tuple[int, int] | None:
        """Source of a callback's argument: the request of the caller, or the state after the previous callback."""
        process = self.run.frames.process[frame]
        request = self.run.request_event(frame)
        if request >= 0 and name in [parameter for parameter, _value in self.run.parameters(frame)[:2]]:
            return self.run.recording.events.process[request], request
        server = self.run.processes.all[process]
        index = bisect_left(server.step_starts, self.run.frames.first[frame])
        if not index:
            return self._start_event(process)
        before = server.steps[index - 1]
        return process, self.run.frames.last[before.whole] if before.whole >= 0 else before.last

    def _binding_event(self, process: int, before: int, name: str) -> tuple[int, int] | None:
        """Last event that bound a variable before a step; without a name, the last event before it."""
        run, last = self.run, -1
        frame = run.frames.by_number[run.recording.events.frame[before]]
        for event in run.events_of(frame).tolist():
            if event < before and (not name or name in run.bound_by(event)):
                last = event
        if last == run.frames.first[frame]:
            last = last - 1 if run.processes.frame_at(process, last - 1) >= 0 else -1
        return self._start_event(process) if last < 0 else (process, last)

    def _start_event(self, process: int) -> tuple[int, int] | None:
        """Process and event that started a process."""
        step = self.run.processes.starters.get(self.run.processes.all[process].pid)
        return None if step is None else (step.process.index, step.last)

    def _node_at(self, process: int, event: int) -> int:
        """Innermost node of a process at an event."""
        inside = np.flatnonzero((self.tree.first <= event) & (self.tree.last > event))
        return next((int(node) for node in inside[::-1] if self._is_in_process(self.item(int(node)), process)), 0)

    def _is_in_process(self, item: Item, process: int) -> bool:
        if isinstance(item, int):
            return self.run.frames.process[item] == process
        return isinstance(item, Step) and item.process.index == process


def _message(item: Step | BlockedProcess, name: str) -> Message | None:
    """The message that a name in a question stands for."""
    if name == MESSAGE and isinstance(item, Step):
        return item.message
    left = item.mailbox if isinstance(item, Step) else list(item.process.mailbox)
    number = name.removeprefix(f"{NOT_TAKEN} ")
    return (
        left[int(number) - 1]
        if name.startswith(NOT_TAKEN) and number.isdigit() and 0 < int(number) <= len(left)
        else None
    )
