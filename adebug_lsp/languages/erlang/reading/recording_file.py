"""Erlang's recording file: the trace, the sites, the sources, and how the run ended."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

from attrs import define

from adebug_lsp.languages.erlang.reading.sites import SiteFacts, Sites, read_sites, traced_function
from adebug_lsp.languages.erlang.reading.sources import funs_in
from adebug_lsp.languages.erlang.reading.terms import MapTerm, Term, decode, decode_at, term_end
from adebug_lsp.languages.erlang.reading.trace import CALL, VM_EVENTS, Events, read_trace
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.recording import segments
from adebug_lsp.recording.segments import MOST_RAW, Frame, read_segments, write_segments

META, SITES, ENDED, TRACE = b"META", b"SITE", b"ENDD", b"TRCE"
FRAME = Frame(b"ADEBUGER", 2, frozenset((META, SITES, ENDED, TRACE)))
_TO_ANOTHER = ("send", "send_to_non_existing_process", "spawn")
_PIECE = 1 << 18
"""Bytes of the trace in one segment; a truncated file loses its last segment."""
_KINDS = "cfnstvmkgwbe"
"""Kinds of events of instrumented code, except `r`, which has no site."""


@define(eq=False)
class ErlangRecording:
    """Contents of a recording."""

    meta: dict[str, Term]
    sites: Sites
    ended: dict[str, Any]
    """How the run ended, as `adebug_recorder` wrote it; empty if it was killed."""
    trace: bytes
    events: Events
    problem: str

    def values(self, event: int) -> Any:
        """Values of an event; raises `BadInputError` if they do not fit its kind."""
        is_traced = self.events.site[event] < 0  # the VM's own records hold plain values
        values = decode_at(
            self.trace, self.events.start[event], None if is_traced else self.events.large, self.sites.funs
        )
        if self.events.kind[event] == CALL:
            values = values, []
        if not _has_shape(values, chr(self.events.kind[event])):
            raise BadInputError(f"the recording is damaged: event {event} has other values than its kind")
        return values

    def term(self, start: int) -> Any:
        """The traced term at an offset."""
        return decode_at(self.trace, start, names=self.sites.funs)

    def message(self, event: int) -> tuple[int, int]:
        """Start and end offset of a traced message."""
        record, layout = self.events.start[event], self.events.layout
        end = record - 1 + int.from_bytes(self.trace[record - 5 : record - 1], "big")
        begin = record + layout.message_offset + len(VM_EVENTS[self.events.clause[event]])
        if VM_EVENTS[self.events.clause[event]] == "receive":
            return begin, end
        if self.trace[end - layout.pid_size : end].startswith(layout.pid_prefix):
            return begin, end - layout.pid_size
        return begin, term_end(self.trace, begin)


def write_recording(path: Path, folder: Path, meta: dict[str, Term]) -> None:
    """Write the parts that a run left in a folder to one file."""

    def parts() -> Iterator[tuple[bytes, bytes]]:
        yield META, json.dumps(meta).encode()
        for tag, name in ((SITES, "sites"), (ENDED, "ended")):
            if (folder / name).is_file():
                yield tag, (folder / name).read_bytes()
        if (folder / "trace").is_file():
            with (folder / "trace").open("rb") as file:
                while piece := file.read(_PIECE):
                    yield TRACE, piece

    write_segments(path, FRAME, parts())


def open_erlang(path: Path) -> ErlangRecording:
    """Open a recording; raises `BadInputError` if it is damaged or empty."""
    parts: dict[bytes, list[bytes]] = {}
    problem, size = "", 0
    for segment in read_segments(path, FRAME):
        if isinstance(segment, segments.Cut):
            problem = segment.reason
            break
        size += segment.raw_length
        if size > 2 * MOST_RAW:
            problem = "it is too large"
            break
        parts.setdefault(segment.tag, []).append(segment.raw())
    if META not in parts or SITES not in parts:
        raise BadInputError(f"{path}: the recording is empty")
    trace = b"".join(parts.get(TRACE, []))
    events = read_trace(trace)
    if events.cut and not problem:
        problem = "the trace is cut short"
    sites = read_sites(decode(parts[SITES][0]))
    sites.facts |= {number: traced_function(*function, number) for function, number in events.functions.items()}
    _check(events, sites)
    meta = _meta(parts[META][0])
    sites.funs |= funs_in(str(meta.get("call", "")))
    return ErlangRecording(
        meta=meta,
        sites=sites,
        ended=_ended(parts.get(ENDED, [b""])[0]),
        trace=trace,
        events=events,
        problem=problem,
    )


def _has_shape(values: Term, kind: str) -> bool:
    """Whether the values of an event have the shape that its kind requires."""
    if kind in "cnb":
        return _is_tuple(values, 2) and all(isinstance(value, list) for value in values)
    if kind == "f":
        return _is_tuple(values, 3) and isinstance(values[0], list) and isinstance(values[1], list)
    if kind in "mk":
        return _is_tuple(values, 2) and isinstance(values[1], list)
    if kind == "e":
        return _is_tuple(values, 2)
    if kind == "x":
        return isinstance(values, tuple) and len(values) >= 4 and (values[2] not in _TO_ANOTHER or len(values) == 5)
    return kind != "g" or isinstance(values, list)


def _is_tuple(values: Term, length: int) -> TypeGuard[tuple[Term, ...]]:
    return isinstance(values, tuple) and len(values) == length


def _check(events: Events, sites: Sites) -> None:
    """Check that every event refers to an existing site and clause."""
    for kind, site, clause in set(zip(events.kind, events.site, events.clause, strict=True)):
        if chr(kind) in "xr":
            continue
        facts = sites.facts.get(site)
        if facts is None or chr(kind) not in _KINDS or not _has_clause(chr(kind), facts, clause):
            raise BadInputError("the recording is damaged: an event refers to a site that does not exist")


def _has_clause(kind: str, facts: SiteFacts, clause: int) -> bool:
    if kind in "cfn":
        first = 0 if kind == "n" else 1
        return facts.kind in ("function", "fun") and first <= clause <= len(facts.clauses)
    return kind != "k" or -len(facts.handlers) <= clause <= len(facts.clauses)


def _meta(data: bytes) -> dict[str, Term]:
    try:
        meta = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"the recording is damaged: {error}") from None
    if not isinstance(meta, dict):
        raise BadInputError("the recording is damaged: its metadata is not an object")
    return meta


def _ended(data: bytes) -> dict[str, Any]:
    ended = decode(data) if data else None
    return {str(key): value for key, value in ended.pairs} if isinstance(ended, MapTerm) else {}
