"""Renders a session as lines of plain text. Every function returns lines; none prints."""

from collections.abc import Sequence

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.question_rows import question_rows
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.positions import Sources, shown
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.presentation import Presentation, present
from adebug_lsp.model.verdicts import Verdict, VerdictKind
from adebug_lsp.session.numbered import is_numbered, items
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session

_NO_COLOUR = Style(colour=False)

Names = Sequence[object] | None
"""Names of nodes; None in a recorded run, whose nodes have none."""


def outcome(session: Session, names: Names) -> list[str]:
    """The question, the verdict or the dead end that the session has come to."""
    lines = [f"adebug: {contradiction.text}" for contradiction in session.contradictions]
    for answer, subject, text in wording.answered_by_oracles(session):
        lines.append(f"{_named(answer.node, names) if subject is session.subject else ''}{text}")
    current = session.outcome
    if isinstance(current, Ask):
        return lines + _question(current.question, session, names)
    if isinstance(current, Found):
        return lines + _verdict(current.verdict, session)
    return lines + _dead_end(current.verdict, names)


def _question(question: Question, session: Session, names: Names) -> list[str]:
    place = question.facts.site.location
    where = "" if place is None else f"    at {shown(place)}"
    title = _named(question.node, names) or f"{_asked(session) + 1}. "
    left = wording.questions_left(session)
    presentation = present(question.behaviour, question.facts.kind)
    return [
        f"{title}{wording.headline(presentation, question)}{where}    [{left}; h for help]",
        *_values(question, presentation),
        *(f"  {note}" for note in wording.question_notes(question)),
    ]


def _values(question: Question, presentation: Presentation) -> list[str]:
    """The values: as a list whose numbers are answers, or as rows; then what is judged."""
    if is_numbered(question):
        listed = items(question.behaviour)
        return [f"  {number:3} {escape(item.text)}" for number, item in enumerate(listed, 1)]
    return [*question_rows(presentation, _NO_COLOUR), f"  {presentation.prompt}"]


def _named(node: int, names: Names) -> str:
    return "" if names is None else f"({names[node]}) "


def _asked(session: Session) -> int:
    return sum(answer.source.is_person for answer, _subject in session.answers)


def _verdict(verdict: Verdict, session: Session) -> list[str]:
    title = wording.verdict_title(verdict, session)
    if verdict.kind is VerdictKind.NONE:
        return [f"{title}: {verdict.explanation}."]
    lines = [title, f"  {verdict.explanation}."]
    sources = Sources(session.subject.sources())
    for place in verdict.code:
        lines.append(f"  {shown(place)}")
        lines += [f"    {line.expandtabs()}" for line in sources.text(place).split("\n")]
    return [*lines, f"  {wording.next_steps(verdict)}"]


def _dead_end(verdict: Verdict, names: Names) -> list[str]:
    groups = [
        f"  {group}{_named(c.node, names)}{wording.candidate_text(c)}" for c, group in wording.candidates(verdict)
    ]
    groups += [f"  {line}" for line in wording.left_out(verdict)]
    return [f"{wording.DEAD_END}.", *groups, wording.next_steps(verdict)]
