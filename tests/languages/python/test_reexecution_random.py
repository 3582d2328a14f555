"""A call recorded at level `calls` and executed again gives the same records as at level `full`."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.languages.python.reading.run import Record, Run, read_run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.sandbox.reexecution import Reexecution
from tests.languages.python.random_programs import PRELUDE, programs
from tests.languages.python.recording.support import RECORDER_FOLDER

MOST = 12
"""Maximum number of activations of one program that are executed again."""
SLOW = settings(
    max_examples=int(os.environ.get("ADEBUG_EXAMPLES", "4")), deadline=None, suppress_health_check=list(HealthCheck)
)


def recorded(folder: Path, level: str) -> Run:
    out = folder / f"{level}.adebug"
    command = [sys.executable, str(RECORDER_FOLDER), "--out", str(out), "--workspace", str(folder), "--level", level]
    subprocess.run([*command, "program.py"], cwd=folder, capture_output=True, timeout=60, check=False)
    return read_run(open_recording(out))


def activations(run: Run) -> list[Span]:
    activations = (run.spans[number] for number in range(len(run.spans)) if run.spans.activation[number] == number)
    return [span for span in activations if span.routine.kind != "module"]


def recorded_events(run: Run, activation: Span) -> list[object]:
    """Everything that the records of an activation's own code say."""

    def of(record: Record) -> tuple[object, ...]:
        values = zip(record.marker.slots, record.words, strict=True)
        return (
            record.marker.kind,
            record.marker.node,
            record.marker.taken,
            [(node, run.formatter.digest(word, record.end)) for node, word in values if node >= 0],
            [name for name, _ in record.marker.stores],
        )

    return [of(record) for record in run.between(activation, activation.first, activation.last)]


def looked_into(folder: Path) -> tuple[int, list[str]]:
    """Execute the calls of a program again and compare; how many could be, and why others could not."""
    full, calls = recorded(folder, "full"), recorded(folder, "calls")
    problems: list[str] = []
    done = 0
    with Reexecution(calls, BehaviourBuilder(calls), folder, Path(sys.executable), problems.append) as again:
        pairs = list(zip(activations(full), activations(calls), strict=True))
        for whole, call in pairs[:: max(1, len(pairs) // MOST)]:
            executed = again.of(call)
            if executed is not None:
                assert recorded_events(executed.run, executed.span(call)) == recorded_events(full, whole), (
                    call.routine.qualname
                )
                done += 1
    return done, problems


LAMBDA_IN_RAISE = """a, b, c, d = t(1), t(2), [t(3), t(4)], {'k': t(5)}
def main(a, b, c, d):
    try:
        raise Bang((lambda p, q=(t(1)), *r: (p, q, t(2)))(a)) from Boom(2)
    except Exception as error:
        a, b = t(1), seen(error)
    return a
result = main(a, b, c, d)
"""


LOOP_INSERTED_IN_TRY = """a, b, c, d = (t(1), t(2), [t(3), t(4)], {'k': t(5)})

def main(a, b, c, d):
    a += t(10).m(*t(11), *t(12)) is (t(3) if c else t(4)) is not t(5)(t(7), l=t(8))
    t(14)(c, t(15))[t(16).x, t(17) @ t(18)], *b = t(34).m(**t(35))(not a, **t(38)(t(40), t(41), **t(42)))
    t(51)[t(52)[t(53), t(54):]], c = (t(74)[t(75), t(76):], f'{t(78)!r:>4}{t(79)}')
    try:
        try:
            pass
        finally:
            for c in t(1).x:
                for list(((v12, 's') for v12 in t(13) for w in v12))[~t(14)] in {v5: (v5, t(9).m(*b, t(10))) for v5 in t(6)[t(7)] if v5 < (c := t(8)) for w in v5}:
                    pass
            else:
                a = (lambda p, q=f'{t(51)!r:>4}{t(52)}', *r: (p, q, t(54)))(t(53).m(*a, c))

                async def f59(a, b=f'{t(60):{t(61)}}', *c, k=d, **d):
                    pass
                sent(f59(t(83)(t(85), t(86), k=t(87))))
    except Exception as error:
        a, b = (t(1), seen(error))
    try:

        def f41(a, b=t(42).x, *c, k=t(43) if 1 else t(44), **d):
            yield a
    except Exception as error:
        pass
    return -t(50)
result = main(a, b, c, d)
"""  # noqa: E501 (as it was found)


@SLOW
@example(source=LAMBDA_IN_RAISE, until=20)
@example(source=LOOP_INSERTED_IN_TRY, until=87)
@given(source=programs(), until=st.integers(20, 120))
def test_a_call_executed_again_is_recorded_as_in_full(source: str, until: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(f"{PRELUDE}\nThing.until = {until}\n{source}", encoding="utf-8")
        looked_into(folder)


PLACES = """
    x = HERE
    raise ValueError(HERE)
    raise ValueError(1) from KeyError(HERE)
    assert HERE
    assert not given, HERE
    while HERE: break
    for i in [HERE]: pass
    with nullcontext(HERE): pass
    with nullcontext(1), nullcontext(HERE) as z: pass
    match HERE: case 1: pass
    match given: case _ if HERE: pass
    return HERE
    del {1: 2}[HERE]
    {1: 1}[HERE] += 1
    [i for i in [1] if HERE]
    same(*[HERE])
    1 if HERE else 2
"""
"""Statements of one line each; a second clause stands in a line of its own."""
HERE = {"a lambda": "(lambda p: p)(1)", "a method": "box.change(1)", "a change": "held.setdefault(1, 1)"}


def test_all_parts_of_statements_are_recorded_at_both_levels(tmp_path: Path) -> None:
    lines = ["from contextlib import nullcontext", "held = {}", "def same(*a): return a", "def end(*a): return 1"]
    lines += ["class Box:", "    def change(self, n):", "        self.n = n", "        return n", "box = Box()"]
    for number, (what, place) in enumerate(product(HERE.values(), PLACES.strip().splitlines())):
        statement = place.strip().replace(": case", ":\n        case").replace("HERE", what)
        lines += [f"def f{number}(given):", f"    {statement}", f"try: f{number}(1)", "except Exception: pass"]
        lines += ["end(held, box)", "held.clear()", "box = Box()"]
    (tmp_path / "program.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    full, calls = recorded(tmp_path, "full"), recorded(tmp_path, "calls")

    def seen(run: Run) -> list[tuple[str, list[str]]]:
        """The executed lines, and the content of objects each time that they were passed to `end`."""
        mismatches = []
        for span in activations(run):
            first = next(iter(run.between(span, span.first, span.last)))
            shown = first.words if span.routine.name == "end" else ()
            mismatches.append((span.routine.qualname, [run.formatter.digest(word, first.end) for word in shown]))
        return mismatches

    assert len(seen(full)) > 3 * len(HERE) * len(PLACES.strip().splitlines()) - 20
    assert seen(calls) == seen(full)
