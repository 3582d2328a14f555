"""The communication and creation diagram of a run."""

from collections.abc import Iterator

from attrs import define, field

from adebug_lsp.languages.diagram import Arrow, ArrowKind, Diagram, Lane
from adebug_lsp.languages.erlang.questions.process_questions import message_text, start_call_text
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.reading.processes import Message, Process, Step
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Atom, Pid, Term

_MAX_CHARACTERS = 100
_SIGNALS = (Atom("DOWN"), Atom("EXIT"))


def diagram(subject: ErlangSubject) -> Diagram:
    """The processes that ran recorded code, with their messages, starts, links and exits."""
    drawer = _DiagramBuilder(subject)
    return Diagram([drawer.lane(process) for process in drawer.processes], drawer.arrows)


@define(eq=False)
class _DiagramBuilder:
    """Builds the diagram of one subject."""

    subject: ErlangSubject
    processes: list[Process] = field(init=False)
    lanes: dict[Pid, int] = field(init=False)
    nodes: dict[int, int] = field(init=False)
    """Node of a process or step, by identity."""

    def __attrs_post_init__(self) -> None:
        self.processes = [process for process in self.subject.run.processes.all if process.steps]
        self.lanes = {process.pid: lane for lane, process in enumerate(self.processes)}
        self.nodes = {id(self.subject.item(node)): node for node in range(len(self.subject.tree))}

    def arrows(self) -> list[Arrow]:
        """All arrows, in order of their events."""
        arrows: list[tuple[int, Arrow]] = []
        for lane, process in enumerate(self.processes):
            for step in process.steps:
                arrows += self._of_step(lane, step)
            arrows += self._signals(lane, process)
            arrows += self._links(lane, process)
            arrows += self._end(lane, process)
        arrows.sort(key=lambda pair: pair[0])
        return [arrow for _, arrow in arrows]

    def _links(self, lane: int, process: Process) -> Iterator[tuple[int, Arrow]]:
        for event, pid in process.links:
            if pid in self.lanes:
                step = self.subject.run.processes.step_at(process.index, event) or process.steps[0]
                yield event, Arrow(ArrowKind.LINK, lane, self.lanes[pid], "", self._node(step))

    def _end(self, lane: int, process: Process) -> Iterator[tuple[int, Arrow]]:
        """Arrow of an abnormal exit, its own or through a link."""
        reason = self._reason(process)
        if reason in (None, "normal"):
            return
        node, label = self._node(process.steps[-1]), text(reason, _MAX_CHARACTERS)
        before = [
            other for other in self._linked(process) if other.exited < process.exited and self._reason(other) == reason
        ]
        if before:
            source = self.lanes[max(before, key=lambda other: other.exited).pid]
            yield process.exited, Arrow(ArrowKind.EXIT, source, lane, label, node)
        else:
            yield process.exited, Arrow(ArrowKind.END, lane, -1, label, node)

    def _linked(self, process: Process) -> list[Process]:
        there = {pid for _, pid in process.links}
        return [
            other for other in self.processes if other.pid in there or any(pid == process.pid for _, pid in other.links)
        ]

    def _reason(self, process: Process) -> Term:
        """Exit reason; None if the process did not exit."""
        return None if process.exited < 0 else self.subject.run.recording.values(process.exited)[3]

    def lane(self, process: Process) -> Lane:
        """The lane of a process."""
        starter = self.subject.run.processes.starters.get(process.pid)
        parent = -1 if starter is None else self.lanes[starter.process.pid]
        node = self.nodes.get(id(process), self._node(process.steps[0]))
        names = f" ({', '.join(process.names)})" if process.names else ""
        behaviour = self.subject.process_text(process)
        return Lane(f"{process.pid.text}{names}", behaviour, parent, node)

    def _of_step(self, lane: int, step: Step) -> Iterator[tuple[int, Arrow]]:
        """The arrows of one step: messages and started processes."""
        node = self._node(step)
        for message in step.sent:
            kind = ArrowKind.LOST if message.lost else ArrowKind.MESSAGE
            yield (
                message.sent,
                Arrow(kind, lane, self._target(message), message_text(message.value, _MAX_CHARACTERS), node),
            )
        for index, (pid, call) in enumerate(step.started):
            target = self.lanes.get(pid, -1)
            yield (
                step.started_at[index],
                Arrow(ArrowKind.START, lane, target, f"{text(pid)} {start_call_text(call)}", node),
            )

    def _signals(self, lane: int, process: Process) -> Iterator[tuple[int, Arrow]]:
        """Arrows of `DOWN` and `EXIT` messages."""
        taken = [(step.message, step) for step in process.steps if step.message is not None]
        for message, step in [*taken, *((unread, process.steps[-1]) for unread in process.mailbox)]:
            value = message.value
            if (
                message.sent < 0 <= message.arrived
                and isinstance(value, tuple)
                and value[:1] in [(s,) for s in _SIGNALS]
            ):
                source = next((self.lanes[part] for part in value if isinstance(part, Pid) and part in self.lanes), -1)
                if source >= 0:
                    node = self._node(step)
                    yield message.arrived, Arrow(ArrowKind.SIGNAL, source, lane, text(value, _MAX_CHARACTERS), node)

    def _target(self, message: Message) -> int:
        receiver = self.subject.run.processes.receiver(message)
        return -1 if receiver is None else self.lanes.get(receiver, -1)

    def _node(self, step: Step) -> int:
        """Node of a step, or of the call that is the whole step."""
        if step.whole >= 0:
            return self.subject.node_of(step.whole)
        return self.nodes.get(id(step), 0)
