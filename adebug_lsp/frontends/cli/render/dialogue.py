"""What a session looks like in a terminal, as lines of plain text. Every function returns lines; none prints."""

from collections.abc import Sequence

from adebug_lsp.frontends.cli.render.escape import plain
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.cli.render.value_diff import diff
from adebug_lsp.frontends.shared.json_protocol import callable_name
from adebug_lsp.frontends.shared.positions import Sources, shown
from adebug_lsp.model.answers import Answer, Transform, Zoom
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.plural import counted
from adebug_lsp.model.verdicts import Verdict, VerdictKind
from adebug_lsp.session.numbered import is_numbered, items
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session

_NO_COLOUR = Style(colour=False)


Names = Sequence[object] | None
"""What nodes are called; None in a recorded run, where nobody needs to know."""


def outcome(session: Session, names: Names) -> list[str]:
    """The question, the verdict or the dead end that the session has come to."""
    lines = [f"adebug: {contradiction.text}" for contradiction in session.contradictions]
    lines += _by_oracles(session, names)
    current = session.outcome
    if isinstance(current, Ask):
        question = current.question
        default = f" (before: {question.default})" if question.default else ""
        left = session.why().questions_left
        place = question.facts.site.location
        where = "" if place is None else f"    at {shown(place)}"
        title = _named(question.node, names) or f"{_asked(session) + 1}. "
        lines.append(f"{title}{question.behaviour.text}?{default}{where}    [about {left} left; h for help]")
        lines += _shown(question)
        if question.behaviour.coarse:
            lines.append(f"  less exact than usual: {question.behaviour.coarse}")
    elif isinstance(current, Found):
        lines += _verdict(current.verdict, session)
    else:
        lines += _dead_end(current.verdict, names)
    return lines


def _shown(question: Question) -> list[str]:
    """The values: as a list whose numbers are answers, or as what changed."""
    if is_numbered(question):
        listed = items(question.behaviour)
        return [f"  {number:3} {plain(item.text)}" for number, item in enumerate(listed, 1)]
    return [f"  {line}" for line in diff(question.behaviour, _NO_COLOUR)]


def _named(node: int, names: Names) -> str:
    return "" if names is None else f"({names[node]}) "


def _asked(session: Session) -> int:
    return sum(answer.source.is_person for answer, _subject in session.given)


def introduction(session: Session) -> str:
    """What a newcomer needs to know before the first question."""
    known = "is wrong" if session.options.root_is_wrong else "may be wrong"
    text = session.run.behaviour(0).text
    return f"{text} {known}; {counted(len(session.run.tree), 'node')}. Is each of these what it should be? Say y or n."


def _by_oracles(session: Session, names: Names) -> list[str]:
    """What was answered without a person since the person spoke last."""
    count = 0
    for step in reversed(session.steps):
        if isinstance(step, Answer) and not step.source.is_person:
            count += 1
        elif not isinstance(step, Zoom | Transform) or step.source.is_person:
            break
    lines = []
    for answer, subject in session.given[len(session.given) - count :]:
        name = _named(answer.node, names) if subject is session.subject else ""
        source = answer.source
        text = subject.behaviour(answer.node).text
        lines.append(f"{name}{text}: {answer.judgement.value}, by {source.oracle} ({source.reason})")
    return lines


def found_in(verdict: Verdict, session: Session) -> str:
    """What a verdict is about: the routine, or in a tree without source the rule."""
    site = None if verdict.node is None else session.subject.tree.site_of(verdict.node)
    if site is not None and site.location is not None:
        return callable_name(site)
    return str(verdict.rule) if session.subject.sources() else f"the rule {verdict.rule}"


def _verdict(verdict: Verdict, session: Session) -> list[str]:
    if verdict.kind is VerdictKind.NONE:
        return [f"No bug found: {verdict.explanation}."]
    title = "Bug found" if verdict.kind is VerdictKind.BUG else "Bug found: an inadmissible call"
    asked = counted(_asked(session), "answer")
    lines = [f"{title} after {asked}, in {found_in(verdict, session)}", f"  {verdict.explanation}."]
    sources = Sources(session.subject.sources())
    for place in verdict.code:
        lines.append(f"  {shown(place)}")
        lines += [f"    {line.expandtabs()}" for line in sources.text(place).split("\n")]
    if verdict.can_zoom:
        lines.append('  "zoom" asks about the parts of it.')
    lines.append('  Not the bug? "reject" opens the answers again; "quit" ends.')
    return lines


def _dead_end(verdict: Verdict, names: Names) -> list[str]:
    lines = ["Dead end: one of these is the bug."]
    lines += [f"  wrong, if what follows is right:  {_named(c.node, names)}{c.text}" for c in verdict.known_wrong]
    lines += [f"  answered with don't know:         {_named(c.node, names)}{c.text}" for c in verdict.unknown]
    lines.append('"skipped" asks again.')
    return lines
