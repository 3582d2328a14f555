"""Compares a recorded program with a reference version: code that both have cannot be the bug.

Code is compared by syntax, in units: each function or lambda, and a module's own code with its class bodies. Defaults,
decorators and nested definitions belong to the unit around, which executes them. Ignored are positions, comments,
docstrings, annotations that nothing evaluates, and a definition that one version lacks and the other never mentions. A
file that the reference lacks counts as unchanged.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from adebug_lsp.languages.python.oracles.code_difference import Difference, Scope
from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.model.source import Location, Position, Range

Place = tuple[int, int, int, int]
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_DEFS, ast.Lambda)
_WORD = re.compile(r"\w+")
_READS_ANNOTATIONS = frozenset({"get_type_hints", "__annotations__", "get_annotations", "signature"})
_HARMLESS = frozenset({"fixture", "mark", "staticmethod", "classmethod", "property", "setter", "cached_property"})
"""Decorators, or parts of their names, without effects beyond what they decorate."""


@frozen
class _Compared:
    """The differing units of a module, by the place of the function; None is the module's own code."""

    changed: Mapping[Place | None, tuple[Place, ...]]


class CodeIdentity:
    """The comparison of a recorded program with a reference version."""

    def __init__(self, modules: Iterable[Module], texts: Mapping[str, str]) -> None:
        known = list(modules)
        self._compared: dict[int, _Compared | None] = {}
        """For each module that differs, by its first marker; None if nothing is known about it."""
        differing = [m for m in known if m.path in texts and texts[m.path] != m.source]
        if differing:
            rules = _Rules(_words(module.source for module in known), _words(texts.values()))
            for module in differing:
                text = texts[module.path]
                own = evolve(rules, in_recorded=_words([module.source]), in_reference=_words([text]))
                self._compared[module.first] = _compared(module.source, text, own)

    def is_shared(self, routine: Routine) -> bool:
        """Whether the reference has the routine's own code, too."""
        return self._places(routine) is None

    def changes(self, routine: Routine) -> tuple[Location, ...]:
        """The places in a routine that differ in the reference; empty if it is the same, or nothing is known."""
        return tuple(_location(routine.module, place) for place in self._places(routine) or ())

    def _places(self, routine: Routine) -> tuple[Place, ...] | None:
        """The differing places of a routine, empty if they are not known; None if it is the same."""
        module = routine.module
        if module.first not in self._compared:
            return None
        compared = self._compared[module.first]
        place = module.nodes[routine.node].place if routine.node >= 0 else None
        return () if compared is None else compared.changed.get(place)


def _compared(recorded: str, reference: str, rules: "_Rules") -> _Compared | None:
    """The units of a module that differ; None if the syntax is of another version of Python."""
    try:
        mine, theirs = ast.parse(recorded), ast.parse(reference)
    except (SyntaxError, ValueError, RecursionError):
        return None
    named = defaultdict(list)
    for name, node in _functions(theirs):
        named[name].append(node)
    difference = Difference(rules.text, rules.is_silent)
    in_function = Difference(rules.local_text, rules.is_silent)
    changed: dict[Place | None, tuple[Place, ...]] = {}
    for name, node in _functions(mine):
        own = rules.function(node)
        if all(rules.function(other) != own for other in named[name]):
            other = named[name][0] if len(named[name]) == 1 else None
            differing = [node] if other is None else in_function.of_routine(node, other)
            changed[_place(node)] = tuple(map(_place, differing))
    if rules.differ(mine.body, theirs.body):
        recorded_code = rules.kept(mine.body, rules.reference, theirs.body)
        reference_code = rules.kept(theirs.body, rules.recorded, mine.body)
        differing = difference.of_routine(ast.Module(recorded_code, []), ast.Module(reference_code, []))
        changed[None] = tuple(_place(node) for node in differing if not isinstance(node, ast.Module))
    return _Compared(changed)


@frozen
class _Rules:
    """Decides which syntax counts, given all words of each version."""

    recorded: frozenset[str]
    reference: frozenset[str]
    in_recorded: frozenset[str] = frozenset()
    """All words of one module in each version, where its imports can be used."""
    in_reference: frozenset[str] = frozenset()

    def function(self, node: Scope) -> str:
        """The code of a function: its parameters and its body."""
        arguments = node.args
        parameters = [*arguments.posonlyargs, None, *arguments.args, arguments.vararg, *arguments.kwonlyargs]
        names = [part and part.arg for part in (*parameters, arguments.kwarg)]
        optional = (len(arguments.defaults), [default is not None for default in arguments.kw_defaults])
        body = [node.body] if isinstance(node, ast.Lambda) else self.statements(node.body)
        return f"{type(node).__name__} {names} {optional} {[self.local_text(part) for part in body]}"

    def differ(self, recorded: list[ast.stmt], reference: list[ast.stmt]) -> bool:
        """Whether the own code of a module or class body differs, apart from definitions that nothing mentions."""
        mine = self.kept(recorded, self.reference, reference)
        theirs = self.kept(reference, self.recorded, recorded)
        if len(mine) != len(theirs):
            return True
        return any(self._differs(own, other) for own, other in zip(mine, theirs, strict=True))

    def _differs(self, own: ast.stmt, other: ast.stmt) -> bool:
        if isinstance(own, ast.ClassDef) and isinstance(other, ast.ClassDef):
            return self._head(own) != self._head(other) or self.differ(own.body, other.body)
        return self.text(own) != self.text(other)

    def _head(self, node: ast.ClassDef) -> list[str]:
        parts = [*node.bases, *node.keywords, *node.decorator_list]
        return [node.name, *(self.text(part) for part in parts)]

    def kept(self, body: list[ast.stmt], words: frozenset[str], other: list[ast.stmt]) -> list[ast.stmt]:
        """The statements that count: those that the other version has, too, and those that it could notice."""
        shared = {self.text(statement) for statement in other}
        kept = self.statements(body)
        own = self.in_reference if words is self.reference else self.in_recorded
        used = {True: own, False: words}
        return [
            s
            for s in kept
            if self.text(s) in shared or not _is_unnoticed(s, used[isinstance(s, ast.Import | ast.ImportFrom)])
        ]

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """A body without docstrings and bare annotations."""
        return [part for node in body if not self.is_silent(node) for part in _separate(node)]

    def is_silent(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant) and not self.reads({"__doc__"})
        if isinstance(node, ast.ImportFrom):
            return node.module == "__future__"
        if isinstance(node, ast.If) and not node.orelse:
            return getattr(node.test, "id", getattr(node.test, "attr", "")) == "TYPE_CHECKING"
        return isinstance(node, ast.Pass)

    def reads(self, names: Iterable[str]) -> bool:
        return not (self.recorded | self.reference).isdisjoint(names)

    def text(self, node: ast.AST) -> str:
        """The structure of a node; of a function inside it, only the head."""
        return ast.dump(_Normaliser(self).visit(_copied(node)))

    def local_text(self, node: ast.AST) -> str:
        """The structure of a node inside a function, where annotations of variables are never evaluated."""
        return ast.dump(_Normaliser(self, in_function=True).visit(_copied(node)))


class _Normaliser(ast.NodeTransformer):
    """Removes everything that is not the node's own code; works on a copy."""

    def __init__(self, rules: _Rules, *, in_function: bool = False) -> None:
        self._rules = rules
        self._in_function = in_function

    def visit(self, node: ast.AST) -> ast.AST:
        """See `NodeTransformer`."""
        if isinstance(node, _SCOPES):
            return self._stub(node)
        for field in ("body", "orelse", "finalbody"):
            value = getattr(node, field, None)
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self._rules.statements(value))
        if isinstance(node, ast.AnnAssign) and (self._in_function or not self._rules.reads(_READS_ANNOTATIONS)):
            node.annotation = ast.Constant(...)
        return self.generic_visit(node)

    def _stub(self, node: Scope) -> ast.AST:
        """The code that a definition executes: defaults, decorators, annotations if something reads them."""
        arguments = node.args
        evaluated = [*arguments.defaults, *filter(None, arguments.kw_defaults), *getattr(node, "decorator_list", ())]
        if not isinstance(node, ast.Lambda) and (node.decorator_list or self._rules.reads(_READS_ANNOTATIONS)):
            parameters = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs]
            evaluated += [p.annotation for p in (*parameters, arguments.kwarg) if p is not None and p.annotation]
            evaluated += [node.returns] if node.returns else []
        name = ast.Name(f"{type(node).__name__} {getattr(node, 'name', '')}", ast.Load())
        parts: list[Any] = [self.visit(part) for part in evaluated]
        return ast.Call(name, parts, [])


def _copied(node: ast.AST) -> ast.AST:
    """A copy of a syntax tree: new lists and nodes, everything else shared."""
    fields: dict[str, Any] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            fields[name] = [_copied(part) if isinstance(part, ast.AST) else part for part in value]
        else:
            fields[name] = _copied(value) if isinstance(value, ast.AST) else value
    return type(node)(**fields)


def _separate(statement: ast.stmt) -> list[ast.stmt]:
    """An import as one statement for each name."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return [statement]
    others = {name: value for name, value in vars(statement).items() if name != "names"}
    return [type(statement)(names=[alias], **others) for alias in statement.names]


def _is_unnoticed(statement: ast.stmt, words: frozenset[str]) -> bool:
    """Whether a statement only binds names that the other version, with these words, never mentions."""
    if isinstance(statement, _DEFS):
        names, harmless = [statement.name], all(map(_is_harmless, statement.decorator_list))
    elif isinstance(statement, ast.ClassDef):
        names, harmless = [statement.name], not (statement.bases or statement.keywords or statement.decorator_list)
    elif isinstance(statement, ast.Assign):
        names = [target.id if isinstance(target, ast.Name) else "" for target in statement.targets]
        harmless = _is_plain(statement.value)
    elif isinstance(statement, ast.AnnAssign):
        names = [statement.target.id if isinstance(statement.target, ast.Name) else ""]
        harmless = (
            statement.value is None or _is_plain(statement.value) or "TypeAlias" in ast.dump(statement.annotation)
        )
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        names = [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
        imported = [getattr(statement, "module", None) or "", *(alias.name for alias in statement.names)]
        harmless = all(_is_library(name) for name in imported[:1] if name) and not getattr(statement, "level", 0)
    else:
        return False
    return harmless and all(name and name not in words and not _is_special(name) for name in names)


def _is_special(name: str) -> bool:
    """Whether Python or pytest looks up a name by itself."""
    return name == "*" or name.startswith(("__", "pytest_", "setup", "teardown", "setUp", "tearDown"))


def _is_library(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


def _is_harmless(decorator: ast.expr) -> bool:
    if "autouse" in ast.dump(decorator):
        return False
    return any(part in _HARMLESS for part in re.split(r"\W", ast.unparse(decorator).partition("(")[0]))


def _is_plain(value: ast.expr) -> bool:
    """Whether evaluating an expression does nothing but compute a value from constants."""
    plain = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.unaryop, ast.expr_context)
    return all(isinstance(node, plain) for node in ast.walk(value))


def _words(texts: Iterable[str]) -> frozenset[str]:
    """All words of a version, in code and in texts, because names can be looked up by text."""
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Scope]]:
    """The functions and lambdas of a module, with their qualified names."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, _SCOPES):
            name = prefix + getattr(child, "name", "<lambda>")
            yield name, child
            yield from _functions(child, f"{name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        else:
            yield from _functions(child, prefix)


def _place(node: ast.AST) -> Place:
    """The place of a node; of one without, such as a `case`, that of all its parts."""
    placed: list[Any] = [inner for inner in ast.walk(node) if hasattr(inner, "lineno")]
    if hasattr(node, "lineno"):
        placed = [node]
    first = min((inner.lineno, inner.col_offset) for inner in placed)
    return (*first, *max((inner.end_lineno, inner.end_col_offset) for inner in placed))


def _location(module: Module, place: Place) -> Location:
    """The location of a place, whose columns count bytes as in `ast`."""
    line, column, end_line, end_column = place
    start = Position(line - 1, module.column(line - 1, column))
    return Location(module.path, Range(start, Position(end_line - 1, module.column(end_line - 1, end_column))))
