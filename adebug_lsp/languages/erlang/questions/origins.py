"""Finds the call that made a part of a result, and the last event that can have influenced it.

Terms are immutable, so a part comes from a call whose value contained it, or the code itself made it. Its origin is
found by position: the value of a call is the part, the structure around it, a prefix or suffix of the list it is in, or
one call returned each element. Later values that share nothing with the part and decided nothing have no influence.
"""

from collections.abc import Iterator

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Bits, Improper, MapTerm, Omitted, Term
from adebug_lsp.model.values import Key

_MAX_FRAMES = 2000
"""Nested calls that are followed."""
_MAX_LEAVES = 2000
"""Scalars in a part; a larger part may contain anything."""
_VALUE, _BOUND, _CHOSE = ord("v"), ord("m"), ord("k")
_MAP = ("lists", "map", 2)
_MAKING = frozenset(["op", "call", "lc", "bc", "mc"])
Path = tuple[Key, ...]
_MISSING = object()


@frozen(eq=False)
class _Observed:
    """A value that an activation received while it ran: an expression's, a call's, or the value of a choice."""

    event: int
    value: Term
    all: Term
    """The value, with the variables bound to parts of it."""
    site: int
    frame: int = -1
    """For a call of recorded code, its activation."""
    is_choice: bool = False


@frozen
class Origin:
    """The activation that made a part, and the last event that influenced it."""

    frame: int
    until: int
    others: tuple[int, ...] = ()
    """Earlier activations that made other elements of the same list, and have no influence."""


@define(eq=False)
class ResultOrigins:
    """Follows parts of results through the calls of a run."""

    run: ErlangRun
    _inside: dict[tuple[int, int], bool] = field(factory=dict)

    def of_result(self, frame: int, path: Path) -> Origin | None:
        """Origin of a part of the result of a call; None if there is no such part."""
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
        """The tail call whose result is the result of this activation."""
        frames = self.run.frames
        tail_calls = [
            call for call in self._called(frame) if frames.tail[call] and frames.ending[call] == frames.ending[frame]
        ]
        return tail_calls[-1] if tail_calls else None

    def _called(self, frame: int) -> list[int]:
        process = self.run.frames.process
        return [call for call in self.run.called_frames(frame) if process[call] == process[frame]]

    def _observed(self, frame: int) -> Iterator[_Observed]:
        """Values that an activation received, in order."""
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
        """The last call whose value contains the part, its event, and the path inside that value."""
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
        """Calls that made the other elements of the list, if none of them had effects."""
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
        """Whether code makes a new value, rather than passing on that of its parts."""
        facts = self.run.recording.sites[site]
        return facts.kind in _MAKING and facts.name != "++"

    def _element_calls(self, frame: int, event: int, site: int) -> list[int]:
        """Calls made while a comprehension or a library function built a list."""
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
        """Whether a site lies inside another."""
        if (site, outer) not in self._inside:
            facts, current = self.run.recording.sites.facts, site
            while current != outer and current in facts and (around := facts[current].around) is not None:
                current = around
            self._inside[site, outer] = current == outer
        return self._inside[site, outer]


def _last_influence(observed: list[_Observed], leaves: frozenset[Term] | None, otherwise: int) -> int:
    """The last event with a value that is in the part, or with a choice."""
    return max((item.event for item in observed if _may_influence(item, leaves)), default=otherwise)


def _may_influence(item: _Observed, leaves: frozenset[Term] | None) -> bool:
    """Whether a value may influence a part: it was a choice, or shares a scalar with the part.

    A binary may be built from numbers and other binaries, and there is no event for that.
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
    """Scalars of a term, and empty structures; None if there are too many or some are unknown."""
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
    """The part at a path; keys of maps are as questions show them."""
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
    """The rest of the path to a part of the result, from where the result is this value on; None if it never is."""
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
