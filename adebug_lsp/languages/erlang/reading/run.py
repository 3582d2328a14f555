"""A recorded Erlang run: events, activations, variables, and sources with the ranges of their code."""

import hashlib
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.frames import OPEN, RAISED, RETURNED, Frames, build_frames
from adebug_lsp.languages.erlang.reading.processes import Processes, build_processes
from adebug_lsp.languages.erlang.reading.recording_file import ErlangRecording
from adebug_lsp.languages.erlang.reading.sites import Clause, SiteFacts
from adebug_lsp.languages.erlang.reading.sources import Source
from adebug_lsp.languages.erlang.reading.terms import Atom, Term, canonical
from adebug_lsp.languages.erlang.reading.trace import EXCEPTION, VM_EVENT
from adebug_lsp.model.source import Location
from adebug_lsp.tree.columns import Ints

_VARIABLE = re.compile(r"\b[A-Z_][A-Za-z0-9_@]*")
_CALLBACKS = (3, 4)
"""Arities of the callbacks that handle requests."""
_WAIT_KINDS, _CALL_KINDS = frozenset((VM_EVENT, ord("w"))), frozenset(map(ord, "st"))
_BINDING, _ITERATION = frozenset(map(ord, "cfmkg")), ord("g")
_RECORDER = Atom("adebug_recorder")


@frozen
class Raised:
    """An exception: its class and reason."""

    kind: str
    reason: Term

    @property
    def term(self) -> tuple[Atom, Term]:
        """Class and reason as one term."""
        return Atom(self.kind), self.reason

    @property
    def without_stack(self) -> "Raised":
        """The exception without the stack trace that the exit reason of a crashed process includes."""
        match self:
            case Raised("exit", (("nocatch", reason), [(_, _, _, _), *_])):
                return Raised("throw", reason)
            case Raised("exit", (reason, [(_, _, _, _), *_])):
                return Raised("error", reason)
        return self


def is_recorder_message(message: Term) -> bool:
    """Whether a message is one of the recorder's own."""
    return isinstance(message, tuple) and message[:1] == (_RECORDER,)


@define(eq=False)
class ErlangRun:
    """An opened run."""

    recording: ErlangRecording
    frames: Frames = field(init=False)
    known_raised: dict[int, Raised] = field(factory=dict)
    """Exceptions that left recorded code and are known from the result of the run only."""

    def __attrs_post_init__(self) -> None:
        self.frames = build_frames(self.recording)

    @cached_property
    def _columns(self) -> tuple[Ints, Ints]:
        """Frame and process of every event."""
        events = self.recording.events
        return np.frombuffer(events.frame, np.int64), np.frombuffer(events.process, np.int32).astype(np.int64)

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Source of each module."""
        texts = self.recording.meta.get("sources")
        by_module = texts if isinstance(texts, dict) else {}
        return {
            module: Source(str(path), str(text))
            for module, (path, text) in ((m, v) for m, v in by_module.items() if isinstance(v, list) and len(v) == 2)
        }

    @cached_property
    def processes(self) -> Processes:
        """Processes with their steps and messages."""
        return build_processes(self.recording, self.frames)

    @cached_property
    def waiting_lines(self) -> list[tuple[str, int]]:
        """Line at which each process waits, if every live process waits for a message; else empty."""
        if not self.has_messages or self._is_busy:
            return []
        alive = [process for process in self.processes.all if process.steps and process.exited < 0]
        sites, events = self.recording.sites, self.recording.events
        waits = [None if process.blocked < 0 else sites[events.site[process.blocked]] for process in alive]
        if any(site is None or site.timed for site in waits):
            return []
        return [
            (process.pid.text, site.place[0]) for process, site in zip(alive, waits, strict=True) if site is not None
        ]

    @property
    def _is_busy(self) -> bool:
        """Whether a process was running when the run was stopped."""
        states = self.recording.ended.get("processes")
        facts = (
            [state[1] for state in states if isinstance(state, tuple) and len(state) == 2]
            if isinstance(states, list)
            else []
        )
        return any(
            fact[:1] == (Atom("status"),) and fact[1:] != (Atom("waiting"),)
            for info in facts
            if isinstance(info, list)
            for fact in info
            if isinstance(fact, tuple)
        )

    @cached_property
    def busy_processes(self) -> list[tuple[str, str]]:
        """Processes that neither exited nor waited forever when the run was stopped, with their current function."""
        routines: dict[int, str] = {}
        for frame in reversed(range(len(self.frames))):
            if self.frames.status[frame] == OPEN and self.frames.process[frame] not in routines:
                routines[self.frames.process[frame]] = self.site(frame).routine
        blocked = {
            blocked_process.index
            for blocked_process in self.processes.all
            if blocked_process.blocked >= 0 and not self._is_timed(blocked_process.blocked)
        }
        pids = self.recording.events.processes
        alive = {process: (pids[process].text, routines[process]) for process in sorted(routines)}
        busy_processes = [place for process, place in alive.items() if process not in blocked]
        return busy_processes or (list(alive.values()) if self._is_busy else [])  # a message was in flight

    def _is_timed(self, event: int) -> bool:
        """Whether a waiting process has a timeout."""
        return self.recording.sites[self.recording.events.site[event]].timed

    @cached_property
    def has_messages(self) -> bool:
        """Whether recorded code waits for messages."""
        return ord("w") in self.recording.events.kind

    @cached_property
    def has_several_modules(self) -> bool:
        """Whether names need their module."""
        return len(self.recording.sites.files) > 1

    # Activations

    def site(self, frame: int) -> SiteFacts:
        """Function or fun of an activation."""
        return self.recording.sites[self.recording.events.site[self.frames.first[frame]]]

    def clause(self, frame: int) -> Clause | None:
        """The entered clause; None if none matched."""
        clause_number = self.recording.events.clause[self.frames.first[frame]]
        clauses = self.site(frame).clauses
        return clauses[clause_number - 1] if 0 < clause_number <= len(clauses) else None

    def clause_number(self, frame: int) -> int:
        """Number of the entered clause, from 1; 0 if none matched."""
        return self.recording.events.clause[self.frames.first[frame]]

    def request_event(self, frame: int) -> int:
        """Event of the `gen_server` or `gen_statem` request that a callback handles; -1 if none."""
        facts = self.site(frame)
        if facts.kind != "function" or facts.arity not in _CALLBACKS:
            return -1
        if (facts.function, facts.arity) == ("handle_call", 3):
            caller = self.arguments(frame)[1:2]
        elif self._is_top(frame):
            caller = [event[1] for event in self.arguments(frame)[:1] if _is_statem_call(event)]
        else:
            return -1
        return self.processes.requests.get("".join(canonical(caller[0])), -1) if caller else -1

    @cached_property
    def _answered_requests(self) -> dict[int, list[tuple[int, int]]]:
        """For each process its requests, as events, with the activations that handled them."""
        requests = defaultdict[int, list[tuple[int, int]]](list)
        for frame in range(len(self.frames)) if self.has_requests and self.processes.requests else ():
            if (event := self.request_event(frame)) >= 0:
                requests[self.recording.events.process[event]].append((event, frame))
        return {process: sorted(pairs) for process, pairs in requests.items()}

    @cached_property
    def has_requests(self) -> bool:
        """Whether there may be `gen_server` requests; if not, processes need not be reconstructed."""
        return self.recording.events.layout.gen_call_prefix in self.recording.trace

    def server_states_after(self, frame: int) -> dict[str, Term]:
        """States of the servers that an activation called, by pid."""
        first, last, process = self.frames.first[frame], self.frames.last[frame], self.frames.process[frame]
        answered = self._answered_requests.get(process, [])
        states: dict[str, Term] = {}
        for _, server in answered[bisect_left(answered, (first, -1)) : bisect_left(answered, (last + 1, -1))]:
            kept = _server_state(self.outcome(server))
            if kept is not None:
                states[self.recording.events.processes[self.frames.process[server]].text] = kept[0]
        return states

    def _is_top(self, frame: int) -> bool:
        """Whether no recorded code of its process called an activation."""
        parent = self.frames.parent[frame]
        return parent < 0 or self.frames.process[parent] != self.frames.process[frame]

    @cached_property
    def top_frames(self) -> dict[int, list[int]]:
        """For each process the activations that no recorded code of it called, in order."""
        frames = defaultdict[int, list[int]](list)
        for frame, process in enumerate(self.frames.process):
            if self._is_top(frame):
                frames[process].append(frame)
        return frames

    def called_frames(self, frame: int) -> list[int]:
        """Activations that one called, and the first ones of processes that it started, in order."""
        ordered, parents = self._by_parent
        begin, end = np.searchsorted(parents, (frame, frame + 1))
        return ordered[begin:end].tolist() if frame >= 0 else []

    @cached_property
    def _by_parent(self) -> tuple[Ints, Ints]:
        """All activations sorted by parent, and their parents."""
        parents = np.frombuffer(self.frames.parent, np.int64)
        ordered = np.argsort(parents, kind="stable")
        return ordered, parents[ordered]

    def arguments(self, frame: int) -> list[Term]:
        """Arguments of an activation."""
        arguments = self.recording.values(self.frames.first[frame])[0]
        return arguments if isinstance(arguments, list) else []

    def parameters(self, frame: int) -> list[tuple[str, Term]]:
        """Arguments by name, or by number if a parameter is a pattern."""
        clause = self.clause(frame)
        names = clause.names if clause is not None else ()
        return [
            (names[index] or f"argument {index + 1}" if index < len(names) else f"argument {index + 1}", value)
            for index, value in enumerate(self.arguments(frame))
        ]

    def outcome(self, frame: int) -> tuple[bool, Any]:
        """Whether there is a result, and the result or exception; None if neither is known."""
        if frame in self.known_raised:
            return False, self.known_raised[frame]
        status, ending = self.frames.status[frame], self.frames.ending[frame]
        if status == RETURNED:
            return True, self.recording.values(ending)
        return False, self._raised(ending) if status == RAISED else None

    def is_endless(self, frame: int) -> bool:
        """Whether an activation had not ended at the timeout."""
        return self.frames.status[frame] == OPEN and self.recording.ended.get("how") == Atom("timeout")

    def is_ended_by_another(self, frame: int) -> bool:
        """Whether only an exit signal is known of the end, which another process may have sent."""
        ending, outcome = self.frames.ending[frame], self.outcome(frame)[1]
        is_signal = ending >= 0 and self.recording.events.kind[ending] == VM_EVENT
        return is_signal and isinstance(outcome, Raised) and outcome.without_stack.kind == "exit"

    def _raised(self, ending: int) -> Raised | None:
        """The exception that an event shows; for an event of -1, the one that ended the run."""
        if ending < 0:
            ended = self.recording.ended
            return Raised(str(ended.get("class", "error")), ended.get("reason"))
        kind = self.recording.events.kind[ending]
        values = self.recording.values(ending)
        if kind == VM_EVENT:
            return Raised("exit", values[3])
        if kind == EXCEPTION:
            return Raised(str(values[0]), values[1])
        if kind == ord("k"):
            class_and_reason = values[0]
            return Raised(str(class_and_reason[0]), class_and_reason[1])
        if isinstance(values, tuple) and len(values) == 2 and values[0] == Atom("EXIT"):
            reason = values[1]
            without_stack = isinstance(reason, tuple) and len(reason) == 2 and isinstance(reason[1], list)
            return Raised("error" if without_stack else "exit", reason[0] if without_stack else reason)
        return Raised("throw", values)

    def definer(self, frame: int) -> int | None:
        """Activation that made a fun."""
        values = self.recording.values(self.frames.first[frame])
        made = self.frames.by_number.get(values[2]) if len(values) == 3 else None
        return made if made is not None and made < frame else None

    def events_of(self, frame: int) -> Ints:
        """Events of an activation itself, in order."""
        first, last = self.frames.first[frame], self.frames.last[frame]
        clause_number = self.recording.events.frame[first]
        return first + np.flatnonzero(self._columns[0][first : last + 1] == clause_number)

    def process_events(self, process: int) -> Ints:
        """All events of a process, in order."""
        ordered, ends = self._by_process
        return ordered[ends[process - 1] if process else 0 : ends[process]]

    @cached_property
    def _by_process(self) -> tuple[Ints, Ints]:
        """Events sorted by process, and where each process ends."""
        counts = np.bincount(self._columns[1], minlength=len(self.recording.events.processes))
        return np.argsort(self._columns[1], kind="stable"), np.cumsum(counts)

    def vm_events(self, first: int, last: int, process: int) -> Iterator[Any]:
        """Values of the VM's trace records for a process in a range of events."""
        kinds = np.frombuffer(self.recording.events.kind, np.uint8)[first : last + 1]
        rows = np.flatnonzero((kinds == VM_EVENT) & (self._columns[1][first : last + 1] == process))
        for row in rows.tolist():
            yield self.recording.values(first + row)

    @cached_property
    def _effect_events(self) -> dict[int, list[int]]:
        """For each process the events with effects."""
        events = self.recording.events
        sites = {clause_number for clause_number, site in self.recording.sites.facts.items() if site.effect}
        events_of: dict[int, list[int]] = {}
        for event, (kind, site, process) in enumerate(zip(events.kind, events.site, events.process, strict=True)):
            if kind in _WAIT_KINDS or (kind in _CALL_KINDS and site in sites):
                events_of.setdefault(process, []).append(event)
        return events_of

    def has_effects(self, first: int, last: int, process: int) -> bool:
        """Whether a process had effects in a range of events."""
        events = self._effect_events.get(process, [])
        index = bisect_left(events, first)
        return index < len(events) and events[index] <= last

    def waits_in(self, first: int, last: int, process: int) -> bool:
        """Whether a process waits for a message in a range of events."""
        kinds = np.frombuffer(self.recording.events.kind, np.uint8)[first : last + 1]
        return bool(np.any((kinds == ord("w")) & (self._columns[1][first : last + 1] == process)))

    # Variables

    def bindings(self, frame: int, until: int) -> dict[str, Term]:
        """Variables bound before an event, including those that a fun captured."""
        around = [(frame, until)]
        while (definer := self.definer(around[-1][0])) is not None:
            around.append((definer, self.frames.first[around[-1][0]]))
        bindings: dict[str, Term] = {}
        for scope, end in reversed(around):
            rows = self.events_of(scope)
            for event in rows[rows < end].tolist():
                bindings.update(self.bound_by(event))
        return bindings

    def variables_in_scope(self, frame: int, until: int) -> dict[str, Term]:
        """Variables in scope at an event, without those of finished comprehensions and iterations."""
        return self._scoped(frame, until, self.captured_variables(frame))

    def captured_variables(self, frame: int) -> dict[str, Term]:
        """Variables that a fun captured; of one with several values the last, see `ambiguous_variables`."""
        definer = self.definer(frame)
        return {} if definer is None else self.variables_in_scope(definer, self.frames.first[frame])

    def ambiguous_variables(self, frame: int) -> set[str]:
        """Captured variables that had several values, so that the captured one is unknown."""
        definer = self.definer(frame)
        if definer is None:
            return set()
        same = self.frames.process[definer] == self.frames.process[frame]
        is_passed = same and self.frames.parent[frame] == definer and self.site(frame).around == self.frames.call[frame]
        return self.ambiguous_variables(definer) | (set() if is_passed else self.rebound_variables(definer))

    def _scoped(self, frame: int, end: int, bindings: dict[str, Term]) -> dict[str, Term]:
        """The variables before an event; those bound in an iteration of a comprehension end with it."""
        events, sites = self.recording.events, self.recording.sites
        begun: list[tuple[int, dict[str, Term]]] = []
        """The generators that have an element, outermost first, each with what was bound before it."""
        rows = self.events_of(frame)
        for event in rows[rows < end].tolist():
            site = events.site[event]
            outside = [not sites.is_inside(site, sites[generator].around) for generator, _ in begun]
            over = outside.index(True) if True in outside else len(begun)
            if events.kind[event] == _ITERATION:
                over = next((index for index, (generator, _) in enumerate(begun[:over]) if generator == site), over)
            if over < len(begun):
                bindings = begun[over][1]
                del begun[over:]
            if events.kind[event] == _ITERATION:
                begun.append((site, bindings))
            bindings = bindings | self.bound_by(event)
        return bindings

    def rebound_variables(self, frame: int) -> set[str]:
        """Variables that an activation bound more than once, in iterations of a comprehension."""
        counts = Counter(name for event in self.events_of(frame).tolist() for name in self.bound_by(event))
        return {name for name, count in counts.items() if count > 1}

    def bound_by(self, event: int) -> dict[str, Term]:
        """Variables that an event binds."""
        return self._bound_in(event) if self.recording.events.kind[event] in _BINDING else {}

    def _bound_in(self, event: int) -> dict[str, Term]:
        """Variables that an event of a binding kind binds."""
        events = self.recording.events
        site, clause_number, kind = (
            self.recording.sites[events.site[event]],
            events.clause[event],
            chr(events.kind[event]),
        )
        values = self.recording.values(event)
        if kind in "cf":
            clause = site.clauses[clause_number - 1]
            named = {name: value for name, value in zip(clause.names, values[0], strict=False) if name}
            return named | dict(zip(clause.variables, values[1], strict=False))
        if kind == "k":
            clauses = site.handlers if clause_number < 0 else site.clauses
            known = 0 < abs(clause_number) <= len(clauses)
            return dict(zip(clauses[abs(clause_number) - 1].variables, values[1], strict=False)) if known else {}
        if kind == "m":
            return dict(zip(site.variables, values[1], strict=False))
        return dict(zip(site.variables, values, strict=False)) if kind == "g" else {}

    # Source

    def location(self, site: SiteFacts, kind: str, place: tuple[int, int]) -> Location | None:
        """Location of the code of a kind at a place."""
        source = self.sources.get(site.module)
        return None if source is None else Location(source.path, source.range(kind, place))

    def site_location(self, site: SiteFacts) -> Location | None:
        """Location of a site."""
        return self.location(site, site.tag, site.place)

    def clause_location(self, site: SiteFacts, clause: Clause) -> Location | None:
        """Location of a clause."""
        return self.location(site, "clause", clause.place)

    def head_location(self, site: SiteFacts, clause: Clause) -> Location | None:
        """Location of the patterns and guard of a clause."""
        source = self.sources.get(site.module)
        return None if source is None else Location(source.path, source.head(clause.place))

    def with_definitions(self, location: Location | None) -> tuple[Location, ...]:
        """A location, and those of the macros and record defaults that its code uses."""
        source = self._source(location)
        if location is None or source is None:
            return () if location is None else (location,)
        return (location, *(Location(source.path, definition) for definition in source.definitions(location.range)))

    def _source(self, location: Location | None) -> Source | None:
        return None if location is None else next((s for s in self.sources.values() if s.path == location.path), None)

    def text(self, location: Location | None) -> str:
        """Source text of a location, on one line."""
        source = self._source(location)
        return "" if source is None or location is None else " ".join(source.text_of(location.range).split())

    def code_hash(self, site: SiteFacts) -> str:
        """Hash of the text of a function."""
        while site.around is not None:
            site = self.recording.sites[site.around]
        written = self.text(self.location(site, "function", site.place))
        return hashlib.sha256(written.encode()).hexdigest()[:16] if written else ""


def _is_statem_call(event: Term) -> TypeGuard[tuple[Term, Term]]:
    """Whether this is the event type of a `gen_statem` request: `{call, From}`."""
    return isinstance(event, tuple) and len(event) == 2 and event[0] == Atom("call")


def _server_state(outcome: tuple[bool, Term]) -> tuple[Term] | None:
    """State in the result of a callback, as a tuple of one; None if there is none."""
    match outcome:
        case (True, ("reply", _, state, *_) | ("noreply" | "keep_state", state, *_)):
            return (state,)
        case (True, ("next_state", name, state, *_)):
            return ((name, state),)
    return None


def used_variables(text: str, bindings: Mapping[str, Term]) -> dict[str, Term]:
    """The bound variables that a piece of source names."""
    return {name: bindings[name] for name in dict.fromkeys(_VARIABLE.findall(text)) if name in bindings}
