"""Records a program with a bug, and asks the reference oracle about its nodes; the reference is the fixed twin."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from textwrap import dedent

from attrs import define

from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.languages.python.oracles.reference import Reference
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.languages.python.sandbox.fragment import Fragment
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion


def decisive(opinion: Opinion | None) -> Opinion | None:
    """The opinion, if it decides the question; None for "unknown"."""
    return None if opinion is None or opinion.judgement is Judgement.UNKNOWN else opinion


@define(eq=False)
class Versions:
    """A recorded run, and the oracle that runs the right version."""

    subject: PythonSubject
    oracle: Reference
    problems: list[str]

    def about(self, text: str) -> Opinion | None:
        """The opinion about the first call, loop or iteration whose behaviour begins with a text."""
        return decisive(self.opinion(self._node(text)))

    def opinion(self, node: int, zoomed: tuple[int, ...] = ()) -> Opinion | None:
        """The opinion about a node of the run, or about one inside the node that `zoomed` names."""
        subject = self.subject.at(zoomed)
        return self.oracle.opinion(Question(subject.tree.facts(node), subject.behaviour(node), zoomed=zoomed))

    def inside(self, text: str) -> dict[str, Opinion | None]:
        """The opinions about all nodes inside that node, by source text; of equal texts, the last."""
        return self.inside_of(self._node(text))

    def nodes(self, routine: str) -> list[int]:
        """The nodes of the calls or steps of a routine."""
        tree = self.subject.tree
        spans = ((node, self.subject.span(node)) for node in range(len(tree.size)))
        return [node for node, span in spans if span.routine.name == routine and span.activation == span.number]

    def inside_of(self, node: int) -> dict[str, Opinion | None]:
        """`inside`, for a node by its number."""
        inner = self.subject.inside(node)
        opinions: dict[str, Opinion | None] = {}
        if inner is None:
            return opinions
        module = inner.span.routine.module
        for within in range(1, len(inner.tree.size)):
            part = inner.part(within)
            assert part is not None
            opinions[module.text(part.node)] = decisive(self.opinion(within, (node,)))
        return opinions

    def text(self, node: int) -> str:
        """Text of a node's question."""
        return self.subject.behaviour(node).text

    def _node(self, text: str) -> int:
        return next(node for node, behaviour in enumerate(self.texts) if behaviour.startswith(text))

    @cached_property
    def texts(self) -> list[str]:
        """Text of each node's question."""
        return [self.subject.behaviour(node).text for node in range(len(self.subject.tree.size))]


def record(folder: Path, program: str) -> OpenedPython:
    """Record a program in a folder."""
    folder.mkdir(exist_ok=True)
    path = folder / "program.py"
    path.write_text(dedent(program), encoding="utf-8")
    out = folder / "run.rec"
    Python().record(Request(workspace=folder, program=path, interpreter=Path(sys.executable)), out, _silent)
    return Python().open(out, _silent)


@contextmanager
def versions(folder: Path, wrong: str, right: str) -> Iterator[Versions]:
    """Record the wrong version; the right one is the reference."""
    opened = record(folder, wrong)
    fixed = folder / "fixed"
    fixed.mkdir()
    (fixed / "program.py").write_text(dedent(right), encoding="utf-8")
    subject = opened.subject(opened.entries[0])
    problems: list[str] = []

    def fragment_of(question: Question) -> Fragment | None:
        return subject.at(question.zoomed).fragment(question.node)

    with Reference.open(str(fixed), folder, Path(sys.executable), opened.run, fragment_of, problems.append) as oracle:
        yield Versions(subject, oracle, problems)


def _silent(doing: str, done: int = 0, total: int | None = None) -> None:
    pass
