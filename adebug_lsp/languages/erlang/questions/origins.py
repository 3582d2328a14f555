"""Which call made a part of a result, and until when something can have influenced it.

Terms never change, so a part came from a call whose value it was in, or it was made by the code itself, of its own
arguments and of values that it got. Where it came from is found by its place: the value of a call is the part, or the
structure around it, or the beginning or the end of a list that it stands in, or one call gave each element. What came
later and shares nothing with the part, and decided nothing, has no influence on it.
"""

from collections.abc import Iterator

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Bits, Improper, MapTerm, Omitted, Term
from adebug_lsp.model.values import Key

_MAX_FRAMES = 2000
"""Calls that are followed, one inside of the other."""
_MAX_LEAVES = 2000
"""Plain values in a part; beyond them anything may be in it."""
_VALUE, _BOUND, _CHOSE = ord("v"), ord("m"), ord("k")
_MAP = ("lists", "map", 2)
_MAKING = frozenset(["op", "call", "lc", "bc", "mc"])
Path = tuple[Key, ...]
_MISSING = object()


@frozen(eq=False)
class _Observed:
    """Something that an activation got while it ran: the value of an expression or of a call, or what it chose by."""

    event: int
    value: Term
    all: Term
    """The value, with what variables were bound to parts of it."""
    site: int
    frame: int = -1
    """Of a call of recorded code: the activation."""
    is_choice: bool = False


@frozen
class Origin:
    """The activation that made a part, and the event after which nothing has influenced it."""

    frame: int
    until: int
    others: tuple[int, ...] = ()
    """Activations that began before, and made other elements of a list: they have no influence either."""


@define(eq=False)
class ResultOrigins:
    """Follows parts of results through the calls of a run."""

    run: ErlangRun
    _inside: dict[tuple[int, int], bool] = field(factory=dict)

    def of_result(self, frame: int, path: Path) -> Origin | None:
        """Who made a part of the result of a call; None where there is no such part."""
        returned, result = self.run.outcome(frame)
        if not returned or not path or part_of(result, path) is _MISSING:
            return None
        until, others = -1, list[int]()
        for _ in range(_MAX_FRAMES):
            below = self._tail_call(frame)
            if below is not None:
                frame = below
                continue
            if not path:
                break
            observed = list(self._observed(frame))
            leaves = _leaves(part_of(result, path))
            source = self._source(frame, observed, result, path)
            if source is None:
                return Origin(
                    frame, max(until, _last_influence(observed, leaves, self.run.frames.first[frame])), tuple(others)
                )
            child, event, path = source
            others += self._sibling_element_calls(frame, child, event)
            until = max(until, _last_influence([item for item in observed if item.event > event], leaves, -1))
            frame, result = child, self.run.outcome(child)[1]
        return Origin(frame, max(until, self.run.frames.last[frame]), tuple(others))

    def _tail_call(self, frame: int) -> int | None:
        """The call whose result is that of a call, since it was the last thing that it did."""
        frames = self.run.frames
        tail_calls = [
            call for call in self._called(frame) if frames.tail[call] and frames.ending[call] == frames.ending[frame]
        ]
        return tail_calls[-1] if tail_calls else None

    def _called(self, frame: int) -> list[int]:
        process = self.run.frames.process
        return [call for call in self.run.called_frames(frame) if process[call] == process[frame]]

    def _observed(self, frame: int) -> Iterator[_Observed]:
        """What an activation got, in order."""
        run, events = self.run, self.run.recording.events
        observed = []
        for call in self._called(frame):
            returned, outcome = run.outcome(call)
            if returned:
                observed.append(_Observed(run.frames.last[call], outcome, outcome, run.frames.call[call], call))
        for event in run.events_of(frame).tolist():
            kind = events.kind[event]
            if kind in (_VALUE, _BOUND, _CHOSE):
                value = run.recording.values(event)
                first = value if kind == _VALUE else value[0]
                observed.append(_Observed(event, first, value, events.site[event], is_choice=kind == _CHOSE))
        yield from sorted(observed, key=lambda call: call.event)

    def _source(self, frame: int, observed: list[_Observed], result: Term, path: Path) -> tuple[int, int, Path] | None:
        """The last call whose value stands where the part is, the event that told it, and the way in that value."""
        for item in reversed(observed):
            inside = None if item.is_choice else _path_in(item.value, result, path)
            if inside is None:
                continue
            if item.frame >= 0:
                return item.frame, item.event, inside
            if inside and isinstance(inside[0], int) and isinstance(item.value, list):
                each = self._element_calls(frame, item.event, item.site)
                if [self.run.outcome(call) for call in each] == [(True, element) for element in item.value]:
                    return each[inside[0]], item.event, inside[1:]
            if self._makes_new_value(item.site):
                return None
        return None

    def _sibling_element_calls(self, frame: int, child: int, event: int) -> list[int]:
        """The calls that made the other elements of a list in the same way, if none of them did anything else."""
        run, site = self.run, self.run.recording.events.site[event]
        facts = run.recording.sites.facts.get(site)
        if facts is None or event == run.frames.last[child] or not (facts.kind == "lc" or facts.called == _MAP):
            return []
        each = [call for call in self._element_calls(frame, event, site) if call != child]
        stateful = any(
            run.has_effects(run.frames.first[call], run.frames.last[call], run.frames.process[call]) for call in each
        )
        return [] if stateful else each

    def _makes_new_value(self, site: int) -> bool:
        """Whether the value of code is new, and not handed on from something in it."""
        facts = self.run.recording.sites[site]
        return facts.kind in _MAKING and facts.name != "++"

    def _element_calls(self, frame: int, event: int, site: int) -> list[int]:
        """The calls that were made while a list was made by a comprehension, or by a function of a library."""
        frames = self.run.frames
        rows = self.run.events_of(frame)
        before = [row for row in rows[rows < event].tolist() if self._is_of(row, site)]
        since = max(before, default=-1)
        return [
            call
            for call in self._called(frame)
            if since < frames.first[call] < event and self._is_inside(frames.call[call], site)
        ]

    def _is_of(self, event: int, site: int) -> bool:
        events = self.run.recording.events
        return events.kind[event] == _VALUE and events.site[event] == site

    def _is_inside(self, site: int, outer: int) -> bool:
        """Whether code stands in other code."""
        if (site, outer) not in self._inside:
            facts, current = self.run.recording.sites.facts, site
            while current != outer and current in facts and (around := facts[current].around) is not None:
                current = around
            self._inside[site, outer] = current == outer
        return self._inside[site, outer]


def _last_influence(observed: list[_Observed], leaves: frozenset[Term] | None, otherwise: int) -> int:
    """The last event at which something was got that is in a part, or something was decided."""
    return max((item.event for item in observed if _may_influence(item, leaves)), default=otherwise)


def _may_influence(item: _Observed, leaves: frozenset[Term] | None) -> bool:
    """Whether something can have to do with a part: it decided what is done, or has a plain value that is in it.

    A binary may be put together from numbers and other binaries, and nothing tells of that.
    """
    if item.is_choice or leaves is None:
        return True
    values = _leaves(item.all)
    if values is None or not values.isdisjoint(leaves):
        return True
    return any(map(_is_binary, leaves)) and any(isinstance(leaf, int | float) or _is_binary(leaf) for leaf in values)


def _is_binary(leaf: Term) -> bool:
    return isinstance(leaf, bytes | Bits)


def _leaves(term: Term) -> frozenset[Term] | None:
    """The plain values of a term, empty structures among them; None where there are very many, or not all are known."""
    leaves: set[Term] = set()
    waiting = [term]
    while waiting:
        part = waiting.pop()
        inside = _children(part)
        if isinstance(part, Omitted) or len(leaves) + len(waiting) + len(inside) > _MAX_LEAVES:
            return None
        if inside:
            waiting += inside
        else:
            leaves.add(() if part == [] else part)
    return frozenset(leaves)


def _children(term: Term) -> list[Term]:
    if isinstance(term, MapTerm):
        return [part for pair in term.pairs for part in pair]
    if isinstance(term, Improper):
        return [*term.items, term.tail]
    return list(term) if isinstance(term, list | tuple) else []


def part_of(term: Term, path: Path) -> Term:
    """The part at the end of a way into a term; a map's keys are as questions show them."""
    for key in path:
        if isinstance(term, MapTerm):
            term = next(
                (value for map_key, value in term.pairs if text(map_key, 60) == key or map_key == key), _MISSING
            )
        else:
            items = [*term.items, term.tail] if isinstance(term, Improper) else term
            if isinstance(items, list | tuple) and isinstance(key, int) and -len(items) <= key < len(items):
                term = items[key]
            else:
                term = _MISSING
        if term is _MISSING:
            break
    return term


def _path_in(value: Term, result: Term, path: Path) -> Path | None:
    """The way to a part in a value that stands somewhere on the way to it in a result; None where it does not."""
    around = result
    for depth in range(len(path) + 1):
        if depth:
            around = part_of(around, path[depth - 1 : depth])
        if value == around and type(value) is type(around):
            return path[depth:]
        if depth < len(path) and isinstance(around, list) and isinstance(value, list) and 0 < len(value) < len(around):
            key, first = path[depth], len(around) - len(value)
            if not isinstance(key, int):
                return None
            place = key if key >= 0 else key + len(around)
            if place >= first and around[first:] == value:
                return (place - first, *path[depth + 1 :])
            if place < len(value) and around[: len(value)] == value:
                return (place, *path[depth + 1 :])
    return None
