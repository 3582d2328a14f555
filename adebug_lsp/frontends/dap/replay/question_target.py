"""Decides which question an answer is for: the open one, by its id, or one about the node that the user is looking at.

The user may have stepped elsewhere since the question was asked, or it may have been answered in another window. An
ambiguous answer is rejected with a message that asks which question is meant.
"""

from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.cursor import Cursor, cursor_in
from adebug_lsp.frontends.dap.replay.replay import Replay
from adebug_lsp.frontends.dap.replay.show import cursor_named, cursor_of
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.session.addresses import find_named
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.phrases import mark_at, open_question


def asked_by(replay: Replay, arguments: Arguments) -> Question:
    """The question that a request answers: about its `node` or `frameId`, or the open one, by its `id`."""
    refuse_stale(replay, arguments)
    question, node = open_question(replay.session), arguments.maybe_text("node")
    if node is not None:
        return question_about(replay, cursor_named(replay, node))
    if arguments.number("frameId", 0):
        return question_about(replay, cursor_of(replay, arguments))
    if "id" not in arguments.fields and replay.cursor.path != _open(replay, question).path:
        raise BadAnswerError(
            f"the replay is at {replay.cursor.behaviour().text}, the question is {question.behaviour.text}: "
            "say which is answered, by the id of the question or by the node"
        )
    return question


def refuse_stale(replay: Replay, arguments: Arguments) -> None:
    """Raise `BadAnswerError` for the id of a question that is no longer open."""
    question_id, outcome = arguments.number("id", replay.asked), replay.session.outcome
    if question_id != replay.asked:
        now = "no question is open"
        if isinstance(outcome, Ask):
            now = f"question {replay.asked} is open now: {outcome.question.behaviour.text}"
        raise BadAnswerError(f"this answers question {question_id}, but {now}")


def asked_at(replay: Replay, cursor: Cursor) -> Question:
    """The open question; raises `BadAnswerError` if the cursor is at another node."""
    question = open_question(replay.session)
    if cursor.path == _open(replay, question).path:
        return question
    raise BadAnswerError(
        f"You look at {cursor.behaviour().text}, but the question is {question.behaviour.text}. "
        'Which do you mean? Type "here" or "question" before the answer, as in "here no".'
    )


def question_about(replay: Replay, cursor: Cursor) -> Question:
    """The question about any node of the tree being searched."""
    session = replay.session
    question = open_question(session)
    if cursor.path == _open(replay, question).path:
        return question
    if cursor.path[:-1] != session.levels.path:
        raise BadAnswerError(
            f"{cursor.behaviour().text} is outside of what is searched now, which is inside of "
            f"{session.subject.behaviour(0).text}; undo the answers that led there to judge it"
            if session.levels.path
            else f"{cursor.behaviour().text} can be judged when the search has come to the call around it"
        )
    return session.question(cursor.node)


def marked_in(replay: Replay, question: Question, place: str) -> Mark:
    """The mark on a part of a question's values; parts that are not listed at first are looked up."""
    if place.strip() == MarkOf.CALL.value:
        return Mark(MarkOf.CALL)
    part = find_named(question.behaviour, place, replay.target.subject.parts)
    return mark_at(place, question.behaviour) if part is None else part.mark


def _open(replay: Replay, question: Question) -> Cursor:
    return cursor_in(replay.session, question.node)
