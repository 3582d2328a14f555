"""Processes of a run: steps between receives, messages and their senders.

A step begins where a process enters recorded code, receives a message or times out, and ends where it waits for the
next. A call that spans several steps belongs to none of them; every other lies in exactly one. Messages between two
processes keep their order (https://www.erlang.org/doc/system/ref_man_processes.html), which identifies the sender.
"""

import struct
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from attrs import define, field

from adebug_lsp.languages.erlang.reading.frames import OPEN, Frames
from adebug_lsp.languages.erlang.reading.recording_file import ErlangRecording
from adebug_lsp.languages.erlang.reading.terms import Pid, Term, canonical
from adebug_lsp.languages.erlang.reading.trace import VM_EVENT, VM_EVENTS

_NUMBERS = struct.Struct(">II")
MAX_MESSAGES = 8
"""Unreceived messages that a step keeps."""
MIN_LARGE_BYTES = 1000
"""Size of the smallest message whose parts may be stored elsewhere."""
_ENTER_KINDS = frozenset(map(ord, "cfnb"))
_CHOSE, _WAITS = ord("k"), ord("w")
_SEND_EVENTS = (VM_EVENTS.index("send"), VM_EVENTS.index("send_to_non_existing_process"))
_RECEIVE, _EXIT, _SPAWN, _REGISTER = (VM_EVENTS.index(name) for name in ("receive", "exit", "spawn", "register"))
_LINK, _UNLINK = VM_EVENTS.index("link"), VM_EVENTS.index("unlink")


@define(eq=False)
class Message:
    """A message between two processes."""

    recording: ErlangRecording
    start: int
    end: int
    """Its bytes in the trace are `start` to `end`."""
    sent: int = -1
    """Event of the send; -1 if not recorded."""
    sender: int = -1
    """Index of the sending process."""
    lost: bool = False
    """Whether the receiver did not exist."""
    arrived: int = -1
    """Event of its arrival in the mailbox."""
    taken: int = -1
    """Event of its receive, for a message without a trace record."""

    @cached_property
    def value(self) -> Term:
        """The message."""
        if self.taken >= 0:
            return self.recording.values(self.taken)[0]
        return self.recording.term(self.start)

    @cached_property
    def destination(self) -> Term:
        """Pid or name that it was sent to; None if the send is not recorded."""
        return None if self.sent < 0 else self.recording.term(self.end)


@define(eq=False)
class Step:
    """The activity of a process between two waits."""

    process: "Process"
    first: int
    last: int
    took: int = -1
    """Event of the receive or timeout; -1 for a step that begins with a call."""
    message: Message | None = None
    mailbox: list[Message] = field(factory=list)
    """First messages that had arrived by then and were not received."""
    sent: list[Message] = field(factory=list)
    started: list[tuple[Any, Any]] = field(factory=list)
    """Processes that it started, with their first calls."""
    started_at: list[int] = field(factory=list)
    """Events of these starts."""
    waits: int = -1
    """Event of the next wait; -1 if none."""
    open: list[int] = field(factory=list)
    """Activations with events in this step that span several steps, in the order of these events."""
    whole: int = -1
    """The activation that is the whole step."""


@define(eq=False)
class Process:
    """A process that ran recorded code or was traced."""

    index: int
    pid: Pid
    steps: list[Step] = field(factory=list)
    step_starts: list[int] = field(factory=list)
    """First event of each step."""
    names: list[str] = field(factory=list)
    exited: int = -1
    """Event of its exit; -1 if it did not exit."""
    links: list[tuple[int, Term]] = field(factory=list)
    """Events at which it was linked with others."""
    mailbox: deque[Message] = field(factory=deque)
    """Messages that arrived and were never received."""

    @property
    def receives(self) -> bool:
        """Whether it waits for messages in recorded code."""
        return any(step.took >= 0 or step.waits >= 0 for step in self.steps)

    @property
    def blocked(self) -> int:
        """Event at which it waits forever in recorded code; -1 if it does not."""
        return self.steps[-1].waits if self.steps and self.exited < 0 else -1


@define(eq=False)
class Processes:
    """All processes by index, and the requests between them."""

    all: list[Process]
    frames: Frames
    requests: dict[str, int] = field(factory=dict)
    """Event of a `gen_server` request, by its `From`."""
    callers: dict[str, Pid] = field(factory=dict)
    """Pid of the caller, by the tag of its request."""
    frames_of: dict[int, list[int]] = field(factory=dict)
    """Activations of each process, in order."""

    @cached_property
    def index(self) -> dict[Pid, int]:
        """Index of each pid."""
        return {process.pid: process.index for process in self.all}

    @cached_property
    def starters(self) -> dict[Pid, Step]:
        """Step that started each process."""
        return {pid: step for process in self.all for step in process.steps for pid, _call in step.started}

    def step_at(self, process: int, event: int) -> Step | None:
        """The step of a process at an event."""
        steps_of = self.all[process]
        start = bisect_right(steps_of.step_starts, event) - 1
        return steps_of.steps[start] if start >= 0 else None

    def frame_at(self, process: int, event: int) -> int:
        """The innermost activation of a process at an event; -1 if none."""
        step_starts, frames = self.frames_of.get(process, []), self.frames
        start = bisect_right(step_starts, event, key=frames.first.__getitem__) - 1
        frame = step_starts[start] if start >= 0 else -1
        while frame >= 0 and (frames.last[frame] < event or frames.process[frame] != process):
            frame = frames.parent[frame] if frames.process[frame] == process else -1
        return frame

    def receiver(self, message: Message) -> Pid | None:
        """Receiver of a message; a reply may be sent to an alias instead of a pid."""
        if isinstance(message.destination, Pid):
            return message.destination
        if isinstance(message.value, tuple) and len(message.value) == 2:
            caller = self.callers.get(_canonical(message.value[0]))
            if caller is not None:
                return caller
        return next((process.pid for process in self.all if str(message.destination) in process.names), None)

    def is_within_one_step(self, frame: int) -> bool:
        """Whether an activation lies in one step."""
        step = self.step_at(self.frames.process[frame], self.frames.first[frame])
        if step is None or (step.waits >= 0 and self.frames.status[frame] == OPEN):
            return False
        return self.frames.last[frame] <= step.last


def build_processes(recording: ErlangRecording, frames: Frames) -> Processes:
    """Reconstructs all processes of a run."""
    return _ProcessBuilder(recording, frames).build()


class _ProcessBuilder:
    """Reconstructs the processes of one recording."""

    def __init__(self, recording: ErlangRecording, frames: Frames) -> None:
        self._recording, self._frames, self._layout = recording, frames, recording.events.layout
        events = recording.events
        self._processes = Processes([Process(start, pid) for start, pid in enumerate(events.processes)], frames)
        self._receives = {site.number for site in recording.sites.facts.values() if site.kind == "receive"}
        self._tops = set[int]()
        for frame in range(len(frames)):
            self._processes.frames_of.setdefault(frames.process[frame], []).append(frame)
            parent = frames.parent[frame]
            if parent < 0 or frames.process[parent] != frames.process[frame]:
                self._tops.add(frames.first[frame])
        self._under_way: dict[bytes, deque[Message]] = {}
        """Messages that were sent and have not arrived, by their bytes."""
        self._rows: list[list[int]] = [[] for _ in self._processes.all]
        """The events in recorded code, by process."""

    def build(self) -> Processes:
        """Process all events."""
        events, every = self._recording.events, self._processes.all
        by_number, of_frame = self._frames.by_number, self._frames.process
        for event, (kind, index, number) in enumerate(zip(events.kind, events.process, events.frame, strict=True)):
            process = every[index]
            if kind == VM_EVENT:
                self._vm_event(event, events.clause[event], process)
            else:
                frame = by_number.get(number)
                if frame is not None and of_frame[frame] == index:  # a damaged recording may have others
                    self._code_event(event, kind, process)
            if process.steps:
                process.steps[-1].last = event
        mailboxes = dict(_mailboxes(self._recording.ended.get("processes")))
        for process in self._processes.all:
            self._assign_frames(process)
            if process.pid in mailboxes:
                _drop_received_by_libraries(process, mailboxes[process.pid])
        return self._processes

    def _code_event(self, event: int, kind: int, process: Process) -> None:
        """Process an event of recorded code."""
        events = self._recording.events
        if kind == _CHOSE and events.site[event] in self._receives:
            self._begin_receive(event, events.clause[event], process)
        elif kind in _ENTER_KINDS and event in self._tops:
            self._add_step(process, Step(process, event, event))
        if process.steps:
            self._rows[process.index].append(event)
            process.steps[-1].waits = event if kind == _WAITS else -1

    def _add_step(self, process: Process, step: Step) -> None:
        process.steps.append(step)
        process.step_starts.append(step.first)

    def _vm_event(self, event: int, kind: int, process: Process) -> None:
        """Process an event of the VM: messages, starts, links, exits."""
        if kind in _SEND_EVENTS:
            self._sent(event, kind, process)
        elif kind == _RECEIVE:
            begin, end = self._recording.message(event)
            raw = self._recording.trace[begin:end]
            if not raw.startswith(self._layout.recorder_messages):
                message = self._sent_message(raw, process) or Message(self._recording, begin, end)
                message.arrived = event
                process.mailbox.append(message)
        elif kind == _EXIT:
            process.exited = event
        elif kind == _LINK:
            process.links.append((event, self._recording.values(event)[3]))
        elif kind == _UNLINK:
            gone = self._recording.values(event)[3]
            process.links = [(start, pid) for start, pid in process.links if pid != gone]
        elif kind == _SPAWN and process.steps:
            values = self._recording.values(event)
            process.steps[-1].started.append((values[3], values[4]))
            process.steps[-1].started_at.append(event)
        elif kind == _REGISTER:
            process.names.append(str(self._recording.values(event)[3]))

    def _sent(self, event: int, kind: int, process: Process) -> None:
        """Note a message that a process sent, unless it is one of the recorder's own."""
        begin, end = self._recording.message(event)
        raw = self._recording.trace[begin:end]
        if raw.startswith(self._layout.recorder_messages):
            return
        message = Message(self._recording, begin, end, event, process.index, kind != _SEND_EVENTS[0])
        self._under_way.setdefault(raw, deque()).append(message)
        if process.steps:
            process.steps[-1].sent.append(message)
        if (
            raw.startswith(self._layout.gen_call_prefix)
            and isinstance(message.value, tuple)
            and len(message.value) == 3
        ):
            self._add_request(event, message.value[1])

    def _add_request(self, event: int, caller: Term) -> None:
        self._processes.requests[_canonical(caller)] = event
        if isinstance(caller, tuple) and len(caller) == 2 and isinstance(caller[0], Pid):
            self._processes.callers[_canonical(caller[1])] = caller[0]

    def _sent_message(self, raw: bytes, process: Process) -> Message | None:
        """The earliest equal message in flight to this process."""
        sent = self._under_way.get(raw, deque())
        for start, message in enumerate(sent):
            if self._is_for(message, process):
                del sent[start]
                return message
        return None

    def _is_for(self, message: Message, process: Process) -> bool:
        trace, begins = self._recording.trace, self._layout.pid_prefix
        if trace.startswith(begins, message.end):
            pid = process.pid
            return trace.startswith(_NUMBERS.pack(pid.number, pid.serial), message.end + len(begins))
        return self._processes.receiver(message) in (process.pid, None)

    def _begin_receive(self, event: int, clause: int, process: Process) -> None:
        step = Step(process, event, event, took=event)
        if clause:
            step.message = self._take_message(event, process)
        step.mailbox = list(islice(process.mailbox, MAX_MESSAGES))
        self._add_step(process, step)

    def _take_message(self, event: int, process: Process) -> Message:
        """The message that a process receives, which it is told by its bytes."""
        trace, taken = self._recording.trace, self._recording.events.start[event] + 2  # the first of two terms
        for message in process.mailbox:
            if trace.startswith(trace[message.start : message.end], taken):  # no encoded term is a prefix of another
                process.mailbox.remove(message)
                return message
        key = _canonical(self._recording.values(event)[0])  # parts of a large message are stored elsewhere
        for message in process.mailbox:
            if message.end - message.start > MIN_LARGE_BYTES and _canonical(message.value) == key:
                process.mailbox.remove(message)
                return message
        return Message(self._recording, taken, taken, taken=event)

    def _assign_frames(self, process: Process) -> None:
        """Assign activations to steps."""
        numbers, frames, rows = self._recording.events.frame, self._frames, self._rows[process.index]
        for step in process.steps:
            step_starts = frames.by_number[numbers[step.first]]
            if step.took < 0 and self._processes.is_within_one_step(step_starts):
                step.whole = step_starts
                continue
            own = rows[bisect_left(rows, step.first) : bisect_right(rows, step.last)]
            active = dict.fromkeys(frames.by_number[numbers[start]] for start in own)
            step.open = [frame for frame in active if not self._processes.is_within_one_step(frame)]


def _mailboxes(states: Term) -> Iterator[tuple[Pid, Counter[str]]]:
    """Mailboxes of the processes that existed at the end."""
    for state in states if isinstance(states, list) else []:
        match state:
            case (Pid() as pid, [*facts]):
                pairs = (fact for fact in facts if isinstance(fact, tuple) and len(fact) == 2)
                messages: Term = next((value for name, value in pairs if name == "messages"), [])
                yield pid, Counter(map(_canonical, messages if isinstance(messages, list) else []))


def _drop_received_by_libraries(process: Process, mailbox: Counter[str]) -> None:
    """Drop messages that are not in the final mailbox, because a library received them."""
    gone = set()
    for message in reversed(process.mailbox):
        key = _canonical(message.value)
        if not mailbox[key]:
            gone.add(id(message))
        mailbox[key] -= 1
    process.mailbox = deque(message for message in process.mailbox if id(message) not in gone)
    for step in process.steps:
        step.mailbox = [message for message in step.mailbox if id(message) not in gone]


def _canonical(value: Term) -> str:
    return "".join(canonical(value))
