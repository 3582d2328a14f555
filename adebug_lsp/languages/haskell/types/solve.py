"""Solves wanted dictionaries by instances, by the context of signatures, and by defaulting."""

from __future__ import annotations

import itertools
from typing import Any

from attrs import frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import Program
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.languages.haskell.types.types import TAp, TCon, TVar, Type, prune, short, show, spine, variables

_NUMERIC = {f"Prelude.{name}" for name in ("Num", "Integral", "Fractional", "Real", "RealFrac", "Floating")}
_DEFAULTS = ("Prelude.Integer", "Prelude.Double")
_COUNTER = itertools.count()


@frozen
class Given:
    """A dictionary that a binding takes as an argument."""

    class_name: str
    type: Type
    name: str


class Solver:
    """Solutions are ("param", name), ("super", solution, class, superclass) and ("inst", instance, wanted parts)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._givens: list[list[tuple[str, Type, Any]]] = []

    def push(self, givens: list[Given]) -> None:
        """Enter the scope of a signature's context."""
        known: list[tuple[str, Type, Any]] = []
        pending: list[tuple[str, Type, Any]] = [(g.class_name, g.type, ("param", g.name)) for g in givens]
        while pending:
            name, kind, solution = pending.pop(0)
            known.append((name, kind, solution))
            supers = self.program.classes[name].supers
            pending += [(above, kind, ("super", solution, name, above)) for above in supers]
        self._givens.append(known)

    def pop(self) -> None:
        """Leave the scope."""
        self._givens.pop()

    def simplify(self, wanted: list[c.Wanted]) -> list[c.Wanted]:
        """Solve what can be solved; returns what depends on unknown types, raises if something has no solution."""
        stuck: list[c.Wanted] = []
        pending = list(reversed(wanted))
        while pending:
            constraint = pending.pop()
            if constraint.solution is not None:
                continue
            head, arguments = spine(constraint.type)
            solution = self._given(constraint)
            if solution is not None:
                constraint.solution = solution
            elif isinstance(head, TVar):
                stuck.append(constraint)
            elif isinstance(head, TCon):
                instance = self.program.instances.get((constraint.class_name, head.name))
                if instance is None:
                    raise self._no_instance(constraint)
                parts = [c.Wanted(cls, arguments[index], constraint.span) for cls, index in instance.context]
                constraint.solution = ("inst", instance, parts)
                pending += reversed(parts)
        return stuck

    def _given(self, constraint: c.Wanted) -> tuple[Any, ...] | None:
        for known in reversed(self._givens):
            for name, kind, solution in known:
                if name == constraint.class_name and _same(kind, constraint.type):
                    assumed: tuple[Any, ...] = solution
                    return assumed
        return None

    def _no_instance(self, constraint: c.Wanted) -> HaskellSyntaxError:
        """The error for a constraint without an instance, with a hint."""
        head, _ = spine(constraint.type)
        name = short(constraint.class_name)
        if isinstance(head, TCon) and head.is_rigid:
            variable = show(constraint.type)
            return HaskellSyntaxError(
                f"no {name} {variable} is known here; add {name} {variable} => to the signature", *constraint.span
            )
        kind = show(constraint.type, 2)
        hint = "; is an argument missing?" if isinstance(head, TCon) and head.name == "->" else ""
        if name in ("Num", "Fractional") and not hint:
            hint = "; a number stands where another type is needed"
        return HaskellSyntaxError(f"no instance of {name} for {kind}{hint}", *constraint.span)

    def abstract(self, wanted: list[c.Wanted]) -> list[tuple[str, Type, str]]:
        """Dictionary parameters, with class, type and name, leaving out those that another one contains."""
        distinct: list[tuple[str, Type]] = []
        for constraint in wanted:
            if not any(cls == constraint.class_name and _same(kind, constraint.type) for cls, kind in distinct):
                distinct.append((constraint.class_name, constraint.type))
        context = [
            (cls, kind, f"d~{next(_COUNTER)}") for cls, kind in distinct if not self._follows(cls, kind, distinct)
        ]
        self.push([Given(cls, kind, name) for cls, kind, name in context])
        for constraint in wanted:
            constraint.solution = self._given(constraint)
        self.pop()
        return context

    def _follows(self, name: str, kind: Type, others: list[tuple[str, Type]]) -> bool:
        """Whether a class is a superclass of another one that is wanted for the same type."""
        return any(name in self._superclasses(other) and _same(kind, of) for other, of in others)

    def _superclasses(self, name: str) -> set[str]:
        direct = self.program.classes[name].supers
        return set(direct).union(*map(self._superclasses, direct))

    def default(self, wanted: list[c.Wanted]) -> None:
        """Choose `Integer` or `Double` for ambiguous numeric types; raises for other ambiguous types."""
        left = self.simplify(wanted)
        while left:
            unsolved = [v for constraint in left for v in variables(constraint.type)]
            variable = unsolved[0]
            about = [constraint for constraint in left if prune(constraint.type) is variable]
            classes = {constraint.class_name for constraint in about}
            choice = self._default_type(classes) if classes & _NUMERIC else None
            if choice is None:
                names = ", ".join(
                    sorted(
                        short(constraint.class_name) for constraint in left if variable in variables(constraint.type)
                    )
                )
                raise HaskellSyntaxError(
                    f"ambiguous type ({names}); add a type annotation such as (... :: Int)", *left[0].span
                )
            variable.ref = TCon(choice)
            left = self.simplify(left)

    def _default_type(self, classes: set[str]) -> str | None:
        for name in _DEFAULTS:
            if all((cls, name) in self.program.instances for cls in classes):
                return name
        return None


def _same(a: Type, b: Type) -> bool:
    """Whether two types are equal."""
    pending = [(a, b)]
    while pending:
        a, b = pending.pop()
        a, b = prune(a), prune(b)
        if a is b:
            continue
        if isinstance(a, TAp) and isinstance(b, TAp):
            pending += [(a.function, b.function), (a.argument, b.argument)]
        elif not (isinstance(a, TCon) and isinstance(b, TCon) and a.name == b.name):
            return False
    return True
