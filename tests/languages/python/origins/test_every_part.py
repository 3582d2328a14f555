"""Every part that a question shows can be traced, in programs that were not written for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.slicing.provenance import Certainty
from tests.languages.python.recorded import record
from tests.test_programs import PROGRAMS

PROGRAMS_TRACED = (
    *("spreadsheet", "teams", "transfer", "vehicles"),
    *(pytest.param(name, marks=pytest.mark.suites) for name in ("tournament", "treasure")),
)
_MOST_PARTS = 3
_MOST_NODES = 150


def marks(behaviour: Behaviour) -> Iterator[Mark]:
    """Marks on everything that a question shows, two levels deep, but for the end of long values."""
    outcome = behaviour.result or behaviour.raised
    shown = [] if outcome is None else [(Mark(MarkOf.RESULT), outcome)]
    for of, environment in ((MarkOf.ARGUMENT, behaviour.before), (MarkOf.AFTER, behaviour.after)):
        shown += [(Mark(of, (binding.name,)), binding.value) for binding in environment.bindings]
    for mark, value in shown:
        yield mark
        yield from (Mark(mark.of, (*mark.path, part.key)) for part in value.parts[:_MOST_PARTS])


@pytest.mark.parametrize("name", PROGRAMS_TRACED)
def test_every_part_has_an_origin(name: str, tmp_path: Path) -> None:
    subject = record(tmp_path, (PROGRAMS / name / "program.py").read_text(encoding="utf-8")).subject()
    sure = unsure = 0
    for node in range(min(len(subject.tree), _MOST_NODES)):
        for mark in marks(subject.behaviour(node)):
            trace = subject.dependences.trace(node, mark)
            origin = subject.dependences.origin(node, mark)
            if trace is None or origin is None:
                unsure += 1
                continue
            assert 0 <= trace.origin < len(subject.tree)
            assert trace.origin in trace.influencers
            sure += origin.certainty > Certainty.UNKNOWN
            unsure += origin.certainty is Certainty.UNKNOWN
    assert sure > 4 * unsure
