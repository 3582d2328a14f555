"""Places in source text. Lines and columns count from 0, columns in Unicode code points, ends are exclusive.

Front ends convert to the UTF-16 columns of editors; nothing else does.
"""

from attrs import field, frozen, validators


@frozen(order=True)
class Position:
    """A point between two characters."""

    line: int = field(validator=validators.ge(0))
    column: int = field(validator=validators.ge(0))


@frozen(order=True)
class Range:
    """The text between two points."""

    start: Position
    end: Position = field()

    @end.validator
    def _not_before_start(self, _attribute: object, value: Position) -> None:
        if value < self.start:
            raise ValueError(f"a range ends at {value}, before it starts at {self.start}")

    def covers(self, other: "Range") -> bool:
        """Whether this range contains all of `other`."""
        return self.start <= other.start and other.end <= self.end


@frozen(order=True)
class Location:
    """A range in a file; the path is relative to the workspace and uses forward slashes."""

    path: str
    range: Range


@frozen
class Site:
    """A code fragment of the program. It is static: many execution nodes share one."""

    rule: str
    """The unit that strategies count as a rule: a routine, or one clause or branch of it."""
    routine: str = ""
    """The qualified name of the routine that the fragment belongs to; the unit of trust."""
    module: str = ""
    location: Location | None = None
