"""The outline of a Haskell source: functions, types and the main program."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from attrs import evolve, frozen

from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.defined_names import defined_name
from adebug_lsp.languages.haskell.syntax.parser import parse
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.languages.language import Outline, Piece
from adebug_lsp.model.source import Position, Range


@frozen(eq=False, slots=False)
class HaskellOutline(Outline):
    """See `Outline`."""

    file: Path
    text: str
    module: t.Module

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """See `Outline`."""
        pieces: dict[str, Piece] = {}
        for declaration in self.module.declarations:
            match declaration:
                case t.Equation(left=left):
                    name = defined_name(left)
                    if name is not None:
                        self._add(pieces, name, declaration.span)
                case t.Data(name=name) | t.Class(name=name):
                    start = self.text.index(name, declaration.span[0])
                    pieces[name] = Piece(
                        "class", name, self._range(declaration.span), self._range((start, start + len(name)))
                    )
        return list(pieces.values())

    def _add(self, pieces: dict[str, Piece], name: str, span: t.Span) -> None:
        """Add an equation to the piece of its function."""
        known = pieces.get(name)
        whole = self._range(span)
        if known is not None:
            pieces[name] = evolve(known, range=Range(known.range.start, whole.end))
            return
        at = self.text.find(name, *span)
        start = at if at >= 0 else span[0]
        kind = "main" if name == "main" and self.module.name == "Main" else "routine"
        tests = (f"{self.file}::{name}",) if name.startswith("prop_") else None
        pieces[name] = Piece(kind, name, whole, self._range((start, start + len(name))), tests)

    def _range(self, span: t.Span) -> Range:
        return Range(*(self._position(offset) for offset in span))

    def _position(self, offset: int) -> Position:
        return Position(self.text.count("\n", 0, offset), offset - (self.text.rfind("\n", 0, offset) + 1))


def outline(file: Path, text: str) -> HaskellOutline | None:
    """The outline of a text; None for a text with errors."""
    try:
        return HaskellOutline(file, text, parse(text))
    except HaskellSyntaxError:
        return None
