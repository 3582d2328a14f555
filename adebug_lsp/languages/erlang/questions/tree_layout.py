"""Builds the execution tree of a run.

Without messages in recorded code it is a tree of calls, in which a process is a child of the call that started it. With
messages its levels are processes, their steps, and the calls inside a step. In both, the callback of a `gen_server` is
a child of the call that made the request.
"""

from attrs import define, field

from adebug_lsp.languages.erlang.questions.process_questions import BlockedProcess, ProcessBehaviours
from adebug_lsp.languages.erlang.reading.frames import RAISED
from adebug_lsp.languages.erlang.reading.processes import Process, Step
from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

Item = int | Process | Step | BlockedProcess | None
"""Item of a node: an activation, a process, a step, or a blocked process; None for the whole run."""


def build_tree(
    run: ErlangRun, process_behaviours: ProcessBehaviours, during: tuple[int, int]
) -> tuple[ExecutionTree, list[Item]]:
    """The tree of everything that began in a range of events, and the item of each node."""
    layout = _TreeLayout(run, process_behaviours, during)
    return layout.of_processes() if run.has_messages else layout.of_calls()


@define(eq=False)
class _TreeLayout:
    """Lays out the tree of one run."""

    run: ErlangRun
    process_behaviours: ProcessBehaviours
    during: tuple[int, int]
    builder: TreeBuilder = field(factory=TreeBuilder)
    items: list[Item] = field(factory=list)
    sites: dict[tuple[int, int], tuple[int, NodeKind, int]] = field(factory=dict)
    """Site, kind and reading cost of the nodes, by site and clause of their activations."""
    handles: dict[int, int] = field(factory=dict)
    """Handle of each activation."""
    steps: dict[int, int] = field(factory=dict)
    """Handle of each step, by its first event."""
    waiting: dict[int, int] = field(factory=dict)
    """Default parent of each activation that is not attached yet."""

    def of_calls(self) -> tuple[ExecutionTree, list[Item]]:
        """A tree of calls."""
        frames = self.run.frames
        begun_again = self._begun_again()
        inside = [f for f in range(len(frames)) if self._is_in(frames.first[f]) and f not in begun_again]
        parents = {frame: self._client(frame) for frame in inside}
        parents = {frame: frames.parent[frame] if client < 0 else client for frame, client in parents.items()}
        tops = [frame for frame in inside if parents[frame] not in parents]
        root = None if len(tops) == 1 else self._add_run()
        self.handles = {frame: self._add_frame(frame) for frame in inside}
        for frame in inside:
            self.builder.attach(self.handles[frame], self.handles.get(parents[frame], root))
        return self._finished()

    def _begun_again(self) -> set[int]:
        """For each process, its last call, if it only repeats the call before it when the run was stopped.

        Such a call is left out, because more is known about the one before.
        """
        run, frames = self.run, self.run.frames
        last = {process: frame for frame, process in enumerate(frames.process)}
        repeated = set[int]()
        for frame in last.values():
            around = frames.parent[frame]
            again = run.is_endless(frame) and frames.tail[frame] and around >= 0
            if again and run.site(frame) is run.site(around) and run.arguments(frame) == run.arguments(around):
                repeated.add(frame)
        return repeated

    def _is_in(self, event: int) -> bool:
        return self.during[0] <= event <= self.during[1]

    def of_processes(self) -> tuple[ExecutionTree, list[Item]]:
        """A tree of processes, steps and calls."""
        run, frames = self.run, self.run.frames
        root = self._add_run()
        for process in run.processes.all:
            self._add_process(process, root)
        for frame in range(len(frames)):
            if (
                frame not in self.handles
                and self._is_in(frames.first[frame])
                and run.processes.is_within_one_step(frame)
            ):
                step = run.processes.step_at(frames.process[frame], frames.first[frame])
                self.handles[frame] = self._add_frame(frame)
                self.waiting[frame] = root if step is None else self.steps.get(step.first, root)
        for frame, around in self.waiting.items():
            self.builder.attach(self.handles[frame], self._around(frame, around))
        return self._finished()

    def _add_process(self, process: Process, root: int) -> None:
        """Add a process with its steps."""
        steps = [step for step in process.steps if self._is_in(step.first)]
        blocked = process.blocked if process.mailbox and self._is_in(process.blocked) else -1
        around = root
        if process.receives and len(steps) + (blocked >= 0) > 1:
            around = self._add(process, steps[0].first, steps[-1].last)
            self.builder.attach(around, root)
        for step in steps:
            if step.whole >= 0:
                self.handles[step.whole] = self.steps[step.first] = self._add_frame(step.whole)
                self.waiting[step.whole] = around
            else:
                self.steps[step.first] = self._add(step, step.first, step.last)
                self.builder.attach(self.steps[step.first], around)
        if blocked >= 0:
            self.builder.attach(self._add(BlockedProcess(process, blocked), blocked, blocked), around)

    def _around(self, frame: int, otherwise: int) -> int:
        """Parent of a call: its caller, or the step that it lies in."""
        frames = self.run.frames
        client = self._client(frame)
        if client >= 0:
            step = self.run.processes.step_at(frames.process[client], self.run.request_event(frame))
            return self.handles.get(client, otherwise if step is None else self.steps.get(step.first, otherwise))
        parent = frames.parent[frame]
        same = parent >= 0 and frames.process[parent] == frames.process[frame]
        return self.handles.get(parent, otherwise) if same else otherwise

    def _client(self, frame: int) -> int:
        """Activation whose request to a `gen_server` a callback handles; -1 if none."""
        event = self.run.request_event(frame) if self.run.has_requests else -1
        if not 0 <= event < self.run.frames.first[frame]:
            return -1
        return self.run.processes.frame_at(self.run.recording.events.process[event], event)

    # Nodes

    def _add_run(self) -> int:
        handle = self.builder.add(self.builder.site(Site("the run")), last=len(self.run.recording.events))
        self.builder.attach(handle, None)
        self.items.append(None)
        return handle

    def _add_frame(self, frame: int) -> int:
        """Add an activation; returns its handle."""
        frames, events = self.run.frames, self.run.recording.events
        first = frames.first[frame]
        key = (events.site[first], events.clause[first])
        known = self.sites.get(key)
        if known is None:
            facts = self.run.site(frame)
            kind = NodeKind.LAMBDA if facts.kind == "fun" else NodeKind.ROUTINE
            known = self.sites[key] = self.builder.site(self._site(frame)), kind, 40 + 15 * facts.arity
        self.items.append(frame)
        return self.builder.add(
            known[0],
            kind=known[1],
            raised=frames.status[frame] == RAISED,
            cost=known[2],
            first=first,
            last=frames.last[frame] + 1,
        )

    def _add(self, item: Process | Step | BlockedProcess, first: int, last: int) -> int:
        self.items.append(item)
        site = self.builder.site(self.process_behaviours.site(item))
        kind = NodeKind.PROJECTION if isinstance(item, Process) else NodeKind.PROCESS_STEP  # it is the sum of its steps
        return self.builder.add(site, kind=kind, cost=120, first=first, last=last + 1)

    def _site(self, frame: int) -> Site:
        facts = self.run.site(frame)
        name = f"{facts.routine} fun at line {facts.place[0]}" if facts.kind == "fun" else facts.routine
        clause = self.run.clause(frame)
        where = self.run.site_location(facts) if clause is None else self.run.clause_location(facts, clause)
        name_and_clause = name if facts.number < 0 else f"{name} clause {self.run.clause_number(frame)}"
        return Site(name_and_clause, facts.callable, facts.module, where)

    def _finished(self) -> tuple[ExecutionTree, list[Item]]:
        tree, nodes = self.builder.finish()
        ordered: list[Item] = [None] * len(self.items)
        for handle, node in enumerate(nodes):
            ordered[node] = self.items[handle]
        return tree, ordered
