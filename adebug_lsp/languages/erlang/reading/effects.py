"""Effects of a process, in order: messages, processes, tables, its dictionary, output.

Reads are not compared as effects: another version may read more, or less.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from attrs import define, frozen

from adebug_lsp.languages.erlang.reading.run import ErlangRun, is_recorder_message
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Atom, Term, canonical
from adebug_lsp.languages.erlang.reading.trace import VM_EVENT, VM_EVENTS

REPLAY_TAG = Atom("adebug_effect")
"""Tag of the messages by which a replayed process reports its effects."""
_MAX_CHARACTERS = 120
_SEND_EVENTS = (VM_EVENTS.index("send"), VM_EVENTS.index("send_to_non_existing_process"))
_REGISTER = VM_EVENTS.index("register")
_CALL, _VALUE = ord("s"), ord("v")
_READS = {
    "erlang": frozenset(
        [
            *("get", "get_keys", "self", "whereis", "registered", "processes", "make_ref", "now", "monotonic_time"),
            *("system_time", "timestamp", "time_offset", "date", "time", "localtime", "universaltime", "apply", "node"),
            *("unique_integer", "process_info", "is_process_alive", "nodes", "read_timer", "statistics", "memory"),
            *("system_info", "garbage_collect", "ports", "port_info"),
        ]
    ),
    "ets": frozenset(
        [
            *("lookup", "lookup_element", "member", "info", "tab2list", "first", "next", "last", "prev", "match"),
            *("match_object", "select", "select_count", "foldl", "foldr", "whereis", "all", "slot"),
        ]
    ),
    "timer": frozenset(["sleep"]),
    "os": frozenset(["getenv", "timestamp", "system_time", "getpid", "version"]),
    "io": frozenset(["get_line", "get_chars", "read", "fread", "columns", "rows"]),
    "file": frozenset(["read_file", "read_file_info", "list_dir", "get_cwd", "consult"]),
    "persistent_term": frozenset(["get", "info"]),
}
_ALL_READ = frozenset(["rand", "random", "calendar", "filelib"])


@frozen(eq=False)
class Effect:
    """A call that has effects or depends on the outside world."""

    event: int
    module: str
    name: str
    arguments: list[Term]
    answer: list[Term] | None = None
    """Its result, as a list of one; None if unknown."""

    @property
    def key(self) -> tuple[str, str, int]:
        """Module, name and arity."""
        return self.module, self.name, len(self.arguments)

    @property
    def is_write(self) -> bool:
        """Whether it changes something."""
        return self.module not in _ALL_READ and self.name not in _READS.get(self.module, ())

    @property
    def uses_process_state(self) -> bool:
        """Whether it depends on state that the process stored earlier."""
        return self.module in ("ets", "persistent_term") or self.name in ("get", "put", "erase", "get_keys")

    @property
    def channel(self) -> str:
        """Effects are ordered within a channel only."""
        if self.name.startswith("spawn"):
            return "spawn"
        if self.module in ("erlang", "ets", "gen_server"):
            kind = "dictionary" if self.name in ("put", "erase") else self.module
            return f"{kind} {_canonical(self.arguments[:1])}"
        return self.module

    @property
    def receiver_name(self) -> str | None:
        """Registered name that a message is sent to; sending to an unregistered name fails."""
        return (
            str(self.arguments[0])
            if self.key == ("erlang", "send", 2) and isinstance(self.arguments[0], Atom)
            else None
        )


def effect_text(effect: Effect) -> str:
    """An effect as a phrase for a reason."""
    if effect.key == ("erlang", "send", 2):
        return f"sends {text(effect.arguments[1], _MAX_CHARACTERS)} to {text(effect.arguments[0], _MAX_CHARACTERS)}"
    return f"calls {effect.name}({', '.join(text(argument, _MAX_CHARACTERS) for argument in effect.arguments)})"


def _canonical(term: Term) -> str:
    return "".join(canonical(term))


@define(eq=False)
class Effects:
    """Effects of one process."""

    all: list[Effect]

    def during(self, first: int, last: int) -> list[Effect]:
        """Effects in a range of events."""
        begin = bisect_left(self.all, first, key=_event_of)
        return self.all[begin : bisect_right(self.all, last, lo=begin, key=_event_of)]

    def writes(self, first: int, last: int) -> list[Effect]:
        """Writes in a range of events."""
        return [effect for effect in self.during(first, last) if effect.is_write]

    def uses_process_state(self, first: int, last: int) -> bool:
        """Whether stored state of the process is used in a range of events."""
        return any(effect.uses_process_state for effect in self.during(first, last))


def _event_of(effect: Effect) -> int:
    return effect.event


def recorded_effects(run: ErlangRun, process: int) -> Effects:
    """Effects of a process of a recorded run."""
    return Effects(list(_iterate_recorded(run, process)))


def _iterate_recorded(run: ErlangRun, process: int) -> Iterator[Effect]:
    """The effects of a process in order, each with its result if that was recorded."""
    events, sites = run.recording.events, run.recording.sites
    under_way: Effect | None = None
    for event in run.process_events(process).tolist():
        kind = events.kind[event]
        if kind == VM_EVENT:
            if under_way is None and events.clause[event] in _SEND_EVENTS:
                values = run.recording.values(event)
                if not is_recorder_message(values[3]):
                    yield Effect(event, "erlang", "send", [values[4], values[3]])
            continue
        if under_way is not None:
            is_over = kind == _VALUE and events.site[event] == events.site[under_way.event]
            answer = [run.recording.values(event)] if is_over else None
            yield Effect(under_way.event, under_way.module, under_way.name, under_way.arguments, answer)
            under_way = None
        if kind == _CALL and sites[events.site[event]].effect:
            module, name, _ = sites[events.site[event]].called
            under_way = Effect(event, module or "erlang", name, run.recording.values(event))
    if under_way is not None:
        yield under_way


def registered_names(run: ErlangRun) -> frozenset[str]:
    """Names that processes registered during a run."""
    events = run.recording.events
    rows = zip(events.kind, events.clause, strict=True)
    named = [event for event, (kind, clause) in enumerate(rows) if kind == VM_EVENT and clause == _REGISTER]
    return frozenset(str(run.recording.values(event)[3]) for event in named)


def replayed_effects(run: ErlangRun, process: int) -> Effects:
    """Effects of a replayed process."""
    return Effects(
        [
            effect
            for event, report in replay_reports(run, process)
            if (effect := _replayed_effect(event, report)) is not None
        ]
    )


def replay_reports(run: ErlangRun, process: int) -> Iterator[tuple[int, Term]]:
    """Reports of a replayed process, with their events."""
    events = run.recording.events
    for event in run.process_events(process).tolist():
        if events.kind[event] == VM_EVENT and events.clause[event] in _SEND_EVENTS:
            message = run.recording.values(event)[3]
            if isinstance(message, tuple) and len(message) == 2 and message[0] == REPLAY_TAG:
                yield event, message[1]


def _replayed_effect(event: int, report: Term) -> Effect | None:
    match report:
        case (Atom() as module, Atom() as name, [*arguments]):
            return Effect(event, str(module), str(name), arguments)
    return None
