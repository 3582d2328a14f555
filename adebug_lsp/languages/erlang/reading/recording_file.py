"""The recording of an Erlang run: one file with the trace, the sites, the sources and how the run ended."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import define

from adebug_lsp.languages.erlang.reading.sites import SiteFacts, Sites, read_sites, traced
from adebug_lsp.languages.erlang.reading.sources import funs_in
from adebug_lsp.languages.erlang.reading.terms import MapTerm, decode, decode_at, end_of
from adebug_lsp.languages.erlang.reading.trace import CALLED, VM, Events, read_trace
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.recording.segments import MOST_RAW, Cut, Frame, read_segments, write_segments

META, SITES, ENDED, TRACE = b"META", b"SITE", b"ENDD", b"TRCE"
FRAME = Frame(b"ADEBUGER", 2, frozenset((META, SITES, ENDED, TRACE)))
_TO_ANOTHER = ("send", "send_to_non_existing_process", "spawn")
_PIECE = 1 << 18
"""Bytes of the trace in one segment: of a file that was cut short, the last segment is lost."""
_KINDS = "cfnstvmkgwbe"
"""The kinds of events that rewritten code tells, but for `r`, which names no site."""


@define(eq=False)
class ErlangRecording:
    """All that a file holds."""

    meta: dict[str, Any]
    sites: Sites
    ended: dict[str, Any]
    """What the runner wrote at the end; empty where it came to none."""
    trace: bytes
    events: Events
    problem: str

    def values(self, event: int) -> Any:
        """The values of an event, in the shape that its kind has."""
        told = self.events.site[event] < 0  # by the VM, which leaves values as they are
        found = decode_at(self.trace, self.events.start[event], None if told else self.events.large, self.sites.funs)
        if self.events.kind[event] == CALLED:
            found = found, []
        if not _has_shape(found, chr(self.events.kind[event])):
            raise BadInputError(f"the recording is damaged: event {event} has other values than its kind")
        return found

    def term(self, at: int) -> Any:
        """The term that the VM told of, and that begins at a byte."""
        return decode_at(self.trace, at, names=self.sites.funs)

    def message(self, event: int) -> tuple[int, int]:
        """Where the message lies in the trace that the VM told of: from one byte to another."""
        told, layout = self.events.start[event], self.events.layout
        end = told - 1 + int.from_bytes(self.trace[told - 5 : told - 1], "big")
        begin = told + layout.before_message + len(VM[self.events.clause[event]])
        if VM[self.events.clause[event]] == "receive":
            return begin, end
        if self.trace[end - layout.pid : end].startswith(layout.pid_begins):
            return begin, end - layout.pid
        return begin, end_of(self.trace, begin)


def write_recording(path: Path, folder: Path, meta: dict[str, Any]) -> None:
    """Put together what a run left in a folder."""

    def segments() -> Iterator[tuple[bytes, bytes]]:
        yield META, json.dumps(meta).encode()
        for tag, name in ((SITES, "sites"), (ENDED, "ended")):
            if (folder / name).is_file():
                yield tag, (folder / name).read_bytes()
        if (folder / "trace").is_file():
            with (folder / "trace").open("rb") as file:
                while piece := file.read(_PIECE):
                    yield TRACE, piece

    write_segments(path, FRAME, segments())


def open_erlang(path: Path) -> ErlangRecording:
    """Open a recording; raises `BadInputError` for a file that is none or that holds nothing."""
    parts: dict[bytes, list[bytes]] = {}
    problem, size = "", 0
    for segment in read_segments(path, FRAME):
        if isinstance(segment, Cut):
            problem = segment.reason
            break
        size += segment.raw_length
        if size > 2 * MOST_RAW:
            problem = "it is too large"
            break
        parts.setdefault(segment.tag, []).append(segment.raw())
    if META not in parts or SITES not in parts:
        raise BadInputError(f"{path}: the recording holds nothing to ask about")
    trace = b"".join(parts.get(TRACE, []))
    events = read_trace(trace)
    if events.cut and not problem:
        problem = "the trace is cut short"
    sites = read_sites(decode(parts[SITES][0]))
    sites.facts |= {number: traced(*function, number) for function, number in events.functions.items()}
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


def _has_shape(found: Any, kind: str) -> bool:
    if kind in "cnb":
        return _is_tuple(found, 2) and all(isinstance(one, list) for one in found)
    if kind == "f":
        return _is_tuple(found, 3) and isinstance(found[0], list) and isinstance(found[1], list)
    if kind in "mk":
        return _is_tuple(found, 2) and isinstance(found[1], list)
    if kind == "e":
        return _is_tuple(found, 2)
    if kind == "x":
        return isinstance(found, tuple) and len(found) >= 4 and (found[2] not in _TO_ANOTHER or len(found) == 5)
    return kind != "g" or isinstance(found, list)


def _is_tuple(found: Any, length: int) -> bool:
    return isinstance(found, tuple) and len(found) == length


def _check(events: Events, sites: Sites) -> None:
    """Every event is of code that is there, and of a clause that it has."""
    for kind, site, clause in set(zip(events.kind, events.site, events.clause, strict=True)):
        if chr(kind) in "xr":
            continue
        facts = sites.facts.get(site)
        if facts is None or chr(kind) not in _KINDS or not _has_clause(chr(kind), facts, clause):
            raise BadInputError("the recording is damaged: the trace tells of code that is not there")


def _has_clause(kind: str, facts: SiteFacts, clause: int) -> bool:
    if kind in "cfn":
        first = 0 if kind == "n" else 1
        return facts.kind in ("function", "fun") and first <= clause <= len(facts.clauses)
    return kind != "k" or -len(facts.handlers) <= clause <= len(facts.clauses)


def _meta(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"the recording is damaged: {error}") from None
    if not isinstance(found, dict):
        raise BadInputError("the recording is damaged: it says nothing about itself")
    return found


def _ended(data: bytes) -> dict[str, Any]:
    found = decode(data) if data else None
    return {str(key): value for key, value in found.pairs} if isinstance(found, MapTerm) else {}
