"""Events of a replay: `stopped`, and the question or the verdict as text in the console."""

from adebug_lsp.frontends.dap.replay.cursor import Cursor, cursor_in
from adebug_lsp.frontends.dap.replay.replay import THREAD, Body, Event, Replay
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.json_protocol import question_line, verdict_line
from adebug_lsp.frontends.shared.positions import shown
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.presentation import present
from adebug_lsp.model.source import Location
from adebug_lsp.model.verdicts import Verdict
from adebug_lsp.session.outcome import Ask

IN_RECORDING = "In the recording"


def stopped(replay: Replay, reason: str, description: str, text: str = "") -> Event:
    """The `stopped` event. Clients with custom events show the question elsewhere, so its description is generic."""
    description = IN_RECORDING if replay.launch.custom_events else description
    body: Body = {"reason": reason, "description": description, "threadId": THREAD, "allThreadsStopped": True}
    return "stopped", body | ({"text": text} if text else {})


def console_line(text: str, **where: object) -> Event:
    """A line for the debug console."""
    return "output", {"category": "console", "output": f"{text}\n", **where}


def go_to_outcome(replay: Replay) -> list[Event]:
    """Move to the question or the verdict, and show it."""
    session = replay.session
    events = [console_line(f"adebug: {problem}") for problem in replay.open_session.new_problems()]
    contradictions = session.contradictions[replay.shown_contradictions :]
    events += [console_line(f"adebug: {contradiction.text}") for contradiction in contradictions]
    replay.shown_contradictions = len(session.contradictions)
    events += [console_line(text) for _answer, _subject, text in wording.answered_by_oracles(session)]
    outcome = session.outcome
    if isinstance(outcome, Ask):
        return events + _ask(replay, outcome.question)
    return events + _conclude(replay, outcome.verdict)


def stopped_after_move(replay: Replay, reason: str) -> Event:
    """The `stopped` event after a move."""
    return stopped(replay, reason, replay.cursor.behaviour().text)


def state(replay: Replay) -> Body:
    """The question or the verdict as plain data; the other one is null."""
    session = replay.session
    outcome = session.outcome
    if isinstance(outcome, Ask):
        return {"question": _question(replay, outcome.question), "verdict": None}
    return {"question": None, "verdict": verdict_line(outcome.verdict, session, replay.files.sources)}


def _ask(replay: Replay, question: Question) -> list[Event]:
    """The events of a question: a link in the console, a stop at its node, and the custom event."""
    session = replay.session
    cursor = cursor_in(session, question.node)
    replay.move_to(cursor)
    if replay.asked_after != session.steps:
        replay.asked, replay.asked_after = replay.asked + 1, session.steps
    presentation = present(question.behaviour, question.facts.kind)
    text = wording.headline(presentation, question)
    notes = [*wording.question_notes(question), wording.questions_left(session)]
    return [
        _console_link(replay, f"{text}  [{'; '.join(notes)}]", cursor.place),
        console_line("\n".join([*wording.question_rows(presentation), f"  {presentation.prompt}"])),
        stopped(replay, "pause", text, f"{text} {presentation.prompt}"),
        ("adebug/question", _question(replay, question)),
    ]


def _question(replay: Replay, question: Question) -> Body:
    session = replay.session
    line = question_line(replay.asked, question, session, replay.files.sources)
    return line | {"node": name_of(cursor_in(session, question.node))}


def name_of(cursor: Cursor) -> str:
    """The name of a node in custom requests."""
    return "/".join(str(node) for node in cursor.path)


def _conclude(replay: Replay, verdict: Verdict) -> list[Event]:
    """The events of a verdict: the report in the console, a stop at its node, and the custom event."""
    session = replay.session
    node = 0 if verdict.node is None else verdict.node
    cursor = cursor_in(session, node)
    place = verdict.code[0] if verdict.code else None
    replay.move_to(Cursor(cursor.subject, cursor.node, cursor.around, place))
    title = wording.verdict_title(verdict, session)
    events = [console_line(title), console_line(f"  {verdict.explanation}.")]
    for code in verdict.code:
        lines = replay.files.sources.text(code).split("\n")
        events.append(_console_link(replay, "\n".join([f"  {shown(code)}", *(f"    {line}" for line in lines)]), code))
    for candidate, group in wording.candidates(verdict):
        text = f"  {group}{wording.candidate_text(candidate)}"
        events.append(_console_link(replay, text, cursor_in(session, candidate.node).place))
    events += [console_line(f"  {line}") for line in wording.left_out(verdict)]
    events.append(console_line(wording.next_steps(verdict)))
    events.append(stopped(replay, "pause", title, verdict.explanation))
    events.append(("adebug/verdict", verdict_line(verdict, session, replay.files.sources)))
    return events


def _console_link(replay: Replay, text: str, place: Location | None) -> Event:
    """A console line that links to a source location."""
    where = {} if place is None else replay.files.start(place)
    return console_line(text, **(where if "source" in where else {}))
