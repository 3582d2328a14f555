"""Slices checked by running: whatever is changed outside a slice, its value stays."""

import tempfile
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from attrs import frozen
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.dependences.possible_writes import PossibleWrites
from adebug_lsp.slicing.slicer import ReducedFile, Slicer
from tests.languages.python.dependences.small_programs import PRELUDE, Maker, other_constants
from tests.languages.python.recorded import Recorded, record
from tests.support import one_in

PROGRAMS = 100
"""Programs in the recording of the check of the check."""
ROUNDS = 12
IN_ROUND = 25
"""Programs in the recording of a round."""
EXECUTABLE = 25
"""Programs whose executable slices are run."""
CHANGES = 4


@frozen
class Program:
    number: int
    lines: list[str]
    first: int
    """Its first line in the recorded file."""

    def result(self, lines: list[str]) -> object:
        """What the program computes, with these lines in place of its own."""
        namespace: dict[str, object] = {}
        exec("\n".join([PRELUDE, *lines]), namespace)
        main = namespace[f"main{self.number}"]
        assert callable(main)
        return main()

    def outside(self, slicer: Slicer) -> set[int]:
        """The lines that the slice of its result does not have."""
        slice_ = slicer.backward(slicer.variable("program.py", self.first + len(self.lines) - 2, "result", None))
        assert slice_.followed is None
        inside = slice_.lines()["program.py"]
        return {number for number in range(len(self.lines)) if self.first + number not in inside}

    def in_slices(self, slicer: Slicer) -> list[object]:
        """What each executable slice of its result computes."""
        line = self.first + len(self.lines) - 2
        criterion = slicer.variable("program.py", line, "result", None)
        return [computed(files["program.py"], line) for files in slicer.programs(criterion)]

    def changed(self, outside: set[int], random: Random) -> list[str] | None:
        """The program with other constants outside of its slice, if that gives another value."""
        right = self.result(self.lines)
        for attempt in range(CHANGES):
            chosen = {number for number in outside if attempt % 2 or random.random() < 0.3}
            lines = other_constants(self.lines, chosen, random)
            if self.result(lines) != right:
                return lines
        return None


def computed(file: ReducedFile, line: int) -> object:
    """The value of `result` after a line of the whole file; a text, if the program without the rest fails."""
    lines, values = file.text.splitlines(), list[object]()
    lines.insert(file.lines.index(line) + 1, "    found.append(result)")
    try:
        exec("\n".join(lines), {"found": values})
    except Exception as error:
        return repr(error)
    return values[0] if len(values) == 1 else f"{len(values)} values"


def programs(seed: int, count: int = PROGRAMS) -> list[Program]:
    made: list[Program] = []
    first = len(PRELUDE.splitlines())
    for number in range(count):
        lines = Maker(Random(f"{seed} {number}"), number).program()
        made.append(Program(number, lines, first))
        first += len(lines)
    return made


def recorded(made: list[Program]) -> Slicer:
    """Slices of all programs."""
    run = recorded_run(made)
    return run.opened.slicer(run.subject())


def recorded_run(made: list[Program]) -> Recorded:
    """All programs in one file, which is recorded once."""
    lines = [*PRELUDE.splitlines(), *(line for program in made for line in program.lines)]
    lines += [f"main{program.number}()" for program in made]
    with tempfile.TemporaryDirectory() as folder:
        return record(Path(folder), "\n".join(lines) + "\n")


@pytest.mark.parametrize("number", one_in(ROUNDS, range(ROUNDS)))
@settings(max_examples=1, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(seed=st.integers(0, 1 << 32))
def test_a_value_stays_whatever_is_changed_outside_of_its_slice(number: int, seed: int) -> None:
    made = programs(seed + number, IN_ROUND)
    slicer = recorded(made)
    for program in made:
        changed = program.changed(program.outside(slicer), Random(program.number))
        assert changed is None, "\n".join(
            f"{old:60} # {new.strip()}" if old != new else old for old, new in zip(program.lines, changed, strict=True)
        )


@settings(max_examples=1, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.integers(0, 1 << 32))
def test_an_executable_slice_computes_the_same_value(seed: int) -> None:
    made = programs(seed, EXECUTABLE)
    slicer = recorded(made)
    smaller = 0
    for program in made:
        small, right = program.in_slices(slicer)
        expected = program.result(program.lines)
        assert right == expected, "\n".join(program.lines)
        smaller += small == expected
    assert smaller > EXECUTABLE * 0.9


def test_without_relevant_dependences_a_value_does_not_stay() -> None:
    """The check above sees what is missing: bugs of omission are why slices have these dependences."""
    made = programs(0)
    with patch.object(PossibleWrites, "last_head", lambda *_: None), patch.object(PossibleWrites, "heads", {}):
        slicer = recorded(made)
        changed = [program.changed(program.outside(slicer), Random(program.number)) for program in made]
    assert sum(lines is not None for lines in changed) > 2
