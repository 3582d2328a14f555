"""The root of a tree: the main program, the call that the user asked for, or one test with all that led to it."""

import numpy as np
from attrs import evolve

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Routine
from adebug_lsp.languages.python.reading.structure.run_structure import Test
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.errors import BadInputError


def root_of_run(run: Run) -> Span:
    """The span of the main program, with the work of other threads below it."""
    if not len(run.spans):
        raise BadInputError(_no_calls_message(run))
    tops = [run.spans[number] for number in run.tops]
    called = [span for span in tops if span.routine.module.path == "<call>"]
    if called:
        below = run.children(called[0].number)
        return run.spans[below[0]] if len(below) == 1 else called[0]
    return tops[0] if len(tops) == 1 else _root_above(run, tops, tops[0].routine)


def _no_calls_message(run: Run) -> str:
    """The message for a recording without calls."""
    if run.recording.problem:
        return "the recording is damaged: no call of the program is left in it"
    if str((run.recording.ending or {}).get("message", "")).startswith(("SyntaxError", "IndentationError", "TabError")):
        return "the program did not run: fix its syntax error first"
    return "no code of the program was recorded: is it in the workspace?"


def root_of_test(run: Run, test: Test, name: str) -> tuple[Span, Span | None]:
    """A root for a test (modules loaded before it, fixtures, its function), and the span of the function."""
    tops = [run.spans[number] for number in run.tops]
    during = [span for span in tops if test.first <= span.first <= test.last]
    loaded = [span for span in tops if span.first < test.first and span.routine.kind == "module"]
    loaded = [span for span in loaded if not span.routine.module.path.endswith("conftest.py")]
    if not during:
        raise BadInputError(f"nothing of {name} was recorded")
    own = name.partition("[")[0].split("::")[-1]
    function = next((span for span in reversed(during) if span.routine.name == own), None) or _called_test(
        run, test, own
    )
    root = _root_above(run, [*loaded, *during], (function or during[-1]).routine)
    return root, None if function is None else run.spans[function.number]


def _called_test(run: Run, test: Test, name: str) -> Span | None:
    """The test function, if recorded code called it, such as a plug-in that runs an event loop."""
    spans = run.spans
    routines = [number for number, routine in enumerate(spans.routines) if routine.name == name]
    numbers = np.flatnonzero(np.isin(np.frombuffer(spans.routine, np.int32), routines)).tolist()
    called = (spans[n] for n in reversed(numbers) if spans.activation[n] == n)
    return next((span for span in called if test.first <= span.first <= test.last), None)


def _root_above(run: Run, tops: list[Span], routine: Routine) -> Span:
    whole = evolve(routine, name="the run", qualname="", node=-1, index=-1, kind="module", parameters=(), method=False)
    return run.add_root(whole, [span.number for span in tops])
