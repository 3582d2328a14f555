"""Breakpoints that the client has set so far; the replay takes them over with the numbers that the client knows."""

from attrs import Factory, define

from adebug_lsp.frontends.dap.protocol.framing import Message
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.move import place_breakpoints
from adebug_lsp.frontends.dap.replay.replay import Body, Replay

BREAKPOINTS = ("setBreakpoints", "setFunctionBreakpoints", "setExceptionBreakpoints")


@define
class Breakpoints:
    """The breakpoints of each file, as last set."""

    exceptions: Arguments | None = None
    """The request for exception breakpoints, from before the debugger started."""
    _files: dict[str, tuple[Arguments, list[int]]] = Factory(dict)
    _last: int = 0

    def note(self, command: str, arguments: Arguments) -> Body:
        """Remember breakpoints while no debugger runs; the response repeats their lines."""
        wanted = arguments.items("breakpoints")
        on_lines = command == "setBreakpoints"
        places = [{"line": point.number("line")} if on_lines else {} for point in wanted]
        numbers = list(range(self._last + 1, self._last + len(wanted) + 1))
        self._last += len(wanted)
        if on_lines:
            self._keep(arguments, numbers)
        elif command == "setExceptionBreakpoints":
            self.exceptions = arguments
        waiting = {"verified": False, "message": "waiting for the recording"}
        known = zip(numbers, places, strict=True)
        return {"breakpoints": [{"id": number, **waiting, **place} for number, place in known]}

    def take(self, arguments: Arguments, answer: Message) -> None:
        """Take breakpoints that a debugger has set, with its answer."""
        breakpoints = (answer.get("body") or {}).get("breakpoints") or []
        numbers = [point.get("id", 0) for point in breakpoints]
        if len(numbers) == len(arguments.items("breakpoints")):
            self._keep(arguments, numbers)

    def hand_over(self, replay: Replay) -> list[Body]:
        """Set them all in a replay; returns their new state."""
        replay.last_id = self._last
        return [state for known in self._files.values() for state in place_breakpoints(replay, *known)]

    def _keep(self, arguments: Arguments, numbers: list[int]) -> None:
        self._files[str(arguments.part("source").fields.get("path", ""))] = (arguments, numbers)
        self._last = max([self._last, *numbers])
