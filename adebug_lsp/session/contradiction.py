"""The outcome if the search ends at code that cannot hold the bug: what else was judged right is reopened.

A wrong node whose own code is right has a wrong child. If all were judged right, one of these judgements is mistaken.
"""

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.verdicts import Candidate, Verdict, VerdictKind
from adebug_lsp.session.outcome import DeadEnd, Found
from adebug_lsp.session.state import State
from adebug_lsp.session.subject import Subject

_NOTHING = "the reference has all of the code that ran: if the run is wrong, the reason is not in this code"


def contradiction(subject: Subject, state: State, verdict: Verdict) -> Found | DeadEnd:
    """The candidates instead of a verdict on excluded code; "nothing is wrong" if there are none."""
    node = 0 if verdict.node is None else verdict.node
    judged = [n for n in sorted(state.answers) if subject.tree.contains(node, n) and n != node]
    suspects = [n for n in judged if not state.is_excluded(n) and state.answers[n].judgement is Judgement.YES]
    if not suspects:
        return Found(Verdict(VerdictKind.NONE, explanation=_NOTHING))
    routines = {subject.tree.site_of(n).routine: n for n in suspects}
    if len(routines) == 1:
        return Found(_only(subject, suspects[0], verdict.text))
    candidates = [Candidate(n, subject.behaviour(n).text, routine) for routine, n in routines.items()]
    why = f"{verdict.text} is wrong, and its own code is right: one of these is the bug, although it was judged right"
    return DeadEnd(Verdict(VerdictKind.CANDIDATES, node=node, unknown=tuple(candidates), explanation=why))


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
