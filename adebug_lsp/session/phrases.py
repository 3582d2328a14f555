"""Parses the phrases that answer a question, in the terminal and in debug consoles.

A line is parsed into a step of the session, or into one of the few commands that are not steps.
"""

import re
from collections.abc import Callable
from enum import Enum

from attrs import frozen

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    AskSkipped,
    Judgement,
    Mark,
    MarkOf,
    Reject,
    Restart,
    Revoke,
    Scope,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
    Untrust,
)
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.folding import is_balanced
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.presentation import BEFORE
from adebug_lsp.model.values import Key
from adebug_lsp.session.addresses import find_named
from adebug_lsp.session.numbered import answer_by_number
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session

HELP = """\
  y, yes                 this is what the code should have done
  n, no                  it is not
  d, don't know          leave it for later
  i, bad input           it should never have been called like this
  3                      of a numbered list, this is the first that is wrong; 0: nothing of it is
  expected VALUE         no, and this is what it should have given
  mark result[1]         no, and this part of the result is wrong; also result.name, result["key"]
  mark after.lines[2]    no, and this part of what a variable held afterwards is wrong
  mark before.lines[2]   this part of an argument should never have been passed; also argument[0][2]
  yes mark argument[0]   the same, and all else is right
  mark call              this call should never have been made
  t, trust [module]      this routine (or its module) is right: never ask about it
  trust NAME             the same for another routine
  untrust NAME           take that back
  rule TEXT              a rule for this routine, which decides all its questions
  w, why                 why this question, and what each answer would leave
  track after.x[2]       where this part came from, without judging it
  track output[3:7]      who printed these characters; also output 'text'
  history after.x        every write of this variable or part, the newest last
  depends after.x        the code that this value depends on
  affects before.x       the code that depends on it; the first of it is where it is used next
  show result[1]         this value, part by part; show result depth 3 / find TEXT
  show result > FILE     write the whole of it to a new file
  u, undo / r, redo      take back what was said last / say it again
  strategy NAME          let another strategy choose
  transform [NAME]       ask about a transformed tree; without a name: list the transformations
  zoom [GRANULARITY]     ask about routine, statement or expression
  restart NODE           look for the bug below this node, which is wrong
  revoke NODE            take back the answer on this node, from any source
  skipped                at a dead end: ask again what was answered "don't know"
  reject                 no, the verdict is not the bug
  q, quit                stop; the session can be resumed"""


class Command(Enum):
    """A phrase that is not a step of the session."""

    UNDO = "undo"
    REDO = "redo"
    WHY = "why"
    HELP = "help"
    TRANSFORMATIONS = "transform"
    QUIT = "quit"


class Topic(Enum):
    """The first words of inquiries."""

    TRACK = "track"
    HISTORY = "history"
    SHOW = "show"
    DEPENDS = "depends"
    AFFECTS = "affects"


@frozen
class Inquiry:
    """A phrase that asks about a value of a question, and changes nothing."""

    topic: Topic
    question: Question
    rest: str
    """The address of the value, and what else is wanted of it."""


_SHORT = {
    "y": "yes", "n": "no", "d": "unknown", "i": "inadmissible", "t": "trust", "u": "undo", "r": "redo", "w": "why",
    "h": "help", "?": "help", "q": "quit", "don't know": "unknown", "dont know": "unknown",
    "bad input": "inadmissible",
}  # fmt: skip

NodeNamed = Callable[[str], int]
"""Returns the node that a front end shows under a name; raises `BadAnswerError`."""
Asked = Callable[[], Question]
"""Returns the question that an answer is for; raises `BadAnswerError` if there is none, or more than one."""


@frozen
class _Context:
    """The session that a phrase is parsed for, and its hooks."""

    session: Session
    node_named: NodeNamed
    asked: Asked


def parse(line: str, session: Session, node_named: NodeNamed, asked: Asked | None = None) -> Step | Command | Inquiry:
    """Parse a line in the current state of a session; raises `BadAnswerError` if it is not a phrase.

    An answer is for the open question, unless `asked` returns another one.
    """
    here = _Context(session, node_named, asked or (lambda: open_question(session)))
    text = line.strip()
    text = _SHORT.get(text.lower(), text)
    word, _, rest = text.partition(" ")
    word, rest = _SHORT.get(word.lower(), word.lower()), rest.strip()
    if not rest and word in {command.value for command in Command}:
        return Command(word)
    if word in _TOPICS:
        if not rest:
            raise BadAnswerError(f"{word} what? For example: {word} result")
        return Inquiry(Topic(word), here.asked(), rest)
    if text.isdecimal():
        return answer_by_number(here.asked(), int(text))
    judgements = {judgement.value: judgement for judgement in Judgement}
    if word in judgements:
        return _judged(judgements[word], rest, here)
    reader = _READERS.get(word)
    if reader is None:
        raise BadAnswerError(f"{line.strip()!r} is not an answer; type h for help")
    return reader(rest, here)


def _judged(judgement: Judgement, rest: str, here: _Context) -> Step:
    """Parse a judgement and the mark that may follow it."""
    if not rest:
        return Answer(here.asked().node, judgement)
    word, _, place = rest.partition(" ")
    if word != "mark":
        raise BadAnswerError(f"after {judgement.value!r} only a mark can follow, not {rest!r}")
    return Answer(here.asked().node, judgement, mark_at(place, here.asked().behaviour))


def _mark(rest: str, here: _Context) -> Step:
    question = here.asked()
    mark = mark_at(rest, question.behaviour)
    return Answer(question.node, Judgement.NO if mark.in_outcome else Judgement.INADMISSIBLE, mark)


def mark_at(place: str, behaviour: Behaviour) -> Mark:
    """The mark on a part that a question shows, from its address or a variable's name; raises `BadAnswerError`."""
    word = re.match(r"\w*", place)
    if word is not None and word.group() in (MarkOf.ARGUMENT.value, MarkOf.CALL.value):
        return read_mark(place)
    part = find_named(behaviour, place) if word is not None and word.group() else None
    return read_mark(place) if part is None else part.mark


def _expected(rest: str, here: _Context) -> Step:
    if not rest:
        raise BadAnswerError("which value was expected? Type: expected VALUE")
    if not is_balanced(rest):
        raise BadAnswerError(f"{rest!r} is not a value: its brackets do not match")
    return Answer(here.asked().node, Judgement.NO, expected=rest)


def _trust(rest: str, here: _Context) -> Step:
    if rest in ("", "routine", "module"):
        site = here.asked().facts.site
        return Trust(Scope.MODULE, site.module) if rest == "module" else Trust(Scope.ROUTINE, site.routine)
    scope, name = _scoped(rest)
    return Trust(scope, name)


def _untrust(rest: str, _here: _Context) -> Step:
    scope, name = _scoped(rest)
    return Untrust(scope, name)


def _scoped(rest: str) -> tuple[Scope, str]:
    word, _, name = rest.partition(" ")
    if name and word in ("module", "routine"):
        return Scope(word), name.strip()
    return Scope.ROUTINE, rest


def _rule(rest: str, here: _Context) -> Step:
    if not rest:
        raise BadAnswerError("which rule? Type: rule TEXT")
    return AddRule(here.asked().facts.site.routine, rest)


def _strategy(rest: str, _here: _Context) -> Step:
    return SwitchStrategy(rest)


def _transform(rest: str, _here: _Context) -> Step:
    return Transform(rest)


def _zoom(rest: str, here: _Context) -> Step:
    levels = list(Granularity)
    finer = levels[min(levels.index(here.session.state.granularity) + 1, len(levels) - 1)]
    return SwitchGranularity(rest or finer.value)


def _restart(rest: str, here: _Context) -> Step:
    return Restart(here.node_named(rest))


def _revoke(rest: str, here: _Context) -> Step:
    return Revoke(here.node_named(rest))


def _skipped(_rest: str, _here: _Context) -> Step:
    return AskSkipped()


def _reject(_rest: str, here: _Context) -> Step:
    if isinstance(here.session.outcome, Found) and here.session.outcome.verdict.node is not None:
        return Reject(here.session.outcome.verdict.node)
    raise BadAnswerError("there is no verdict to reject")


_READERS: dict[str, Callable[[str, _Context], Step]] = {
    "mark": _mark,
    "expected": _expected,
    "trust": _trust,
    "untrust": _untrust,
    "rule": _rule,
    "strategy": _strategy,
    "transform": _transform,
    "zoom": _zoom,
    "restart": _restart,
    "revoke": _revoke,
    "skipped": _skipped,
    "reject": _reject,
}

_TOPICS = frozenset(topic.value for topic in Topic)
FIRST_WORDS = frozenset({*_READERS, *_TOPICS, *(item.value for item in (*Judgement, *Command))})
"""All words that a phrase can begin with, unabbreviated."""

_PLACES = {of.value: of for of in MarkOf} | {BEFORE: MarkOf.ARGUMENT}
_STEP = re.compile(r"""\[(-?\d+)\] | \["([^"]*)"\] | \['([^']*)'\] | \.(\w+)""", re.VERBOSE)


def read_mark(text: str) -> Mark:
    """Parse a mark such as `result[1].name` without checking it against values."""
    place = re.match("|".join(_PLACES), text)
    if place is None:
        raise BadAnswerError(
            f"mark what? result[...], after.NAME, before.NAME, a variable that is shown, or call; not {text!r}"
        )
    path: list[Key] = []
    position = place.end()
    while position < len(text):
        step = _STEP.match(text, position)
        if step is None:
            raise BadAnswerError(f"{text!r} cannot be read from {text[position:]!r} on")
        index, *names = step.groups()
        path.append(int(index) if index is not None else next(name for name in names if name is not None))
        position = step.end()
    return Mark(_PLACES[place.group()], tuple(path))


def open_question(session: Session) -> Question:
    """The current question of a session; raises `BadAnswerError` if there is none."""
    if not isinstance(session.outcome, Ask):
        raise BadAnswerError("there is no question to answer; type h for help")
    return session.outcome.question
