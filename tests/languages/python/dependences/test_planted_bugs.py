"""Theorem 57 of Silva's thesis on random programs: a bug that made a value wrong is in the slice of that value."""

import re
from contextlib import suppress
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Mark, MarkOf
from tests.languages.python.dependences.test_random_slices import Program, programs, recorded_run

MUTATIONS = (
    (r"(?<![\w.])[1-9](?!\w)", "7"),
    (r" \+ ", " - "),
    (r" \* ", " + "),
    (r" > ", " < "),
    (r" == ", " != "),
    (r"\bif (.*):$", r"if not (\1):"),
    (r"(?<=[=(\[ ])a\b(?! =)", "b"),
    (r"\b(sum|max|len|sorted)\(xs\)", r"\1(ys)"),
    (r"= o\.n", "= p.n"),
    (r"\bmax\(", "sum("),
)
"""Wrong constants, operators, conditions and values read. Wrong conditions and places are bugs of omission, too.

Not among them: a statement that writes to another variable or object than it should. Nothing connects it with the one
that it should have written to; it is asked about later.
"""
_UNSAFE = re.compile(r"\s*(while |i\d+ |def |global |for )")
"""Lines in which a change could make a program run forever, or fail."""
_ATTEMPTS = 60
COUNT = 60
"""Programs in one recording."""


def with_bug(program: Program, random: Random) -> tuple[Program, int] | None:
    """The program with one line changed so that its result is wrong."""
    right = program.result(program.lines)
    for _ in range(_ATTEMPTS):
        number = random.randrange(1, len(program.lines) - 1)
        pattern, replacement = random.choice(MUTATIONS)
        line = program.lines[number]
        places = list(re.finditer(pattern, line))
        if _UNSAFE.match(line) or not places:
            continue
        place = random.choice(places)
        changed = line[: place.start()] + place.expand(replacement) + line[place.end() :]
        lines = [*program.lines[:number], changed, *program.lines[number + 1 :]]
        with suppress(IndexError, ZeroDivisionError):  # such a bug shows itself
            if program.result(lines) != right:
                return Program(program.number, lines, program.first), number
    return None


@settings(max_examples=1, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.integers(0, 1 << 32))
def test_the_bug_is_in_the_slice_of_the_wrong_value(seed: int) -> None:
    originals = programs(seed, COUNT)
    planted = [with_bug(program, Random(f"{seed} {program.number}")) for program in originals]
    made = [program if bug is None else bug[0] for program, bug in zip(originals, planted, strict=True)]
    run = recorded_run(made)
    slicer, subject = run.opened.slicer(run.subject()), run.subject()
    nodes = {subject.span(node).routine.name: node for node in reversed(range(len(subject.tree)))}
    failing = 0
    for program, bug in filter(None, planted):
        failing += 1
        assert bug not in program.outside(slicer), "\n".join([*program.lines, program.lines[bug]])
        needed = subject.dependences.needed(nodes[f"main{program.number}"], Mark(MarkOf.RESULT))
        assert needed is not None
        line = program.first + bug
        executed = run.opened.executed(subject, "program.py", line).tolist()
        assert not executed or set(executed) & set(needed.tolist()), program.lines[bug]
    assert failing > COUNT / 5
