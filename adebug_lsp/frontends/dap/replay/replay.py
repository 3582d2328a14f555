"""A replay: the run has ended, and one thread answers every request from its recording.

The modules beside this one handle the requests: `show` (stack, scopes, variables), `move` (steps, breakpoints),
`evaluate` (the console) and `custom_requests` (questions and verdicts).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, evolve, frozen

from adebug_lsp.frontends.dap.live.launch import Launch
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.client_positions import Files
from adebug_lsp.frontends.dap.replay.cursor import Cursor
from adebug_lsp.frontends.dap.replay.variables import Variables
from adebug_lsp.frontends.shared.open_session import OpenSession, RecordedTarget, begin_session, open_recording
from adebug_lsp.languages.diagram import Diagram
from adebug_lsp.languages.language import Output, Progress
from adebug_lsp.model.answers import Step
from adebug_lsp.session.session import Session

if TYPE_CHECKING:
    from adebug_lsp.frontends.dap.replay.breakpoints import Breakpoint

Body = dict[str, Any]
Event = tuple[str, Mapping[str, object]]

THREAD = 1


@frozen
class Outside:
    """The connection of a replay to the adapter."""

    stop: Flag
    """Set to stop waiting: oracles are skipped, and a program run by `verify` is ended."""
    output: Output
    """Receives the output of that program."""


@frozen
class Reply:
    """The body of a response, and the events that follow it."""

    body: Mapping[str, object] | None = None
    events: tuple[Event, ...] = ()


@define(eq=False, slots=False)
class Replay:
    """The state of a replay."""

    open_session: OpenSession[RecordedTarget]
    files: Files
    launch: Launch
    outside: Outside
    closing: ExitStack
    cursor: Cursor
    """The current position."""
    variables: Variables
    asked: int = 0
    """Number of questions asked."""
    asked_after: Sequence[Step] | None = None
    """The session's steps when the last question was asked."""
    shown_contradictions: int = 0
    """Number of contradictions shown."""
    frames: dict[int, Cursor] = Factory(dict)
    """The frames that the client knows, by id."""
    breakpoints: dict[str, list["Breakpoint"]] = Factory(dict)
    """Breakpoints by path in the workspace."""
    targets: dict[int, Cursor] = Factory(dict)
    """Targets of `goto`, by id."""
    last_id: int = 0

    @property
    def session(self) -> Session:
        """The session, which has the question or the verdict."""
        return self.open_session.session

    @property
    def target(self) -> RecordedTarget:
        """The recording that is replayed."""
        return self.open_session.target

    @cached_property
    def diagram(self) -> Diagram | None:
        """Interactions of the run's processes; None: it has none."""
        return self.target.opened.diagram(self.target.subject)

    def move_to(self, cursor: Cursor) -> None:
        """Move the cursor; frames and variables of the old place become stale."""
        self.cursor = cursor
        self.variables.forget()
        self.frames.clear()

    def new_id(self) -> int:
        """A number that was not used before."""
        self.last_id += 1
        return self.last_id

    def close(self) -> None:
        """Stop the processes of the oracles."""
        self.closing.close()


Handler = Callable[[Replay, Arguments], Reply]
"""Handles one request; raises an `AdebugError` if it cannot."""


def open_replay(  # noqa: PLR0917 (all of them are needed, and none has a default)
    recording: Path,
    launch: Launch,
    facts: Mapping[str, Any],
    outside: Outside,
    progress: Progress,
    problem: Callable[[str], None],
) -> Replay:
    """Open a recording, and start or resume its session; raises `BadInputError`."""
    target = open_recording(recording, launch.language(), progress, launch.test)
    if target.opened.problem:
        problem(f"{recording}: {target.opened.problem}")
    with ExitStack() as closing:
        beginning = begin_session(
            target,
            evolve(launch.options, reference=launch.reference),
            workspace=launch.workspace,
            progress=progress,
            problem=problem,
            stop=outside.stop,
        )
        open_session = closing.enter_context(beginning)
        files = Files.for_client(launch.workspace, target.subject.sources(), facts)
        cursor, variables = Cursor(open_session.session.run, 0), Variables(target.subject.parts)
        return Replay(open_session, files, launch, outside, closing.pop_all(), cursor, variables)
