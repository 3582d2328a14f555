"""Lists of candidates: ranked, short enough for a screen, each with the reason why it can be the bug.

A search also ends with such a list if it reaches code that cannot hold the bug: a wrong node whose own code is right
has a wrong child, so one of the judgements below it is mistaken.
"""

from collections.abc import Sequence

from attrs import evolve

from adebug_lsp.model.answers import Elsewhere, Judgement
from adebug_lsp.model.verdicts import Candidate, Verdict, VerdictKind
from adebug_lsp.session.outcome import DeadEnd, Found
from adebug_lsp.session.state import State
from adebug_lsp.session.subject import Subject

MOST = 12
"""Candidates that are listed; a terminal shows them without scrolling."""
_NOTHING = "the reference has all of the code that ran: if the run is wrong, the reason is not in this code"
_CHANGED = "the reference has other code here"
_TRACED = "what failed came through it"
_PLUMBING = "it only carries the test"


def shortened(subject: Subject, state: State, verdict: Verdict) -> Verdict:
    """A verdict with only the best candidates, without code that cannot hold the bug."""
    wrong = tuple(candidate for candidate in verdict.known_wrong if not state.is_excluded(candidate.node))
    ranked = _ranked(subject, state, verdict.unknown)
    if len(ranked) > MOST:
        first: dict[int, Candidate] = {}
        for candidate in ranked:
            first.setdefault(int(subject.tree.site[candidate.node]), candidate)
        ranked = list(first.values())
    unknown = [_explained(subject, state, candidate) for candidate in ranked[:MOST]]
    unknown += [_elsewhere(code) for code in state.elsewhere[: MOST - len(unknown)]]
    left_out = len(verdict.unknown) + len(state.elsewhere) - len(unknown)
    return evolve(verdict, known_wrong=wrong, unknown=tuple(unknown), left_out=left_out)


def _ranked(subject: Subject, state: State, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, first those on the path of the failure, plumbing last."""
    return sorted(candidates, key=lambda c: (_is_plumbing(subject, c.node), c.node not in _traced(state), c.node))


def _explained(subject: Subject, state: State, candidate: Candidate) -> Candidate:
    facts = [
        (state.confined is not None, _CHANGED),
        (candidate.node in _traced(state), _TRACED),
        (_is_plumbing(subject, candidate.node), _PLUMBING),
    ]
    return evolve(candidate, why="; ".join(text for is_fact, text in facts if is_fact))


def _traced(state: State) -> frozenset[int]:
    """The nodes on the paths of the failed value and of marked values."""
    return frozenset(trace.origin for _node, trace in state.space.traces)


def _is_plumbing(subject: Subject, node: int) -> bool:
    return subject.plumbing is not None and bool(subject.plumbing[node])


def contradiction(subject: Subject, state: State, verdict: Verdict) -> Found | DeadEnd:
    """The outcome if the verdict is on excluded code: candidates, or "nothing is wrong"."""
    node = 0 if verdict.node is None else verdict.node
    judged = [n for n in sorted(state.answers) if subject.tree.contains(node, n) and n != node]
    suspects = [n for n in judged if not state.is_excluded(n) and state.answers[n].judgement is Judgement.YES]
    if len(state.elsewhere) == 1:
        return Found(_elsewhere_only(state.elsewhere[0], verdict.text))
    if not suspects and not state.elsewhere:
        return Found(Verdict(VerdictKind.NONE, explanation=_NOTHING))
    routines = {subject.tree.site_of(n).routine: n for n in reversed(suspects)}
    if len(routines) == 1 and not state.elsewhere:
        return Found(_only(subject, suspects[0], verdict.text))
    candidates = [Candidate(n, subject.behaviour(n).text, routine) for routine, n in routines.items()]
    why = f"{verdict.text} is wrong, and its own code is right: one of these is the bug, although it was judged right"
    listed = Verdict(VerdictKind.CANDIDATES, node=node, unknown=tuple(candidates), explanation=why)
    return DeadEnd(shortened(subject, state, listed))


def _elsewhere(code: Elsewhere) -> Candidate:
    return Candidate(0, code.routine, code.routine, "it ran before, and the reference has other code here", code.code)


def _elsewhere_only(code: Elsewhere, wrong: str) -> Verdict:
    """The verdict on the only code that is not excluded and not judged right."""
    why = f"{wrong} is wrong; {code.routine} ran before it, and the reference has other code there"
    return Verdict(VerdictKind.BUG, node=0, text=code.routine, code=code.code, explanation=why)


def _only(subject: Subject, node: int, wrong: str) -> Verdict:
    """The verdict on the only code that is not excluded."""
    return Verdict(
        VerdictKind.BUG,
        node=node,
        text=subject.behaviour(node).text,
        rule=subject.tree.site_of(node).rule,
        code=subject.code(node),
        explanation=f"{wrong} is wrong, and this is the only code below it that the reference has changed",
    )
