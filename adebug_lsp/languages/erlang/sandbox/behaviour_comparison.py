"""Compares the recorded processes with their replay: activation by activation, step by step.

Only the first difference counts, because everything after it started from another state. Two versions are equal if they
return the same values, have the same effects, and wait with the same variables; if that cannot be known, the result is
unsure.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable
from enum import IntEnum
from functools import cached_property

from attrs import define, evolve, field, frozen

from adebug_lsp.languages.erlang.reading.effects import (
    Effect,
    Effects,
    effect_text,
    recorded_effects,
    registered_names,
    replay_reports,
    replayed_effects,
)
from adebug_lsp.languages.erlang.reading.frames import OPEN
from adebug_lsp.languages.erlang.reading.processes import Process, Step
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised, used_variables
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import (
    Atom,
    Fun,
    Improper,
    MapTerm,
    Omitted,
    Opaque,
    Pid,
    Record,
    Term,
    canonical,
)
from adebug_lsp.languages.erlang.sandbox.replay_processes import Replay
from adebug_lsp.languages.erlang.sandbox.site_alignment import align_sites
from adebug_lsp.model.source import Range

UNREGISTERED = "the reference sends to a name that no process is known to have"
_TOLERANCE = 1e-9
_MAX_CHARACTERS = 120
_STACK_INFO = ((Atom("file"),), (Atom("line"),), (Atom("error_info"),))


class Equality(IntEnum):
    """Result of a comparison; of several, the largest holds."""

    SAME = 0
    UNSURE = 1
    DIFFERENT = 2


@frozen
class ComparisonResult:
    """Result of a comparison and its reason."""

    equality: Equality
    why: str = ""


SAME = ComparisonResult(Equality.SAME)


def _unsure_result(why: str) -> ComparisonResult:
    return ComparisonResult(Equality.UNSURE, why)


def _different_result(why: str) -> ComparisonResult:
    return ComparisonResult(Equality.DIFFERENT, why)


def worst_of(findings: "list[ComparisonResult]") -> ComparisonResult:
    """The result of several comparisons: the largest holds."""
    return max(findings, key=lambda result: result.equality, default=SAME)


@define(eq=False, slots=False)
class _ProcessPair:
    """A recorded process and its replay."""

    process: Process
    other: Process
    effects: Effects
    others: Effects
    raised: list[tuple[int, Raised]]
    """Exceptions that left the replayed calls, by their events."""
    gave_up: int | None
    """Event at which the replay asked for an effect without a recorded result."""

    @cached_property
    def ambiguous_names(self) -> set[str]:
        """Processes and references that several equal calls created, so that any may stand for another."""
        made = defaultdict[str, list[Term]](list)
        for effect in self.effects.all:
            if effect.answer is not None:
                made[_canonical([effect.module, effect.name, effect.arguments])] += _pids_and_references(effect.answer)
        return {_canonical(name) for names in made.values() if len(names) > 1 for name in names}


@frozen
class _EventRange:
    """Range of events."""

    first: int
    last: int
    is_cut: bool
    """Whether the recording ended before the code did."""


@define(eq=False, slots=False)
class Comparison:
    """A run and its replay."""

    run: ErlangRun
    replay: Replay
    _findings: dict[int, list[ComparisonResult]] = field(factory=dict)

    @property
    def _other(self) -> ErlangRun:
        return self.replay.run

    @cached_property
    def _site_of(self) -> dict[int, int]:
        """Site of the reference by site of the program."""
        pairs = align_sites(self.run.recording.sites, self._other.recording.sites)
        return {number: facts.number for number, facts in pairs.items()}

    @cached_property
    def _pairs(self) -> dict[int, _ProcessPair]:
        return {index: self._pair(index, other) for index, other in self.replay.process.items()}

    def _pair(self, index: int, other: int) -> _ProcessPair:
        """A recorded process with its replay."""
        raised: list[tuple[int, Raised]] = []
        gave_up = None
        for event, report in replay_reports(self._other, other):
            match report:
                case ("raised", kind, reason):
                    raised.append((event, Raised(str(kind), reason)))
                case "unanswered":
                    gave_up = event
        recorded, beside = self.run.processes.all[index], self._other.processes.all[other]
        return _ProcessPair(
            recorded, beside, recorded_effects(self.run, index), replayed_effects(self._other, other), raised, gave_up
        )

    @cached_property
    def _frames_of(self) -> dict[int, list[int]]:
        """Activations of each replayed process."""
        frames = defaultdict[int, list[int]](list)
        for frame, process in enumerate(self._other.frames.process):
            frames[process].append(frame)
        return frames

    # Processes and steps

    def process(self, process: Process) -> ComparisonResult:
        """Compare all steps of a process, and whether it rightly blocks at its end."""
        result = next(
            (compared for compared in self._compared_steps(process.index) if compared.equality is not Equality.SAME),
            SAME,
        )
        return self.blocked(process) if result.equality is Equality.SAME and process.blocked >= 0 else result

    def step(self, step: Step) -> ComparisonResult:
        """Compare a step, if all steps before it are equal."""
        number = bisect_right(step.process.step_starts, step.first) - 1
        results = self._compared_steps(step.process.index)
        if any(earlier.equality is not Equality.SAME for earlier in results[:number]) or number >= len(results):
            return _unsure_result("an earlier step differs")
        return results[number]

    def blocked(self, process: Process) -> ComparisonResult:
        """Compare whether the reference, too, receives none of the messages beside which a process blocks."""
        results, pair = self._compared_steps(process.index), self._pairs.get(process.index)
        if pair is None or any(result.equality is not Equality.SAME for result in results):
            return _unsure_result("an earlier step differs")
        if len(pair.other.steps) <= len(process.steps):
            return SAME
        return _different_result(f"the reference {_receive_text(pair.other.steps[len(process.steps)])}")

    def _compared_steps(self, index: int) -> list[ComparisonResult]:
        """Results of the steps, up to the first that is not equal."""
        if index not in self._findings:
            pair, results = self._pairs.get(index), list[ComparisonResult]()
            if pair is None:
                results.append(_unsure_result("its input cannot be replayed"))
            else:
                for number in range(len(pair.process.steps)):
                    results.append(self._compare_step(pair, number))
                    if results[-1].equality is not Equality.SAME:
                        break
            self._findings[index] = results
        return self._findings[index]

    def _compare_step(self, pair: _ProcessPair, number: int) -> ComparisonResult:
        """Compare a step with the replayed one of the same number."""
        step = pair.process.steps[number]
        if number >= len(pair.other.steps):
            waits = bool(pair.other.steps) and pair.other.steps[-1].waits >= 0 and pair.gave_up is None
            return (
                _different_result("the reference goes on waiting")
                if waits
                else _unsure_result("the reference did not get that far")
            )
        other = pair.other.steps[number]
        if self._sends_to_unregistered(pair, other.first, other.last):
            return _unsure_result(UNREGISTERED)
        if (step.took < 0) != (other.took < 0):
            return _unsure_result("the reference does not continue there")
        taken = self._compare_messages(pair, step, other)
        if taken is not None:
            return taken
        ours = _EventRange(step.first, step.last, step.waits < 0 and self._is_cut(self._top(self.run, step)))
        its = _EventRange(
            other.first, other.last, other.waits < 0 and self._gave_up(pair, self._top(self._other, other))
        )
        return worst_of([self._compare_writes(pair, ours, its), self._compare_endings(pair, step, other)])

    def _is_cut(self, frame: int) -> bool:
        """Whether an activation may have been ended from outside."""
        return self.run.frames.status[frame] == OPEN or self.run.is_ended_by_another(frame)

    def _gave_up(self, pair: _ProcessPair, other: int) -> bool:
        """Whether the replay of an activation did not reach its end."""
        first = self._other.frames.first[other]
        if self._other.frames.status[other] != OPEN or any(event >= first for event, _ in pair.raised):
            return pair.gave_up is not None and first <= pair.gave_up <= self._other.frames.last[other]
        return True

    def _compare_messages(self, pair: _ProcessPair, step: Step, other: Step) -> ComparisonResult | None:
        """Compare the received messages; None if they are equal."""
        if step.took < 0:
            return None
        if (step.message is None) != (other.message is None):
            return _different_result(f"the reference {_receive_text(other)}")
        if step.message is None or other.message is None:
            return None
        equality = self._compare_values(pair, step.message.value, other.message.value)
        if equality is Equality.UNSURE:
            return _unsure_result("the messages cannot be compared")
        return None if equality is Equality.SAME else _different_result(f"the reference {_receive_text(other)}")

    def _compare_endings(self, pair: _ProcessPair, step: Step, other: Step) -> ComparisonResult:
        """Compare how two steps end: both wait, or return or raise the same."""
        if pair.gave_up is not None and other.first <= pair.gave_up <= other.last:
            return _unsure_result("the reference asks for something else")
        if (step.waits >= 0) != (other.waits >= 0):
            if step.waits < 0 and self.run.frames.status[self._top(self.run, step)] == OPEN:
                return _unsure_result("it did not end")
            return _different_result(f"the reference {'ends' if other.waits < 0 else 'waits for a message'}")
        if step.waits >= 0:
            return self._compare_waits(pair, step.waits, other.waits)
        return self._compare_outcomes(pair, self._top(self.run, step), self._top(self._other, other))

    def _top(self, run: ErlangRun, step: Step) -> int:
        """The activation of a step that recorded code did not call."""
        tops = run.top_frames[step.process.index]
        return tops[bisect_right([run.frames.first[frame] for frame in tops], step.first) - 1]

    def _compare_waits(self, pair: _ProcessPair, event: int, other: int) -> ComparisonResult:
        """Compare the `receive` at which both wait, and the variables of all activations that continue after it."""
        site, beside = self.run.recording.events.site[event], self._other.recording.events.site[other]
        if self._site_of.get(site) != beside:
            sure = site in self._site_of and beside in self._site_of.values()
            line = self._other.recording.sites[beside].place[0]
            return (_different_result if sure else _unsure_result)(
                f"the reference waits at another `receive`, its line {line}"
            )
        left, right = _live_variables(self.run, event), _live_variables(self._other, other)
        if len(left) != len(right):
            return _unsure_result("the reference is in other functions then")
        return worst_of([self._compare_variables(pair, *both) for both in zip(left, right, strict=True)])

    def _compare_variables(self, pair: _ProcessPair, left: dict[str, Term], right: dict[str, Term]) -> ComparisonResult:
        """Compare the variables that both have."""
        if not (left.keys() <= right.keys() or right.keys() <= left.keys()):  # a name may stand for something else
            return _unsure_result("the reference has other variables there")
        results = [SAME]
        for name in left.keys() & right.keys():
            equality = self._compare_values(pair, left[name], right[name])
            if equality is not Equality.SAME:
                results.append(
                    ComparisonResult(equality, f"the reference has {name} = {text(right[name], _MAX_CHARACTERS)} then")
                )
        return worst_of(sorted(results, key=lambda result: result.why))

    # Activations

    def call(self, frame: int) -> ComparisonResult:
        """Compare an activation with the replayed one that has the same arguments after the same effects."""
        run, process = self.run, self.run.frames.process[frame]
        pair = self._pairs.get(process)
        if pair is None:
            return _unsure_result("the input of its process cannot be replayed")
        number = bisect_right(pair.process.step_starts, run.frames.first[frame]) - 1
        if not 0 <= number < len(pair.other.steps):
            return _unsure_result("the reference did not get that far")
        other = self._counterpart(pair, frame, number)
        if other is None:
            return _unsure_result("the reference makes no such call there")
        first, last = run.frames.first[frame], run.frames.last[frame]
        begin, end = self._other.frames.first[other], self._other.frames.last[other]
        if self._sends_to_unregistered(pair, begin, end):
            return _unsure_result(UNREGISTERED)
        history = self._compared_steps(process)[:number]
        is_apart = not (pair.effects.uses_process_state(first, last) or pair.others.uses_process_state(begin, end))
        if not is_apart and (
            len(history) < number or any(earlier.equality is not Equality.SAME for earlier in history)
        ):
            return _unsure_result("an earlier step differs")
        gave_up = self._gave_up(pair, other)
        ending = (
            _unsure_result("the reference did not come to its end")
            if gave_up
            else self._compare_outcomes(pair, frame, other)
        )
        done = self._compare_writes(
            pair, _EventRange(first, last, self._is_cut(frame)), _EventRange(begin, end, gave_up)
        )
        return worst_of([done, ending])

    def _counterpart(self, pair: _ProcessPair, frame: int, number: int) -> int | None:
        """The replayed activation in the same step, of the same function and arguments, after the same effects."""
        run, other = self.run, self._other
        step, beside = pair.process.steps[number], pair.other.steps[number]
        done = pair.effects.writes(step.first, run.frames.first[frame])
        facts = run.site(frame)
        begun = self._frames_of[pair.other.index]
        for candidate in begun[bisect_left(begun, beside.first, key=other.frames.first.__getitem__) :]:
            if other.frames.first[candidate] > beside.last:
                break
            same = facts.routine == other.site(candidate).routine and facts.kind == other.site(candidate).kind
            if facts.kind == "fun":
                same = same and self._site_of.get(facts.number) == other.site(candidate).number
            if same and self._compare_values(pair, run.arguments(frame), other.arguments(candidate)) is Equality.SAME:
                before = pair.others.writes(beside.first, other.frames.first[candidate])
                if len(done) == len(before) and all(map(self._is_same(pair), done, before)):
                    return candidate
        return None

    def _is_same(self, pair: _ProcessPair) -> Callable[[Effect, Effect], bool]:
        return lambda left, right: (
            left.key == right.key and not self._compare_values(pair, left.arguments, right.arguments)
        )

    def _compare_outcomes(self, pair: _ProcessPair, frame: int, other: int) -> ComparisonResult:
        """Compare the results or exceptions of two activations."""
        returned, outcome = self.run.outcome(frame)
        gave, right = self._other.outcome(other)
        if not gave and not isinstance(right, Raised):
            right = next(
                (exception for event, exception in pair.raised if event >= self._other.frames.first[other]), None
            )
            if right is None:
                return _unsure_result("the reference did not end")
        why = (
            f"the reference gives {text(right, _MAX_CHARACTERS)}"
            if gave
            else f"the reference raises {_raised_text(right)}"
        )
        if outcome is None and not returned:
            endless = self.run.is_endless(frame)
            return _different_result(why) if endless else _unsure_result("how it ended is not known")
        if returned != gave:
            equality = Equality.DIFFERENT
        else:
            equality = self._compare_values(
                pair, *((outcome, right) if gave else (outcome.without_stack.term, right.without_stack.term))
            )
        if equality is Equality.DIFFERENT and self.run.is_ended_by_another(frame):
            return _unsure_result("another process may have ended it")
        return ComparisonResult(equality, why)

    # Effects

    @cached_property
    def _registered_names(self) -> frozenset[str]:
        return registered_names(self.run)

    def _sends_to_unregistered(self, pair: _ProcessPair, first: int, last: int) -> bool:
        """Whether the replay sends to a name that no process is known to have: the send may fail."""
        names = {effect.receiver_name for effect in pair.others.writes(first, last)}
        return not names - {None} <= self._registered_names

    def _compare_writes(self, pair: _ProcessPair, ours: "_EventRange", its: "_EventRange") -> ComparisonResult:
        """Compare the messages and other writes of two event ranges, channel by channel."""
        left = _by_channel(pair.effects.writes(ours.first, ours.last))
        right = _by_channel(pair.others.writes(its.first, its.last))
        results = [SAME]
        for channel in {**left, **right}:
            left_effects, right_effects = left.get(channel, []), right.get(channel, [])
            sure = not any(name in channel for name in pair.ambiguous_names)
            for both in zip(left_effects, right_effects, strict=False):
                done = self._compare_effects(pair, *both)
                results.append(done if sure or done.equality is Equality.SAME else _unsure_result(done.why))
            if len(left_effects) > len(right_effects):
                why = f"the reference never {effect_text(left_effects[len(right_effects)])}"
                results.append(_different_result(why) if sure and not its.is_cut else _unsure_result(why))
            elif len(right_effects) > len(left_effects):
                why = f"the reference {effect_text(right_effects[len(left_effects)])}"
                results.append(_different_result(why) if sure and not ours.is_cut else _unsure_result(why))
        return worst_of(results)

    def _compare_effects(self, pair: _ProcessPair, effect: Effect, other: Effect) -> ComparisonResult:
        equality = (
            self._compare_values(pair, effect.arguments, other.arguments)
            if effect.key == other.key
            else Equality.DIFFERENT
        )
        return ComparisonResult(equality, f"the reference {effect_text(other)}")

    # Values

    def _compare_values(self, pair: _ProcessPair, left: Term, right: Term) -> Equality:
        """Compare two terms; pids and references that only this process created are not compared."""
        equality = Equality.SAME
        waiting = [(left, right)]
        while waiting and equality is not Equality.DIFFERENT:
            term, other = waiting.pop()
            if isinstance(term, Omitted) or isinstance(other, Omitted):
                equality = Equality.UNSURE
            elif isinstance(term, Fun) and isinstance(other, Fun):
                equality = max(equality, self._compare_funs(pair, term, other))
            elif isinstance(term, Pid | Opaque) and type(term) is type(other):
                if term != other:
                    equality = max(equality, self._compare_names(pair, term, other))
            else:
                parts = paired_parts(term, other)
                if parts is None:
                    return Equality.DIFFERENT
                waiting += parts
        return equality

    def _compare_names(self, pair: _ProcessPair, name: Term, other: Term) -> Equality:
        """Compare different pids or references: those created by equal calls may stand for each other."""
        known = isinstance(name, Opaque) or other in self.run.processes.index
        apart = not pair.ambiguous_names & {_canonical(name), _canonical(other)}
        return Equality.DIFFERENT if known and apart else Equality.UNSURE

    def _compare_funs(self, pair: _ProcessPair, fun: Fun, other: Fun) -> Equality:
        """Compare two funs by their code and captured variables."""
        if fun.name or other.name:
            return Equality.SAME if fun == other else Equality.DIFFERENT
        if fun.creation is None or other.creation is None or self._site_of.get(fun.creation[1]) != other.creation[1]:
            return Equality.UNSURE
        texts, values = [], []
        for run, made in ((self.run, fun.creation), (self._other, other.creation)):
            definer, facts = run.frames.by_number.get(made[0]), run.recording.sites[made[1]]
            texts.append(run.text(run.site_location(facts)))
            around = {} if definer is None else run.bindings(definer, run.frames.last[definer] + 1)
            values.append(list(used_variables(texts[-1], around).items()))
        if texts[0] != texts[1] or any(isinstance(value, Fun) for _, value in values[0]):  # it may capture itself
            return Equality.UNSURE
        return Equality.SAME if self._compare_values(pair, *values) is Equality.SAME else Equality.UNSURE


def _pids_and_references(term: Term) -> list[Pid | Opaque]:
    """Pids and references in a term."""
    names: list[Pid | Opaque] = []
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Pid | Opaque):
            names.append(part)
        elif isinstance(part, list | tuple):
            waiting += part
    return names


def _live_variables(run: ErlangRun, event: int) -> list[dict[str, Term]]:
    """Variables of the activations that continue after a `receive`, innermost first, as far as they are still used."""
    frames = run.frames
    process = run.recording.events.process[event]
    frame, variables = frames.by_number[run.recording.events.frame[event]], list[dict[str, Term]]()
    waits = run.site_location(run.recording.sites[run.recording.events.site[event]])
    while frame >= 0 and frames.process[frame] == process:
        clause = run.clause(frame)
        where = None if clause is None else run.clause_location(run.site(frame), clause)
        if where is not None and waits is not None and not variables:
            where = evolve(where, range=Range(waits.range.start, max(where.range.end, waits.range.end)))
        variables.append(used_variables(run.text(where), run.bindings(frame, event)))
        while frame >= 0 and frames.tail[frame]:
            frame = frames.parent[frame]
        frame = frames.parent[frame] if frame >= 0 else -1
    return variables


def _by_channel(effects: list[Effect]) -> dict[str, list[Effect]]:
    channels: dict[str, list[Effect]] = {}
    for effect in effects:
        channels.setdefault(effect.channel, []).append(effect)
    return channels


def _receive_text(step: Step) -> str:
    return "times out" if step.message is None else f"takes {text(step.message.value, _MAX_CHARACTERS)}"


def _raised_text(raised: Raised) -> str:
    return f"{raised.kind}:{text(raised.reason, _MAX_CHARACTERS)}"


def paired_parts(term: Term, other: Term) -> list[tuple[Term, Term]] | None:
    """Pairs of parts that must be equal for two terms to be equal; None if the terms differ anyway."""
    if isinstance(term, float) and isinstance(other, float):
        return [] if term == other or abs(term - other) <= _TOLERANCE * max(abs(term), abs(other)) else None
    if isinstance(term, MapTerm) and isinstance(other, MapTerm):
        if len(term.pairs) != len(other.pairs) or type(term) is not type(other):
            return None
        if isinstance(term, Record) and isinstance(other, Record) and _record_name(term) != _record_name(other):
            return None
        return list(zip(sorted(term.pairs, key=_canonical), sorted(other.pairs, key=_canonical), strict=True))
    if isinstance(term, Improper) and isinstance(other, Improper):
        return [((*term.items, term.tail), (*other.items, other.tail))]
    if _is_stack_trace(term) and _is_stack_trace(other):
        return []  # a reference has other lines, and is partly interpreted
    if isinstance(term, list | tuple) and type(term) is type(other):
        return list(zip(term, other, strict=True)) if len(term) == len(other) else None
    return [] if type(term) is type(other) and term == other else None


def _is_stack_trace(term: Term) -> bool:
    """Whether a term is a stack trace; OTP 24 added `error_info` (https://www.erlang.org/doc/system/errors.html)."""
    return isinstance(term, list) and bool(term) and all(map(_is_stack_entry, term))


def _is_stack_entry(term: Term) -> bool:
    match term:
        case (Atom(), Atom(), int() | [*_], [*where]):
            return all(isinstance(info, tuple) and info[:1] in _STACK_INFO for info in where)
    return False


def _record_name(record: Record) -> tuple[str, str]:
    return record.module, record.name


def _canonical(term: Term) -> str:
    return "".join(canonical(term))
