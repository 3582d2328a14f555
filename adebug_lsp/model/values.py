"""Values as a question shows them: a tree of named parts, each with its text, so that a mark can point at one part.

A value here is already data. Nothing in adebug ever calls back into the program to look at one.
"""

from collections.abc import Sequence

from attrs import field, frozen

Key = str | int
"""The name of a part: an attribute or a dictionary key (as text), or an index."""


@frozen
class Value:
    """One value at one moment."""

    text: str
    """How the value reads; bounded in length, never used to compare."""
    type: str = ""
    identity: int | None = None
    """Equal for two values exactly when they were the same mutable object; None for atoms."""
    parts: tuple["Part", ...] = ()
    elided: int = 0
    """How many further parts there were that are not listed."""
    moment: int | None = field(default=None, eq=False)
    """The event at which it was like this, where a language can tell more of its parts."""

    def at(self, path: Sequence[Key]) -> "Value | None":
        """The part that a path leads to, or None where there is none."""
        value = self
        for key in path:
            found = next((part.value for part in value.parts if part.key == key), None)
            if found is None:
                return None
            value = found
        return value


@frozen
class Part:
    """One part of a structure."""

    key: Key
    value: Value


class Role:
    """Where a binding of an environment lives."""

    ARGUMENT = "argument"
    VARIABLE = "variable"
    GLOBAL = "global"
    RECEIVER = "receiver"
    HEAP = "heap"
    EXCEPTION = "exception"
    MAILBOX = "mailbox"
    OUTPUT = "output"
    CLAUSE = "clause"
    """None of an environment: a clause that could have been taken instead."""


@frozen
class Binding:
    """A name and its value."""

    name: str
    value: Value
    role: str = Role.VARIABLE


@frozen
class Environment:
    """What identifies a point of a computation (as far as a question shows it)."""

    bindings: tuple[Binding, ...] = ()

    def value(self, name: str) -> Value | None:
        """The value bound to a name, or None."""
        return next((binding.value for binding in self.bindings if binding.name == name), None)
