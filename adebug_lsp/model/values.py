"""Values as a question shows them: a tree of named parts, each with its text, so that a mark can point at one part.

A value here is plain data. adebug never calls code of the program to inspect one.
"""

from collections.abc import Sequence

from attrs import field, frozen

Key = str | int
"""The name of a part: an attribute or a dictionary key (as text), or an index."""


@frozen
class Value:
    """One value at one moment."""

    text: str
    """The value as text, of limited length; never used for comparison."""
    type: str = ""
    identity: int | None = None
    """Equal if and only if two values are the same mutable object; None for atoms."""
    parts: tuple["Part", ...] = ()
    elided: int = 0
    """Number of parts that are not listed."""
    moment: int | None = field(default=None, eq=False)
    """The event at which it had this state, for looking up more parts; None: there are none."""
    indexed: int = field(default=0, eq=False)
    """Number of parts that also have an index (named tuples) or have only an index (characters of a string)."""

    def at(self, path: Sequence[Key]) -> "Value | None":
        """The part at a path, or None."""
        value = self
        for key in path:
            part = value.part(key)
            if part is None:
                return None
            value = part
        return value

    def part(self, key: Key) -> "Value | None":
        """One part, or None. A dictionary key matches both its source text and its plain text."""
        wanted = (key, str(key), repr(key))
        listed = next((part.value for form in wanted for part in self.parts if part.key == form), None)
        if listed is not None or not isinstance(key, int):
            return listed
        items = self.parts if self.indexed else [part for part in self.parts if isinstance(part.key, int)]
        from_end = key + len(items) + self.elided if key < 0 else key
        return items[from_end].value if (self.indexed or key < 0) and 0 <= from_end < len(items) else None

    def lacks(self, path: Sequence[Key]) -> bool:
        """Whether this part definitely does not exist; False if the value has parts that are not listed."""
        value = self
        for key in path:
            part = value.part(key)
            if part is None:
                has_index = isinstance(key, int) and -value.indexed <= key < value.indexed
                return not (value.elided or has_index)
            value = part
        return False


@frozen
class Part:
    """One part of a structure."""

    key: Key
    value: Value


class Role:
    """The role of a binding in an environment."""

    ARGUMENT = "argument"
    VARIABLE = "variable"
    GLOBAL = "global"
    RECEIVER = "receiver"
    HEAP = "heap"
    EXCEPTION = "exception"
    MAILBOX = "mailbox"
    OUTPUT = "output"
    CLAUSE = "clause"
    """Not part of the environment: a clause that could have been chosen instead."""


@frozen
class Binding:
    """A name and its value."""

    name: str
    value: Value
    role: str = Role.VARIABLE
    read: frozenset[Key] | None = None
    """Keys of the parts that the code named, which are the only ones a question shows; None if unknown, or all."""


@frozen
class Environment:
    """The bindings that a question shows for one point of a computation."""

    bindings: tuple[Binding, ...] = ()

    def value(self, name: str) -> Value | None:
        """The value bound to a name, or None."""
        return next((binding.value for binding in self.bindings if binding.name == name), None)
