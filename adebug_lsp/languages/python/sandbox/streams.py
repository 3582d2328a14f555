"""In-memory streams (`io.BytesIO`, `io.StringIO`): their initial content and the calls on them since.

A recording has only the class and attributes of a stream. The rest follows from recorded calls: the one that made it,
and those of its methods. Rebuilding repeats them and compares every result, which reveals uses by other code.
"""

import ast
from collections import defaultdict
from functools import cached_property

from attrs import define, frozen

from adebug_lsp.languages.python.reading.recorded_values import Object, Opaque
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import Marker
from adebug_lsp.languages.python.sandbox.generators import Argument, Generators, RecordedArguments, call_of

KINDS = frozenset({"_io.BytesIO", "_io.StringIO"})
_METHODS = frozenset({"read", "read1", "readline", "readlines", "write", "writelines", "seek", "truncate", "close"})
MOST = 20_000
"""Maximum number of calls that may be on streams; beyond it no stream is known."""


@frozen
class Use:
    """A method call on a stream: position, arguments, and the word of the result."""

    position: int
    method: str
    arguments: list[Argument]
    result: int


@frozen
class Stream:
    """Initial content of a stream, and the calls on it."""

    initial: list[Argument]
    uses: list[Use]


@define(eq=False, slots=False)
class Streams:
    """The streams of one run."""

    run: Run
    generators: Generators

    def of(self, number: int, moment: int) -> Stream | None:
        """A stream as of a position; None if it is unknown how it was made."""
        made = self.generators.making(number)
        if made is None or self._uses is None:
            return None
        record, call = made
        recorded = RecordedArguments(self.run, record, self.generators.caller(record))
        initial = [recorded.value(argument) for argument in call.args]
        known = [argument for argument in initial if argument is not None]
        if len(known) < len(initial) or call.keywords:
            return None
        return Stream(known, [use for use in self._uses[number] if use.position < moment])

    @cached_property
    def _uses(self) -> dict[int, list[Use]] | None:
        """Calls on every stream, in order."""
        calls = {number: stream_calls for number, m in self.run.program.markers.items() if (stream_calls := _calls(m))}
        positions = self.run.positions(list(calls)).tolist()
        if len(positions) > MOST:
            return None
        uses: dict[int, list[Use]] = defaultdict(list)
        for position in positions:
            record = self.run.record(position)
            if record.whole:
                for slot, call in calls[int(self.run.recording.words[position])]:
                    self._add(uses, record, slot, call)
        return uses

    def _add(self, uses: dict[int, list[Use]], record: Record, slot: int, call: ast.Call) -> None:
        """Add a recorded call to the uses of its receiver, if that is an in-memory stream."""
        recorded = RecordedArguments(self.run, record, self.generators.caller(record))
        function = call.func
        receiver = recorded.value(function.value) if isinstance(function, ast.Attribute) else None
        described = (
            None if receiver is None or receiver.word is None else self.run.recording.values.value(receiver.word)
        )
        if receiver is None or receiver.word is None or not isinstance(described, Opaque | Object):
            return
        if isinstance(function, ast.Attribute) and described.type.full_name in KINDS:
            values = [recorded.value(argument) for argument in call.args]
            arguments = [argument for argument in values if argument is not None]
            method = function.attr if len(arguments) == len(values) and not call.keywords else ""
            uses[receiver.word].append(Use(record.position, method, arguments, record.words[slot]))


def _calls(marker: Marker) -> list[tuple[int, ast.Call]]:
    """Calls of stream methods that a marker has, each with its slot."""
    calls = [(slot, call_of(marker.module, node)) for slot, node in enumerate(marker.slots) if node >= 0]
    return [
        (slot, call)
        for slot, call in calls
        if call is not None and isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS
    ]
