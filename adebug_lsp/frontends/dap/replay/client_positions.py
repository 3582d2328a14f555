"""Positions in source as a client counts them: absolute paths, and lines and columns from 0 or from 1.

Ranges are mapped to the file as it is now, because it may have been edited since it ran.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from attrs import Factory, define, evolve

from adebug_lsp.frontends.shared.edits import LineMap
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Position, Range

Body = dict[str, Any]

WHOLE = (NodeKind.STATEMENT, NodeKind.EXPRESSION)
"""The kinds of nodes whose whole range is shown; for others, only the start is."""


@define
class Files:
    """The files of a recording as one client refers to them."""

    workspace: Path
    texts: Mapping[str, str]
    """The source of every file as it was when it ran, by its path in the workspace."""
    first_line: int = 1
    first_column: int = 1
    sources: Sources = Factory(lambda self: Sources(self.texts), takes_self=True)
    _edited: dict[str, tuple[int, tuple[Sources, LineMap] | None]] = Factory(dict)
    """For each file that was shown: its modification time and its current text; None: unchanged since the run."""

    @classmethod
    def for_client(cls, workspace: Path, texts: Mapping[str, str], facts: Mapping[str, Any]) -> "Files":
        """Create the files for a client, with its way of counting lines and columns."""
        return cls(
            workspace,
            texts,
            first_line=0 if facts.get("linesStartAt1") is False else 1,
            first_column=0 if facts.get("columnsStartAt1") is False else 1,
        )

    def all(self) -> list[Body]:
        """Every file that was recorded."""
        return [self.source(path) for path in self.texts]

    def source(self, path: str) -> Body:
        """A DAP `Source`; one that is not a file in the workspace has a number for requesting its text."""
        file = self.workspace / path
        if file.is_file():
            return {"name": file.name, "path": str(file)}
        return {"name": path, "sourceReference": 1 + list(self.texts).index(path)} if path in self.texts else {}

    def text(self, reference: int) -> str | None:
        """The text of a source that has a number."""
        texts = list(self.texts.values())
        return texts[reference - 1] if 0 < reference <= len(texts) else None

    def path(self, source: Mapping[str, Any]) -> str:
        """The path in the workspace of a `Source` that a client sent."""
        reference = source.get("sourceReference")
        if isinstance(reference, int) and 0 < reference <= len(self.texts):
            return list(self.texts)[reference - 1]
        path = _path(str(source.get("path", "")))
        if not path.is_absolute():
            return path.as_posix()
        for root in (self.workspace, self.workspace.resolve()):
            for candidate in (path, path.resolve()):
                if candidate.is_relative_to(root):
                    return candidate.relative_to(root).as_posix()
        return path.as_posix()

    def line(self, path: str, number: int) -> int:
        """Convert a client's line to a line of the source that ran, counted from 0; -1 if it is new."""
        line, now = max(number - self.first_line, 0), self._now(path)
        if now is None:
            return line
        was = now[1].back(Range(Position(line, 0), Position(line, 0)))
        return -1 if was is None else was.start.line

    def start(self, place: Location | None) -> Body:
        """The start of a range, with its source."""
        if place is None:
            return {"line": 0, "column": 0}
        start = self._range(place)["start"]
        where = {"line": start["line"] + self.first_line, "column": start["character"] + self.first_column}
        source = self.source(place.path)
        return {"source": source, **where} if source else where

    def end(self, place: Location | None) -> Body:
        """The end of a range."""
        if place is None:
            return {}
        end = self._range(place)["end"]
        return {"endLine": end["line"] + self.first_line, "endColumn": end["character"] + self.first_column}

    def _range(self, place: Location) -> Body:
        """The current range of a recorded one."""
        now = self._now(place.path)
        if now is None:
            return self.sources.lsp_range(place)
        sources, moved = now
        return sources.lsp_range(evolve(place, range=moved.range(place.range)[0]))

    def _now(self, path: str) -> tuple[Sources, LineMap] | None:
        """The current text of a file that was edited since it ran, and the line map from the text that ran."""
        file = self.workspace / path
        try:
            written = file.stat().st_mtime_ns
            if path not in self._edited or self._edited[path][0] != written:
                now = Sources({path: file.read_text(encoding="utf-8", errors="replace")})
                old, new = self.sources.lines(path), now.lines(path)
                self._edited[path] = written, None if old == new or not old else (now, LineMap(old, new))
        except (OSError, ValueError):
            return None
        return self._edited[path][1]


def _path(text: str) -> Path:
    """A path; nvim-dap sends a file URI in `gotoTargets`."""
    if not text.startswith("file:"):
        return Path(text)
    try:
        return Path(url2pathname(urlsplit(text).path))
    except ValueError as error:
        raise BadInputError(f"source: {text!r} is not a file URI") from error
