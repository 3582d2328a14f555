"""Reconstructs the activations of functions and funs from the events.

An exception that passes through leaves no event: the next event of a frame shows that all frames above it have ended. A
frame that made a tail call ends with the result of the called frame. A frame that begins without a pending call was
called by code that is not recorded, after an exception ended the frames above. A function that is not instrumented may
call anything until the VM traces its return.
"""

from array import array

from attrs import define, field

from adebug_lsp.languages.erlang.reading.recording_file import ErlangRecording
from adebug_lsp.languages.erlang.reading.terms import Atom
from adebug_lsp.languages.erlang.reading.trace import CALL, EXCEPTION, VM_EVENT, VM_EVENTS

RETURNED, RAISED, OPEN, LOST = range(4)
"""How a frame ended: with a result, with an exception, not at all, or unknown."""
_ENTER, _ENTER_FUN, _NONE = ord("c"), ord("f"), ord("n")
_SPAWN, _EXIT = VM_EVENTS.index("spawn"), VM_EVENTS.index("exit")
_CALLS, _TAIL, _RETURNS, _VALUE, _CHOSE = ord("s"), ord("t"), ord("r"), ord("v"), ord("k")


def _numbers(kind: str) -> "array[int]":
    column: array[int] = field(factory=lambda: array(kind))
    return column


@define(eq=False)
class Frames:
    """All activations, in the order in which they began."""

    first: "array[int]" = _numbers("q")
    """Event at which each began."""
    last: "array[int]" = _numbers("q")
    parent: "array[int]" = _numbers("q")
    """Caller, or the activation that started its process; -1 if not recorded."""
    process: "array[int]" = _numbers("i")
    status: "array[int]" = _numbers("b")
    ending: "array[int]" = _numbers("q")
    """Event with its result or exception; -1 if only the end of the run shows it, or nothing does."""
    call: "array[int]" = _numbers("i")
    """Site of the call; 0 if not recorded."""
    tail: "array[int]" = _numbers("b")
    """Whether it was called in tail position."""
    started: dict[int, int] = field(factory=dict)
    """Activation that started each process."""
    by_number: dict[int, int] = field(factory=dict)
    """Index by the frame number in events."""

    def __len__(self) -> int:
        return len(self.first)

    def add(self, event: int, parent: int, process: int, call: int, tail: bool) -> int:
        """Adds an activation."""
        self.first.append(event)
        self.last.append(event)
        self.parent.append(parent)
        self.process.append(process)
        self.status.append(OPEN)
        self.ending.append(-1)
        self.call.append(call)
        self.tail.append(tail)
        return len(self.first) - 1

    def end(self, frame: int, status: int, ending: int, last: int) -> None:
        """Ends an activation."""
        self.status[frame], self.ending[frame], self.last[frame] = status, ending, last


@define(eq=False)
class _Stack:
    """Call stack of one process."""

    frames: list[int] = field(factory=list)
    pending: list[int] = field(factory=list)
    """Site of the pending call of each frame; 0 if none."""
    tailed: list[bool] = field(factory=list)


def build_frames(recording: ErlangRecording) -> Frames:
    """Reconstructs all activations of a run."""
    return _FrameBuilder(recording).build()


class _FrameBuilder:
    """Reconstructs the activations of one recording."""

    def __init__(self, recording: ErlangRecording) -> None:
        self._recording = recording
        self._frames = Frames()
        self._stacks: dict[int, _Stack] = {}
        self._own = {site.number for site in recording.sites.facts.values() if site.target == "own"}
        self._last: dict[int, int] = {}
        """For each process its last event in recorded code."""
        self._process = {pid: index for index, pid in enumerate(recording.events.processes)}

    def build(self) -> Frames:
        """Process all events."""
        events = self._recording.events
        rows = zip(events.kind, events.process, events.frame, events.site, events.clause, strict=True)
        for event, (kind, process, number, site, clause) in enumerate(rows):
            stack = self._stacks.get(process)
            if stack is None:
                stack = self._stacks[process] = _Stack()
            if kind == VM_EVENT:
                self._vm_event(event, clause, stack)
                continue
            self._last[process] = event
            if site < 0:
                self._traced_call(event, kind, (number, site), process, stack)
            elif kind in (_ENTER, _ENTER_FUN, _NONE):
                self._enter(event, number, process, stack)
            else:
                self._inside(event, number, stack, (kind, site, clause))
        self._finish()
        return self._frames

    def _enter(self, event: int, number: int, process: int, stack: _Stack) -> None:
        """Begin an activation; frames without a pending call have ended unnoticed."""
        while stack.frames and not stack.pending[-1]:
            self._pop(stack, LOST, -1, event)
        parent = stack.frames[-1] if stack.frames else -1
        call = stack.pending[-1] if stack.frames else 0
        frame = self._frames.add(event, parent, process, call, bool(stack.frames) and stack.tailed[-1])
        self._frames.by_number[number] = frame
        stack.frames.append(frame)
        stack.pending.append(0)
        stack.tailed.append(False)

    def _traced_call(self, event: int, kind: int, call: tuple[int, int], process: int, stack: _Stack) -> None:
        """Begins or ends a call of a function that is not instrumented."""
        number, site = call
        if kind == CALL:
            self._enter(event, number, process, stack)
            stack.pending[-1] = site
            return
        called = next(
            (
                frame
                for frame in reversed(stack.frames)
                if self._recording.events.site[self._frames.first[frame]] == site
            ),
            -1,
        )
        if called < 0:
            return
        raised = kind == EXCEPTION
        while stack.frames[-1] != called:
            self._pop(stack, RAISED if raised else LOST, event if raised else -1, event)
        if raised:
            self._pop(stack, RAISED, event, event)
        else:
            self._returned(stack, event)

    def _inside(self, event: int, number: int, stack: _Stack, record: tuple[int, int, int]) -> None:
        """Process an event of an activation; the frames above it have ended."""
        kind, site, clause = record
        frame = self._frames.by_number.get(number)
        if frame is None or not stack.frames or stack.frames[-1] != frame:
            if frame is None or frame not in stack.frames:
                return
            caught = kind == _CHOSE and clause < 0
            caught = caught or (kind == _VALUE and self._recording.sites[site].kind == "catch")
            while stack.frames[-1] != frame:
                self._pop(stack, RAISED if caught else LOST, event if caught else -1, event)
        if kind == _RETURNS:
            self._returned(stack, event)
        else:
            stack.pending[-1] = site if kind in (_CALLS, _TAIL) else 0
            stack.tailed[-1] = kind == _TAIL

    def _returned(self, stack: _Stack, event: int) -> None:
        self._pop(stack, RETURNED, event, event)
        while stack.frames and stack.tailed[-1]:
            self._pop(stack, RETURNED, event, event)
        if stack.frames and stack.pending[-1] in self._own:
            stack.pending[-1] = 0

    def _pop(self, stack: _Stack, status: int, ending: int, last: int) -> None:
        self._frames.end(stack.frames.pop(), status, ending, last)
        stack.pending.pop()
        stack.tailed.pop()

    def _vm_event(self, event: int, kind: int, stack: _Stack) -> None:
        """Process an event of the VM: a started process, an exit."""
        if kind == _SPAWN and stack.frames:
            child = self._process.get(self._recording.values(event)[3])
            if child is not None:
                self._frames.started[child] = stack.frames[-1]
        elif kind == _EXIT:
            status = LOST if self._recording.values(event)[3] == Atom("normal") else RAISED
            while stack.frames:
                self._pop(stack, status, event, event)

    def _finish(self) -> None:
        """Ends the frames that were active when the run ended, and finds the parents of processes."""
        ended = self._recording.ended
        entry = self._process.get(ended.get("entry"))  # type: ignore[arg-type]
        for process, stack in self._stacks.items():
            over = process == entry and ended.get("how") in ("finished", "raised")
            while stack.frames:
                status = OPEN if not over else RAISED if ended["how"] == "raised" else LOST
                self._pop(stack, status, -1, self._last[process])
        frames = self._frames
        for frame in range(len(frames)):
            if frames.parent[frame] < 0:
                frames.parent[frame] = frames.started.get(frames.process[frame], -1)
