"""Roots of trees: the main program, the call that the user asked for, or one test with everything that led to it."""

import numpy as np
from attrs import evolve

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Routine
from adebug_lsp.languages.python.reading.structure.run_structure import Test
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.errors import BadInputError


def root_of_run(run: Run) -> Span:
    """The main program, with the work of other threads below it."""
    if not len(run.spans):
        raise BadInputError(_nothing(run))
    tops = [run.spans[number] for number in run.tops]
    called = [span for span in tops if span.routine.module.path == "<call>"]
    if called:
        below = run.children(called[0].number)
        return run.spans[below[0]] if len(below) == 1 else called[0]
    return tops[0] if len(tops) == 1 else _above(run, tops, tops[0].routine)


def _nothing(run: Run) -> str:
    """Message for a recording without any call."""
    if run.recording.problem:
        return "the recording is damaged: no call of the program is left in it"
    if str((run.recording.ending or {}).get("message", "")).startswith(("SyntaxError", "IndentationError", "TabError")):
        return "the program did not run: fix its syntax error first"
    return "no code of the program was recorded: is it in the workspace?"


def root_of_test(run: Run, test: Test, name: str) -> tuple[Span, Span | None]:
    """Root of a test, and the span of its function: modules loaded before it, fixtures, and the function."""
    tops = [run.spans[number] for number in run.tops]
    during = [span for span in tops if test.first <= span.first <= test.last]
    loaded = [span for span in tops if span.first < test.first and span.routine.kind == "module"]
    loaded = [span for span in loaded if not span.routine.module.path.endswith("conftest.py")]
    if not during:
        raise BadInputError(f"nothing of {name} was recorded")
    own = name.partition("[")[0].split("::")[-1]
    function = next((span for span in reversed(during) if span.routine.name == own), None) or _inside(run, test, own)
    root = _above(run, [*loaded, *during], (function or during[-1]).routine)
    return root, None if function is None else run.spans[function.number]


def _inside(run: Run, test: Test, name: str) -> Span | None:
    """The function of a test that recorded code called, such as a plug-in that runs an event loop."""
    spans = run.spans
    routines = [number for number, routine in enumerate(spans.routines) if routine.name == name]
    numbers = np.flatnonzero(np.isin(np.frombuffer(spans.routine, np.int32), routines)).tolist()
    called = (spans[n] for n in reversed(numbers) if spans.activation[n] == n)
    return next((span for span in called if test.first <= span.first <= test.last), None)


def _above(run: Run, tops: list[Span], routine: Routine) -> Span:
    whole = evolve(routine, name="the run", qualname="", node=-1, index=-1, kind="module", parameters=(), method=False)
    return run.add_root(whole, [span.number for span in tops])
