"""What a session looks like in a terminal, as lines of plain text. Every function returns lines; none prints."""

from collections.abc import Sequence

from adebug_lsp.model.answers import Answer
from adebug_lsp.model.behaviour import Reason
from adebug_lsp.model.verdicts import Verdict, VerdictKind
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session


def outcome(session: Session, ids: Sequence[object]) -> list[str]:
    """The question, the verdict or the dead end that the session has come to."""
    lines = [f"adebug: {contradiction.text}" for contradiction in session.contradictions]
    lines += _by_oracles(session, ids)
    current = session.outcome
    if isinstance(current, Ask):
        question = current.question
        default = f" (before: {question.default})" if question.default else ""
        left = session.why().questions_left
        lines.append(f"({ids[question.node]}) {question.behaviour.text}?{default}    [about {left} left; h for help]")
    elif isinstance(current, Found):
        lines += _verdict(current.verdict, _asked(session))
    else:
        lines += _dead_end(current.verdict, ids)
    return lines


def introduction(session: Session) -> str:
    """What a newcomer needs to know before the first question."""
    known = "is wrong" if session.options.root_is_wrong else "may be wrong"
    text = session.subject.behaviour(0).text
    return f"{text} {known}; {len(session.subject.tree)} nodes. Is each of these what it should be? Say y or n."


def reason(why: Reason) -> str:
    """The reply to "why"."""
    return (
        f"Asked because {why.because}. {why.candidates} candidates are left: "
        f"yes would leave {why.yes_leaves}, no would leave {why.no_leaves}."
    )


def _by_oracles(session: Session, ids: Sequence[object]) -> list[str]:
    """What was answered without a person since the person spoke last."""
    latest: list[str] = []
    for step in reversed(session.steps):
        if not isinstance(step, Answer) or step.source.is_person:
            break
        text = session.subject.behaviour(step.node).text
        latest.append(
            f"({ids[step.node]}) {text}: {step.judgement.value}, by {step.source.oracle} ({step.source.reason})"
        )
    return latest[::-1]


def _asked(session: Session) -> int:
    return sum(isinstance(step, Answer) and step.source.is_person for step in session.steps)


def _verdict(verdict: Verdict, asked: int) -> list[str]:
    if verdict.kind is VerdictKind.NONE:
        return [f"No bug found: {verdict.explanation}."]
    title = "Bug found" if verdict.kind is VerdictKind.BUG else "Bug found: an inadmissible call"
    lines = [f"{title} after {asked} answers, in the rule {verdict.rule}", f"  {verdict.explanation}."]
    lines += [f"  {place.path}:{place.range.start.line + 1}:{place.range.start.column + 1}" for place in verdict.code]
    if verdict.can_zoom:
        lines.append('  "zoom" asks about the parts of it.')
    lines.append('  Not the bug? "reject" opens the answers again; "quit" ends.')
    return lines


def _dead_end(verdict: Verdict, ids: Sequence[object]) -> list[str]:
    lines = ["Dead end: one of these is the bug."]
    lines += [f"  wrong, if what follows is right:  ({ids[c.node]}) {c.text}" for c in verdict.known_wrong]
    lines += [f"  answered with don't know:         ({ids[c.node]}) {c.text}" for c in verdict.unknown]
    lines.append('"skipped" asks again.')
    return lines
