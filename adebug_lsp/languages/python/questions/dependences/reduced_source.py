"""Removes statements from source text; the rest stays valid, and keeps its comments and layout."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field

from adebug_lsp.languages.python.reading.static import STATEMENTS
from adebug_lsp.model.text import whole_lines
from adebug_lsp.slicing.slicer import ReducedFile

_HEAD = re.compile(r"\s*(else|finally)\s*:\s*(#.*)?$")
_COMMENT = re.compile(r"\s*#")

Block = Sequence[ast.stmt]
Keeps = Callable[[ast.stmt], bool]


def reduced(source: str, places: set[tuple[int, int]], points: set[tuple[int, int]], names: set[str]) -> ReducedFile:
    """Keep the statements that begin at these places (line from 1, column in bytes), and imports of these names.

    Declarations (`global`) stay, as do statements whose execution is not recorded. At `points`, a `pass` replaces the
    statement.
    """

    def keeps(statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return bool(_imported(statement, names))
        is_recorded = type(statement).__name__ in STATEMENTS and not isinstance(statement, ast.Global | ast.Nonlocal)
        return not is_recorded or (statement.lineno, statement.col_offset) in places

    tree = ast.parse(source)
    lines = [line.rstrip("\r\n") for line in whole_lines(source)]
    reducer = _Reducer(lines, keeps, points, names, _inside_texts(tree))
    reducer.block(tree.body, is_needed=False)
    reducer.apply()
    return reducer.result()


def _imported(statement: ast.Import | ast.ImportFrom, names: set[str]) -> list[ast.alias]:
    """The parts of an import that bind one of these names."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return statement.names
    bound = ((alias, alias.asname or alias.name.partition(".")[0]) for alias in statement.names)
    return [alias for alias, name in bound if name in names or name == "*"]


def _inside_texts(tree: ast.AST) -> set[int]:
    """The lines (from 0) that begin inside a multi-line string."""
    texts = (n for n in ast.walk(tree) if isinstance(n, ast.Constant | ast.JoinedStr))
    return {line for n in texts for line in range(n.lineno, n.end_lineno or 0)}


@define
class _Reducer:
    """Collects the edits of one source, then applies them."""

    lines: list[str]
    keeps: Keeps
    points: set[tuple[int, int]]
    names: set[str]
    inside_texts: set[int]
    _edits: list[tuple[tuple[int, int], tuple[int, int], str | None]] = field(factory=list)
    """Start and end (lines from 0, columns), and the new text; None removes whole lines."""
    _removed: set[int] = field(factory=set)

    def block(self, statements: Block, *, is_needed: bool = True) -> bool:
        """Remove statements from a block, which is never left empty if it is needed. Returns whether anything stays."""
        kept = [statement for statement in statements if self.keeps(statement)]
        points = [statement for statement in statements if (statement.lineno, statement.col_offset) in self.points]
        stands_in = points or (statements[:1] if is_needed and not kept else [])
        for statement in statements:
            if statement in kept:
                self._inside(statement)
            else:
                self._remove(statement, stands_in=statement in stands_in)
        return bool(kept or points)

    def _inside(self, statement: ast.stmt) -> None:
        """Reduce the blocks inside a statement that stays."""
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self._import(statement)
        for block in ("body", "orelse", "finalbody"):
            inner: list[ast.stmt] = getattr(statement, block, [])
            if not inner or isinstance(statement, ast.expr):
                continue
            head = None if block == "body" else self._head_of(inner[0])
            can_go = head is not None and (block == "orelse" or getattr(statement, "handlers", []))
            is_elif = head is None and block == "orelse" and self._alone(inner[0]) and self._is_elif(inner[0])
            stays = self.block(inner, is_needed=not can_go and not is_elif)
            if not stays and can_go and head is not None:
                self._edits.append(((head, 0), (head, 0), None))
        for clause in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            self.block(clause.body)

    def _head_of(self, first: ast.stmt) -> int | None:
        """The line of an `else:` or `finally:` that stands alone on it."""
        line = _begin(first)[0] - 1
        while line >= 0 and (not self.lines[line].strip() or _COMMENT.match(self.lines[line])):
            line -= 1
        return line if line >= 0 and _HEAD.match(self.lines[line]) and self._alone(first) else None

    def _is_elif(self, statement: ast.stmt) -> bool:
        line, column = _begin(statement)
        return self._text(line, column).startswith("elif")

    def _text(self, line: int, start: int, end: int | None = None) -> str:
        """Part of a line, by columns in bytes."""
        return self.lines[line].encode("utf-8")[start:end].decode("utf-8")

    def _alone(self, statement: ast.stmt) -> bool:
        """Whether a statement has its lines to itself."""
        (line, column), (last, end) = _begin(statement), _end(statement)
        after = self._text(last, end).strip()
        return not self._text(line, 0, column).strip() and (not after or after.startswith("#"))

    def _remove(self, statement: ast.stmt, *, stands_in: bool) -> None:
        """Remove a statement with the comments above it, or replace it."""
        begin, end = _begin(statement), _end(statement)
        if not self._alone(statement):
            self._edits.append((begin, end, "pass"))
            return
        if stands_in:
            self._edits.append((begin, (end[0], len(self.lines[end[0]].encode("utf-8"))), "pass"))
        else:
            self._edits.append((begin, end, None))
        above = begin[0] - 1
        while above > 0 and _COMMENT.match(self.lines[above]) and above not in self.inside_texts:
            self._edits.append(((above, 0), (above, 0), None))
            above -= 1

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Remove the imported names that nothing uses."""
        kept = _imported(statement, self.names)
        if len(kept) == len(statement.names):
            return
        if isinstance(statement, ast.Import):
            shorter: ast.stmt = ast.Import(kept)
        else:
            shorter = ast.ImportFrom(statement.module, kept, statement.level)
        self._edits.append((_begin(statement), _end(statement), ast.unparse(shorter)))

    def apply(self) -> None:
        """Apply the edits from the last to the first, so that positions stay valid."""
        for (line, column), (last, end), text in sorted(self._edits, key=lambda edit: edit[:2], reverse=True):
            if text is None:
                self._removed.update(range(line, last + 1))
            else:
                self.lines[line] = self._text(line, 0, column) + text + self._text(last, end)
                self._removed.update(range(line + 1, last + 1))

    def result(self) -> ReducedFile:
        """The remaining lines, with fewer empty ones where something was removed."""
        kept: list[int] = []
        for line in self._remaining():
            is_empty = not self.lines[line].strip() and line not in self.inside_texts
            if is_empty and (not kept or self._ends_gap(kept)):
                continue
            kept.append(line)
        while kept and not self.lines[kept[-1]].strip():
            kept.pop()
        return ReducedFile("".join(f"{self.lines[line]}\n" for line in kept), tuple(kept))

    def _ends_gap(self, kept: list[int]) -> bool:
        """Whether another empty line would be too many: after two, or after the head of a block."""
        last = [self.lines[line].strip() for line in kept[-2:]]
        return last[-1].endswith(":") or last == ["", ""]

    def _remaining(self) -> Iterator[int]:
        return (line for line in range(len(self.lines)) if line not in self._removed)


def _begin(statement: ast.stmt) -> tuple[int, int]:
    """Line (from 0) and column of a statement, with its decorators."""
    decorators = getattr(statement, "decorator_list", [])
    if decorators:
        return decorators[0].lineno - 1, statement.col_offset
    return statement.lineno - 1, statement.col_offset


def _end(statement: ast.stmt) -> tuple[int, int]:
    return (statement.end_lineno or statement.lineno) - 1, statement.end_col_offset or 0
