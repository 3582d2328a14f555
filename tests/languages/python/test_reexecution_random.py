"""A call of which only the calls were recorded, executed again, is recorded as it would have been in full."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.describe.behaviours import Describer
from adebug_lsp.languages.python.reading.recording import open_recording
from adebug_lsp.languages.python.reading.run import Record, Run, read_run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.sandbox.reexecution import Reexecution
from tests.languages.python.random_programs import PRELUDE, programs
from tests.recording.support import RECORDER_FOLDER

MOST = 12
"""Activations of one program that are looked into."""
SLOW = settings(
    max_examples=int(os.environ.get("ADEBUG_EXAMPLES", "4")), deadline=None, suppress_health_check=list(HealthCheck)
)


def recorded(folder: Path, level: str) -> Run:
    out = folder / f"{level}.adebug"
    command = [sys.executable, str(RECORDER_FOLDER), "--out", str(out), "--workspace", str(folder), "--level", level]
    subprocess.run([*command, "program.py"], cwd=folder, capture_output=True, timeout=60, check=False)
    return read_run(open_recording(out))


def activations(run: Run) -> list[Span]:
    found = (run.spans[number] for number in range(len(run.spans)) if run.spans.activation[number] == number)
    return [span for span in found if span.routine.kind != "module"]


def told(run: Run, activation: Span) -> list[object]:
    """Everything that the records of an activation's own code say."""

    def of(record: Record) -> tuple[object, ...]:
        values = zip(record.marker.slots, record.words, strict=True)
        return (
            record.marker.kind,
            record.marker.node,
            record.marker.taken,
            [(node, run.shower.digest(word, record.end)) for node, word in values if node >= 0],
            [name for name, _ in record.marker.stores],
        )

    return [of(record) for record in run.between(activation, activation.first, activation.last)]


def looked_into(folder: Path) -> tuple[int, list[str]]:
    """Execute the calls of a program again and compare; how many could be, and why others could not."""
    full, calls = recorded(folder, "full"), recorded(folder, "calls")
    problems: list[str] = []
    done = 0
    with Reexecution(calls, Describer(calls), folder, Path(sys.executable), problems.append) as again:
        pairs = list(zip(activations(full), activations(calls), strict=True))
        for whole, call in pairs[:: max(1, len(pairs) // MOST)]:
            executed = again.of(call)
            if executed is not None:
                assert told(executed.run, executed.span(call)) == told(full, whole), call.routine.qualname
                done += 1
    return done, problems


@SLOW
@given(source=programs(), until=st.integers(20, 120))
def test_a_call_executed_again_is_recorded_as_in_full(source: str, until: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(f"{PRELUDE}\nThing.until = {until}\n{source}", encoding="utf-8")
        looked_into(folder)
