"""Questions as a person reads them: one readable text for each kind of program, and all of them fit a screen.

`ADEBUG_ACCEPT=1` writes the texts anew; read the difference before you keep it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli.render.question_rows import question_rows
from adebug_lsp.frontends.cli.render.style import Style, rows_of
from adebug_lsp.languages.python.questions.subject import InnerSubject, PythonSubject
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.presentation import WIDTH, Presentation, present
from tests.languages.python.recorded import record
from tests.support import one_in
from tests.test_programs import NAMES, PROGRAMS

GOLDENS = Path(__file__).parent / "goldens"
QUESTIONS = "\n------------------------------ questions ------------------------------\n"
"""What stands between the program and the questions about it."""
PLAIN = Style(colour=False)
SCREEN = 24
AROUND = 4
"""Lines of a screen that are not of the question itself: the prompt for an answer, notes, and an oracle's answer."""
MOST = 60
"""Questions that are looked at in each planted program."""


def lines_of_question(presentation: Presentation, behaviour: Behaviour) -> list[str]:
    end = "?" if presentation.asked == behaviour.text else ":"
    return [f"{presentation.asked}{end}", *question_rows(presentation, PLAIN), f"  {presentation.prompt}"]


def questions(subject: PythonSubject) -> Iterator[tuple[NodeKind, Behaviour]]:
    """Every question about a run, and behind a routine those about its inside."""
    for node in range(len(subject.tree)):
        kind = NodeKind(int(subject.tree.kind[node]))
        yield kind, subject.behaviour(node)
        inside = subject.inside(node)
        if isinstance(inside, InnerSubject) and kind is not NodeKind.ITERATION:
            for part in range(1, len(inside.tree)):
                yield NodeKind(int(inside.tree.kind[part])), inside.behaviour(part)


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDENS.glob("*.txt")))
def test_questions_read_like_this(name: str, tmp_path: Path) -> None:
    golden = GOLDENS / f"{name}.txt"
    program, _, expected = golden.read_text(encoding="utf-8").partition(QUESTIONS)
    subject = record(tmp_path, program).subject()
    shown = dict.fromkeys("\n".join(lines_of_question(present(b, kind), b)) for kind, b in questions(subject))
    text = "\n\n".join(shown).replace(str(tmp_path), "...") + "\n"
    if os.environ.get("ADEBUG_ACCEPT"):
        golden.write_text(program + QUESTIONS + text, encoding="utf-8")
        expected = text
    assert text == expected


@pytest.mark.parametrize("name", one_in(4, (name for name in NAMES if (PROGRAMS / name / "program.py").exists())))
def test_a_question_about_a_planted_program_fits_a_screen(name: str, tmp_path: Path) -> None:
    files = {"program.py": (PROGRAMS / name / "program.py").read_text(encoding="utf-8")}
    others = (path for path in (PROGRAMS / name).rglob("*.py") if "fixed" not in path.parts)
    files |= {path.relative_to(PROGRAMS / name).as_posix(): path.read_text(encoding="utf-8") for path in others}
    subject = record(tmp_path, files, timeout=3).subject()
    for number, (kind, behaviour) in enumerate(questions(subject)):
        lines = lines_of_question(present(behaviour, kind), behaviour)
        rows = sum(rows_of(line, WIDTH) for line in lines)
        assert rows <= SCREEN - AROUND, "\n".join(lines)
        assert not any(" -> " in line and alike(line) for line in lines), "\n".join(lines)
        if number > MOST:
            break


def alike(line: str) -> bool:
    """Whether both sides of a change print alike."""
    before, arrow, after = line.partition(" → ")
    return bool(arrow) and before.rpartition(": ")[2] == after
