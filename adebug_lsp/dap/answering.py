"""Answers in a replay: words typed in the debug console, and values looked up there, in watches and on hover."""

import re
from contextlib import suppress

from adebug_lsp.dap.arguments import Arguments
from adebug_lsp.dap.conditions import computed
from adebug_lsp.dap.looking import is_path, look_up
from adebug_lsp.dap.replay import Handler, Replay, Reply
from adebug_lsp.dap.showing import spot_of
from adebug_lsp.dap.stops import looked_up, variables_at
from adebug_lsp.dap.telling import go_to_outcome
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.session.words import WORDS

STOPPED = "The session is kept. End the debug session, or answer on."
_TYPED = ("repl", None)
"""Where a person types: the console, or what a client without one has (Helix), which does not say."""
_SAID = re.compile(r"\s*adebug\s+(\w.*)", re.DOTALL)
"""An answer wherever it is typed: Kate evaluates what is typed in its console as a watch."""


def evaluate(replay: Replay, arguments: Arguments) -> Reply:
    """In the console, an answer or a value; elsewhere a value, unless it is said to be an answer."""
    text, context = arguments.text("expression"), arguments.maybe_text("context")
    if context != "hover" and (said := _SAID.match(text)):
        return _answer(replay, said[1])
    if context in _TYPED and not _is_value(replay, text, arguments):
        return _answer_or_variable(replay, text, arguments)
    return _value(replay, text, arguments)


def _value(replay: Replay, text: str, arguments: Arguments) -> Reply:
    """A name or a part of one, with its own parts; or what follows from such values, without running anything."""
    spot = spot_of(replay, arguments)
    if not is_path(text):
        return Reply({"result": computed(text, looked_up(replay, spot)), "variablesReference": 0})
    try:
        found = look_up(spot.behaviour(), text, variables_at(replay, spot))
    except BadInputError:
        with suppress(BadInputError):
            return Reply({"result": computed(text, looked_up(replay, spot)), "variablesReference": 0})
        raise
    shown = {"result": found.name, **replay.variables.reference(found)}
    return Reply(shown | ({"type": found.value.type} if found.value.type else {}))


def _answer_or_variable(replay: Replay, text: str, arguments: Arguments) -> Reply:
    """A variable that the question does not show is looked up only if its name is no answer."""
    try:
        return _answer(replay, text)
    except BadAnswerError:
        with suppress(BadInputError):
            return _value(replay, text, arguments)
        raise


def _is_value(replay: Replay, text: str, arguments: Arguments) -> bool:
    """Whether a line in the console means a value. A letter that is a name here is one, and no short answer."""
    word = text.split(maxsplit=1)[0] if text.split() else ""
    if word.lower() in WORDS:
        return False
    try:
        look_up(spot_of(replay, arguments).behaviour(), text)
    except BadInputError:
        return False
    return True


def _answer(replay: Replay, line: str) -> Reply:
    before = replay.talk.session.steps
    told = replay.talk.answer(line)
    if told is None:
        return Reply({"result": STOPPED, "variablesReference": 0})
    events = tuple(go_to_outcome(replay)) if replay.talk.session.steps != before else ()
    return Reply({"result": "\n".join(told), "variablesReference": 0}, events)


HANDLERS: dict[str, Handler] = {"evaluate": evaluate}
