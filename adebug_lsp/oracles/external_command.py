"""An oracle that asks another program: a line of JSON for each question and for each answer.

The program is started at the first question, never through a shell, and must answer within the time limit. A failure is
an `OracleError`, and ends the program; after three failures it is not asked again.
"""

import json
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from types import TracebackType
from typing import IO, Any

from adebug_lsp.model.answers import Judgement, Mark
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError, OracleError
from adebug_lsp.model.json import from_json
from adebug_lsp.model.values import Environment
from adebug_lsp.oracles.oracle import Opinion

MOST_ERRORS = 3
MOST_SKIPPED_LINES = 100
"""Lines without an answer that are skipped while waiting for one."""
LONGEST_LINE = 1 << 20
"""Bytes; a program that writes more without a line end does not speak this protocol."""
_GRACE = 0.5
"""Seconds that a program has to end by itself, and again after SIGTERM."""
_LONGEST_QUOTE = 200

_JUDGEMENTS = {
    "yes": Judgement.YES,
    "no": Judgement.NO,
    "inadmissible": Judgement.INADMISSIBLE,
    "unknown": None,
    "abstain": None,
}


class CommandOracle:
    """Asks a program; close it, or use it in a `with` statement. Not thread-safe."""

    def __init__(self, command: Sequence[str], time_limit: float = 10.0, folder: Path | None = None) -> None:
        """`time_limit` is in seconds for one answer; `folder` is the working directory, by default the current one."""
        if not command:
            raise BadInputError("the command of an oracle is empty; give a program and its arguments")
        self.problems: list[str] = []
        """Messages for the person that are not failures, oldest first."""
        self._command = list(command)
        self._time_limit = time_limit
        self._folder = folder
        self._program: _Program | None = None
        self._reported = False
        self._last_id = 0
        self._errors = 0

    @property
    def name(self) -> str:
        """The command line."""
        return _quote(" ".join(self._command))

    def opinion(self, question: Question) -> Opinion | None:
        """The opinion of the program; None if it abstains, and always after too many failures."""
        if self._errors >= MOST_ERRORS:
            return None
        self._last_id += 1
        try:
            return _opinion(self._ask(_message(self._last_id, question)))
        except _FailureError as error:
            self._errors += 1
            raise OracleError(self._failure_message(error)) from error

    def close(self) -> None:
        """End the program if it is running; a later question starts it again."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def __enter__(self) -> "CommandOracle":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and wait for the answer that has its id."""
        if self._program is None:
            self._program = _Program(self._command, self._folder)
        self._program.send(json.dumps(message).encode("ascii") + b"\n")
        deadline = time.monotonic() + self._time_limit
        skipped: list[bytes] = []
        while len(skipped) <= MOST_SKIPPED_LINES:
            line = self._program.line(deadline)
            if line is None:
                raise _FailureError(f"gave no answer within {self._time_limit:g} s")
            answer = _json_object(line)
            if answer is not None and type(answer.get("id")) is int and answer["id"] == message["id"]:
                self._report(skipped)
                return answer
            if answer is None:
                skipped.append(line)
        raise _FailureError(f"wrote more than {MOST_SKIPPED_LINES} lines that are not answers")

    def _report(self, skipped: Sequence[bytes]) -> None:
        # Once is enough: a program that writes one stray line writes many.
        if skipped and not self._reported:
            self._reported = True
            first = _quote(skipped[0].decode("utf-8", "replace"))
            self.problems.append(
                f"{self.name}: wrote lines to its standard output that are not answers; they are skipped: {first}"
            )

    def _failure_message(self, error: "_FailureError") -> str:
        """End the program; returns the message for the person."""
        program = self._program
        self.close()
        message = f"the oracle command '{self.name}' {error}"
        if program is not None and program.last_words:
            message += f"; it last wrote to standard error: {program.last_words}"
        if self._errors >= MOST_ERRORS:
            message += f"; after {MOST_ERRORS} errors it is not asked again in this session"
        return message


class _FailureError(Exception):
    """A failure of the program; its message ends a sentence that begins with the program's name."""


class _Program:
    """A running program. Threads read and write its streams, because pipes have no time limit on Windows.

    Each thread closes its own stream when it ends, so that none is closed while another thread uses it.
    """

    def __init__(self, command: Sequence[str], folder: Path | None) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the person's own command, as a list)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise _FailureError(f"cannot be started: {reason}") from error
        self.last_words = ""
        """The last line on standard error that is not blank."""
        self._ending = Event()
        self._lines: Queue[bytes | _FailureError | None] = Queue(maxsize=MOST_SKIPPED_LINES)
        self._outbox: Queue[bytes | None] = Queue()
        work = {
            self._process.stdin: self._write,
            self._process.stdout: self._read_answers,
            self._process.stderr: self._read_errors,
        }
        self._threads = [_start(run, stream) for stream, run in work.items() if stream is not None]

    def send(self, line: bytes) -> None:
        """Queue a line for writing; does not block on a program that does not read."""
        self._outbox.put(line)

    def line(self, deadline: float) -> bytes | None:
        """The next line of output; None if there is none by the deadline. Raises at the end of the output."""
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        try:
            line = self._lines.get(timeout=left)
        except Empty:
            return None
        if isinstance(line, _FailureError):
            raise line
        if line is None:
            raise _FailureError(self._how_it_ended())
        return line

    def end(self) -> None:
        """Close its input, then send SIGTERM, then SIGKILL; leaves no process and no thread behind."""
        self._ending.set()
        self._outbox.put(None)
        for stronger in (self._process.terminate, self._process.kill):
            if self._has_ended(_GRACE):
                break
            stronger()
        self._has_ended(_GRACE)
        for thread in self._threads:
            thread.join(_GRACE)  # takes longer only while a child of the program holds the stream

    def _how_it_ended(self) -> str:
        if not self._has_ended(_GRACE):
            return "closed its standard output without answering"
        self._threads[-1].join(_GRACE)  # until its last words on standard error have arrived
        code = self._process.returncode
        return f"ended without answering (exit code {code})" if code >= 0 else f"was ended by signal {-code}"

    def _has_ended(self, limit: float) -> bool:
        try:
            self._process.wait(limit)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _write(self, stream: IO[bytes]) -> None:
        while (line := self._outbox.get()) is not None:
            rest = memoryview(line)
            while rest:
                rest = rest[stream.write(rest) :]

    def _read_answers(self, stream: IO[bytes]) -> None:
        try:
            for line in _bounded_lines(stream):
                self._deliver(line)
            self._deliver(None)
        except _FailureError as error:
            self._deliver(error)

    def _deliver(self, item: "bytes | _FailureError | None") -> None:
        """Wait for room in the queue, which a flood of output fills, unless the program is being ended."""
        while not self._ending.is_set():
            try:
                self._lines.put(item, timeout=0.05)
            except Full:
                continue
            return

    def _read_errors(self, stream: IO[bytes]) -> None:
        # Piecewise, so that a line of any length takes no memory; the pipe must be emptied or the program would stop.
        last = b""
        while chunk := stream.read(4096):
            last = (last + chunk)[-4096:]
            lines = [line for line in last.splitlines() if line.strip()]
            if lines:
                self.last_words = _quote(lines[-1].decode("utf-8", "replace"))


def _start(work: Callable[[IO[bytes]], None], stream: IO[bytes]) -> Thread:
    """Start a thread that works on a stream, and closes it."""

    def whole_life() -> None:
        try:
            with stream:
                work(stream)
        except OSError:
            pass  # the program is gone, as the reader of its output will notice

    thread = Thread(target=whole_life, name="adebug oracle command", daemon=True)
    thread.start()
    return thread


def _bounded_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; a longer one is cut."""
    pending = b""
    while chunk := stream.read(1 << 16):
        *lines, pending = (pending + chunk).split(b"\n")
        for line in (*lines, pending):
            if len(line) > LONGEST_LINE:
                raise _FailureError(f"wrote a line of more than {LONGEST_LINE} bytes")
        yield from lines
    if pending:
        yield pending


def _message(number: int, question: Question) -> dict[str, Any]:
    behaviour, site = question.behaviour, question.facts.site
    return {
        "type": "question",
        "id": number,
        "kind": question.facts.kind.label,
        "routine": site.routine,
        "module": site.module,
        "text": behaviour.text,
        "before": _texts(behaviour.before),
        "after": _texts(behaviour.after),
        "result": behaviour.result.text if behaviour.result else None,
        "raised": behaviour.raised.text if behaviour.raised else None,
    }


def _texts(environment: Environment) -> dict[str, str]:
    return {binding.name: binding.value.text for binding in environment.bindings}


def _json_object(line: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _opinion(answer: dict[str, Any]) -> Opinion | None:
    word = answer.get("answer")
    if not isinstance(word, str) or word not in _JUDGEMENTS:
        raise _FailureError(f"gave the answer {_quote(repr(word))}, which is none of {', '.join(_JUDGEMENTS)}")
    for key in ("reason", "expected"):
        if not isinstance(answer.get(key), str | None):
            raise _FailureError(f"gave an answer whose '{key}' is not a text")
    try:
        mark = from_json(answer["mark"], Mark) if answer.get("mark") is not None else None
    except BadInputError as error:
        raise _FailureError(f"gave an answer whose 'mark' is {_quote(str(error))}") from error
    judgement = _JUDGEMENTS[word]
    return judgement and Opinion(judgement, answer.get("reason") or "", mark, answer.get("expected"))


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_QUOTE else line[:_LONGEST_QUOTE] + "…"
