"""A session over JSON lines, so that programs can answer: one object per line, questions out, answers in.

Nothing else is ever written there: `Channel` keeps the two streams for itself, and what the recorded program prints
goes to standard error.
"""

import io
import json
import os
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Any, TextIO

from adebug_lsp.frontends.cli.render.escape import complain
from adebug_lsp.frontends.shared.json_protocol import error_line, progress_line, question_line, verdict_line, why_text
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.frontends.shared.talk import Talk
from adebug_lsp.model.answers import AddRule, Answer, AskSkipped, Mark, Step
from adebug_lsp.model.errors import AdebugError, BadAnswerError
from adebug_lsp.model.json import from_json
from adebug_lsp.model.transformations import TRANSFORMATIONS
from adebug_lsp.session.outcome import Ask, DeadEnd
from adebug_lsp.session.phrases import Command, parse

_KEYS = {"answer", "mark", "expected", "rule", "id"}
_SECONDS_BETWEEN_REPORTS = 0.5


class Channel:
    """Standard input and output, taken away from everybody else in this process and from its children."""

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

    def fail(self, message: str) -> None:
        """Say that nothing can be asked."""
        self.send(error_line(message))

    def progress(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """Tell how far a recording has come, twice a second at most."""
        if monotonic() - self._reported > _SECONDS_BETWEEN_REPORTS:
            self._reported = monotonic()
            self.send(progress_line(doing, done, total))

    def lines(self) -> Iterator[str]:
        """What comes in, until the end."""
        while line := self._in.readline():
            if line.strip():
                yield line


def hold(talk: Talk, channel: Channel) -> int:
    """Ask until there is a verdict, or until nobody answers any more; gives the exit code."""
    talk.keep()
    if isinstance(talk.session.outcome, DeadEnd) and talk.resumed:
        talk.say(AskSkipped())
    dialogue = _Dialogue(talk, channel)
    dialogue.show()
    for line in channel.lines() if not talk.has_verdict else ():
        dialogue.take(line)
        if talk.has_verdict or dialogue.stopped:
            break
    if not (talk.has_verdict or dialogue.stopped) and _was_put_off(talk):
        talk.give_up()
        dialogue.show()
    _report(talk)
    return 0 if talk.has_verdict else 1


def _was_put_off(talk: Talk) -> bool:
    """Whether oracles came to a dead end, so that candidates are known even if no person answers."""
    return any(isinstance(step, AskSkipped) and not step.source.is_person for step in talk.session.steps)


class _Dialogue:
    def __init__(self, talk: Talk, channel: Channel) -> None:
        self.stopped = False
        self._talk = talk
        self._channel = channel
        self._number = 0

    def show(self) -> None:
        """Send the question or the verdict that the session has come to."""
        _report(self._talk)
        session = self._talk.session
        sources = Sources(session.subject.sources())
        if isinstance(session.outcome, Ask):
            self._number += 1
            self._channel.send(question_line(self._number, session.outcome.question, session, sources))
        else:
            self._channel.send(verdict_line(session.outcome.verdict, session, sources))

    def take(self, line: str) -> None:
        """Do what a line says; what cannot be done changes nothing."""
        before = self._talk.session.steps
        try:
            self._obey(_read(line, self._number))
        except AdebugError as error:
            self._channel.send(error_line(str(error), self._number))
        if self._talk.session.steps != before:
            self.show()

    def _obey(self, said: dict[str, Any]) -> None:
        session = self._talk.session
        if not isinstance(session.outcome, Ask):
            raise BadAnswerError("there is no question to answer")
        question = session.outcome.question
        if said["rule"] is not None:
            routine = question.facts.site.routine
            self._talk.say(AddRule(routine, said["rule"]))
            if said["answer"] == "rule" or question.node in session.state.space.judged:
                return
        step = parse(said["answer"], session, self._talk.node_named)
        if step is Command.QUIT:
            self.stopped = True
        elif step is Command.WHY:
            sources = Sources(session.subject.sources())
            self._channel.send(question_line(self._number, question, session, sources) | why_text(session.why()))
        elif step is Command.TRANSFORMATIONS:
            sources = Sources(session.subject.sources())
            line = question_line(self._number, question, session, sources)
            self._channel.send(line | {"transformations": dict(TRANSFORMATIONS)})
        elif isinstance(step, Command):
            self._talk.answer(step.value)
        else:
            self._talk.say(_completed(step, said))


def _read(line: str, number: int) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadAnswerError(f"not JSON: {error}") from error
    if not isinstance(said, dict) or not isinstance(said.get("answer"), str):
        raise BadAnswerError('an answer is an object with a text "answer"')
    unknown = sorted(str(key) for key in said.keys() - _KEYS)
    if unknown:
        raise BadAnswerError(f"an answer has no key {unknown[0]!r}; only {', '.join(sorted(_KEYS))}")
    for key in ("expected", "rule"):
        if not isinstance(said.setdefault(key, None), str | None):
            raise BadAnswerError(f"{key!r} is a text")
    if said.get("id") not in (None, number):
        raise BadAnswerError(f"the open question has the id {number}, not {said['id']!r}")
    return said


def _completed(step: Step, said: dict[str, Any]) -> Step:
    """The step with the mark and the expected value that came with it."""
    mark = None if said.get("mark") is None else from_json(said["mark"], Mark)
    if mark is None and said["expected"] is None:
        return step
    if not isinstance(step, Answer):
        raise BadAnswerError("a mark or an expected value goes with yes, no or inadmissible")
    return Answer(step.node, step.judgement, mark or step.mark, said["expected"])


def _report(talk: Talk) -> None:
    for problem in talk.reports():
        complain(problem)


def _taken_input() -> TextIO:
    """Standard input for us alone: whoever else reads it finds nothing."""
    try:
        mine = os.dup(0)
    except OSError:  # it was closed
        return io.StringIO()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(mine, encoding="utf-8", errors="replace")
