"""What a language offers the front ends: it records a run, and opens what was recorded as something to ask about.

A front end knows nothing else of a language. Languages are found through the entry points of `registry`.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.languages.diagram import Diagram
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.values import Part, Value
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.slicing.dependence_contract import Dependences
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.tree.columns import ExecutionTree

Output = Callable[[str, str], None]
"""Told `stdout` or `stderr`, and a piece of text."""


@frozen
class Request:
    """What to run and how to record it. Exactly one of program, module and tests says what is run."""

    workspace: Path
    program: Path | None = None
    module: str | None = None
    tests: tuple[str, ...] | None = None
    """Arguments of the language's test runner."""
    call: str | None = None
    """An expression to evaluate after the program was loaded, in place of running it as the main program."""
    args: tuple[str, ...] = ()
    interpreter: Path | None = None
    """For Python programs: what runs them."""
    level: str = "full"
    timeout: float | None = None
    folder: Path | None = None
    """Where to run it; None: here."""
    environment: Mapping[str, str] | None = None
    """All variables of its environment; None: ours."""
    output: Output | None = None
    """Takes what it prints, from threads; None: it has our own input and output."""
    stop: threading.Event | None = None
    """Set by whoever wants the run to end early, with what was recorded so far."""


@frozen
class Ended:
    """How a recorded run ended."""

    how: str
    """`finished`, `raised`, `exited`, `timeout`, `interrupted` or `killed`."""
    exit_code: int
    message: str = ""
    """What to tell the user about it, in one line."""


@frozen
class Entry:
    """A part of a recorded run to start from: a failing test, or the whole run."""

    name: str
    """A test's own name (`tests/test_cart.py::test_total`), or empty for the whole run."""
    failed: bool
    message: str = ""
    """The last line of the failure."""


@frozen
class Piece:
    """A part of a source text that an editor shows something about: a routine, a class, the main program."""

    kind: str
    """`routine`, `class` or `main`."""
    name: str
    range: Range
    head: Range
    """Its name, or where it begins if it has none."""
    tests: tuple[str, ...] | None = None
    """The arguments of the test runner that run it alone, for a test."""
    call: str | None = None
    """The expression that calls it, for a routine that needs no arguments."""

    @property
    def runnable(self) -> bool:
        """Whether it can be run as it stands."""
        return self.tests is not None or self.call is not None or self.kind == "main"


class Outline(Protocol):
    """The syntax of one text: every node with its range."""

    @property
    def pieces(self) -> Sequence[Piece]:
        """Routines, classes and the main program, in the order of the text."""

    def expression_at(self, position: Position) -> Range | None:
        """The smallest expression around a position."""


@frozen
class Seen:
    """What one expression or variable gave during a behaviour."""

    place: Location
    values: tuple[str, ...]
    """The first few, oldest first."""
    count: int
    """How many there were."""
    name: str = ""
    """For a variable: its name."""
    bound: bool = False
    """Whether the variable was given its value here."""


class NothingToAskError(BadInputError):
    """A run of tests in which none failed, or none ran."""

    slug = "nothing-to-ask"
    code = 7
    cause = "All tests passed, the selection matched none, or the test runner could not start."
    remedy = "Run the failing test alone, by its name; the output of the test runner says why none ran."


class Progress(Protocol):
    """Told while long work goes on."""

    def __call__(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """`doing` is a phrase (`recording`, `reading`); `done` of `total` steps, or seconds where there is no total."""


class RecordedSubject(Protocol):
    """A recorded run (or one test of it) to ask about; see `session.subject.Subject`."""

    @property
    def tree(self) -> ExecutionTree:
        """What the run did: routines, loops, iterations."""

    @property
    def dependences(self) -> Dependences | None:
        """Where values came from."""

    @property
    def suspicion(self) -> NDArray[np.float64] | None:
        """For every site of the tree, from 0 to 1, how suspect passing and failing tests make it."""

    def behaviour(self, node: int) -> Behaviour:
        """What a question about this node shows."""

    def behaviour_key(self, node: int) -> str:
        """Equal for two nodes exactly when one answer holds for both; see `Subject`."""

    def code(self, node: int) -> tuple[Location, ...]:
        """What the node executed outside its children."""

    def holds(self, rule: str, node: int) -> bool | None:
        """Whether a rule holds for a behaviour."""

    def inside(self, node: int) -> "RecordedSubject | None":
        """The statements and expressions that a node executed itself, as a tree of their own; None: nothing finer."""

    @property
    def root_is_wrong(self) -> bool:
        """Whether the run is known to be wrong (a test failed, an exception ended it)."""

    def parts(self, identity: int, moment: int, start: int, count: int) -> Sequence[Part]:
        """Some parts of a mutable object as they were at a moment, also those that a `Value` leaves out."""

    def variable(self, node: int, name: str) -> Value | None:
        """A variable of the routine or module of a node, as it was when the node began; None: not known."""

    def seen(self, node: int) -> Sequence[Seen]:
        """The values of expressions and variables in the routine that a node belongs to, during that node."""

    def unexecuted(self, node: int) -> tuple[Location, ...]:
        """The code of the routine that a node belongs to that did not run in this call of it."""

    def sources(self) -> dict[str, str]:
        """The source text of every recorded file, as it was when it ran, by workspace-relative path."""


class Opened(Protocol):
    """A recording file that was opened."""

    @property
    def problem(self) -> str:
        """What is missing of a damaged or cut recording, or nothing."""

    @property
    def ended(self) -> Ended:
        """How the run ended."""

    @property
    def entries(self) -> Sequence[Entry]:
        """What can be asked about, failures first; raises `NothingToAskError` where tests could not be run."""

    @property
    def trusted(self) -> tuple[str, ...]:
        """The packages, modules and routines that the settings of the workspace trusted when it was recorded."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to tell about how it was recorded, each in one sentence."""

    def subject(self, entry: Entry) -> RecordedSubject:
        """Build the tree of one entry."""

    def executed(self, subject: RecordedSubject, path: str, line: int) -> NDArray[np.int64]:
        """The nodes of a subject's tree that executed a line (counted from 0) themselves, in order."""

    def diagram(self, subject: RecordedSubject) -> Diagram | None:
        """What the processes of the run did to one another, with the nodes of the tree; None: it has none."""

    def oracles(
        self, subject: RecordedSubject, reference: str | None, problem: Callable[[str], None]
    ) -> AbstractContextManager[Sequence[Oracle]]:
        """The oracles that the language can give: the failing test's assertion, a reference version (a path or
        `git:REV`)."""


class Language(Protocol):
    """One language."""

    name: str
    suffixes: tuple[str, ...]
    test_runner: str | None
    """What runs the tests, also the name of a launch configuration's field; None: there are no tests."""
    debugger: str | None
    """What can run the recorder with breakpoints: `debugpy`, or nothing."""
    laid_out: tuple[str, ...]
    """How files end that a reference must have where the workspace has them; none: its modules are found by name."""
    has_other_servers: bool
    """Whether editors have symbols and folding for it from elsewhere."""

    def outline(self, file: Path, text: str, last: Outline | None) -> Outline | None:
        """The syntax of a text, from that of an earlier state of it where there is one; None where it has errors."""

    def has_tests(self, workspace: Path, arguments: Sequence[str]) -> bool:
        """Whether the tests of a workspace, as arguments name them, are of this language."""

    def failing(self, workspace: Path) -> Sequence[str]:
        """The tests that failed when the test runner ran last, as `Entry` names them."""

    def command(self, request: Request, out: Path) -> list[str]:
        """The command line that runs and records: an interpreter, the recorder's folder, and its arguments.

        Raises `BadInputError` where there is nothing to run.
        """

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        """Run and record; raises `BadInputError` where there is nothing to run."""

    def open(self, recording: Path, progress: Progress) -> Opened:
        """Open a recording; raises `BadInputError` for a file that is none."""

    def recognises(self, recording: Path) -> bool:
        """Whether a file looks like a recording of this language."""


@runtime_checkable
class WritesTests(Protocol):
    """A language whose answers become tests of its own kind, and not of pytest."""

    test_file: str
    """The name of the file that they are written to if none is chosen."""

    def as_tests(self, answers: Sequence[SavedAnswer], file: Path, workspace: Path) -> tuple[str, int, int]:
        """The text of a file of tests, the number of its tests, and how many answers are not in it."""
