"""Answers by comparing code alone: "yes" where nothing changed, "no" where the only changes are."""

from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

import numpy as np
from attrs import define
from numpy.typing import NDArray

from adebug_lsp.languages.python.oracles.code_identity import CodeIdentity
from adebug_lsp.languages.python.oracles.name_reach import NameReach, words_of
from adebug_lsp.languages.python.questions.describe.expression_text import header
from adebug_lsp.languages.python.questions.subject import InnerSubject, PythonSubject
from adebug_lsp.languages.python.reading.static import STATEMENTS, Routine
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.answers import Confine, Elsewhere, Judgement, Mark, MarkOf, Source
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.kinds import ROUTINE_KINDS, NodeKind
from adebug_lsp.model.source import Location, Range
from adebug_lsp.oracles.oracle import Opinion

MOST_CHANGED = 7
"""Changed routines that ran, up to which another result in the reference counts as wrong.

Of 32 real fixes none changed more than 3 of the functions that ran; references 20 to 60 commits later changed 8 to 47.
"""
_CONFINED = Source("reference", "all other code that ran is the same in the reference")
_UNCHANGED = Opinion(Judgement.YES, "the reference has the same code, with all that it calls")
_ONLY_CHANGE = Opinion(Judgement.NO, "it ran, and the reference has changed nothing else that ran")


@define(eq=False)
class ChangedCode:
    """The routines of a run that differ in the reference."""

    subject: PythonSubject
    identity: CodeIdentity

    @cached_property
    def routines(self) -> Sequence[Routine]:
        """The changed routines that ran."""
        return [routine for routine in self.subject.routines() if not self.identity.is_shared(routine)]

    @property
    def confined(self) -> Confine:
        """See `Comparer`."""
        names = {routine.callable for routine in self.routines}
        elsewhere = [Elsewhere(routine.callable, self.identity.changes(routine)) for routine in self._elsewhere]
        return Confine(tuple(sorted(names)), _CONFINED, tuple(elsewhere))

    @cached_property
    def _elsewhere(self) -> list[Routine]:
        """Changed routines that ran only while a `conftest.py` was loaded, about which nothing is asked."""
        run, begun = self.subject.run, np.frombuffer(self.subject.run.spans.first, np.int64)
        root = self.subject.root
        tops = [run.spans[number] for number in run.tops if run.spans.parent[number] != root.number]
        loads = [top for top in tops if top.routine.kind == "module" and top.first < root.last]
        numbers = np.concatenate(
            [np.empty(0, np.int64), *(np.flatnonzero((begun >= top.first) & (begun <= top.last)) for top in loads)]
        )
        ran = np.unique(np.frombuffer(run.spans.routine, np.int32)[numbers.astype(np.int64)]).tolist()
        asked = {id(routine) for routine in self.subject.routines()}
        routines = [run.spans.routines[number] for number in ran if id(run.spans.routines[number]) not in asked]
        changed = [routine for routine in routines if routine.index >= 0 and not self.identity.is_shared(routine)]
        return [routine for routine in changed if self._matters(routine)]

    def _matters(self, routine: Routine) -> bool:
        """Whether code of the test mentions a name that a change before it can reach, or nothing is known."""
        changes = self.identity.changes(routine)
        return not changes or not self._reach.reached(routine, changes).isdisjoint(self._mentioned)

    @cached_property
    def _reach(self) -> NameReach:
        return NameReach(self.subject.run.program.modules)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        return words_of(self.subject.routines())

    @property
    def has_drifted(self) -> bool:
        """Whether so much changed that another result in the reference says little."""
        return len(self.routines) + len(self._elsewhere) > MOST_CHANGED

    @cached_property
    def followed(self) -> list[int]:
        """The calls of changed routines in the call to which the failure was traced."""
        subject = self.subject
        node = None if subject.test is None else subject.node(subject.test)
        trace = None if node is None else subject.dependences.trace(node, Mark(MarkOf.RESULT))
        if trace is None or not trace.explanation or len(self.routines) < 2:
            return []
        low, high = trace.origin, subject.tree.end(trace.origin)
        return [int(n) + low for n in np.flatnonzero(self._changed_calls[low:high])]

    @cached_property
    def _changed_calls(self) -> NDArray[np.bool_]:
        """Which nodes are calls of changed routines."""
        tree, names = self.subject.tree, {routine.callable for routine in self.routines}
        sites = np.array([site.routine in names for site in tree.sites], np.bool_)
        changed: NDArray[np.bool_] = sites[tree.site] & np.isin(tree.kind, sorted(ROUTINE_KINDS))
        return changed

    def opinion(self, question: Question) -> Opinion | None:
        """ "Yes", if nothing that ran is changed."""
        if self._is_executed_again(question):
            return None
        span, place, during = self._extent(question)
        around = self._expressions_around(question)
        if place is None or self._is_touched(span.routine, place, around) or self._calls_between(*during):
            return None
        return _UNCHANGED

    def last_resort(self, question: Question) -> Opinion | None:
        """ "No", if everything that is changed ran there; for questions that nothing else can decide."""
        if len(self.routines) != 1 or self._elsewhere:
            return None
        span, place, _during = self._extent(question)
        routine = self.routines[0]
        if span.routine is not routine:
            return None
        changes = self.identity.changes(routine)
        is_all = place is None or (bool(changes) and all(place.range.covers(change.range) for change in changes))
        return _ONLY_CHANGE if is_all else None

    def _is_executed_again(self, question: Question) -> bool:
        """Whether a part belongs to a call of a recording of calls, which was executed again for its parts.

        Its code and positions are those of another run.
        """
        level = self.subject.at(question.zoomed)
        return isinstance(level, InnerSubject) and level.enclosing.run is not self.subject.run

    def _extent(self, question: Question) -> tuple[Span, Location | None, tuple[int, int]]:
        """The span of a question, the place in it (None for a whole call), and its part of the recording."""
        level = self.subject.at(question.zoomed)
        if isinstance(level, InnerSubject):
            part = level.part(question.node)
            if part is None:
                return level.span, None, (level.span.first, level.span.last)
            return level.span, level.span.routine.module.location(part.node), (part.before, part.after - 1)
        span, tree = self.subject.span(question.node), self.subject.tree
        during = int(tree.first[question.node]), int(tree.last[question.node])
        if question.facts.kind in ROUTINE_KINDS:
            return span, None, during
        if question.facts.kind is NodeKind.LOOP:
            return span, span.routine.module.location(span.node), during
        return span, self._body(span), during

    def _expressions_around(self, question: Question) -> list[Location]:
        """The expressions that contain the one that is asked about; none for other questions."""
        level = self.subject.at(question.zoomed)
        part = level.part(question.node) if isinstance(level, InnerSubject) else None
        if part is None or not isinstance(level, InnerSubject):
            return []
        module = level.span.routine.module
        around = takewhile(lambda node: module.nodes[node].kind not in STATEMENTS, module.ancestors(part.node))
        return [module.location(node) for node in around]

    def _is_touched(self, routine: Routine, place: Location, around: Sequence[Location]) -> bool:
        """Whether a change is in a place. In the parts of an expression that differs as a whole, there is none."""
        if self.identity.is_shared(routine):
            return False
        changes = self.identity.changes(routine)
        return not changes or any(_overlap(place, change) and change not in around for change in changes)

    def _body(self, span: Span) -> Location:
        """The place of a loop that its iterations execute."""
        module = span.routine.module
        whole, head = module.location(span.node), header(module, span.node)
        if head is None or module.nodes[span.node].kind == "While":
            return whole
        return Location(whole.path, Range(module.location(head).range.end, whole.range.end))

    def _calls_between(self, first: int, last: int) -> bool:
        """Whether a call of a changed routine began between two positions."""
        low, high = np.searchsorted(self._begun, [first, last + 1])
        return bool(high > low)

    @cached_property
    def _begun(self) -> NDArray[np.int64]:
        """The positions at which calls of changed routines began, in order."""
        return np.sort(np.asarray(self.subject.tree.first)[self._changed_calls])


def _overlap(place: Location, other: Location) -> bool:
    return place.range.start < other.range.end and other.range.start < place.range.end
