"""The text of a sliced module: removed parts, and their replacements, so that it is still a program.

By Definition 39 of Silva's thesis, with its simplification: an expression that was not needed is replaced (by `?`
there); clauses and definitions that were not needed are removed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from attrs import define, field, frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.engine.units import Unit
from adebug_lsp.languages.haskell.slices.demanded_code import DemandedCode
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.defined_names import defined_name
from adebug_lsp.languages.haskell.types.types import Type

MISSING = "notInSlice"
"""The name that replaces a missing expression; its value is an error with that message."""


@frozen
class Edit:
    """A part of a module's text that a slice leaves out."""

    start: int
    end: int
    replacement: str = ""
    type: Type | None = None
    """The type of an expression, in case its context no longer determines it."""


def edits_of(module: ModuleInfo, program: Program, units: Iterable[Unit], code: DemandedCode) -> list[Edit]:
    """The parts of a module that a slice leaves out, in order and without overlaps."""
    exported = _listed_names(module, program)
    text = _SlicedModule(module.text, _numbers(units), code, exported)
    own = [bind for group in module.groups for bind in group]
    methods = [
        program.binds[name]
        for instance in module.instances
        for name in instance.methods.values()
        if name in program.binds
    ]
    defaults = [default for info in program.classes.values() for default in info.defaults.values()]
    for bind in own:
        text.bind(bind, is_top=True)
    for bind in (*methods, *defaults):
        if program.owners.get(bind.name) is module:
            text.bind(bind)
    text.declarations(module.tree.declarations)
    return _outermost(text.edits)


def edits_inside(unit: Unit, units: Iterable[Unit], code: DemandedCode) -> list[Edit]:
    """The parts of one function that a slice leaves out, in order and without overlaps."""
    text = _SlicedModule(unit.module.text, _numbers(units), code, ())
    text.definition(unit.expression)
    text.declarations(unit.module.tree.declarations)
    return _outermost(text.edits)


def _numbers(units: Iterable[Unit]) -> dict[int, int]:
    return {id(unit.expression): unit.number for unit in units}


def sliced(text: str, edits: Iterable[Edit]) -> str:
    """The text without the parts that are left out."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*pieces, text[at:]])


_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def tidied(text: str) -> str:
    """A text without repeated blank lines and trailing spaces, which edits leave behind."""
    return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in text.split("\n")))


def _outermost(edits: list[Edit]) -> list[Edit]:
    outermost: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if not outermost or edit.start >= outermost[-1].end:
            outermost.append(edit)
    return outermost


def _listed_names(module: ModuleInfo, program: Program) -> set[str]:
    """Names of the module in export and import lists; they stay defined."""
    listed = {name for name, _ in module.tree.exports or ()}
    for other in program.modules.values():
        for imported in other.tree.declarations:
            if isinstance(imported, t.Import) and imported.module == module.name and imported.names is not None:
                listed |= {name for name, _ in imported.names}
    return listed


@define(eq=False)
class _SlicedModule:
    """Finds the parts to leave out, from definitions inwards."""

    text: str
    units: Mapping[int, int]
    """Numbers of the units, by identity of their expressions."""
    code: DemandedCode
    listed: Collection[str]
    edits: list[Edit] = field(factory=list)
    _gone: set[int] = field(factory=set)
    """The starts of removed definitions."""

    # Definitions

    def bind(self, bind: c.Bind, is_top: bool = False) -> None:
        """Leave out a definition, or the parts of it that were not needed."""
        e, name = bind.expression, c.short(bind.name)
        if self._is_derived(bind):
            return
        is_named = self.units.get(id(e)) in self.code.units or (is_top and name in self.listed)
        if any(id(part) in self.code.kept for part in (e.clauses if isinstance(e, c.Lam) else [e])):
            self.definition(e)
        elif is_named and not bind.generated:
            self.edits.append(
                Edit(*bind.span, f"{name if name[0].isalpha() or name[0] == '_' else f'({name})'} = {MISSING}")
            )
        else:
            self._gone.add(bind.span[0])
            self._remove(bind.span, is_top)

    def definition(self, e: c.Expr) -> None:
        """Leave out the parts of a needed definition that were not needed."""
        if isinstance(e, c.Lam):
            self._clauses(e.clauses)
        else:
            self.expression(e)

    def _is_derived(self, bind: c.Bind) -> bool:
        """Whether a binding was generated: a derived method, or a variable of a pattern."""
        return bind.generated and "pattern~" not in bind.name

    def _binds(self, groups: list[list[c.Bind]]) -> None:
        for bind in (bind for group in groups for bind in group):
            self.bind(bind)

    def _remove(self, span: t.Span, with_comment: bool = False) -> None:
        """Leave out a definition or an alternative, with its lines if it has them to itself."""
        start, end = span
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", end)
        last = len(self.text) if last < 0 else last + 1
        if self.text[first:start].strip() or self.text[end:last].strip():
            self.edits.append(Edit(start, end))
            return
        while with_comment and first:
            above = self.text.rfind("\n", 0, first - 1) + 1
            if not self.text[above:first].startswith("--"):
                break
            first = above
        self.edits.append(Edit(first, last))

    # Signatures and fixities

    def declarations(self, declarations: Iterable[object]) -> None:
        """Leave out the signatures and fixities of removed definitions."""
        group = [declaration for declaration in declarations if isinstance(declaration, t.Node)]
        gone = {
            _defined(declaration.left)
            for declaration in group
            if isinstance(declaration, t.Equation) and declaration.span[0] in self._gone
        }
        for declaration in group:
            match declaration:
                case t.Signature(names=names):
                    self._listed(declaration.span, [(name, span) for name, span in names], gone)
                case t.Fixity(operators=operators) if all(name in gone for name in operators):
                    self._remove(declaration.span)
                case t.Instance(declarations=inner):
                    self.declarations(inner)
                case t.Equation(rhs=rhs):
                    self._nested(rhs)

    def _nested(self, node: object) -> None:
        """Find declarations inside an expression."""
        if isinstance(node, list | tuple):
            for child in node:
                self._nested(child)
            if any(isinstance(child, t.Equation) for child in node):
                self.declarations([child for child in node if isinstance(child, t.Signature | t.Fixity | t.Equation)])
        elif isinstance(node, t.Node | t.Rhs) and not isinstance(node, t.Type | t.Signature):
            for name in node.__attrs_attrs__:
                self._nested(getattr(node, name.name))

    def _listed(self, span: t.Span, names: list[tuple[str, t.Span]], gone: Collection[str | None]) -> None:
        left = [own for name, own in names if name not in gone]
        if not left:
            self._remove(span)
        elif len(left) < len(names):
            start, end = names[0][1][0], names[-1][1][1]
            self.edits.append(Edit(start, end, ", ".join(self.text[a:b] for a, b in left)))

    # Clauses

    def _clauses(self, clauses: list[c.Clause]) -> None:
        for clause in clauses:
            if id(clause) in self.code.kept:
                self._clause(clause)
            else:
                self._remove(clause.span)

    def _clause(self, clause: c.Clause) -> None:
        """Leave out the branches and bindings of a clause that were not needed."""
        self._binds(clause.groups)
        for branch in clause.branches:
            if id(branch) not in self.code.kept and branch.guards:
                self._remove(branch.span)
                continue
            for guard in branch.guards:
                match guard:
                    case c.BoolGuard(condition=inner) | c.PatternGuard(expression=inner):
                        self._part(inner, branch.span)
                    case c.LetGuard(groups=groups):
                        self._binds(groups)
            self._part(branch.body, clause.span)

    # Expressions

    def expression(self, e: c.Expr) -> None:
        """Leave out the parts of an expression that were not needed."""
        match e:
            case c.App(function=function, arguments=arguments):
                for part in (function, *arguments):
                    self._part(part, e.span)
            case c.Lam(clauses=clauses, generated=generated):
                for clause in clauses[:1] if generated else clauses:
                    self._binds(clause.groups)
                    if id(clause) in self.code.kept:
                        self._clause(clause)
                    else:
                        self._part(clause.branches[0].body, e.span)
            case c.Match(keyword="if", scrutinee=scrutinee, clauses=clauses):
                self._part(scrutinee, e.span)
                for clause in clauses:
                    self._part(clause.branches[0].body, e.span)
            case c.Match(keyword="guards", clauses=[clause]):
                self._clause(clause)
            case c.Match(scrutinee=scrutinee, clauses=clauses):
                self._part(scrutinee, e.span)
                if not _is_update(e):
                    self._clauses(clauses)
            case c.Let(groups=groups, body=body):
                before = len(self.edits)
                self._binds(groups)
                self._simplify_let(e, len(self.edits) - before)
                self._part(body, e.span)
            case c.Annot(expression=inner):
                self._part(inner, e.span)

    def _simplify_let(self, e: c.Let, count: int) -> None:
        """Remove a `let` without bindings, up to its body."""
        binds = [bind for group in e.groups for bind in group if not self._is_derived(bind)]
        is_gone = len(binds) == count and all(bind.span[0] in self._gone for bind in binds)
        keyword = re.compile(r"\bin\b\s*").search(self.text, max(bind.span[1] for bind in binds), e.body.span[0])
        if is_gone and keyword is not None and self.text.startswith("let", e.span[0]):
            self.edits.append(Edit(e.span[0], keyword.end()))

    def _part(self, e: c.Expr, around: t.Span) -> None:
        if id(e) in self.code.kept or not self._is_written(e, around):
            self.expression(e)
        else:
            self.edits.append(Edit(*self._with_parentheses(e.span), MISSING, e.type))

    def _with_parentheses(self, span: t.Span) -> t.Span:
        start, end = span
        if self.text[start - 1 : start] != "(" or self.text[end : end + 1] != ")":
            return span
        return (start - 1, end + 1) if start < 2 or self.text[start - 2].isspace() else span

    def _is_written(self, e: c.Expr, around: t.Span) -> bool:
        """Whether an expression has a place of its own, unlike the rest of a list or what a comprehension becomes."""
        if not isinstance(e, c.Expr) or e.span == around or e.span[0] >= e.span[1]:
            return False
        if isinstance(e, c.Con):
            return self.text[slice(*e.span)].rpartition(".")[2] == e.info.short  # not that of a written list
        is_list = isinstance(e, c.App) and isinstance(e.function, c.Con) and e.function.span == e.arguments[0].span
        return not (is_list and self.text[e.span[0]] != "[")


def _is_update(e: c.Match) -> bool:
    """Whether a match is a record update, whose clauses are not in the source."""
    return all(clause.span == e.span for clause in e.clauses)


def _defined(left: t.Expression) -> str | None:
    match left:
        case t.Apply(function=t.Parenthesised(inner=inner)):
            return _defined(inner)
    return defined_name(left)
