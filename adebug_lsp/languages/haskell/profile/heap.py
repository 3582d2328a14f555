"""Values and heap bindings of the cost semantics, and the dictionaries of classes, which cost nothing."""

from __future__ import annotations

from typing import TypeAlias

from adebug_lsp.languages.haskell.core.core_tree import ConstructorInfo
from adebug_lsp.languages.haskell.core.entities import InstanceInfo, Program
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.cost_centres import Centre


class Data:
    """A constructor with its fields."""

    __slots__ = ("fields", "info")

    def __init__(self, info: ConstructorInfo, fields: list[Cell]) -> None:
        self.info, self.fields = info, fields


class Closure:
    """A function value: its code, the captured variables, and its first arguments."""

    __slots__ = ("arguments", "code", "environment")

    def __init__(self, code: f.Rule | f.Function, environment: Environment, arguments: list[Argument]) -> None:
        self.code, self.environment, self.arguments = code, environment, arguments


class Cell:
    """A heap binding: an expression with its environment, or a value; neither while it is being evaluated."""

    __slots__ = ("centre", "environment", "expression", "value")

    def __init__(self, centre: Centre, value: Value | None = None) -> None:
        self.centre, self.value = centre, value
        self.expression: f.Flat | None = None
        self.environment: Environment = {}


class Dictionary:
    """The dictionary of an instance, with those of its context."""

    __slots__ = ("instance", "parts")

    def __init__(self, instance: InstanceInfo, parts: tuple[Dictionary, ...]) -> None:
        self.instance, self.parts = instance, parts

    def superclass(self, above: str, program: Program) -> Dictionary:
        """The dictionary of a superclass."""
        other = program.instances[(above, self.instance.type_name)]
        return Dictionary(other, tuple(self._of_context(cls, index, program) for cls, index in other.context))

    def _of_context(self, cls: str, index: int, program: Program) -> Dictionary:
        """The dictionary of a superclass, taken from those of the instance's context."""
        context = zip(self.instance.context, self.parts, strict=True)
        pending = [(own, part) for (own, position), part in context if position == index]
        while pending:
            name, part = pending.pop(0)
            if name == cls:
                return part
            pending += [(above, part.superclass(above, program)) for above in program.classes[name].supers]
        raise AssertionError(f"no dictionary for {cls}")


Value: TypeAlias = "int | float | str | Data | Closure"
"""A number, a character, a constructor or a function in head normal form."""
Argument: TypeAlias = "Cell | Dictionary"
Environment: TypeAlias = "dict[str, Argument]"
