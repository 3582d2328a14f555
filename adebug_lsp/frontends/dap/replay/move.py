"""Steps of a replay over the execution tree, and moves between breakpoints."""

from collections.abc import Callable
from functools import partial
from time import monotonic

from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.breakpoints import Breakpoint, looked_up, read_breakpoint
from adebug_lsp.frontends.dap.replay.cursor import Cursor
from adebug_lsp.frontends.dap.replay.events import console_line, go_to_outcome, stopped_after_move
from adebug_lsp.frontends.dap.replay.executions import Line
from adebug_lsp.frontends.dap.replay.hit_conditions import message_of
from adebug_lsp.frontends.dap.replay.replay import Body, Event, Handler, Replay, Reply
from adebug_lsp.frontends.dap.replay.show import cursor_of
from adebug_lsp.frontends.shared import wording
from adebug_lsp.model.errors import BadInputError

MOST_TARGETS = 50
"""Maximum number of executions to offer as targets."""
MOST_LOGGED = 1000
"""Maximum number of log messages per move."""
SEARCH_SECONDS = 10.0
"""Seconds after which a search for a true condition pauses."""


def _step(move: Callable[[Cursor], Cursor]) -> Handler:
    def handle(replay: Replay, _arguments: Arguments) -> Reply:
        replay.move_to(move(replay.cursor))
        return Reply({}, (stopped_after_move(replay, "step"),))

    return handle


def continue_(replay: Replay, _arguments: Arguments) -> Reply:
    """Go to the next execution of a breakpoint; if there is none, to the question or the verdict."""
    body, (events, hit_at) = {"allThreadsContinued": True}, _continue(replay, Line.after, min)
    if hit_at is None:
        return Reply(body, (*events, *go_to_outcome(replay)))
    return Reply(body, (*events, _stop_at(replay, *hit_at)))


def reverse_continue(replay: Replay, _arguments: Arguments) -> Reply:
    """Go to the previous execution of a breakpoint; if there is none, to the start of the run."""
    events, hit_at = _continue(replay, Line.before, max)
    if hit_at is not None:
        return Reply({}, (*events, _stop_at(replay, *hit_at)))
    replay.move_to(Cursor(replay.session.run, 0))
    return Reply({}, (*events, stopped_after_move(replay, "step")))


Hit = tuple[Cursor, list[int]]
"""A cursor and the numbers of the breakpoints hit there; none if the search has paused."""


def _continue(
    replay: Replay, step: Callable[[Line, int], Cursor | None], nearest: Callable[..., int]
) -> tuple[list[Event], Hit | None]:
    """Move to the nearest execution that stops at a breakpoint; returns the log messages passed on the way."""
    known = [point for lines in replay.breakpoints.values() for point in lines if point.is_understood]
    here, logged, end = replay.cursor.moment, list[Event](), monotonic() + SEARCH_SECONDS
    coming = {point: step(point.line, here) for point in known}
    while any(coming.values()):
        here = nearest(cursor.moment for cursor in coming.values() if cursor is not None)
        arrived = {point: cursor for point, cursor in coming.items() if cursor is not None and cursor.moment == here}
        hit = [(point, cursor) for point, cursor in arrived.items() if point.is_hit(replay, cursor)]
        logged += [_logged(replay, point, cursor) for point, cursor in hit if point.log]
        stopping = [point.number for point, _cursor in hit if not point.log]
        if stopping:
            return logged[:MOST_LOGGED], (hit[0][1], stopping)
        if monotonic() > end:
            return [*logged[:MOST_LOGGED], console_line(wording.STILL_LOOKING)], (next(iter(arrived.values())), [])
        coming |= {point: step(point.line, here) for point in arrived}
    return logged[:MOST_LOGGED], None


def _logged(replay: Replay, point: Breakpoint, cursor: Cursor) -> Event:
    name, body = console_line(message_of(point.log, looked_up(replay, cursor)))
    return name, {**body, **replay.files.start(cursor.place)}


def _line(replay: Replay, path: str, line: int) -> Line:
    return Line.of(replay.session.run, path, line, partial(replay.target.opened.executed, replay.target.subject))


def _stop_at(replay: Replay, cursor: Cursor, numbers: list[int]) -> Event:
    replay.move_to(cursor)
    name, body = stopped_after_move(replay, "breakpoint" if numbers else "pause")
    return name, {**body, "hitBreakpointIds": numbers}


def pause(replay: Replay, _arguments: Arguments) -> Reply:
    """A replay is always stopped."""
    return Reply({}, (stopped_after_move(replay, "pause"),))


def restart_frame(replay: Replay, arguments: Arguments) -> Reply:
    """Go to a frame of the stack."""
    replay.move_to(cursor_of(replay, arguments))
    return Reply({}, (stopped_after_move(replay, "step"),))


# Breakpoints


def set_breakpoints(replay: Replay, arguments: Arguments) -> Reply:
    """Set the breakpoints of one file, replacing the previous ones."""
    numbers = [replay.new_id() for _ in arguments.items("breakpoints")]
    return Reply({"breakpoints": place_breakpoints(replay, arguments, numbers)})


def place_breakpoints(replay: Replay, arguments: Arguments, numbers: list[int]) -> list[Body]:
    """Set breakpoints that have numbers."""
    path = replay.files.path(arguments.part("source").fields)
    wanted = arguments.items("breakpoints")
    known = zip(wanted, numbers, strict=True)
    points = replay.breakpoints[path] = [_breakpoint(replay, path, item, number) for item, number in known]
    return [_shown(point, item) for point, item in zip(points, wanted, strict=True)]


def _breakpoint(replay: Replay, path: str, item: Arguments, number: int) -> Breakpoint:
    line = _line(replay, path, replay.files.line(path, item.number("line")))
    return read_breakpoint(number, line, item, replay.launch.language())


def _shown(point: Breakpoint, item: Arguments) -> Body:
    shown: Body = {"id": point.number, "verified": not point.problem, "line": item.number("line")}
    return shown | ({"message": point.problem} if point.problem else {})


def no_breakpoints(_replay: Replay, arguments: Arguments) -> Reply:
    """Reject function and exception breakpoints, which only a running program supports."""
    wanted = [*arguments.items("breakpoints"), *arguments.texts("filters")]
    message = "the program has ended; only breakpoints on lines can be hit in its recording"
    return Reply({"breakpoints": [{"verified": False, "message": message} for _ in wanted]})


def goto_targets(replay: Replay, arguments: Arguments) -> Reply:
    """The executions of a line."""
    path = replay.files.path(arguments.part("source").fields)
    line = _line(replay, path, replay.files.line(path, arguments.number("line")))
    replay.targets = {replay.new_id(): cursor for cursor in line.all(MOST_TARGETS)}
    return Reply(
        {
            "targets": [
                {"id": number, "label": cursor.behaviour().text, "line": arguments.number("line")}
                for number, cursor in replay.targets.items()
            ]
        }
    )


def goto(replay: Replay, arguments: Arguments) -> Reply:
    """Go to one of the offered executions."""
    cursor = replay.targets.get(arguments.number("targetId"))
    if cursor is None:
        raise BadInputError("targetId: no such target")
    replay.move_to(cursor)
    return Reply({}, (stopped_after_move(replay, "goto"),))


HANDLERS: dict[str, Handler] = {
    "next": _step(Cursor.over),
    "stepIn": _step(Cursor.into),
    "stepOut": _step(Cursor.out),
    "stepBack": _step(Cursor.back),
    "continue": continue_,
    "reverseContinue": reverse_continue,
    "pause": pause,
    "restartFrame": restart_frame,
    "setBreakpoints": set_breakpoints,
    "setFunctionBreakpoints": no_breakpoints,
    "setExceptionBreakpoints": no_breakpoints,
    "gotoTargets": goto_targets,
    "goto": goto,
}
