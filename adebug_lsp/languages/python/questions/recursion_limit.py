"""Finds calls that failed because unbounded recursion hit the recursion limit; they are left out of the tree.

Such a recursion fails wherever the next frame does not fit: in the recursive routine, in a helper that it called, in a
comparison (CPython 3.10) or in the call itself (CPython 3.11 and later: "Inlined Python function calls" in
https://docs.python.org/3/whatsnew/3.11.html). That place is arbitrary, and comparing it with a correct run would blame
the code that happened to fail. So the failed calls are left out, up to the innermost call of the recursive routine.
"""

from collections.abc import Iterator

import numpy as np

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.recorded_values import Object
from adebug_lsp.languages.python.reading.static import Routine
from adebug_lsp.languages.python.reading.structure.spans import RAISED

DEEP = 100
"""Nesting depth from which a routine counts as the cause of the overflow."""


def at_the_limit(behaviours: BehaviourBuilder) -> Iterator[int]:
    """The outermost calls to leave out, with everything inside them."""
    spans = behaviours.run.spans
    for innermost in _deep_failures(behaviours):
        if not _hit_the_limit(behaviours, innermost):
            continue
        stack = [innermost]
        while (around := spans.parent[stack[-1]]) >= 0:
            stack.append(spans.activation[around])
        routines = [spans.routines[spans.routine[call]] for call in stack]
        place = next((place for place, routine in enumerate(routines) if _recurs(routine, routines[place:])), None)
        if place is not None:
            yield stack[place]


def _recurs(routine: Routine, stack: list[Routine]) -> bool:
    return stack.count(routine) >= DEEP


def _deep_failures(behaviours: BehaviourBuilder) -> list[int]:
    """Deeply nested calls that raised an exception which came from no call inside them."""
    spans = behaviours.run.spans
    activation, parent = np.frombuffer(spans.activation, np.int32), np.frombuffer(spans.parent, np.int32)
    is_raised = (np.frombuffer(spans.flags, np.int8) & RAISED) != 0
    raised = np.flatnonzero(is_raised & (activation == np.arange(len(spans))))
    around = parent[raised]
    failures = np.setdiff1d(raised, activation[around[around >= 0]])
    calls = failures
    for _ in range(DEEP):
        is_inside = parent[calls] >= 0
        failures, calls = failures[is_inside], activation[parent[calls[is_inside]]]
    innermost: list[int] = failures.tolist()
    return innermost


def _hit_the_limit(behaviours: BehaviourBuilder, call: int) -> bool:
    word = behaviours.outcome(behaviours.run.spans[call])[1]
    exception = None if word is None else behaviours.run.recording.values.value(word)
    return isinstance(exception, Object) and exception.type.full_name == "RecursionError"
