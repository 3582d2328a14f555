"""The steps of a session: answers, marks, trust, rules and so on, by an oracle or a person. A session is its steps.

Every answer names its node, so that a list of steps can be replayed without running the strategy again.
"""

from enum import Enum

from attrs import frozen

from adebug_lsp.model.source import Location
from adebug_lsp.model.values import Key


class Judgement(Enum):
    """The answer to the question whether a behaviour is right."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    INADMISSIBLE = "inadmissible"


class MarkOf(Enum):
    """The part of a behaviour that a mark points at."""

    RESULT = "result"
    AFTER = "after"
    """The value that a variable or a changed argument has afterwards."""
    ARGUMENT = "argument"
    CALL = "call"


@frozen
class Mark:
    """A statement that part of a value is wrong, or that a call should never have been made."""

    of: MarkOf
    path: tuple[Key, ...] = ()
    """Path to the part. For an argument it starts with the name or position, for `AFTER` with the variable's name."""

    @property
    def in_outcome(self) -> bool:
        """Whether it marks an outcome, so that the code or something that it called is wrong."""
        return self.of in (MarkOf.RESULT, MarkOf.AFTER)

    def __str__(self) -> str:
        steps = "".join(f"[{key!r}]" for key in self.path)
        return f"{self.of.value}{steps}"


@frozen
class Source:
    """Who gave an answer, and why: provenance."""

    oracle: str = "person"
    reason: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person was asked."""
        return self.oracle == "person"

    @property
    def is_inferred(self) -> bool:
        """Whether it was inferred from a person's answers in this session."""
        return self in (SAME, PARTS, WHOLE, REST, DECIDED)


PERSON = Source()
SAME = Source("your answer", "to the same behaviour in this session")
PARTS = Source("your answers", "to all of its parts")
WHOLE = Source("your answer", "to the range that it is part of")
REST = Source("your answers", "to the range around it and to the rest of that range")
DECIDED = Source("your answer", "to the statement that it decided")
SETTINGS = Source("settings", "the settings of the workspace say so")


@frozen
class Answer:
    """The judgement of one behaviour, with its mark, the expected value and its source."""

    node: int
    judgement: Judgement
    mark: Mark | None = None
    expected: str | None = None
    """The intended value, as text in the program's language."""
    source: Source = PERSON

    @property
    def is_of_behaviour(self) -> bool:
        """Whether it applies to every occurrence of the behaviour; a mark on a call applies to that call only."""
        return self.mark is None or self.mark.of is not MarkOf.CALL


class Scope(Enum):
    """The extent of a trust: a routine or a module."""

    ROUTINE = "routine"
    MODULE = "module"


@frozen
class Trust:
    """The code of a routine or module is right: no questions about it, and it cannot be the verdict."""

    scope: Scope
    name: str
    source: Source = PERSON


@frozen
class Untrust:
    """Removes a trust."""

    scope: Scope
    name: str
    source: Source = PERSON


@frozen
class Elsewhere:
    """Code that ran but is not part of the tree, such as a module that was loaded before the test."""

    routine: str
    code: tuple[Location, ...]


@frozen
class Confine:
    """Confines the bug to these routines: an oracle compared the code, and found no other cause."""

    routines: tuple[str, ...]
    source: Source
    elsewhere: tuple[Elsewhere, ...] = ()
    """Other code that can hold it."""


@frozen
class AddRule:
    """Adds a predicate over arguments and result that decides questions about a routine."""

    routine: str
    text: str
    source: Source = PERSON


@frozen
class SwitchStrategy:
    """Switches to another strategy."""

    strategy: str


@frozen
class SwitchGranularity:
    """Switches to finer or coarser questions."""

    granularity: str


@frozen
class Restart:
    """Restarts the search below this node, which counts as wrong."""

    node: int


@frozen
class Reject:
    """Rejects the verdict on this node: the answers that it is based on are reopened."""

    node: int


@frozen
class Revoke:
    """Withdraws the answer on this node, whatever its source; from then on only a person answers for it."""

    node: int


@frozen
class AskSkipped:
    """Asks the questions again that were answered "don't know"; at a dead end."""

    source: Source = PERSON


@frozen
class Zoom:
    """Continues inside this buggy node; from then on, node numbers refer to the tree inside it."""

    node: int
    source: Source = Source("zoom", "it is the buggy node, and there is finer code to ask about")


@frozen
class Transform:
    """Asks about a transformed tree; `name` is one of `model.transformations.TRANSFORMATIONS`."""

    name: str
    source: Source = PERSON


Step = (
    Answer
    | Trust
    | Untrust
    | Confine
    | AddRule
    | SwitchStrategy
    | SwitchGranularity
    | Restart
    | Reject
    | Revoke
    | AskSkipped
    | Zoom
    | Transform
)
"""One element of a session."""
