"""The custom requests that are described in `adebug.schema.json`, for views of a session."""

from functools import partial
from typing import cast

from adebug_lsp.frontends.dap.protocol.messages import Diagram, Session, State, Why
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.events import go_to_outcome, state
from adebug_lsp.frontends.dap.replay.question_target import asked_by, marked_in, refuse_stale
from adebug_lsp.frontends.dap.replay.replay import Handler, Replay, Reply
from adebug_lsp.frontends.shared.sequence_diagram import MOST, as_svg, as_text
from adebug_lsp.frontends.shared.verify import report, verify
from adebug_lsp.frontends.shared.wording import reason
from adebug_lsp.languages.language import silent
from adebug_lsp.model.answers import (
    Answer,
    Judgement,
    Step,
    SwitchGranularity,
    SwitchStrategy,
)
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.search.strategies import names
from adebug_lsp.session.phrases import Command, Inquiry, Topic


def next_question(replay: Replay, _arguments: Arguments) -> Reply:
    """Go to the open question or the verdict."""
    events = tuple(go_to_outcome(replay))
    return Reply(_state(replay, []), events)


def verdict(replay: Replay, _arguments: Arguments) -> Reply:
    """Return the state of the session without moving the replay."""
    return Reply(_state(replay, []))


def session(replay: Replay, _arguments: Arguments) -> Reply:
    """Describe this session: where it is stored, and its strategy and granularity."""
    keeper, now = replay.open_session.keeper, replay.session.state
    body: Session = {
        "session": None if keeper is None else keeper.saved.id,
        "recording": str(replay.target.recording),
        "test": replay.target.entry.name,
        "strategy": now.strategy,
        "granularity": now.granularity.value,
        "strategies": names(),
    }
    return Reply(body)


def diagram(replay: Replay, _arguments: Arguments) -> Reply:
    """Return the interactions of processes."""
    drawing = replay.diagram
    body: Diagram = {"lines": [], "svg": ""}
    if drawing is not None:
        body = {"lines": as_text(drawing, MOST), "svg": as_svg(drawing)}
    return Reply(body)


def answer(replay: Replay, arguments: Arguments) -> Reply:
    """Handle an answer with its mark, expected value and rule."""
    before, mark = replay.session.steps, arguments.maybe_text("mark")
    refuse_stale(replay, arguments)
    messages = replay.open_session.answer_with(
        arguments.text("answer"),
        partial(asked_by, replay, arguments),
        rule=arguments.maybe_text("rule"),
        mark=None if mark is None else lambda question: marked_in(replay, question, mark),
        expected=arguments.maybe_text("expected"),
    )
    if isinstance(messages, Command):
        messages = replay.open_session.execute(messages) or []
    if isinstance(messages, Inquiry):
        messages = replay.open_session.inquire(messages).lines
    return _replied(replay, messages, before)


def mark(replay: Replay, arguments: Arguments) -> Reply:
    """Handle a mark: on the result it means no, on an argument or the call bad input."""
    before, question = replay.session.steps, asked_by(replay, arguments)
    marked = marked_in(replay, question, arguments.text("place"))
    judgement = Judgement.NO if marked.in_outcome else Judgement.INADMISSIBLE
    if arguments.flag("restIsRight"):
        judgement = Judgement.YES
    return _replied(replay, replay.open_session.take(Answer(question.node, judgement, marked)), before)


def undo(replay: Replay, arguments: Arguments) -> Reply:
    """Undo or redo a step."""
    before = replay.session.steps
    word = Command.REDO if arguments.flag("redo") else Command.UNDO
    return _replied(replay, replay.open_session.answer(word.value) or [], before)


def why(replay: Replay, _arguments: Arguments) -> Reply:
    """Explain why the open question is asked."""
    explanation = replay.session.why()
    body: Why = {
        "because": explanation.because,
        "candidates": explanation.candidates,
        "yesLeaves": explanation.yes_leaves,
        "noLeaves": explanation.no_leaves,
        "questionsLeft": explanation.questions_left,
        "text": reason(explanation),
    }
    return Reply(body)


def track(replay: Replay, arguments: Arguments) -> Reply:
    """Return where a part came from, without judging it."""
    return _inquired(replay, arguments, Topic.TRACK)


def history(replay: Replay, arguments: Arguments) -> Reply:
    """Return every write of a variable or part."""
    return _inquired(replay, arguments, Topic.HISTORY)


def slice_of(replay: Replay, arguments: Arguments) -> Reply:
    """Return the code that a part depends on, or that depends on it."""
    return _inquired(replay, arguments, Topic.AFFECTS if arguments.flag("forward") else Topic.DEPENDS)


def _inquired(replay: Replay, arguments: Arguments, topic: Topic) -> Reply:
    inquiry = Inquiry(topic, asked_by(replay, arguments), arguments.text("place"))
    facts = replay.open_session.inquire(inquiry).facts
    return Reply({key: value for key, value in facts.items() if key != "type"})


def zoom(replay: Replay, arguments: Arguments) -> Reply:
    """Ask about finer code, or switch to a granularity."""
    before, granularity = replay.session.steps, arguments.maybe_text("granularity")
    if granularity is None:
        return _replied(replay, replay.open_session.answer("zoom") or [], before)
    return _replied(replay, replay.open_session.take(SwitchGranularity(granularity)), before)


def strategy(replay: Replay, arguments: Arguments) -> Reply:
    """Switch the strategy."""
    before = replay.session.steps
    return _replied(replay, replay.open_session.take(SwitchStrategy(arguments.text("strategy"))), before)


def verify_fix(replay: Replay, _arguments: Arguments) -> Reply:
    """Run the launched program again."""
    if replay.launch.recording is not None:
        raise BadInputError("adebug/verify: an opened recording cannot be run again; launch its program")
    problems: list[str] = []
    stop, output = replay.outside.stop, replay.outside.output
    verified = verify(
        replay.launch.workspace, silent, problems.append, replay.target.recording, output=output, stop=stop
    )
    return Reply({"holds": verified.holds, "lines": [*problems, *report(verified)]})


def _replied(replay: Replay, messages: list[str], before: tuple[Step, ...]) -> Reply:
    """The session's state; the replay moves to the question if a step was taken."""
    events = tuple(go_to_outcome(replay)) if replay.session.steps != before else ()
    return Reply(_state(replay, messages), events)


def _state(replay: Replay, messages: list[str]) -> State:
    return cast("State", {**state(replay), "messages": messages})


HANDLERS: dict[str, Handler] = {
    "adebug/nextQuestion": next_question,
    "adebug/answer": answer,
    "adebug/undo": undo,
    "adebug/why": why,
    "adebug/mark": mark,
    "adebug/track": track,
    "adebug/history": history,
    "adebug/slice": slice_of,
    "adebug/diagram": diagram,
    "adebug/session": session,
    "adebug/verdict": verdict,
    "adebug/zoom": zoom,
    "adebug/strategy": strategy,
    "adebug/verify": verify_fix,
}
