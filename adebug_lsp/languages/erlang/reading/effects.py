"""What a process did beyond giving values, in order: messages, processes, tables, its dictionary, what it printed.

What it only read or asked is no effect of its own: another version may ask more, or less.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

from attrs import define, frozen

from adebug_lsp.languages.erlang.reading.run import ErlangRun, is_of_recorder
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Atom, canonical
from adebug_lsp.languages.erlang.reading.trace import TOLD, VM

ENACTED = Atom("adebug_effect")
"""What a process that is enacted sends for all that it does."""
_SHORT = 120
_SENT = (VM.index("send"), VM.index("send_to_non_existing_process"))
_REGISTER = VM.index("register")
_CALLS, _VALUE = ord("s"), ord("v")
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
    """A call that does or needs more than a value."""

    event: int
    module: str
    name: str
    given: list[Any]
    answer: Any = None
    """What it gave, as a list of one; None where no event tells."""

    @property
    def key(self) -> tuple[str, str, int]:
        """The function."""
        return self.module, self.name, len(self.given)

    @property
    def is_write(self) -> bool:
        """Whether something is otherwise than before."""
        return self.module not in _ALL_READ and self.name not in _READS.get(self.module, ())

    @property
    def is_of_own_state(self) -> bool:
        """Whether it depends on what the process itself has kept before."""
        return self.module in ("ets", "persistent_term") or self.name in ("get", "put", "erase", "get_keys")

    @property
    def channel(self) -> str:
        """Only what has the same is in an order that matters."""
        if self.name.startswith("spawn"):
            return "spawn"
        if self.module in ("erlang", "ets", "gen_server"):
            kind = "dictionary" if self.name in ("put", "erase") else self.module
            return f"{kind} {_text(self.given[:1])}"
        return self.module

    @property
    def name_sent_to(self) -> str | None:
        """The name of the process that a message is sent to, which fails where nobody has that name."""
        return str(self.given[0]) if self.key == ("erlang", "send", 2) and isinstance(self.given[0], Atom) else None


def told_as(effect: Effect) -> str:
    """An effect, as what somebody does."""
    if effect.key == ("erlang", "send", 2):
        return f"sends {text(effect.given[1], _SHORT)} to {text(effect.given[0], _SHORT)}"
    return f"calls {effect.name}({', '.join(text(one, _SHORT) for one in effect.given)})"


def _text(term: Any) -> str:
    return "".join(canonical(term))


@define(eq=False)
class Effects:
    """The effects of one process."""

    all: list[Effect]

    def during(self, first: int, last: int) -> list[Effect]:
        """Those from one event to another."""
        begin = bisect_left(self.all, first, key=_event)
        return self.all[begin : bisect_right(self.all, last, lo=begin, key=_event)]

    def writes(self, first: int, last: int) -> list[Effect]:
        """Those that change something, from one event to another."""
        return [one for one in self.during(first, last) if one.is_write]

    def has_own_state(self, first: int, last: int) -> bool:
        """Whether what the process has kept plays a part."""
        return any(one.is_of_own_state for one in self.during(first, last))


def _event(effect: Effect) -> int:
    return effect.event


def recorded(run: ErlangRun, process: int) -> Effects:
    """What a process of a recorded run did."""
    return Effects(list(_recorded(run, process)))


def _recorded(run: ErlangRun, process: int) -> Iterator[Effect]:
    events, sites = run.recording.events, run.recording.sites
    under_way: Effect | None = None
    for event in run.rows_of(process).tolist():
        kind = events.kind[event]
        if kind == TOLD:
            if under_way is None and events.clause[event] in _SENT:
                told = run.recording.values(event)
                if not is_of_recorder(told[3]):
                    yield Effect(event, "erlang", "send", [told[4], told[3]])
            continue
        if under_way is not None:
            is_over = kind == _VALUE and events.site[event] == events.site[under_way.event]
            answer = [run.recording.values(event)] if is_over else None
            yield Effect(under_way.event, under_way.module, under_way.name, under_way.given, answer)
            under_way = None
        if kind == _CALLS and sites[events.site[event]].effect:
            module, name, _ = sites[events.site[event]].called
            under_way = Effect(event, module or "erlang", name, run.recording.values(event))
    if under_way is not None:
        yield under_way


def names_of(run: ErlangRun) -> frozenset[str]:
    """The names that processes are known to have had in a run."""
    events = run.recording.events
    told = zip(events.kind, events.clause, strict=True)
    named = [event for event, (kind, clause) in enumerate(told) if kind == TOLD and clause == _REGISTER]
    return frozenset(str(run.recording.values(event)[3]) for event in named)


def enacted(run: ErlangRun, process: int) -> Effects:
    """What a process did that was enacted."""
    return Effects([effect for event, told in told_of(run, process) if (effect := _enacted(event, told)) is not None])


def told_of(run: ErlangRun, process: int) -> Iterator[tuple[int, Any]]:
    """What an enacted process told of itself."""
    events = run.recording.events
    for event in run.rows_of(process).tolist():
        if events.kind[event] == TOLD and events.clause[event] in _SENT:
            message = run.recording.values(event)[3]
            if isinstance(message, tuple) and len(message) == 2 and message[0] == ENACTED:
                yield event, message[1]


def _enacted(event: int, told: Any) -> Effect | None:
    match told:
        case (Atom() as module, Atom() as name, [*given]):
            return Effect(event, str(module), str(name), given)
    return None
