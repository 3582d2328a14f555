"""Reads the raw trace of the VM into columns: one row per event, with the offset of its values.

The file has the format of `dbg:trace_port(file, ...)`: records of a byte 0, a 4-byte length and an external term
(https://www.erlang.org/doc/apps/runtime_tools/dbg.html#trace_port/2, checked with OTP 25 to 29). Events of instrumented
code have a fixed layout, which is read without decoding, as is the beginning of trace messages of the VM itself: sends,
receives, spawns, exits, and calls of modules that cannot be instrumented. A truncated trace gives all records before
the cut.
"""

import struct
from array import array
from functools import cached_property

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.terms import Atom, Pid, decode_at, term_end
from adebug_lsp.model.errors import BadInputError

_RECORD = struct.Struct(">BI")
_PROCESS = struct.Struct(">III")
_TUPLE_HEADER = 2
"""Bytes before the first element of a small tuple."""
_MOST_PARAMETERS = 255


@frozen(eq=False, slots=False)
class Layout:
    """Encoding of the constant parts of a record: tag and length of atoms differ between releases.

    See https://www.erlang.org/doc/apps/erts/erl_ext_dist.html.
    """

    tag: int
    length: struct.Struct

    def atom(self, name: str) -> bytes:
        """Encode an atom."""
        return bytes([self.tag]) + self.length.pack(len(name)) + name.encode()

    @cached_property
    def atom_header_size(self) -> int:
        """Bytes before the name of an atom."""
        return 1 + self.length.size

    @cached_property
    def pid_prefix(self) -> bytes:
        """Bytes that every pid begins with, since all are of one node."""
        return b"X" + self.atom("nonode@nohost")

    @cached_property
    def pid_size(self) -> int:
        """Bytes of a pid."""
        return len(self.pid_prefix) + _PROCESS.size

    @cached_property
    def record_prefix(self) -> bytes:
        """Bytes from the start of a record to the number of its pid."""
        return b"\x83h\x04" + self.atom("trace") + self.pid_prefix

    @cached_property
    def event_prefix(self) -> bytes:
        """Bytes between the pid of an event of instrumented code and the letter of its kind."""
        function = self.atom("call") + b"h\x03" + self.atom("adebug_recorder") + self.atom("event")
        return function + b"l\x00\x00\x00\x02m\x00\x00\x00\x0d"

    @cached_property
    def event(self) -> struct.Struct:
        """An event of instrumented code, up to its values."""
        return struct.Struct(f">BI{len(self.record_prefix)}sII4x{len(self.event_prefix)}sBHIih")

    @cached_property
    def message_offset(self) -> int:
        """Bytes before the message of a send or receive record, without the name of the record."""
        return len(self.record_prefix) - 1 + _PROCESS.size + self.atom_header_size

    @cached_property
    def loading_messages(self) -> tuple[bytes, bytes]:
        """Prefixes of the messages by which a process has the code server load a module."""
        return b"h\x03" + self.atom("code_call"), b"h\x02" + self.atom("code_server")

    @cached_property
    def recorder_messages(self) -> tuple[bytes, ...]:
        """Prefixes of the recorder's own messages."""
        return tuple(b"h" + bytes([size]) + self.atom("adebug_recorder") for size in range(2, 5))

    @cached_property
    def gen_call_prefix(self) -> bytes:
        """Prefix of a request to a `gen_server`."""
        return b"h\x03" + self.atom("$gen_call")


LAYOUTS = Layout(ord("d"), struct.Struct(">H")), Layout(ord("w"), struct.Struct("B"))
"""Layout of OTP 25, and of OTP 26 and later, which encode atoms in UTF-8."""
VM_EVENTS = (
    *("send", "send_to_non_existing_process", "receive", "spawn", "spawned", "exit"),
    *("link", "unlink", "getting_linked", "getting_unlinked", "register", "unregister"),
)
"""Names of trace messages of the VM (https://www.erlang.org/doc/apps/erts/erlang.html#trace/3); the clause of such an
event is its index here.
"""
VM_EVENT = ord("x")
"""Kind of an event that the VM traced."""
CALL, RETURN, EXCEPTION = ord("b"), ord("r"), ord("e")
"""Kinds of events for calls of modules that are not instrumented, with `CALL` and `RETURN`."""
_CALL_KINDS = {"call": CALL, "return_from": RETURN, "exception_from": EXCEPTION}
_LARGE_PART = ord("l")
"""Kind of an event that holds a part of a large value."""


@define(eq=False)
class Events:
    """All events of a run, in the order in which the VM wrote them."""

    kind: "array[int]" = field(factory=lambda: array("B"))
    """Letter of the kind; see `adebug_recorder.erl`."""
    process: "array[int]" = field(factory=lambda: array("i"))
    """Index of the process."""
    frame: "array[int]" = field(factory=lambda: array("q"))
    site: "array[int]" = field(factory=lambda: array("i"))
    clause: "array[int]" = field(factory=lambda: array("h"))
    start: "array[int]" = field(factory=lambda: array("q"))
    """Offset of the values in the trace."""
    processes: list[Pid] = field(factory=list)
    large: dict[int, int] = field(factory=dict)
    """Offsets of large parts of values, by number."""
    functions: dict[tuple[str, str, int], int] = field(factory=dict)
    """Functions that are traced without instrumentation, as sites with negative numbers."""
    layout: Layout = LAYOUTS[0]
    cut: bool = False
    """Whether the trace ends in the middle of a record."""

    def __len__(self) -> int:
        return len(self.kind)


def read_trace(data: bytes) -> Events:
    """Read all complete records of a trace; raises `BadInputError` for a damaged one."""
    layout = next(
        (candidate for candidate in LAYOUTS if data.startswith(candidate.record_prefix, _RECORD.size)), LAYOUTS[0]
    )
    events = Events(layout=layout)
    known: dict[tuple[int, int], int] = {}
    offset, size = 0, len(data)
    unpack, length_of_event = layout.event.unpack_from, layout.event.size
    most, record_prefix, event_prefix = size - length_of_event, layout.record_prefix, layout.event_prefix
    shortest = len(record_prefix) + _PROCESS.size + layout.atom_header_size
    kinds, processes, frames = events.kind.append, events.process.append, events.frame.append
    sites, clauses, starts = events.site.append, events.clause.append, events.start.append
    while offset + _RECORD.size <= size:
        if offset <= most:
            op, length, before, number, serial, after, kind, high, low, site, clause = unpack(data, offset)
            if before == record_prefix and after == event_prefix and not op and offset + _RECORD.size + length <= size:
                if kind == _LARGE_PART:
                    events.large[(high << 32) + low] = offset + length_of_event
                else:
                    process = known.get((number, serial))
                    if process is None:
                        process = _process_index(events, known, Pid(number, serial))
                    kinds(kind)
                    processes(process)
                    frames((high << 32) + low)
                    sites(site)
                    clauses(clause)
                    starts(offset + length_of_event)
                offset += _RECORD.size + length
                continue
        op, length = _RECORD.unpack_from(data, offset)
        following = offset + _RECORD.size + length
        if op != 0:
            raise BadInputError(f"the trace is damaged at byte {offset}")
        if following > size:
            break
        if length < shortest:
            raise BadInputError(f"the trace is damaged at byte {offset}")
        _read_vm_event(events, known, data, offset + _RECORD.size)
        offset = following
    events.cut = offset < size
    return events


def _process_index(events: Events, known: dict[tuple[int, int], int], pid: Pid) -> int:
    index = known.get((pid.number, pid.serial))
    if index is None:
        index = known[pid.number, pid.serial] = len(events.processes)
        events.processes.append(pid)
    return index


def _read_vm_event(events: Events, known: dict[tuple[int, int], int], data: bytes, offset: int) -> None:
    """Read the process and kind of an event that the VM traced."""
    layout = events.layout
    process = offset + len(layout.record_prefix)
    if data[offset : offset + 2] != layout.record_prefix[:2] or data[offset + 3 : process] != layout.record_prefix[3:]:
        raise BadInputError(f"the trace is damaged at byte {offset}")
    number, serial, _ = _PROCESS.unpack_from(data, process)
    begin = process + _PROCESS.size + layout.atom_header_size
    (length,) = layout.length.unpack_from(data, begin - layout.length.size)
    following = begin + length
    is_atom = data[process + _PROCESS.size] == layout.tag
    named = data[begin:following].decode("latin-1") if is_atom else ""
    if named in _CALL_KINDS:
        _read_traced_call(
            events, _process_index(events, known, Pid(number, serial)), data, following, _CALL_KINDS[named]
        )
    elif named in VM_EVENTS and not data.startswith(layout.loading_messages, following):
        events.kind.append(VM_EVENT)
        events.process.append(_process_index(events, known, Pid(number, serial)))
        events.frame.append(0)
        events.site.append(0)
        events.clause.append(VM_EVENTS.index(named))
        events.start.append(offset + 1)


def _read_traced_call(events: Events, process: int, data: bytes, offset: int, kind: int) -> None:
    """A call of a function that is not rewritten, or the end of one: where its arguments or its result begin."""
    function, end = decode_at(data, offset), term_end(data, offset)
    match function:
        case (Atom() as module, Atom() as name, list() as arguments) if kind == CALL:
            arity = len(arguments)
            start = term_end(data, term_end(data, offset + _TUPLE_HEADER))
        case (Atom() as module, Atom() as name, int(arity)) if kind != CALL and 0 <= arity <= _MOST_PARAMETERS:
            start = end
        case _:
            raise BadInputError(f"the trace is damaged at byte {offset}")
    site = events.functions.setdefault((module, name, arity), -1 - len(events.functions))
    events.kind.append(kind)
    events.process.append(process)
    events.frame.append(-1 - len(events.kind) if kind == CALL else 0)
    events.site.append(site)
    events.clause.append(0)
    events.start.append(start)
