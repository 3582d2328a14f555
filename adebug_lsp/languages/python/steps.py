"""A step of a generator as something that can be run again: the generator from its beginning, with what it was sent.

What other code did to the generator's objects between its steps is not repeated; then the recorded version, run again,
does not give what was recorded either, which is noticed there.
"""

from itertools import pairwise

from attrs import evolve

from adebug_lsp.languages.python.fragment import Fragment, Moment
from adebug_lsp.languages.python.run import Run
from adebug_lsp.languages.python.spans import Span
from adebug_lsp.model.kinds import NodeKind


def from_beginning(fragment: Fragment, run: Run) -> Fragment | None:
    """The fragment with the first step's arguments, and as `items` what each later one was sent; None if unknown."""
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
        sent.append(Moment(resumed.words[1], resumed.end))
    arguments = tuple((name, Moment(first.words[slot], first.end)) for name, slot in first.marker.stores)
    return evolve(fragment, arguments=arguments, after=(), items=tuple(sent), iterations=len(steps))


def _is_hidden(step: Span, run: Run) -> bool:
    """Whether a generator that a step delegated to has steps that nothing tells of: it delegated itself.

    What is no recorded generator is handed on as a whole, in one step (`apart.running.hand_on`).
    """
    if not any(one.marker.kind == "delegate" for one in run.within(step)):
        return False
    below = [run.spans[child] for child in run.children(step.number)]
    generators = [child for child in below if child.kind is NodeKind.GENERATOR]
    return bool(generators) and generators[-1].last != step.last
