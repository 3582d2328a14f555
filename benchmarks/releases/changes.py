"""What differs between the code of two releases: lines and scopes of the older one.

A scope is a routine, a class body or the module: its own code without that of the scopes inside. Comments, docstrings,
annotations in routines and version numbers do not count.
"""

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from attrs import frozen

from benchmarks.releases.corpus import Package
from benchmarks.releases.fetch import code_files

MODULE = "<module>"
VERSIONS = {"__version__", "__version_tuple__", "version", "version_tuple", "__version_info__", "VERSION", "__date__"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@frozen
class Scope:
    """A routine, class body or module of the older release."""

    path: str
    name: str
    """Qualified name."""

    first: int
    last: int
    """Lines, counted from 1, decorators included."""

    body: int
    """First line after the head, which is executed when the code around is."""

    routine: bool


@frozen
class Changes:
    """Lines and scopes of the older release that the newer one has changed or left out."""

    lines: Mapping[str, frozenset[int]]
    """Changed lines per file, counted from 1. Where the newer release only has more, the lines around."""

    scopes: frozenset[Scope]
    every: Mapping[str, tuple[Scope, ...]]
    """All scopes of the changed files, outer ones first."""

    names: frozenset[str] = frozenset()
    """Variables of modules and classes that only one release has, or that get another value."""

    def scope_at(self, path: str, line: int) -> Scope | None:
        """The innermost scope at a line of a changed file."""
        return _innermost(self.every.get(path, ()), line)

    def executed(self, lines: Mapping[str, frozenset[int]]) -> dict[Scope, int]:
        """The changed scopes whose bodies have some of these lines, with the number of changed lines in each."""
        counts: dict[Scope, int] = {}
        for path, numbers in lines.items():
            scopes = self.every.get(path, ())
            for line in sorted(numbers):
                scope = next((s for s in reversed(scopes) if s.body <= line <= s.last), None)
                if scope is not None and scope in self.scopes:
                    counts[scope] = counts.get(scope, 0) + (line in self.lines.get(path, ()))
        return counts


def changes_between(older: Path, newer: Path, package: Package) -> Changes:
    """Compares the package's own files of two trees."""
    lines: dict[str, frozenset[int]] = {}
    every: dict[str, tuple[Scope, ...]] = {}
    changed: set[Scope] = set()
    names: set[str] = set()
    for file in code_files(older, package):
        path, old, new = file.as_posix(), _text(older / file), _text(newer / file)
        if old == new:
            continue
        olds, news = _scopes(path, old), {scope.name: body for scope, body in _scopes(path, new)}
        different = {scope for scope, body in olds if news.get(scope.name) != body}
        if different:
            every[path] = tuple(scope for scope, _body in olds)
            lines[path] = frozenset(n for n in changed_lines(old, new) if _innermost(every[path], n) in different)
            changed |= different
            names |= {name for name, _value in _variables(old) ^ _variables(new)}
    return Changes(lines, frozenset(changed), every, frozenset(names))


def changed_lines(old: str, new: str) -> frozenset[int]:
    """Lines of code of the old text that the new one changes, and the neighbours of what it adds."""
    olds, news = _code(old), _code(new)
    matcher = SequenceMatcher(None, [text for _, text in olds], [text for _, text in news], autojunk=False)
    changed: set[int] = set()
    for what, i1, i2, _j1, _j2 in matcher.get_opcodes():
        if what == "insert":
            changed.update(number for number, _ in olds[max(i1 - 1, 0) : i1 + 1])
        elif what != "equal":
            changed.update(number for number, _ in olds[i1:i2])
    return frozenset(changed)


def _innermost(scopes: Sequence[Scope], line: int) -> Scope | None:
    return next((scope for scope in reversed(scopes) if scope.first <= line <= scope.last), None)


def _code(text: str) -> list[tuple[int, str]]:
    """The lines that hold code, with their numbers; comments and docstrings are blank."""
    lines: dict[int, str] = {}
    skipped = _docstrings(text)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    kept = [t for t in tokens if t.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE) and t.string.strip()]
    for token in kept:
        if not any(first <= token.start[0] <= last for first, last in skipped):
            for offset, part in enumerate(token.string.split("\n")):
                number = token.start[0] + offset
                lines[number] = f"{lines.get(number, '')} {part}"
    return sorted(lines.items())


def _docstrings(text: str) -> list[tuple[int, int]]:
    return [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(_parsed(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def _scopes(path: str, text: str) -> list[tuple[Scope, str]]:
    """All scopes of a file with a text of their own code, outer ones first."""
    module = _parsed(text)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            _Plain().generic_visit(node)
    whole = Scope(path, MODULE, 1, text.count("\n") + 1, body=1, routine=False)
    return [(whole, _own(module)), *_inner(path, module, "")]


class _Plain(ast.NodeTransformer):
    """Removes the annotations of a routine, which it does not execute or does not use."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        plain = ast.Pass() if node.value is None else ast.Assign([node.target], node.value)
        return ast.copy_location(plain, node)


def _variables(text: str) -> set[tuple[str, str]]:
    """The variables that modules and classes assign, with the syntax of their values."""
    module = _parsed(text)
    scopes: list[ast.Module | ast.ClassDef] = [module]
    scopes += [node for node in ast.walk(module) if isinstance(node, ast.ClassDef)]
    return {
        (target.id, ast.dump(statement))
        for scope in scopes
        for statement in scope.body
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for target in ast.walk(statement)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store) and target.id not in VERSIONS
    }


def _inner(path: str, parent: ast.AST, prefix: str) -> Iterator[tuple[Scope, str]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, _SCOPES):
            name = f"{prefix}{node.name}"
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body, routine = node.body[0].lineno, not isinstance(node, ast.ClassDef)
            yield Scope(path, name, first, node.end_lineno or node.lineno, body, routine), _own(node)
            yield from _inner(path, node, f"{name}.")
        else:
            yield from _inner(path, node, prefix)


def _own(scope: ast.AST) -> str:
    """The syntax of a scope; a scope inside it is only its name."""
    return "\n".join(part for part in map(_dumped, ast.iter_child_nodes(scope)) if part)


def _dumped(node: ast.AST) -> str:
    if isinstance(node, _SCOPES):
        return node.name
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return ""
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in VERSIONS for t in node.targets):
        return ""
    if any(isinstance(inner, _SCOPES) for inner in ast.walk(node)):
        head = type(node).__name__
        return "\n".join([head, *(part for part in map(_dumped, ast.iter_child_nodes(node)) if part)])
    return ast.dump(node)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def _text(file: Path) -> str:
    return file.read_text("utf-8", errors="replace").lstrip("\ufeff") if file.is_file() else ""
