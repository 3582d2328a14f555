"""The raw trace that the VM wrote, as columns: one row an event, with the place of its values in the bytes.

The VM writes every record as a byte, a length and a term. Events of rewritten code have the same layout each, so that
they are read without decoding, and so is the beginning of what the VM itself tells: messages, spawns, exits, and the
calls of modules that cannot be rewritten. A trace that was cut in the middle of a record gives all before it.
"""

import struct
from array import array

from attrs import define, field

from adebug_lsp.languages.erlang.terms import Atom, Pid, decode_at, end_of
from adebug_lsp.model.errors import BadInputError

_NODE = b"d\x00\x0dnonode@nohost"
_BEFORE_PID = b"\x83h\x04d\x00\x05traceX" + _NODE
_AFTER_PID = b"d\x00\x04callh\x03d\x00\x0fadebug_recorderd\x00\x05eventl\x00\x00\x00\x02m\x00\x00\x00\x0d"
_EVENT = struct.Struct(f">BI{len(_BEFORE_PID)}sII4x{len(_AFTER_PID)}sBHIih")
_RECORD = struct.Struct(">BI")
_TOLD = struct.Struct(">IIIBH")
_ATOM = ord("d")
_TUPLE = 2
"""The bytes before the first element of a small tuple."""
_MOST_PARAMETERS = 255
_SHORTEST = len(_BEFORE_PID) + _TOLD.size
PID_BEGINS = b"X" + _NODE
PID = len(PID_BEGINS) + 12
"""The bytes of a process in the trace."""
BEFORE_MESSAGE = len(_BEFORE_PID) - 1 + 12 + 3
"""The bytes before a message that the VM tells of, without the name of what happened to it."""
VM = (
    *("send", "send_to_non_existing_process", "receive", "spawn", "spawned", "exit"),
    *("link", "unlink", "getting_linked", "getting_unlinked", "register", "unregister"),
)
"""What the VM tells; the clause of such an event is its place here."""
TOLD = ord("x")
"""The kind of an event that the VM told."""
CALLED, ENDED, RAISED = ord("b"), ord("r"), ord("e")
"""The kinds of events that tell of calls of a module that is not rewritten; that one ended is told as everywhere."""
_OF_CALLS = {"call": CALLED, "return_from": ENDED, "exception_from": RAISED}
_LOADING = (b"h\x03d\x00\x09code_call", b"h\x02d\x00\x0bcode_server")
"""How messages begin by which a process has a module loaded that it calls first, and what it is told."""
_LARGE = ord("l")
"""The kind of an event that is a part of a value."""


@define(eq=False)
class Events:
    """All events of a run, in the order in which the VM wrote them."""

    kind: "array[int]" = field(factory=lambda: array("B"))
    """The letter of what happened; see the recorder."""
    process: "array[int]" = field(factory=lambda: array("i"))
    """The index of the process that it happened in."""
    frame: "array[int]" = field(factory=lambda: array("q"))
    site: "array[int]" = field(factory=lambda: array("i"))
    clause: "array[int]" = field(factory=lambda: array("h"))
    start: "array[int]" = field(factory=lambda: array("q"))
    """Where its values begin in the trace."""
    processes: list[Pid] = field(factory=list)
    large: dict[int, int] = field(factory=dict)
    """Where the large parts of values begin in the trace, by their numbers."""
    functions: dict[tuple[str, str, int], int] = field(factory=dict)
    """The functions that are not rewritten and were called, as sites: their numbers are below 0."""
    cut: bool = False
    """Whether the trace ends in the middle of a record."""

    def __len__(self) -> int:
        return len(self.kind)


def read_trace(data: bytes) -> Events:
    """All whole records of a trace."""
    events = Events()
    known: dict[tuple[int, int], int] = {}
    at, size = 0, len(data)
    unpack, most = _EVENT.unpack_from, size - _EVENT.size
    kinds, processes, frames = events.kind.append, events.process.append, events.frame.append
    sites, clauses, starts = events.site.append, events.clause.append, events.start.append
    while at + _RECORD.size <= size:
        op, length = _RECORD.unpack_from(data, at)
        following = at + _RECORD.size + length
        if op != 0:
            raise BadInputError(f"the trace is damaged at byte {at}")
        if following > size:
            break
        if at <= most:
            _, _, before, number, serial, after, kind, high, low, site, clause = unpack(data, at)
            if before == _BEFORE_PID and after == _AFTER_PID:
                if kind == _LARGE:
                    events.large[(high << 32) + low] = at + _EVENT.size
                    at = following
                    continue
                process = known.get((number, serial))
                if process is None:
                    process = _met(events, known, Pid(number, serial))
                kinds(kind)
                processes(process)
                frames((high << 32) + low)
                sites(site)
                clauses(clause)
                starts(at + _EVENT.size)
                at = following
                continue
        if length < _SHORTEST:
            raise BadInputError(f"the trace is damaged at byte {at}")
        _told(events, known, data, at + _RECORD.size)
        at = following
    events.cut = at < size
    return events


def _met(events: Events, known: dict[tuple[int, int], int], pid: Pid) -> int:
    found = known.get((pid.number, pid.serial))
    if found is None:
        found = known[pid.number, pid.serial] = len(events.processes)
        events.processes.append(pid)
    return found


def _told(events: Events, known: dict[tuple[int, int], int], data: bytes, at: int) -> None:
    """An event that the VM told: only of which process and of what kind it is."""
    process = at + len(_BEFORE_PID)
    if data[at : at + 2] != _BEFORE_PID[:2] or data[at + 3 : process] != _BEFORE_PID[3:]:
        raise BadInputError(f"the trace is damaged at byte {at}")
    number, serial, _, tag, length = _TOLD.unpack_from(data, process)
    named = data[process + _TOLD.size : process + _TOLD.size + length].decode("latin-1")
    if tag == _ATOM and named in _OF_CALLS:
        _called(events, _met(events, known, Pid(number, serial)), data, process + _TOLD.size + length, _OF_CALLS[named])
    elif tag == _ATOM and named in VM and not data.startswith(_LOADING, process + _TOLD.size + length):
        events.kind.append(TOLD)
        events.process.append(_met(events, known, Pid(number, serial)))
        events.frame.append(0)
        events.site.append(0)
        events.clause.append(VM.index(named))
        events.start.append(at + 1)


def _called(events: Events, process: int, data: bytes, at: int, kind: int) -> None:
    """A call of a function that is not rewritten, or the end of one: where its arguments or its result begin."""
    function, end = decode_at(data, at), end_of(data, at)
    match function:
        case (Atom() as module, Atom() as name, list() as given) if kind == CALLED:
            arity = len(given)
            start = end_of(data, end_of(data, at + _TUPLE))
        case (Atom() as module, Atom() as name, int(arity)) if kind != CALLED and 0 <= arity <= _MOST_PARAMETERS:
            start = end
        case _:
            raise BadInputError(f"the trace is damaged at byte {at}")
    site = events.functions.setdefault((module, name, arity), -1 - len(events.functions))
    events.kind.append(kind)
    events.process.append(process)
    events.frame.append(-1 - len(events.kind) if kind == CALLED else 0)
    events.site.append(site)
    events.clause.append(0)
    events.start.append(start)
