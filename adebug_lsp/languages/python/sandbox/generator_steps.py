"""A step of a generator as a fragment that can be run again: the generator from its start, with the values sent to it.

A step leads from the variables that the previous one left to those that it leaves, so both belong to it: if the former
are wrong, an earlier step is to blame. The same holds for generators that it delegates to. Changes that other code made
to the generator's objects between steps are not repeated; then the recorded version does not reproduce the recording
either, and the oracle abstains.
"""

from bisect import bisect_right
from itertools import pairwise

from attrs import evolve

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.sandbox.call_outcomes import CallOutcomes
from adebug_lsp.languages.python.sandbox.fragment import Fragment, SuspendedGenerator, ValueAt
from adebug_lsp.model.kinds import NodeKind


def from_beginning(fragment: Fragment, outcomes: CallOutcomes) -> Fragment | None:
    """The fragment with the first step's arguments, and as `items` the values sent later; None if unknown."""
    run = outcomes.run
    steps = run.steps_to(fragment.span)
    if not steps:
        return None
    first = run.record(steps[0].first)
    if first.marker.kind != "enter":
        return None
    sent = []
    for earlier, step in pairwise(steps):
        resumed = run.record(step.first)
        if resumed.marker.kind != "resume" or _is_hidden(earlier, run):
            return None
        sent.append(ValueAt(resumed.words[1], resumed.end))
    arguments = tuple((name, ValueAt(first.words[slot], first.end)) for name, slot in first.marker.stores)
    return evolve(
        fragment,
        arguments=arguments,
        after=(),
        items=tuple(sent),
        iterations=len(steps),
        earlier=_waiting(outcomes, steps[:-1]),
        later=_waiting(outcomes, steps),
    )


def _waiting(outcomes: CallOutcomes, steps: list[Span]) -> tuple[SuspendedGenerator, ...]:
    """A generator after some steps, and the suspended ones that it started; empty if it has ended."""
    if not steps or not outcomes.yields(steps[-1]):
        return ()
    run, moment, firsts = outcomes.run, steps[-1].last + 1, [step.first for step in steps]
    suspended = [steps[-1]]
    for number in run.latest_steps(moment):
        around = steps[bisect_right(firsts, run.spans.first[number]) - 1]
        inside = around.first < run.spans.first[number] <= around.last
        if inside and outcomes.yields(run.spans[number]):
            suspended.append(run.spans[number])
    return tuple(SuspendedGenerator(step.routine.qualname, _variables(run, step, moment)) for step in suspended)


def _variables(run: Run, step: Span, moment: int) -> tuple[tuple[str, ValueAt], ...]:
    variables = run.variables(step)
    bindings = ((name, variables.at(name, moment)) for name in variables.names)
    return tuple((name, ValueAt(word, moment)) for name, word in bindings if word is not None)


def _is_hidden(step: Span, run: Run) -> bool:
    """Whether a generator that a step delegated to has unrecorded steps, because it delegated itself.

    An iterator that is no recorded generator is passed on as a whole, in one step (`guest.execution.delegate`).
    """
    if not any(record.marker.kind == "delegate" for record in run.within(step)):
        return False
    below = [run.spans[child] for child in run.children(step.number)]
    generators = [child for child in below if child.kind is NodeKind.GENERATOR]
    return bool(generators) and generators[-1].last != step.last
