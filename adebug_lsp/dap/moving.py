"""Moves of a replay over the execution tree, and breakpoints as places to move to."""

from collections.abc import Callable
from functools import partial

from adebug_lsp.dap.arguments import Arguments
from adebug_lsp.dap.hits import Line
from adebug_lsp.dap.replay import Body, Event, Handler, Replay, Reply
from adebug_lsp.dap.showing import spot_of
from adebug_lsp.dap.spots import Spot
from adebug_lsp.dap.telling import go_to_outcome, where_it_stands
from adebug_lsp.model.errors import BadInputError

MOST_TARGETS = 50
"""Executions of a line that are offered."""


def _step(move: Callable[[Spot], Spot]) -> Handler:
    def handle(replay: Replay, _arguments: Arguments) -> Reply:
        replay.stand_at(move(replay.spot))
        return Reply({}, (where_it_stands(replay, "step"),))

    return handle


def continue_(replay: Replay, _arguments: Arguments) -> Reply:
    """To the next execution of a breakpoint; where there is none, back to the question or the verdict."""
    here = replay.spot.moment
    found = [(spot, number) for line, number in _lines(replay) if (spot := line.after(here)) is not None]
    body = {"allThreadsContinued": True}
    if not found:
        return Reply(body, tuple(go_to_outcome(replay)))
    return Reply(body, (_stop_at(replay, min(found, key=_moment)),))


def reverse_continue(replay: Replay, _arguments: Arguments) -> Reply:
    """To the execution of a breakpoint before; where there is none, to the beginning of the run."""
    here = replay.spot.moment
    found = [(spot, number) for line, number in _lines(replay) if (spot := line.before(here)) is not None]
    if found:
        return Reply({}, (_stop_at(replay, max(found, key=_moment)),))
    replay.stand_at(Spot(replay.talk.session.run, 0))
    return Reply({}, (where_it_stands(replay, "step"),))


def _lines(replay: Replay) -> list[tuple[Line, int]]:
    """The lines with breakpoints, and the numbers of these."""
    known = replay.breakpoints.items()
    return [(_line(replay, path, line), number) for path, lines in known for line, number in lines]


def _line(replay: Replay, path: str, line: int) -> Line:
    return Line.of(replay.talk.session.run, path, line, partial(replay.inquiry.opened.executed, replay.inquiry.subject))


def _moment(hit: tuple[Spot, int]) -> int:
    return hit[0].moment


def _stop_at(replay: Replay, hit: tuple[Spot, int]) -> Event:
    spot, number = hit
    replay.stand_at(spot)
    name, body = where_it_stands(replay, "breakpoint")
    return name, {**body, "hitBreakpointIds": [number]}


def pause(replay: Replay, _arguments: Arguments) -> Reply:
    """It stands still already."""
    return Reply({}, (where_it_stands(replay, "pause"),))


def restart_frame(replay: Replay, arguments: Arguments) -> Reply:
    """To a frame of the stack."""
    replay.stand_at(spot_of(replay, arguments))
    return Reply({}, (where_it_stands(replay, "step"),))


# Breakpoints


def set_breakpoints(replay: Replay, arguments: Arguments) -> Reply:
    """The breakpoints of one file; those before are gone."""
    numbers = [replay.new_id() for _ in arguments.items("breakpoints")]
    return Reply({"breakpoints": place_breakpoints(replay, arguments, numbers)})


def place_breakpoints(replay: Replay, arguments: Arguments, numbers: list[int]) -> list[Body]:
    """Set breakpoints that have numbers."""
    path = replay.files.path(arguments.part("source").given)
    lines = [replay.files.line(one.number("line")) for one in arguments.items("breakpoints")]
    replay.breakpoints[path] = list(zip(lines, numbers, strict=True))
    return [_breakpoint(replay, path, *one) for one in replay.breakpoints[path]]


def _breakpoint(replay: Replay, path: str, line: int, number: int) -> Body:
    ran = bool(len(_line(replay, path, line).nodes))
    shown: Body = {"id": number, "verified": ran, "line": line + replay.files.first_line}
    return shown if ran else {**shown, "message": "this code did not run"}


def no_breakpoints(_replay: Replay, arguments: Arguments) -> Reply:
    """Other kinds than those of lines are for a running program."""
    wanted = [*arguments.items("breakpoints"), *arguments.texts("filters")]
    message = "the program has ended; only breakpoints on lines can be hit in its recording"
    return Reply({"breakpoints": [{"verified": False, "message": message} for _ in wanted]})


def goto_targets(replay: Replay, arguments: Arguments) -> Reply:
    """The executions of a line."""
    path = replay.files.path(arguments.part("source").given)
    line = _line(replay, path, replay.files.line(arguments.number("line")))
    replay.targets = {replay.new_id(): spot for spot in line.all(MOST_TARGETS)}
    return Reply(
        {
            "targets": [
                {"id": number, "label": spot.behaviour().text, "line": arguments.number("line")}
                for number, spot in replay.targets.items()
            ]
        }
    )


def goto(replay: Replay, arguments: Arguments) -> Reply:
    """To one of the executions that were offered."""
    spot = replay.targets.get(arguments.number("targetId"))
    if spot is None:
        raise BadInputError("targetId: nothing with this number was offered")
    replay.stand_at(spot)
    return Reply({}, (where_it_stands(replay, "goto"),))


HANDLERS: dict[str, Handler] = {
    "next": _step(Spot.over),
    "stepIn": _step(Spot.into),
    "stepOut": _step(Spot.out),
    "stepBack": _step(Spot.back),
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
