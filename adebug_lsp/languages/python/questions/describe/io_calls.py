"""The input and output of one library call, from its recorded arguments and result: `print`, streams, paths, `logging`.

Text that does not follow from them is shown as the source of the expression in `⟨⟩`, never guessed.
"""

import re
from collections.abc import Iterator

from attrs import define, frozen

from adebug_lsp.languages.python.questions.describe.written_text import WrittenText
from adebug_lsp.languages.python.questions.origins.call_arguments import CallArguments
from adebug_lsp.languages.python.questions.origins.evaluations import UNKNOWN_VALUE, Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, Index, TracedPart
from adebug_lsp.languages.python.reading.recorded_values import (
    STREAMS,
    Derived,
    Object,
    Opaque,
    TupleLike,
    TypeInfo,
)
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.languages.python.reading.value_formatter import BUILTIN

PRINTED = "printed"
_MOST_NUMBERS = 1000
_WRITING = frozenset({"write", "writelines"})
_ROWS = frozenset({"writerow", "writerows", "writeheader"})
_DUMPING = "dump"
"""`json.dump(value, file)`, and functions of that name in other modules."""
_READING = frozenset({"read", "read1", "readline", "readlines"})
_OF_PATHS = frozenset({"read_text", "read_bytes", "write_text", "write_bytes"})
_ECHOING = {"click": ("echo", "secho"), "typer": ("echo", "secho")}
"""Functions that print their first argument: https://click.palletsprojects.com/en/stable/api/#click.echo"""
_LEVELS = {
    **{name: name.upper() for name in ("debug", "info", "warning", "error", "critical")},
    "warn": "WARNING",
    "exception": "ERROR",
    "fatal": "CRITICAL",
}
_METHODS = _WRITING | _READING | _ROWS | {_DUMPING} | _OF_PATHS | _LEVELS.keys() | set().union(*_ECHOING.values())
_FUNCTIONS = frozenset({"print", "input", "next", _DUMPING})
_STREAM_CLASSES = (f"{STREAMS}.", "tempfile._Temporary", "_csv.", "csv.Dict")
"""Prefixes of the full names of classes whose objects read or write."""
_TOO_WIDE = re.compile(r"%[^a-zA-Z%]*(\*|\d{4})")
"""Formats whose result could be much longer than the recorded value."""


@frozen
class Effect:
    """One effect of one call."""

    target: str
    """A verb and the stream: `printed`, `read from 'in.txt'`."""
    text: str
    kind: str
    """The verb alone, because a file may have another name in another run."""
    call: Evaluation
    """The expression that had the effect."""
    arguments: tuple[tuple[TracedPart, int], ...] = ()
    """The values written, each with the end of its text."""


@define(eq=False)
class CallEffects:
    """The effects of the calls of one run."""

    run: Run
    _evaluations: Evaluations

    def of(self, call: Evaluation) -> Iterator[Effect]:
        """The effects of a call, in order."""
        function = CallArguments(self._evaluations, call).function
        node = self._evaluations.syntax(function)
        if node.extra == _DUMPING:
            yield from self._dumped(call)
        elif node.kind == "Attribute":
            called_on = self._evaluations.children(function)[0]
            receiver = self._evaluations.value(called_on)
            if receiver is not None:
                yield from self._method(call, str(node.extra), receiver[0])
            elif (module := self._evaluations.text(called_on)) == "logging":  # imports leave no records
                yield from self._logged(call, str(node.extra), "")
            elif node.extra in _ECHOING.get(module, ()):
                yield self._echo(call)
        elif self._is_builtin(function):
            yield from self._function(call, str(node.extra))

    def _dumped(self, call: Evaluation) -> Iterator[Effect]:
        """The effect of library code that wrote to a file in a format of its own."""
        for argument in CallArguments(self._evaluations, call).all:
            value = self._evaluations.value(argument)
            if value is not None and self.is_stream(value[0]):
                yield self._wrote(self.name(value[0]), self.source(call), call)

    def _is_builtin(self, function: Evaluation) -> bool:
        """Whether a name has its builtin meaning."""
        name = str(self._evaluations.syntax(function).extra)
        place = self._evaluations.place(function, name)
        if place is None:
            module = self._evaluations.module(function)
            is_imported = re.search(rf"^[ \t]*from\b[^\n]*\bimport\b[^\n]*\b{name}\b", module.source, re.MULTILINE)
            return not is_imported and name not in {routine.qualname for routine in module.routines}
        described = self.run.recording.values.value(int(self.run.recording.words[place]))
        return isinstance(described, Opaque) and described.type.name == BUILTIN and described.name == name

    def _function(self, call: Evaluation, name: str) -> Iterator[Effect]:
        """The effects of a call of a builtin or a module's function."""
        arguments = CallArguments(self._evaluations, call)
        if name == "print":
            yield self._print(call, arguments)
        elif name == "input":
            if arguments.plain:
                yield Effect(PRINTED, self._text(arguments.plain[0]), PRINTED, call)
            yield self.read("standard input", self._result(call), call)
        elif arguments.plain and (value := self._evaluations.value(arguments.plain[0])) and self.is_stream(value[0]):
            yield self.read(self.name(value[0]), self._result(call), call)

    def _print(self, call: Evaluation, arguments: CallArguments) -> Effect:
        """The effect of `print`."""
        text, written = "", list[tuple[TracedPart, int]]()
        writing = self._written_text(call)
        named = dict(arguments.named())
        between = self._option(named.get("sep"), " ")
        for argument in arguments.plain:
            is_starred = self._evaluations.syntax(argument).kind == "Starred"
            inner = self._evaluations.children(argument)[0] if is_starred else argument
            for number, piece in enumerate(self._pieces(argument, writing)):
                text += (between if written else "") + piece
                path = (Index(number, call.position),) if is_starred else ()
                written.append((TracedPart(inner, path), len(text)))
        text += self._option(named.get("end"), "\n")
        target = named.get("file")
        stream = None if target is None else self._evaluations.value(target)
        if target is None or (stream is not None and self._evaluations.plain(stream[0]) is None):
            return Effect(PRINTED, text, PRINTED, call, tuple(written))
        name = f"⟨{self._evaluations.text(target)}⟩" if stream is None else self.name(stream[0])
        return self._wrote(name, text, call, tuple(written))

    def _echo(self, call: Evaluation) -> Effect:
        """The effect of `click.echo`."""
        arguments = CallArguments(self._evaluations, call)
        named = dict(arguments.named())
        message = next(iter(arguments.plain), named.get("message"))
        text = "" if message is None else self._text(message)
        written = () if message is None else ((TracedPart(message, ()), len(text)),)
        line = named.get("nl")
        ends = line is None or self._evaluations.constant(line) is not False
        return Effect(PRINTED, text + "\n" if ends else text, PRINTED, call, written)

    def _option(self, argument: Evaluation | None, default: str) -> str:
        """The value of `sep` or `end`."""
        value = None if argument is None else self._evaluations.value(argument)
        if argument is None or (value is not None and self._evaluations.plain(value[0]) is None):
            return default
        return self._text(argument)

    def _pieces(self, argument: Evaluation, writing: WrittenText) -> list[str]:
        """The text of an argument, or of each item of a `*` argument."""
        is_starred = self._evaluations.syntax(argument).kind == "Starred"
        inner = self._evaluations.children(argument)[0] if is_starred else argument
        value = self._evaluations.value(inner)
        words = None if value is None else [value[0]]
        kind = self._evaluations.syntax(inner).kind
        if value is None and is_starred and kind in ("List", "Tuple"):
            return [piece for item in self._evaluations.children(inner) for piece in self._pieces(item, writing)]
        if value is None and kind == "Constant":
            constant = self._evaluations.constant(inner)
            return [self.source(argument) if constant is UNKNOWN_VALUE else str(constant)]
        if is_starred and value is not None:
            items = self._evaluations.items(value[0], argument.position)
            if items is None and (numbers := self._range(value[0])) is not None:
                return [str(number) for number in numbers]
            words = None if items is None else list(items)
        if words is None:
            return [self.source(argument)]
        texts = [writing.str_of(word) for word in words]
        return [self.source(argument) if text is None else text for text in texts]

    def _range(self, word: int) -> range | None:
        """The numbers of a range, if they are few enough to show."""
        described = self.run.recording.values.value(word)
        if not isinstance(described, TupleLike) or described.type != "range":
            return None
        start, stop, step = map(self._evaluations.plain, described.items)
        numbers = range(start, stop, step)
        return numbers if len(numbers[: _MOST_NUMBERS + 1]) <= _MOST_NUMBERS else None

    def _written_text(self, call: Evaluation) -> WrittenText:
        return WrittenText(self._evaluations, call.position, self._evaluations.callbacks(call))

    def _text(self, argument: Evaluation) -> str:
        """The text of a written argument; bytes as Python shows them."""
        value = self._evaluations.value(argument)
        text = None if value is None else self._written_text(argument).str_of(value[0])
        return self.source(argument) if text is None else text

    def source(self, argument: Evaluation) -> str:
        """The source of an expression, instead of a text that is not recorded."""
        return f"⟨{self._evaluations.text(argument)}⟩"

    def _method(self, call: Evaluation, name: str, receiver: int) -> Iterator[Effect]:
        """The effects of a call of a method, of a stream, a path or a logger."""
        arguments = CallArguments(self._evaluations, call).plain
        logger = self._logger(receiver) if name in _LEVELS else None
        if logger is not None:
            yield from self._logged(call, name, logger)
        elif name in _OF_PATHS:
            path = self._path(receiver)
            if path is not None and name.startswith("read"):
                yield self.read(path, self._result(call), call)
            elif path is not None and arguments:
                yield self._wrote(path, self._text(arguments[0]), call)
        elif self.is_stream(receiver):
            yield from self._stream_method(call, name, self.name(receiver), arguments)

    def _stream_method(self, call: Evaluation, name: str, stream: str, arguments: list[Evaluation]) -> Iterator[Effect]:
        if name in _READING:
            yield self.read(stream, self._result(call), call)
        elif name in _ROWS:
            rows = [self._shown(argument) for argument in arguments]
            yield self._wrote(stream, f"{name}({', '.join(rows)})\n", call)
        elif arguments and name == "write":
            text = self._text(arguments[0])
            yield self._wrote(stream, text, call, ((TracedPart(arguments[0]), len(text)),))
        elif arguments:
            value = self._evaluations.value(arguments[0])
            items = None if value is None else self._evaluations.items(value[0], call.position)
            texts = None if items is None else [self._written_text(call).str_of(item) for item in items]
            known = None if texts is None or None in texts else "".join(filter(None, texts))
            yield self._wrote(stream, self.source(arguments[0]) if known is None else known, call)

    def _shown(self, argument: Evaluation) -> str:
        """An argument as `repr` shows it."""
        value = self._evaluations.value(argument)
        text = None if value is None else self._written_text(argument).repr_of(value[0])
        return self.source(argument) if text is None else text

    def _result(self, call: Evaluation) -> str:
        """The text that a call read, from its result."""
        value = self._evaluations.value(call)
        return self.source(call) if value is None else self.content(value[0], call)

    def content(self, word: int, call: Evaluation) -> str:
        """A text that was read, or several; bytes and rows as Python shows them."""
        plain = self._evaluations.plain(word)
        if isinstance(plain, str):
            return plain
        items = self._evaluations.items(word, call.position)
        lines = [self._evaluations.plain(item) for item in items or ()]
        if lines and all(isinstance(line, str) for line in lines) and call.node >= 0 and self._reads_lines(call):
            return "".join(lines)
        text = self._written_text(call).repr_of(word)
        return f"{self.source(call) if text is None else text}\n"

    def _reads_lines(self, call: Evaluation) -> bool:
        return self._evaluations.called_name(call) == "readlines"

    def read(self, stream: str, text: str, call: Evaluation) -> Effect:
        """The effect of reading from a stream."""
        return Effect(f"read from {stream}", text, "read", call)

    def _wrote(
        self, stream: str, text: str, call: Evaluation, arguments: tuple[tuple[TracedPart, int], ...] = ()
    ) -> Effect:
        if stream == "'<stdout>'":
            return Effect(PRINTED, text, PRINTED, call, arguments)
        return Effect(f"wrote to {stream}", text, "wrote", call, arguments)

    def _logged(self, call: Evaluation, name: str, logger: str) -> Iterator[Effect]:
        arguments = CallArguments(self._evaluations, call).plain
        if name in _LEVELS and arguments:
            kind, origin = f"log message ({_LEVELS[name]})", f"log message ({_LEVELS[name]}, {logger})"
            yield Effect(origin if logger else kind, f"{self._message(arguments)}\n", kind, call)

    def _message(self, arguments: list[Evaluation]) -> str:
        """The message of a call of `logging`, with its arguments filled in, before any handler formats it."""
        template = self._text(arguments[0])
        if len(arguments) == 1 or _TOO_WIDE.search(template):
            return template if len(arguments) == 1 else self._unformatted(arguments)
        try:
            return template % tuple(map(self._formatted, arguments[1:]))
        except (TypeError, ValueError, KeyError, OverflowError):
            return self._unformatted(arguments)

    def _unformatted(self, arguments: list[Evaluation]) -> str:
        return ", ".join(self.source(argument) for argument in arguments)

    def _formatted(self, argument: Evaluation) -> "int | float | _Formatted":
        value = self._evaluations.value(argument)
        plain = None if value is None else self._evaluations.plain(value[0])
        if isinstance(plain, int | float):
            return plain
        return _Formatted(self._text(argument), repr(plain) if isinstance(plain, str) else self._text(argument))

    # Streams

    def is_stream(self, word: int) -> bool:
        """Whether a value is a file, or another stream whose class is not recorded."""
        described = self.run.recording.values.value(word)
        kind = getattr(described, "type", None)
        if not isinstance(described, Object | Opaque) or not isinstance(kind, TypeInfo) or kind.is_user_class:
            return False
        ancestors = (f"{kind.module}.{kind.name}", *kind.bases)
        return any(name.startswith(_STREAM_CLASSES) for name in ancestors)

    def name(self, word: int) -> str:
        """The name of a file in quotes, or the class of another stream."""
        described = self.run.recording.values.value(word)
        if isinstance(described, Opaque) and described.name is not None:
            return repr(described.name)
        return f"a {described.type.name}" if isinstance(described, Object | Opaque) else "a stream"

    def _path(self, word: int) -> str | None:
        described = self.run.recording.values.value(word)
        if not isinstance(described, Derived) or described.type.module != "pathlib":
            return None
        parts = self._evaluations.items(described.value, 0) or ()
        return repr(self._evaluations.plain(parts[0])) if parts else None

    def _logger(self, word: int) -> str | None:
        """The name of a logger; empty for the root, None for anything else."""
        described = self.run.recording.values.value(word)
        if isinstance(described, Opaque) and described.type.name == "module":
            return "" if described.name == "logging" else None
        if not isinstance(described, Object) or "logging.Logger" not in (
            described.type.full_name,
            *described.type.bases,
        ):
            return None
        held = dict(self.run.heap.state(word, len(self.run.recording.words)).attributes)
        name = self._evaluations.plain(held["name"]) if "name" in held else ""
        return name if isinstance(name, str) and name != "root" else ""


class _Formatted:
    """An argument of `%`, given by its texts."""

    def __init__(self, text: str, shown: str) -> None:
        self.text, self._shown = text, shown

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self._shown


def may_have_effects(module: Module, number: int) -> bool:
    """Whether a node calls something with the name of a function or method that has effects."""
    if module.nodes[number].kind != "Call":
        return False
    function = module.nodes[module.children(number)[0]]
    return function.extra in (
        _METHODS if function.kind == "Attribute" else _FUNCTIONS if function.kind == "Name" else ()
    )
