"""Evaluates in a replay: answers typed in the debug console, and values looked up there, in watches and on hover."""

import re
from collections.abc import Callable
from contextlib import suppress

from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.breakpoints import looked_up, variables_at
from adebug_lsp.frontends.dap.replay.cursor import Cursor
from adebug_lsp.frontends.dap.replay.events import go_to_outcome
from adebug_lsp.frontends.dap.replay.lookup import is_path, look_up, look_up_address
from adebug_lsp.frontends.dap.replay.question_target import asked_at, question_about
from adebug_lsp.frontends.dap.replay.replay import Handler, Replay, Reply
from adebug_lsp.frontends.dap.replay.show import cursor_of
from adebug_lsp.frontends.shared import wording
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.model.values import Value
from adebug_lsp.session.phrases import FIRST_WORDS, open_question

_TYPED = ("repl", None)
"""Contexts in which a person types: the console, or none at all from a client without one (Helix)."""
_PREFIXED = re.compile(r"\s*adebug\s+(\w.*)", re.DOTALL)
"""An answer in any context: Kate sends the input of its console as a watch."""


def evaluate(replay: Replay, arguments: Arguments) -> Reply:
    """In the console, an answer or a value; elsewhere a value, unless it starts with `adebug`."""
    text, context = arguments.text("expression"), arguments.maybe_text("context")
    if context != "hover" and (prefixed := _PREFIXED.match(text)):
        return _answer(replay, prefixed[1], arguments)
    if context in _TYPED and not _is_value(replay, text, arguments):
        return _answer_or_variable(replay, text, arguments)
    return _value(replay, text, arguments)


def _value(replay: Replay, text: str, arguments: Arguments) -> Reply:
    """Look up a name or a part of a value, or evaluate an expression over them, without running the program."""
    cursor, more = cursor_of(replay, arguments), replay.target.subject.parts
    # On hover the text is code, where `after.x` is a part of a variable; elsewhere it is an address first.
    address_first = arguments.maybe_text("context") != "hover"
    if not is_path(text):
        return _computed(text, replay, cursor)
    try:
        value = look_up_address(cursor.behaviour(), text, more) if address_first else None
        value = value or look_up(cursor.behaviour(), text, more, variables_at(replay, cursor))
    except BadInputError:
        with suppress(BadInputError):
            return _computed(text, replay, cursor)
        raise
    shown = {"result": value.name, **replay.variables.reference(value)}
    return Reply(shown | ({"type": value.value.type} if value.value.type else {}))


def _computed(text: str, replay: Replay, cursor: Cursor) -> Reply:
    """The value of an expression over recorded values, in the language of conditions."""
    before, more = looked_up(replay, cursor), replay.target.subject.parts

    def look(path: str) -> Value:
        value = look_up_address(cursor.behaviour(), path, more)
        return before(path) if value is None else value.value

    return Reply({"result": replay.launch.language().read_condition(text).value(look), "variablesReference": 0})


def _answer_or_variable(replay: Replay, text: str, arguments: Arguments) -> Reply:
    """A variable that the question does not show is looked up only if its name is no answer."""
    try:
        return _answer(replay, text, arguments)
    except BadAnswerError:
        with suppress(BadInputError):
            return _value(replay, text, arguments)
        raise


def _is_value(replay: Replay, text: str, arguments: Arguments) -> bool:
    """Whether a line in the console names a value; a letter that is a variable here is not a short answer."""
    word = text.split(maxsplit=1)[0] if text.split() else ""
    if word.lower() in FIRST_WORDS:
        return False
    try:
        behaviour, more = cursor_of(replay, arguments).behaviour(), replay.target.subject.parts
        return look_up_address(behaviour, text, more) is not None or bool(look_up(behaviour, text, more))
    except BadInputError:
        return False


def _answer(replay: Replay, line: str, arguments: Arguments) -> Reply:
    """Handle a typed answer; "here" means the node of the selected frame."""
    before = replay.session.steps
    which, _, rest = line.strip().partition(" ")
    which = which.lower() if rest else ""
    asked = _WHICH.get(which, asked_at)
    messages = replay.open_session.answer(
        rest if which in _WHICH else line, lambda: asked(replay, _looked_at(replay, arguments))
    )
    if messages is None:
        return Reply({"result": wording.SESSION_KEPT, "variablesReference": 0})
    events = tuple(go_to_outcome(replay)) if replay.session.steps != before else ()
    return Reply({"result": "\n".join(messages), "variablesReference": 0}, events)


_WHICH: dict[str, Callable[[Replay, Cursor], Question]] = {
    "here": question_about,
    "question": lambda replay, _cursor: open_question(replay.session),
}
"""Words before an answer that choose the question it answers."""


def _looked_at(replay: Replay, arguments: Arguments) -> Cursor:
    """The cursor of the selected frame; for a stale frame, the current position of the replay."""
    return replay.frames.get(arguments.number("frameId", 0), replay.cursor)


HANDLERS: dict[str, Handler] = {"evaluate": evaluate}
