"""The outcome of a session so far: a question, a verdict, or a dead end because of "don't know" answers."""

from attrs import frozen

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Judged, Question
from adebug_lsp.model.verdicts import Candidate, Verdict, VerdictKind
from adebug_lsp.search.space import Space
from adebug_lsp.session.subject import Subject


@frozen
class Ask:
    """The next question, which only the person can answer."""

    question: Question


@frozen
class Found:
    """The search has ended with a verdict."""

    verdict: Verdict


@frozen
class DeadEnd:
    """Everything left was answered "don't know": ask it again, or accept the candidates."""

    verdict: Verdict


Outcome = Ask | Found | DeadEnd


def conclude(subject: Subject, space: Space) -> Found | DeadEnd:
    """The outcome of a search that has nothing left to ask."""
    skipped = skipped_nodes(space)
    if skipped:
        return DeadEnd(_candidates(subject, space, skipped))
    if space.top is None:
        return Found(_nothing_wrong(subject, space))
    return Found(_buggy(subject, space, space.top))


def skipped_nodes(space: Space) -> list[int]:
    """The nodes answered "don't know" that can still be the bug."""
    return [node for node in space.skipped() if not space.is_sum_of_right_parts(node)]


def only_rule(subject: Subject, space: Space) -> Verdict:
    """The verdict on a rule that all remaining candidates execute, so that it does not matter which one is buggy."""
    low, high = space.area
    node = low if space.top is not None else low + int(space.suspects(low, high).argmax())
    rule = space.tree.site_of(node).rule
    why = f"everything that may be wrong executes the rule {rule}"
    text = subject.behaviour(node).text
    return Verdict(VerdictKind.BUG, node, text=text, rule=rule, code=subject.code(node), explanation=why)


def _buggy(subject: Subject, space: Space, node: int) -> Verdict:
    """The verdict on a buggy node; `inadmissible` if it made a call that it should not have made."""
    called = _inadmissible_call(space, node)
    kind = VerdictKind.BUG if called is None else VerdictKind.INADMISSIBLE
    behaviour = subject.behaviour(node)
    text, doer = behaviour.text, f", in {behaviour.doer}," if behaviour.doer else ""
    if called is None:
        wrong = f"{doer or ','} which is wrong" if behaviour.judged is Judged.DECISION else f"{doer} is wrong"
        why = f"{text}{wrong}, and everything it depends on is right"
    else:
        why = (
            f"{text}{doer} made the call {subject.behaviour(called).text}, which should never have been made like this"
        )
    if behaviour.coarse:
        why += f"; less exact than usual: {behaviour.coarse}"
    if space.is_trusted(node):
        why += "; you trusted this routine, but your answers say it is wrong"
    return Verdict(
        kind=kind,
        node=node,
        called=called,
        text=text,
        rule=space.tree.site_of(node).rule,
        code=subject.code(node),
        can_zoom=space.can_zoom(node),
        explanation=why,
    )


def _inadmissible_call(space: Space, node: int) -> int | None:
    """The last call answered "inadmissible" that this node made, directly or through muted nodes."""
    for asked, judgement in reversed(space.answers):
        if judgement is Judgement.INADMISSIBLE and space.judged.get(asked) is judgement:
            caller = next((above for above in space.tree.ancestors(asked) if not space.is_muted(above)), None)
            if caller == node:
                return asked
    return None


def _nothing_wrong(subject: Subject, space: Space) -> Verdict:
    """The verdict if no node is wrong."""
    if space.judged.get(0) is Judgement.INADMISSIBLE:
        text = subject.behaviour(0).text
        why = "the problem is in the arguments of the first call"
        return Verdict(VerdictKind.INADMISSIBLE, called=0, text=text, explanation=why)
    return Verdict(VerdictKind.NONE, explanation="everything was judged right: the run was not wrong after all")


def _candidates(subject: Subject, space: Space, skipped: list[int]) -> Verdict:
    """The verdict at a dead end: the nodes that may be buggy."""
    wrong = [] if space.top is None else [space.top]
    return Verdict(
        VerdictKind.CANDIDATES,
        node=space.top,
        known_wrong=tuple(_candidate(subject, node) for node in wrong),
        unknown=tuple(_candidate(subject, node) for node in skipped),
        explanation='one of these is the bug; what was answered with "don\'t know" decides which',
    )


def _candidate(subject: Subject, node: int) -> Candidate:
    return Candidate(node, subject.behaviour(node).text, subject.tree.site_of(node).routine)
