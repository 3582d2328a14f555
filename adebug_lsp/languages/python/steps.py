"""A step of a generator as something that can be run again: the generator from its beginning, with what it was sent.

What other code did to the generator's objects between its steps is not repeated; then the recorded version, run again,
does not give what was recorded either, which is noticed there.
"""

from itertools import pairwise

from attrs import evolve

from adebug_lsp.languages.python.fragment import Fragment, Moment
from adebug_lsp.languages.python.run import Run


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
        resumed, left = run.record(step.first), [one.marker.kind for one in run.within(earlier)]
        if resumed.marker.kind != "resume" or "delegate" in left:
            return None
        sent.append(Moment(resumed.words[1], resumed.end))
    arguments = tuple((name, Moment(first.words[slot], first.end)) for name, slot in first.marker.stores)
    return evolve(fragment, arguments=arguments, after=(), items=tuple(sent), iterations=len(steps))
