"""Breakpoints of a replay: a line, and the conditions that must hold when it was executed."""

from collections.abc import Callable

from attrs import define

from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.cursor import Cursor
from adebug_lsp.frontends.dap.replay.executions import Line
from adebug_lsp.frontends.dap.replay.hit_conditions import read_hits
from adebug_lsp.frontends.dap.replay.lookup import value_before
from adebug_lsp.frontends.dap.replay.replay import Replay
from adebug_lsp.languages.conditions import Condition, LookUp
from adebug_lsp.languages.language import Language, RecordedSubject
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.values import Value

MOST_COUNTED = 2000
"""Maximum number of executions that a hit condition counts."""


@define(eq=False, slots=False)
class Breakpoint:
    """One breakpoint, with the number that the client knows it by."""

    number: int
    line: Line
    condition: Condition | None = None
    hits: Callable[[int], bool] | None = None
    log: str = ""
    """The message to log instead of stopping."""
    problem: str = ""
    """Why it is never hit."""
    _counted: list[int] | None = None
    """The moments at which its condition held, in order."""

    @property
    def is_understood(self) -> bool:
        """Whether it can be hit at all."""
        return not self.problem

    def is_hit(self, replay: Replay, cursor: Cursor) -> bool:
        """Whether the breakpoint is hit by this execution of the line."""
        if self.hits is None:
            return self._holds(replay, cursor)
        if self._counted is None:
            self._counted = [
                execution.moment for execution in self.line.all(MOST_COUNTED) if self._holds(replay, execution)
            ]
        return cursor.moment in self._counted and self.hits(self._counted.index(cursor.moment) + 1)

    def _holds(self, replay: Replay, cursor: Cursor) -> bool:
        return self.condition is None or self.condition.holds(looked_up(replay, cursor))


def read_breakpoint(number: int, line: Line, arguments: Arguments, language: Language) -> Breakpoint:
    """Read a breakpoint from a request; a condition that cannot be parsed becomes its problem."""
    point = Breakpoint(number, line, log=arguments.maybe_text("logMessage") or "")
    condition, hits = arguments.maybe_text("condition"), arguments.maybe_text("hitCondition")
    try:
        point.condition = language.read_condition(condition) if condition else None
        point.hits = read_hits(hits) if hits else None
    except BadInputError as error:
        point.problem = str(error)
    if not len(line.nodes):
        point.problem = "this code did not run"
    elif point.hits is not None and len(line.nodes) > MOST_COUNTED:
        point.problem = f"this line was executed {len(line.nodes)} times; at most {MOST_COUNTED} can be counted"
    return point


def looked_up(replay: Replay, cursor: Cursor) -> LookUp:
    """A function that looks up names just before a line is executed."""
    return lambda expression: value_before(cursor.behaviour, expression, variables_at(replay, cursor))


def variables_at(replay: Replay, cursor: Cursor) -> Callable[[str], Value | None]:
    """A function that looks up variables that the question about a cursor does not show."""

    def variable(name: str) -> Value | None:
        subject: RecordedSubject | None = replay.target.subject
        for node in cursor.path[:-1]:
            subject = None if subject is None else subject.inside(node)
        return None if subject is None else subject.variable(cursor.node, name)

    return variable
