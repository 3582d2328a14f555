"""Outline of an Erlang source: functions, runnable calls and tests, and expressions."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages.erlang.syntax.file_syntax import Function, Syntax, parse
from adebug_lsp.languages.language import Piece
from adebug_lsp.model.source import Position, Range


@frozen(eq=False, slots=False)
class ErlangOutline:
    """See `Outline`."""

    file: Path
    syntax: Syntax

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """See `Outline`."""
        return [self._piece(function) for function in self.syntax.functions]

    def expression_at(self, position: Position) -> Range | None:
        """See `Outline`."""
        return self.syntax.expression_at(position)

    def _piece(self, function: Function) -> Piece:
        needs_nothing = function.arity == 0
        is_test = needs_nothing and self.syntax.has_eunit and function.name.strip("'").endswith(("_test", "_test_"))
        full_name = f"{self.syntax.module or self.file.stem}:{function.name}"
        return Piece(
            "routine",
            f"{function.name}/{function.arity}",
            function.range,
            function.name_range,
            tests=(full_name,) if is_test else None,
            call=f"{full_name}()" if needs_nothing and function.exported and not is_test else None,
        )


def outline(file: Path, text: str, last: ErlangOutline | None) -> ErlangOutline | None:
    """Outline of a text, reusing the parsed forms of an earlier state; functions with syntax errors are missing."""
    return ErlangOutline(file, last.syntax.changed(text) if last else parse(text))
