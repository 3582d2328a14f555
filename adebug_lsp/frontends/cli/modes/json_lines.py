"""A session over JSON lines, so that programs can answer: one object per line, questions out, answers in.

Nothing else uses these streams: `Channel` takes both over, and the recorded program prints to standard error.
"""

import io
import json
import os
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Any, TextIO

from adebug_lsp.frontends.cli.render.escape import print_error
from adebug_lsp.frontends.shared.json_protocol import error_line, progress_line, question_line, verdict_line, why_text
from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.answers import AskSkipped, Mark
from adebug_lsp.model.errors import AdebugError, BadAnswerError
from adebug_lsp.model.json import from_json
from adebug_lsp.model.transformations import TRANSFORMATIONS
from adebug_lsp.session.outcome import Ask, DeadEnd
from adebug_lsp.session.phrases import Command, Inquiry

_KEYS = {"answer", "mark", "expected", "rule", "id"}
_SECONDS_BETWEEN_REPORTS = 0.5


class Channel:
    """Standard input and output, hidden from the rest of this process and from its children."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._out: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        os.dup2(2, 1)
        self._in: TextIO = _taken_input()
        self._reported = 0.0

    def send(self, line: dict[str, Any]) -> None:
        """Write one object."""
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()

    def fail(self, error: AdebugError) -> None:
        """Report why nothing can be asked."""
        self.send(error_line(error))

    def progress(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """Report progress, twice a second at most."""
        if monotonic() - self._reported > _SECONDS_BETWEEN_REPORTS:
            self._reported = monotonic()
            self.send(progress_line(doing, done, total))

    def lines(self) -> Iterator[str]:
        """Lines of input, until its end."""
        while line := self._in.readline():
            if line.strip():
                yield line


def hold(open_session: OpenSession[SessionTarget], channel: Channel) -> int:
    """Ask until there is a verdict or the input ends; returns the exit code."""
    if isinstance(open_session.session.outcome, DeadEnd) and open_session.resumed:
        open_session.take(AskSkipped())
    dialogue = _Dialogue(open_session, channel)
    dialogue.show()
    for line in channel.lines() if not open_session.has_verdict else ():
        dialogue.take(line)
        if open_session.has_verdict or dialogue.stopped:
            break
    if not (open_session.has_verdict or dialogue.stopped) and _was_put_off(open_session):
        open_session.give_up()
        dialogue.show()
    _report(open_session)
    return 0 if open_session.has_verdict else 1


def _was_put_off(open_session: OpenSession[SessionTarget]) -> bool:
    """Whether oracles alone led to a dead end, so that there are candidates to report."""
    return any(isinstance(step, AskSkipped) and not step.source.is_person for step in open_session.session.steps)


class _Dialogue:
    """The exchange of lines for one session."""

    def __init__(self, open_session: OpenSession[SessionTarget], channel: Channel) -> None:
        self.stopped = False
        self._open_session = open_session
        self._channel = channel
        self._number = 0

    def show(self) -> None:
        """Send the current question, or the verdict."""
        _report(self._open_session)
        session = self._open_session.session
        sources = Sources(session.subject.sources())
        if isinstance(session.outcome, Ask):
            self._number += 1
            self._channel.send(question_line(self._number, session.outcome.question, session, sources))
        else:
            self._channel.send(verdict_line(session.outcome.verdict, session, sources))

    def take(self, line: str) -> None:
        """Process a line of input; an invalid one changes nothing."""
        before = self._open_session.session.steps
        try:
            self._execute(_read(line, self._number))
        except AdebugError as error:
            self._channel.send(error_line(error, self._number))
        if self._open_session.session.steps != before:
            self.show()

    def _execute(self, answer: dict[str, Any]) -> None:
        """Apply an answer, or reply to a command such as `why`."""
        session = self._open_session.session
        if not isinstance(session.outcome, Ask):
            raise BadAnswerError("there is no question to answer")
        question = session.outcome.question
        result = self._open_session.answer_with(
            answer["answer"],
            rule=answer["rule"],
            mark=None if answer.get("mark") is None else lambda _question: from_json(answer["mark"], Mark),
            expected=answer["expected"],
        )
        if result is Command.QUIT:
            self.stopped = True
        elif result is Command.WHY:
            sources = Sources(session.subject.sources())
            self._channel.send(question_line(self._number, question, session, sources) | why_text(session.why()))
        elif result is Command.TRANSFORMATIONS:
            sources = Sources(session.subject.sources())
            line = question_line(self._number, question, session, sources)
            self._channel.send(line | {"transformations": dict(TRANSFORMATIONS)})
        elif isinstance(result, Command):
            self._open_session.execute(result)
        elif isinstance(result, Inquiry):
            self._channel.send({"id": self._number, **self._open_session.inquire(result).facts})


def _read(line: str, number: int) -> dict[str, Any]:
    """Parse and validate a line with an answer; raises `BadAnswerError`."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadAnswerError(f"not JSON: {error}") from error
    if not isinstance(answer, dict) or not isinstance(answer.get("answer"), str):
        raise BadAnswerError('an answer is an object with a text "answer"')
    unknown = sorted(str(key) for key in answer.keys() - _KEYS)
    if unknown:
        raise BadAnswerError(f"an answer has no key {unknown[0]!r}; only {', '.join(sorted(_KEYS))}")
    for key in ("expected", "rule"):
        if not isinstance(answer.setdefault(key, None), str | None):
            raise BadAnswerError(f"{key!r} must be a text")
    if answer.get("id") not in (None, number):
        raise BadAnswerError(f"the open question has the id {number}, not {answer['id']!r}")
    return answer


def _report(open_session: OpenSession[SessionTarget]) -> None:
    for problem in open_session.new_problems():
        print_error(problem)


def _taken_input() -> TextIO:
    """Take over standard input, which is empty for every other reader from now on."""
    try:
        mine = os.dup(0)
    except OSError:  # it was closed
        return io.StringIO()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(mine, encoding="utf-8", errors="replace")
