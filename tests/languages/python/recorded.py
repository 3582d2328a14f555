"""Records small programs in real processes, and opens the recordings."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

from attrs import evolve, frozen

from adebug_lsp.languages.language import Ended, Request
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.kinds import NodeKind


@frozen
class Recorded:
    """One run: how it ended, and what can be asked about it."""

    ended: Ended
    opened: OpenedPython

    def subject(self, entry: str = "") -> PythonSubject:
        """The tree of a test, or of the whole run."""
        return self.opened.subject(next(candidate for candidate in self.opened.entries if candidate.name == entry))


def record(folder: Path, program: str | Mapping[str, str], **options: Any) -> Recorded:
    """Record a program, or the first of several files; `tests` and `module` say what to run in its place."""
    files = {"program.py": program} if isinstance(program, str) else program
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    request = Request(workspace=folder, interpreter=Path(sys.executable), **options)
    if request.tests is None and request.module is None:
        request = evolve(request, program=folder / next(iter(files)))
    out = folder / "run.adebug"
    with _in(folder):
        ended = Python().record(request, out, silent)
    return Recorded(ended, Python().open(out, silent))


@contextmanager
def _in(folder: Path) -> Iterator[None]:
    """Change the working directory: a recorded program runs where adebug was started."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def silent(doing: str, done: int = 0, total: int | None = None) -> None:
    """Ignores progress."""


def dump(subject: PythonSubject) -> str:
    """The tree as indented text: one line for each node."""
    return "\n".join(f"{'  ' * depth}{subject.behaviour(node).text}" for node, depth in walk(subject))


def walk(subject: PythonSubject) -> Iterator[tuple[int, int]]:
    """Every node with its depth, in preorder."""
    depths: list[int] = []
    for node, parent in enumerate(subject.tree.parent.tolist()):
        depths.append(0 if parent < 0 else depths[parent] + 1)
        yield node, depths[-1]


def kinds(subject: PythonSubject) -> list[str]:
    """The kind of each node, in preorder."""
    return [NodeKind(int(kind)).name.lower() for kind in subject.tree.kind]


def node_of(subject: PythonSubject, text: str) -> int:
    """The first node whose behaviour starts with a text."""
    return next(node for node, _ in walk(subject) if subject.behaviour(node).text.startswith(text))
