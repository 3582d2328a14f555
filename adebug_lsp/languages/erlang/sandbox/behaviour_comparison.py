"""Whether what a process did is what the reference does, given the same: activation by activation, step by step.

The first difference is what counts: what comes after it began otherwise. Two versions are alike where they give the
same values, do the same, and wait with the same variables; where that cannot be known they are neither alike nor not.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from enum import IntEnum
from functools import cached_property
from typing import Any

from attrs import define, evolve, field, frozen

from adebug_lsp.languages.erlang.reading.effects import Effect, Effects, enacted, names_of, recorded, told_as, told_of
from adebug_lsp.languages.erlang.reading.frames import OPEN
from adebug_lsp.languages.erlang.reading.processes import Process, Step
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised, used
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Atom, Cut, Fun, Improper, MapTerm, Other, Pid, Record, canonical
from adebug_lsp.languages.erlang.sandbox.replay_processes import Enactment
from adebug_lsp.languages.erlang.sandbox.site_alignment import aligned
from adebug_lsp.model.source import Range

NOBODY = "the reference sends to a name that no process is known to have"
_CLOSE = 1e-9
_SHORT = 120
_WHERE = ((Atom("file"),), (Atom("line"),), (Atom("error_info"),))


class Alike(IntEnum):
    """Of several, the largest holds for all."""

    SAME = 0
    UNSURE = 1
    DIFFERENT = 2


@frozen
class Finding:
    """How alike two things are, and what tells it."""

    alike: Alike
    why: str = ""


SAME = Finding(Alike.SAME)


def _unsure(why: str) -> Finding:
    return Finding(Alike.UNSURE, why)


def _different(why: str) -> Finding:
    return Finding(Alike.DIFFERENT, why)


def first_of(findings: "list[Finding]") -> Finding:
    """The finding that holds for all together."""
    return max(findings, key=lambda one: one.alike, default=SAME)


@define(eq=False, slots=False)
class _Pair:
    """A process, and the enacted one that stands for it."""

    process: Process
    other: Process
    effects: Effects
    others: Effects
    raised: list[tuple[int, Raised]]
    """The exceptions that left the enacted one's calls, by the events that tell of them."""
    gave_up: int | None
    """The event at which the enacted one asked for something that nobody could answer."""

    @cached_property
    def alike(self) -> set[str]:
        """The processes and references that it made by the same calls as others."""
        made = defaultdict[str, list[Any]](list)
        for effect in self.effects.all:
            if effect.answer is not None:
                made[_text([effect.module, effect.name, effect.given])] += _names(effect.answer)
        return {_text(name) for names in made.values() if len(names) > 1 for name in names}


@frozen
class _Stretch:
    """Events, from one to another."""

    first: int
    last: int
    is_cut: bool
    """Whether more might have come."""


@define(eq=False, slots=False)
class Comparison:
    """A run beside an enactment of it."""

    run: ErlangRun
    enactment: Enactment
    _findings: dict[int, list[Finding]] = field(factory=dict)

    @property
    def _other(self) -> ErlangRun:
        return self.enactment.run

    @cached_property
    def _sites(self) -> dict[int, int]:
        """For a site of the program that of the reference."""
        pairs = aligned(self.run.recording.sites, self._other.recording.sites)
        return {number: facts.number for number, facts in pairs.items()}

    @cached_property
    def _pairs(self) -> dict[int, _Pair]:
        return {index: self._pair(index, other) for index, other in self.enactment.process.items()}

    def _pair(self, index: int, other: int) -> _Pair:
        raised: list[tuple[int, Raised]] = []
        gave_up = None
        for event, told in told_of(self._other, other):
            match told:
                case ("raised", kind, reason):
                    raised.append((event, Raised(str(kind), reason)))
                case "unanswered":
                    gave_up = event
        found, beside = self.run.processes.all[index], self._other.processes.all[other]
        return _Pair(found, beside, recorded(self.run, index), enacted(self._other, other), raised, gave_up)

    @cached_property
    def _begun(self) -> dict[int, list[int]]:
        """For every process of the enactment its activations."""
        found = defaultdict[int, list[int]](list)
        for frame, process in enumerate(self._other.frames.process):
            found[process].append(frame)
        return found

    # Processes and steps

    def process(self, process: Process) -> Finding:
        """All steps of a process, and whether it waits for good rightly."""
        found = next((one for one in self._steps(process.index) if one.alike is not Alike.SAME), SAME)
        return self.blocked(process) if found.alike is Alike.SAME and process.blocked >= 0 else found

    def step(self, step: Step) -> Finding:
        """A step, where all before it are as they should be."""
        number = bisect_right(step.process.begun, step.first) - 1
        found = self._steps(step.process.index)
        if any(one.alike is not Alike.SAME for one in found[:number]) or number >= len(found):
            return _unsure("what came before was otherwise")
        return found[number]

    def blocked(self, process: Process) -> Finding:
        """Whether the reference takes none of the messages either that a process waits with for good."""
        found, pair = self._steps(process.index), self._pairs.get(process.index)
        if pair is None or any(one.alike is not Alike.SAME for one in found):
            return _unsure("what came before was otherwise")
        if len(pair.other.steps) <= len(process.steps):
            return SAME
        return _different(f"the reference {_took(pair.other.steps[len(process.steps)])}")

    def _steps(self, index: int) -> list[Finding]:
        """For every step how it compares, up to the first that is not as it should be."""
        if index not in self._findings:
            pair, found = self._pairs.get(index), list[Finding]()
            if pair is None:
                found.append(_unsure("what it was given cannot be given again"))
            else:
                for number in range(len(pair.process.steps)):
                    found.append(self._of_step(pair, number))
                    if found[-1].alike is not Alike.SAME:
                        break
            self._findings[index] = found
        return self._findings[index]

    def _of_step(self, pair: _Pair, number: int) -> Finding:
        step = pair.process.steps[number]
        if number >= len(pair.other.steps):
            waits = bool(pair.other.steps) and pair.other.steps[-1].waits >= 0 and pair.gave_up is None
            return (
                _different("the reference goes on waiting") if waits else _unsure("the reference did not come so far")
            )
        other = pair.other.steps[number]
        if self._sends_to_nobody(pair, other.first, other.last):
            return _unsure(NOBODY)
        if (step.took < 0) != (other.took < 0):
            return _unsure("the reference does not go on there")
        taken = self._taken(pair, step, other)
        if taken is not None:
            return taken
        ours = _Stretch(step.first, step.last, step.waits < 0 and self._is_cut(self._top(self.run, step)))
        its = _Stretch(other.first, other.last, other.waits < 0 and self._gave_up(pair, self._top(self._other, other)))
        return first_of([self._writes(pair, ours, its), self._ending(pair, step, other)])

    def _is_cut(self, frame: int) -> bool:
        """Whether an activation may not have come to its end, for no reason of its own."""
        return self.run.frames.status[frame] == OPEN or self.run.is_ended_by_another(frame)

    def _gave_up(self, pair: _Pair, other: int) -> bool:
        """Whether the reference did not come to the end of an activation."""
        first = self._other.frames.first[other]
        if self._other.frames.status[other] != OPEN or any(event >= first for event, _ in pair.raised):
            return pair.gave_up is not None and first <= pair.gave_up <= self._other.frames.last[other]
        return True

    def _taken(self, pair: _Pair, step: Step, other: Step) -> Finding | None:
        """What is otherwise about the message that is taken."""
        if step.took < 0:
            return None
        if (step.message is None) != (other.message is None):
            return _different(f"the reference {_took(other)}")
        if step.message is None or other.message is None:
            return None
        alike = self._alike(pair, step.message.value, other.message.value)
        if alike is Alike.UNSURE:
            return _unsure("the messages cannot be compared")
        return None if alike is Alike.SAME else _different(f"the reference {_took(other)}")

    def _ending(self, pair: _Pair, step: Step, other: Step) -> Finding:
        if pair.gave_up is not None and other.first <= pair.gave_up <= other.last:
            return _unsure("the reference asks for something else")
        if (step.waits >= 0) != (other.waits >= 0):
            if step.waits < 0 and self.run.frames.status[self._top(self.run, step)] == OPEN:
                return _unsure("it did not end")
            return _different(f"the reference {'ends' if other.waits < 0 else 'waits for a message'}")
        if step.waits >= 0:
            return self._waiting(pair, step.waits, other.waits)
        return self._outcome(pair, self._top(self.run, step), self._top(self._other, other))

    def _top(self, run: ErlangRun, step: Step) -> int:
        """The activation that no other of the process has called, and that a step is a part of."""
        tops = run.tops[step.process.index]
        return tops[bisect_right([run.frames.first[frame] for frame in tops], step.first) - 1]

    def _waiting(self, pair: _Pair, event: int, other: int) -> Finding:
        """Whether both wait at the same `receive`, with the same variables in all that is still to go on."""
        site, beside = self.run.recording.events.site[event], self._other.recording.events.site[other]
        if self._sites.get(site) != beside:
            sure = site in self._sites and beside in self._sites.values()
            line = self._other.recording.sites[beside].place[0]
            return (_different if sure else _unsure)(f"the reference waits at another `receive`, its line {line}")
        left, right = _going_on(self.run, event), _going_on(self._other, other)
        if len(left) != len(right):
            return _unsure("the reference is in other functions then")
        return first_of([self._variables(pair, *both) for both in zip(left, right, strict=True)])

    def _variables(self, pair: _Pair, left: dict[str, Any], right: dict[str, Any]) -> Finding:
        if not (left.keys() <= right.keys() or right.keys() <= left.keys()):  # a name may stand for something else
            return _unsure("the reference has other variables then")
        found = [SAME]
        for name in left.keys() & right.keys():
            alike = self._alike(pair, left[name], right[name])
            if alike is not Alike.SAME:
                found.append(Finding(alike, f"the reference has {name} = {text(right[name], _SHORT)} then"))
        return first_of(sorted(found, key=lambda one: one.why))

    # Activations

    def call(self, frame: int) -> Finding:
        """An activation, beside one of the reference that began with the same after the same."""
        run, process = self.run, self.run.frames.process[frame]
        pair = self._pairs.get(process)
        if pair is None:
            return _unsure("what its process was given cannot be given again")
        number = bisect_right(pair.process.begun, run.frames.first[frame]) - 1
        if not 0 <= number < len(pair.other.steps):
            return _unsure("the reference did not come so far")
        other = self._counterpart(pair, frame, number)
        if other is None:
            return _unsure("the reference makes no such call there")
        first, last = run.frames.first[frame], run.frames.last[frame]
        begin, end = self._other.frames.first[other], self._other.frames.last[other]
        if self._sends_to_nobody(pair, begin, end):
            return _unsure(NOBODY)
        history = self._steps(process)[:number]
        is_apart = not (pair.effects.has_own_state(first, last) or pair.others.has_own_state(begin, end))
        if not is_apart and (len(history) < number or any(one.alike is not Alike.SAME for one in history)):
            return _unsure("what came before was otherwise")
        gave_up = self._gave_up(pair, other)
        ending = _unsure("the reference did not come to its end") if gave_up else self._outcome(pair, frame, other)
        done = self._writes(pair, _Stretch(first, last, self._is_cut(frame)), _Stretch(begin, end, gave_up))
        return first_of([done, ending])

    def _counterpart(self, pair: _Pair, frame: int, number: int) -> int | None:
        """The activation of the reference in the same step, of the same, after the same was done."""
        run, other = self.run, self._other
        step, beside = pair.process.steps[number], pair.other.steps[number]
        done = pair.effects.writes(step.first, run.frames.first[frame])
        facts = run.site(frame)
        begun = self._begun[pair.other.index]
        for one in begun[bisect_left(begun, beside.first, key=other.frames.first.__getitem__) :]:
            if other.frames.first[one] > beside.last:
                break
            same = facts.routine == other.site(one).routine and facts.kind == other.site(one).kind
            if facts.kind == "fun":
                same = same and self._sites.get(facts.number) == other.site(one).number
            if same and self._alike(pair, run.given(frame), other.given(one)) is Alike.SAME:
                before = pair.others.writes(beside.first, other.frames.first[one])
                if len(done) == len(before) and all(map(self._is_same(pair), done, before)):
                    return one
        return None

    def _is_same(self, pair: _Pair) -> Any:
        return lambda left, right: left.key == right.key and not self._alike(pair, left.given, right.given)

    def _outcome(self, pair: _Pair, frame: int, other: int) -> Finding:
        returned, outcome = self.run.outcome(frame)
        gave, right = self._other.outcome(other)
        if not gave and not isinstance(right, Raised):
            right = next((one for event, one in pair.raised if event >= self._other.frames.first[other]), None)
            if right is None:
                return _unsure("the reference did not end")
        told = f"the reference gives {text(right, _SHORT)}" if gave else f"the reference raises {_raised_text(right)}"
        if outcome is None and not returned:
            endless = self.run.is_endless(frame)
            return _different(told) if endless else _unsure("how it ended is not known")
        if returned != gave:
            alike = Alike.DIFFERENT
        else:
            alike = self._alike(pair, *((outcome, right) if gave else (outcome.plain.term, right.plain.term)))
        if alike is Alike.DIFFERENT and self.run.is_ended_by_another(frame):
            return _unsure("another process may have ended it")
        return Finding(alike, told)

    # What is done

    @cached_property
    def _names(self) -> frozenset[str]:
        return names_of(self.run)

    def _sends_to_nobody(self, pair: _Pair, first: int, last: int) -> bool:
        """Whether the reference sends to a name that nobody is known to have: then it may have failed."""
        names = {one.name_sent_to for one in pair.others.writes(first, last)}
        return not names - {None} <= self._names

    def _writes(self, pair: _Pair, ours: "_Stretch", its: "_Stretch") -> Finding:
        left = _by_channel(pair.effects.writes(ours.first, ours.last))
        right = _by_channel(pair.others.writes(its.first, its.last))
        found = [SAME]
        for channel in {**left, **right}:
            one, other = left.get(channel, []), right.get(channel, [])
            sure = not any(name in channel for name in pair.alike)
            for both in zip(one, other, strict=False):
                done = self._done(pair, *both)
                found.append(done if sure or done.alike is Alike.SAME else _unsure(done.why))
            if len(one) > len(other):
                why = f"the reference never {told_as(one[len(other)])}"
                found.append(_different(why) if sure and not its.is_cut else _unsure(why))
            elif len(other) > len(one):
                why = f"the reference {told_as(other[len(one)])}"
                found.append(_different(why) if sure and not ours.is_cut else _unsure(why))
        return first_of(found)

    def _done(self, pair: _Pair, one: Effect, other: Effect) -> Finding:
        alike = self._alike(pair, one.given, other.given) if one.key == other.key else Alike.DIFFERENT
        return Finding(alike, f"the reference {told_as(other)}")

    # Values

    def _alike(self, pair: _Pair, left: Any, right: Any) -> Alike:
        """Whether two values are the same, those that only this process has made aside."""
        found = Alike.SAME
        waiting = [(left, right)]
        while waiting and found is not Alike.DIFFERENT:
            one, other = waiting.pop()
            if isinstance(one, Cut) or isinstance(other, Cut):
                found = Alike.UNSURE
            elif isinstance(one, Fun) and isinstance(other, Fun):
                found = max(found, self._alike_funs(pair, one, other))
            elif isinstance(one, Pid | Other) and type(one) is type(other):
                if one != other:
                    found = max(found, self._alike_names(pair, one, other))
            else:
                parts = parts_of(one, other)
                if parts is None:
                    return Alike.DIFFERENT
                waiting += parts
        return found

    def _alike_names(self, pair: _Pair, one: Any, other: Any) -> Alike:
        """Processes and references that differ: those that were made alike may stand for one another."""
        known = isinstance(one, Other) or other in self.run.processes.index
        apart = not pair.alike & {_text(one), _text(other)}
        return Alike.DIFFERENT if known and apart else Alike.UNSURE

    def _alike_funs(self, pair: _Pair, one: Fun, other: Fun) -> Alike:
        if one.name or other.name:
            return Alike.SAME if one == other else Alike.DIFFERENT
        if one.made is None or other.made is None or self._sites.get(one.made[1]) != other.made[1]:
            return Alike.UNSURE
        texts, values = [], []
        for run, made in ((self.run, one.made), (self._other, other.made)):
            definer, facts = run.frames.numbered.get(made[0]), run.recording.sites[made[1]]
            texts.append(run.text(run.of_site(facts)))
            around = {} if definer is None else run.bindings(definer, run.frames.last[definer] + 1)
            values.append(list(used(texts[-1], around).items()))
        if texts[0] != texts[1] or any(isinstance(value, Fun) for _, value in values[0]):  # it may know itself
            return Alike.UNSURE
        return Alike.SAME if self._alike(pair, *values) is Alike.SAME else Alike.UNSURE


def _names(term: Any) -> list[Any]:
    """The processes and references in a term."""
    found, waiting = [], [term]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Pid | Other):
            found.append(one)
        elif isinstance(one, list | tuple):
            waiting += one
    return found


def _going_on(run: ErlangRun, event: int) -> list[dict[str, Any]]:
    """The variables of the activations that go on where one waits, from the innermost; of that, those still in use."""
    frames = run.frames
    process = run.recording.events.process[event]
    frame, found = frames.numbered[run.recording.events.frame[event]], list[dict[str, Any]]()
    waits = run.of_site(run.recording.sites[run.recording.events.site[event]])
    while frame >= 0 and frames.process[frame] == process:
        clause = run.clause(frame)
        where = None if clause is None else run.of_clause(run.site(frame), clause)
        if where is not None and waits is not None and not found:
            where = evolve(where, range=Range(waits.range.start, max(where.range.end, waits.range.end)))
        found.append(used(run.text(where), run.bindings(frame, event)))
        while frame >= 0 and frames.tail[frame]:
            frame = frames.parent[frame]
        frame = frames.parent[frame] if frame >= 0 else -1
    return found


def _by_channel(effects: list[Effect]) -> dict[str, list[Effect]]:
    found: dict[str, list[Effect]] = {}
    for effect in effects:
        found.setdefault(effect.channel, []).append(effect)
    return found


def _took(step: Step) -> str:
    return "gives up to wait" if step.message is None else f"takes {text(step.message.value, _SHORT)}"


def _raised_text(raised: Raised) -> str:
    return f"{raised.kind}:{text(raised.reason, _SHORT)}"


def parts_of(one: Any, other: Any) -> list[tuple[Any, Any]] | None:
    """What must be the same for two terms to be; None where they are not, whatever is in them."""
    if isinstance(one, float) and isinstance(other, float):
        return [] if one == other or abs(one - other) <= _CLOSE * max(abs(one), abs(other)) else None
    if isinstance(one, MapTerm) and isinstance(other, MapTerm):
        if len(one.pairs) != len(other.pairs) or type(one) is not type(other):
            return None
        if isinstance(one, Record) and isinstance(other, Record) and _named(one) != _named(other):
            return None
        return list(zip(sorted(one.pairs, key=_text), sorted(other.pairs, key=_text), strict=True))
    if isinstance(one, Improper) and isinstance(other, Improper):
        return [((*one.items, one.tail), (*other.items, other.tail))]
    if _is_stack(one) and _is_stack(other):
        return []  # it tells how code was evaluated: a reference has other lines, and is interpreted in part
    if isinstance(one, list | tuple) and type(one) is type(other):
        return list(zip(one, other, strict=True)) if len(one) == len(other) else None
    return [] if type(one) is type(other) and one == other else None


def _is_stack(term: Any) -> bool:
    """Whether a term is a stack trace: functions with their arities or arguments, and where they are written."""
    return isinstance(term, list) and bool(term) and all(map(_is_called, term))


def _is_called(term: Any) -> bool:
    match term:
        case (Atom(), Atom(), int() | [*_], [*where]):
            return all(isinstance(one, tuple) and one[:1] in _WHERE for one in where)
    return False


def _named(record: Record) -> tuple[str, str]:
    return record.module, record.name


def _text(term: Any) -> str:
    return "".join(canonical(term))
