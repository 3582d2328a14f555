"""The contract of a language: it records a run, and opens a recording as something to ask about.

Front ends know a language by its `descriptor` and by the hooks of `Language`, and nothing else of it. Hooks with a body
are optional: a language that does not override one declares the gap, with its reason, in its descriptor.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.languages.conditions import Condition
from adebug_lsp.languages.cost_equations import CostEquations, EquationsRequest
from adebug_lsp.languages.cost_profile import CostProfile, ProfileRequest
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.languages.diagram import Diagram
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.values import Part, Value
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.slicing.call_slicer import CallSlicer
from adebug_lsp.slicing.dependence_contract import Dependences, Tracing
from adebug_lsp.slicing.slicer import Slicer
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.tree.columns import ExecutionTree

Output = Callable[[str, str], None]
"""Called with `stdout` or `stderr`, and a piece of text."""


@frozen
class Request:
    """A run to record. Exactly one of program, module, script and tests is set."""

    workspace: Path
    program: Path | None = None
    module: str | None = None
    script: str | None = None
    """The name of an installed command, such as a console script."""
    tests: tuple[str, ...] | None = None
    """Arguments of the language's test runner."""
    selected: tuple[str, ...] = ()
    """Names of tests to run, in this order, among those that the arguments select; empty runs all of them."""
    call: str | None = None
    """An expression to evaluate after loading the program, instead of running it as the main program."""
    args: tuple[str, ...] = ()
    interpreter: Path | None = None
    """The interpreter that runs the program, for languages that let users choose one; None: the language decides."""
    level: str = "full"
    timeout: float | None = None
    folder: Path | None = None
    """The working directory; None: the current one."""
    environment: Mapping[str, str] | None = None
    """The whole environment of the program; None: the environment of this process."""
    output: Output | None = None
    """Called from threads with the program's output; None: the program inherits standard input and output."""
    stop: threading.Event | None = None
    """Set to end the run early; the recording keeps everything up to then."""


@frozen
class Ended:
    """How a recorded run ended."""

    how: str
    """`finished`, `raised`, `exited`, `timeout`, `interrupted` or `killed`."""
    exit_code: int
    message: str = ""
    """The ending in one line, for display."""


@frozen
class Entry:
    """A part of a recorded run to start from: a failing test, or the whole run."""

    name: str
    """A test's own name (`tests/test_cart.py::test_total`), or empty for the whole run."""
    failed: bool
    message: str = ""
    """The last line of the failure."""


@frozen
class RecordedTest:
    """A recorded part of a suite, in which one test failed."""

    ended: Ended
    request: Request
    """The run that was recorded; repeats it."""
    entry: str | None = None
    """The name of the test to ask about; None: the first that failed in the recording."""
    other_failures: tuple[str, ...] = ()
    """Names of the tests that failed too, and are not recorded."""
    notes: tuple[str, ...] = ()
    """Remarks for people, each in one sentence."""


@frozen
class Piece:
    """A routine, a class or the main program, as an editor shows it."""

    kind: str
    """`routine`, `class` or `main`."""
    name: str
    range: Range
    head: Range
    """The range of its name, or its first position if it has none."""
    tests: tuple[str, ...] | None = None
    """For a test: the arguments of the test runner that run this test alone."""
    call: str | None = None
    """For a routine without parameters: the expression that calls it."""

    @property
    def runnable(self) -> bool:
        """Whether it can be run without further input."""
        return self.tests is not None or self.call is not None or self.kind == "main"


class Outline(Protocol):
    """The syntax of one text: every node with its range."""

    @property
    def pieces(self) -> Sequence[Piece]:
        """Routines, classes and the main program, in the order of the text."""

    def expression_at(self, _position: Position, /) -> Range | None:
        """The smallest expression around a position; None if unknown."""
        return None


class Severity(Enum):
    """How bad a remark about a text is."""

    ERROR = "error"
    WARNING = "warning"
    UNUSED = "unused"
    """The code is not needed; editors fade it."""


@frozen
class Remark:
    """A remark about a place of a text, made without running it."""

    range: Range
    message: str
    severity: Severity


class Checked(Protocol):
    """A text that was checked without running it."""

    @property
    def remarks(self) -> Sequence[Remark]:
        """The remarks about the text."""

    def described(self, _position: Position, /) -> tuple[Range, str] | None:
        """The name at a position, with its type; None if there is none."""
        return None


@frozen
class TraceValue:
    """The values of one expression or variable during a behaviour."""

    place: Location
    values: tuple[str, ...]
    """The first few values, oldest first."""
    count: int
    """The number of values, including those left out."""
    name: str = ""
    """The name, for a variable."""
    bound: bool = False
    """Whether the variable is assigned here."""


class NothingToAskError(BadInputError):
    """No test failed, or none ran."""

    slug = "nothing-to-ask"
    code = 7
    cause = "All tests passed, the selection matched none, or the test runner could not start."
    remedy = "Run the failing test alone, by its name; the output of the test runner says why none ran."


class TestsInterruptedError(BadInputError):
    """The tests were interrupted before one of them was recorded."""

    slug = "tests-interrupted"
    code = 8
    cause = "Ctrl-C was pressed, or the run was stopped, while the tests ran at full speed."
    remedy = "The message names the test that was running, and those that had failed; `adebug test NAME` records one."

    def __init__(self, message: str, running: str = "") -> None:
        super().__init__(message)
        self.running = running
        """The name of the test that was running; empty if none was."""


class Progress(Protocol):
    """Called repeatedly during long work."""

    def __call__(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """`doing` is a phrase (`recording`, `reading`); `done` of `total` steps, or seconds if there is no total."""


def silent(doing: str, done: int = 0, total: int | None = None) -> None:
    """Progress of work that nobody watches, or that another front end reports."""


class RecordedSubject(Protocol):
    """A recorded run, or one test of it, to ask about; see `session.subject.Subject`.

    Methods with a body are optional: a language that inherits from this class gets them.
    """

    @property
    def tree(self) -> ExecutionTree:
        """The execution tree: routines, loops, iterations."""

    @property
    def dependences(self) -> Dependences | None:
        """The origins of values; None: the language does not know them."""
        return None

    @property
    def tracing(self) -> Tracing | None:
        """Origins and histories for a person who asks for them, also inside a node; None: only `dependences`."""
        return None

    @property
    def suspicion(self) -> NDArray[np.float64] | None:
        """The suspicion of every site, from 0 to 1, by passing and failing tests; None: there are no such tests."""
        return None

    @property
    def plumbing(self) -> NDArray[np.bool_] | None:
        """Which nodes only carry the program or its test, and are asked about last; None: no node."""
        return None

    def behaviour(self, node: int) -> Behaviour:
        """The behaviour of a node, which a question shows."""

    def behaviour_key(self, node: int) -> str:
        """Equal for two nodes if and only if one answer applies to both; see `Subject`."""
        return self.behaviour(node).identity

    def code(self, node: int) -> tuple[Location, ...]:
        """The code that the node executed outside its children."""

    def holds(self, _rule: str, _node: int, /) -> bool | None:
        """Whether a rule holds for a behaviour."""
        return None

    def inside(self, _node: int, /) -> "RecordedSubject | None":
        """The statements and expressions that a node executed itself, as a separate tree; None: nothing finer."""
        return None

    @property
    def root_is_wrong(self) -> bool:
        """Whether the run is known to be wrong (a test failed, an exception ended it)."""

    def parts(self, _identity: int, _moment: int, _start: int, _count: int, /) -> Sequence[Part]:
        """Some parts of a mutable object at a moment, including those that a `Value` leaves out."""
        return ()

    def variable(self, _node: int, _name: str, /) -> Value | None:
        """The value of a variable at the start of a node; None: not known."""
        return None

    def trace_values(self, _node: int, /) -> Sequence[TraceValue]:
        """The values of expressions and variables in the routine that a node belongs to, during that node."""
        return ()

    def unexecuted(self, _node: int, /) -> tuple[Location, ...]:
        """The code that did not run in this call of the routine that a node belongs to."""
        return ()

    def sources(self) -> dict[str, str]:
        """The source text of every recorded file, as it was when it ran, by workspace-relative path."""


SubjectT = TypeVar("SubjectT", bound=RecordedSubject)


class OpenRecording(Protocol[SubjectT]):
    """An open recording of a language whose subjects are of one class."""

    @property
    def problem(self) -> str:
        """The problem with a damaged or truncated recording; empty for a complete one."""
        return ""

    @property
    def ended(self) -> Ended:
        """How the run ended."""

    @property
    def entries(self) -> Sequence[Entry]:
        """The parts of the run that can be asked about, failures first; raises `NothingToAskError` if no test ran."""

    @property
    def trusted(self) -> tuple[str, ...]:
        """The packages, modules and routines that the settings of the workspace trusted when it was recorded."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on how it was recorded, each in one sentence."""
        return ()

    def subject(self, entry: Entry) -> SubjectT:
        """Build the tree of one entry."""

    def executed(self, subject: SubjectT, path: str, line: int) -> NDArray[np.int64]:
        """The nodes of a subject's tree that executed a line (counted from 0) themselves, in order.

        This checks every node; a language with large recordings overrides it.
        """
        nodes = range(len(subject.tree))
        return np.array([node for node in nodes if _has_line(subject.code(node), path, line)], dtype=np.int64)

    def diagram(self, _subject: SubjectT, /) -> Diagram | None:
        """The messages between the processes of the run; None: it has one process."""
        return None

    def slicer(self, _subject: SubjectT, /) -> Slicer | CallSlicer | None:
        """Slices of the run; None: the language has none."""
        return None

    def oracles(
        self, _subject: SubjectT, _reference: str | None, _problem: Callable[[str], None], /
    ) -> AbstractContextManager[Sequence[Oracle]]:
        """The oracles of the language: the failing test's assertion, a reference version (a path or `git:REV`)."""
        return nullcontext(())


def _has_line(code: Sequence[Location], path: str, line: int) -> bool:
    return any(place.path == path and place.range.start.line <= line <= place.range.end.line for place in code)


Opened: TypeAlias = OpenRecording[Any]
"""An open recording in a front end, which passes its subjects only back to it."""


@frozen
class ExportedTests:
    """A file of tests, made from answers."""

    text: str
    count: int
    """Number of tests in it."""
    left_out: int
    """Number of answers that no test can express."""


class Language(Protocol):
    """A language. Implementations inherit from this class, which has defaults for the optional hooks."""

    descriptor: LanguageDescriptor

    @property
    def name(self) -> str:
        """The name of the language."""
        return self.descriptor.name

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        """Run and record; raises `BadInputError` if there is nothing to run."""

    def record_failing_test(
        self, request: Request, out: Path, progress: Progress, wanted: str | None = None
    ) -> RecordedTest:
        """Run the tests, and record one that failed: the wanted one, else the first.

        Raises `NothingToAskError` if none did. A language that cannot run its tests without recording them records all.
        """
        return RecordedTest(self.record(request, out, progress), request, wanted)

    def passes(self, _request: Request, _workspace: Path) -> bool:
        """Whether the tests of a request pass; they run unrecorded, in a copy of the workspace."""
        raise BadInputError(f"tests of {self.name} are always recorded: name a revision with --since")

    def open(self, recording: Path, progress: Progress) -> Opened:
        """Open a recording; raises `BadInputError` for any other file."""

    def command(self, _request: Request, _out: Path) -> list[str]:
        """The command line that runs and records, for the debugger of the live phase.

        Raises `BadInputError` if there is nothing to run.
        """
        raise BadInputError(f"{self.name} programs cannot be run under a debugger")

    def outline(self, _file: Path, _text: str, _last: Outline | None) -> Outline | None:
        """The outline of a text, based on the last outline if there is one; None for a text with errors."""
        return None

    def check(self, _file: Path, _text: str) -> Checked | None:
        """Check a text as the content of a file, without running it; called from a thread. None without checks."""
        return None

    def failing(self, _workspace: Path) -> Sequence[str]:
        """The names, as in `Entry`, of the tests that failed in the test runner's last run."""
        return ()

    def read_condition(self, _text: str) -> Condition:
        """Parse the condition of a breakpoint; raises `BadInputError` if evaluating it would run code."""
        raise BadInputError(f"conditions cannot be decided for {self.name}; remove the condition")

    def export_tests(self, answers: Sequence[SavedAnswer], _file: Path, _workspace: Path) -> ExportedTests:
        """Write answers as a file of tests; it contains only literals, since a store may come from anywhere."""
        return ExportedTests("", 0, len(answers))

    def profile(self, _request: ProfileRequest) -> CostProfile:
        """Run a program and count its symbolic costs by cost centre."""
        raise BadInputError(f"{self.name} programs cannot be profiled: {self.descriptor.gaps.get('profile', '')}")

    def cost_equations(self, _request: EquationsRequest) -> CostEquations:
        """The costs of functions as equations and in closed form."""
        reason = self.descriptor.gaps.get("time-equations", "")
        raise BadInputError(f"there are no time equations for {self.name}: {reason}")
