"""Records small Erlang programs on the installed BEAM and opens their recordings."""

from pathlib import Path
from typing import Any

from attrs import frozen

from adebug_lsp.languages.erlang.language import Erlang, OpenedErlang
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.language import Ended, Request


@frozen
class Recorded:
    """One run."""

    ended: Ended
    opened: OpenedErlang

    @property
    def subject(self) -> ErlangSubject:
        """Its tree."""
        return self.opened.subject(self.opened.entries[0])

    @property
    def tree(self) -> list[str]:
        """Its first calls, indented."""
        subject = self.subject
        parent = subject.tree.parent
        depth: list[int] = []
        for node in range(min(len(subject.tree), 100)):
            depth.append(0 if node == 0 else depth[int(parent[node])] + 1)
        return ["  " * deep + subject.behaviour(node).text for node, deep in enumerate(depth)]


def record(folder: Path, program: str, call: str = "program:main()", **options: Any) -> Recorded:
    """Record a call of a module that is called `program`."""
    (folder / "program.erl").write_text(f"-module(program).\n{program}", encoding="utf-8")
    request = Request(workspace=folder, program=folder / "program.erl", call=call, **options)
    out = folder / "run.adebug"
    ended = Erlang().record(request, out, silent)
    return Recorded(ended, Erlang().open(out, silent))


def silent(doing: str, done: int = 0, total: int | None = None) -> None:
    """Ignores progress."""
