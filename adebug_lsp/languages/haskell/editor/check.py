"""Checks a text while it is edited, for errors, missing cases and unused variables; knows the type of every name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import fields, frozen, has

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.editor.missing_cases import missing_case
from adebug_lsp.languages.haskell.engine.load import ModuleError, load
from adebug_lsp.languages.haskell.syntax.tree import Span
from adebug_lsp.languages.haskell.types.types import Scheme, show, show_scheme
from adebug_lsp.languages.language import Checked, Remark, Severity
from adebug_lsp.model.source import Position, Range
from adebug_lsp.model.text import whole_lines

_GENERATED = ("pattern", "scrutinee", "field", "section", "annotation")


@frozen(eq=False, slots=False)
class HaskellCheck(Checked):
    """See `Checked`."""

    text: str
    problem: ModuleError | None
    is_of_this_file: bool
    program: Program | None = None
    module: ModuleInfo | None = None

    @cached_property
    def remarks(self) -> Sequence[Remark]:
        """See `Checked`."""
        if self.problem is not None:
            if self.is_of_this_file:
                span = self.problem.start, max(self.problem.end, self.problem.start + 1)
                return [Remark(self._range(span), self.problem.message, Severity.ERROR)]
            message = f"{self.problem.place}: {self.problem.message}"
            return [Remark(self._range((0, 0)), message, Severity.ERROR)]
        return [*self._missing_cases(), *self._unused()]

    def described(self, position: Position) -> tuple[Range, str] | None:
        """See `Checked`: a name with its type."""
        offset = self._offset(position)
        around = [spanned for spanned in self._names if spanned[0][0] <= offset <= spanned[0][1]]
        if not around:
            return None
        span, text = min(around, key=lambda spanned: spanned[0][1] - spanned[0][0])
        return self._range(span), text

    # Code

    @cached_property
    def _code(self) -> list[Any]:
        """Every node of the module that the user wrote."""
        if self.module is None or self.program is None:
            return []
        pending: list[Any] = [bind for group in self.module.groups for bind in group if not bind.generated]
        for instance in self.module.instances:
            binds = [self.program.binds[n] for n in instance.methods.values() if n in self.program.binds]
            pending += [b for b in binds if not b.generated and self.program.owners[b.name] is self.module]
        nodes: list[Any] = []
        while pending:
            node = pending.pop()
            if isinstance(node, list | tuple):
                pending += node
            elif has(type(node)) and hasattr(node, "span"):
                nodes.append(node)
                names = [a.name for a in fields(type(node))]
                skipped = ("run", "type", "signature", "scheme", "dicts", "givens", "info", "test")
                pending += [getattr(node, name) for name in names if name not in skipped]
        return nodes

    def _missing_cases(self) -> Iterator[Remark]:
        """Remarks about matches that do not cover all cases."""
        for node in self._code:
            match node:
                case c.Bind(expression=c.Lam(clauses=clauses, arity=arity, generated=False), generated=False):
                    missing = missing_case(clauses, arity)
                    if missing is not None:
                        message = f"missing case: {c.short(node.name)} {missing}"
                        yield Remark(self._range(node.head), message, Severity.WARNING)
                case c.Match(keyword="case", clauses=clauses, scrutinee=scrutinee) if not self._is_made(node):
                    missing = missing_case(clauses, 1)
                    if missing is not None:
                        yield Remark(self._range(scrutinee.span), f"missing case: {missing}", Severity.WARNING)

    def _is_made(self, node: c.Match) -> bool:
        """Whether a match was generated for a pattern binding."""
        return not self.text[node.span[0] :].startswith("case")

    def _unused(self) -> Iterator[Remark]:
        """Remarks about variables that nothing uses."""
        used = {node.name for node in self._code if isinstance(node, c.Var)}
        for name, span in self._binders():
            if "~" in name and not name.startswith(f"{self._module_name}.") and name not in used and _is_written(name):
                yield Remark(self._range(span), f"{c.short(name)} is not used", Severity.UNUSED)

    @property
    def _module_name(self) -> str:
        return self.module.name if self.module is not None else ""

    def _binders(self) -> Iterator[tuple[str, Span]]:
        """The names that patterns and local definitions bind."""
        for node in self._code:
            match node:
                case c.PVar(name=name, span=span):
                    yield name, span
                case c.Bind(name=name, head=head):
                    yield name, head

    @cached_property
    def _names(self) -> list[tuple[Span, str]]:
        """Occurrences of names, with their types."""
        names = []
        for node in self._code:
            match node:
                case c.Var(name=name, span=span) | c.PVar(name=name, span=span) | c.Bind(name=name, head=span):
                    text = self._typed(name)
                case c.Global(name=name, span=span):
                    text = self._typed(name)
                case c.Con(info=info, span=span) if info.scheme is not None:
                    text = f"{info.short} :: {show_scheme(info.scheme)}"
                case _:
                    continue
            if text and self.text[span[0] : span[1]].strip("`()").endswith(text.partition(" ::")[0].strip("()")):
                names.append((span, text))
        return names

    def _typed(self, name: str) -> str:
        """The text of a name with its type."""
        assert self.module is not None
        assert self.program is not None
        kind = self.module.local_types.get(name) or self.program.schemes.get(name)
        if kind is None or not _is_written(name):
            return ""
        short = c.short(name)
        shown = short if short[0].isalpha() or short[0] == "_" else f"({short})"
        return f"{shown} :: {show_scheme(kind) if isinstance(kind, Scheme) else show(kind)}"

    # Places

    def _range(self, span: Span) -> Range:
        return Range(*(self._position(min(offset, len(self.text))) for offset in span))

    def _position(self, offset: int) -> Position:
        return Position(self.text.count("\n", 0, offset), offset - (self.text.rfind("\n", 0, offset) + 1))

    def _offset(self, position: Position) -> int:
        lines = whole_lines(self.text)
        return sum(map(len, lines[: position.line])) + position.column


def check(file: Path, text: str) -> HaskellCheck:
    """Check a text as the content of a file; imported modules are read from the disk."""
    text = text.replace("\r\n", "\n")
    path = str(file)

    def find(name: str) -> tuple[str, str] | None:
        for folder in [file.parent, *list(file.parents)[1:3], file.parent / "src"]:
            beside = folder.joinpath(*name.split(".")).with_suffix(".hs")
            if beside.is_file():
                return str(beside), beside.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        return None

    try:
        program = load(path, text, find)
    except ModuleError as problem:
        return HaskellCheck(text, problem, problem.path == path)
    module = next(module for module in program.modules.values() if module.path == path)
    return HaskellCheck(text, None, True, program, module)


def _is_written(name: str) -> bool:
    short = c.short(name)
    return not short.startswith("_") and short not in _GENERATED and not name.startswith("d~")
