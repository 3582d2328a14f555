"""The levels of a session: the tree of the run, the tree inside its buggy node, and so on inwards.

The search of every level but the innermost has ended, at the node that contains the next level. A step that reopens
such a search closes the levels inside, which keep their answers in case the session returns. Trust, rules, strategy and
granularity apply to all levels, an answer only to its own. A level with a transformed tree has a `View`, which chooses
its questions.
"""

from collections.abc import Iterator

import numpy as np
from attrs import evolve

from adebug_lsp.model.answers import (
    WHOLE,
    AddRule,
    Answer,
    Confine,
    Judgement,
    Reject,
    Revoke,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
    Untrust,
    Zoom,
)
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import LOOP_KINDS, Granularity
from adebug_lsp.model.transformations import LOOP_EXPANSION, ORIGINAL
from adebug_lsp.model.verdicts import Verdict, VerdictKind
from adebug_lsp.session.outcome import DeadEnd, Found, conclude, skipped_nodes
from adebug_lsp.session.state import Options, State
from adebug_lsp.session.subject import Subject
from adebug_lsp.session.transformation import TransformedSubject, View, check_name, transform

Path = tuple[int, ...]
"""Identifies a level by the nodes that were zoomed into, outermost first."""

Insides = dict[Path, Subject | None]
"""A cache of the subjects of levels, because every undo rebuilds all levels."""

TransformedSubjects = dict[tuple[Path, tuple[str, ...], frozenset[int]], TransformedSubject]
"""A cache of transformed trees, by level, transformations and the nodes judged before."""


class Levels:
    """The states of all levels after the steps so far."""

    def __init__(
        self, subject: Subject, options: Options, insides: Insides, transformed: TransformedSubjects | None = None
    ) -> None:
        self.path: Path = ()
        self._options = options
        self._insides = insides
        self._transformed: TransformedSubjects = {} if transformed is None else transformed
        self._views: dict[Path, View] = {}
        self._shared: list[Step] = []
        self._states: dict[Path, State] = {self.path: State(subject, options)}

    @property
    def innermost(self) -> State:
        """The level that questions are about."""
        return self._states[self.path]

    @property
    def view(self) -> View | None:
        """The transformed tree that chooses the questions of the innermost level, if there is one."""
        return self._views.get(self.path)

    def open(self) -> list[State]:
        """The open levels, outermost first."""
        return [self._states[self.path[:depth]] for depth in range(len(self.path) + 1)]

    def all(self) -> Iterator[State]:
        """All levels, including closed ones."""
        return iter(self._states.values())

    def apply(self, step: Step) -> None:
        """Apply one step to the levels that it affects."""
        match step:
            case Zoom():
                self._zoom(step.node)
            case Reject():
                self._reject(step.node)
            case Transform() if step.name != LOOP_EXPANSION:
                self._transform(step)
            case Trust() | Untrust() | Confine() | AddRule() | SwitchStrategy() | SwitchGranularity() | Transform():
                self._share(step)
            case Answer() if self.is_made(step.node):
                self._answer_made(step)
            case Revoke() if self.is_made(step.node):
                self._revoke_made(step.node)
            case _:
                self.innermost.apply(step)
        for path, view in self._views.items():
            view.follow(self._states[path])

    def _share(self, step: Step) -> None:
        """Apply a step to all levels, including those opened later."""
        self._shared.append(step)
        for state in self._states.values():
            state.apply(step)
        self._close_from_first_open_search()

    # Transformations

    def check_transform(self, name: str) -> None:
        """Raise `UnknownNameError` or `BadAnswerError` for a transformation that cannot be applied here."""
        check_name(name)
        state, view = self.innermost, self.view
        if name == ORIGINAL:
            if view is None and not state.asks_loops:
                raise BadAnswerError("the tree of the run is not transformed")
        elif name == LOOP_EXPANSION:
            _check_loops(state)
        elif view is not None and name in view.subject.names:
            raise BadAnswerError(f"{name} has been applied already")
        else:
            self._subject_of(name)

    def is_made(self, node: int) -> bool:
        """Whether a node exists only in the transformed tree of the innermost level."""
        return node >= len(self.innermost.subject.tree)

    def parts(self, node: int) -> tuple[int, ...]:
        """The nodes of the run in a range that a transformation made; none for any other node."""
        view = self.view
        position = None if view is None or not self.is_made(node) else view.subject.position(node)
        return () if view is None or position is None else view.subject.parts(position)

    def _subject_of(self, name: str) -> TransformedSubject:
        """The innermost subject after one more transformation; raises `BadAnswerError` if it does not apply."""
        before = None if self.view is None else self.view.subject
        judged = frozenset(self.innermost.space.judged)
        key = (self.path, (*(() if before is None else before.names), name), judged)
        if key not in self._transformed:
            self._transformed[key] = transform(self.innermost.subject, before, name, judged)
        return self._transformed[key]

    def _transform(self, step: Transform) -> None:
        """Apply one more transformation to the tree of the innermost level, or return to the original tree."""
        if step.name == ORIGINAL:
            self._views.pop(self.path, None)
            if step.source.is_person:
                self._share(step)
            return
        made = [] if self.view is None else self.view.renumbered(self._subject_of(step.name))
        self._views[self.path] = View(self._subject_of(step.name), self.innermost.options, made)

    def _answer_made(self, answer: Answer) -> None:
        """Apply an answer on a range to the view, and what it implies to the nodes of the run."""
        view = self.view
        if view is None:
            raise AssertionError("a step is checked before it is taken")
        view.made.append(answer)
        for following in view.follows(answer):
            if self.innermost.space.judged.get(following.node) is not Judgement.YES:
                self.innermost.apply(following)
        self.innermost.refocus()

    def _revoke_made(self, node: int) -> None:
        """Withdraw the answer on a range, and the answers that it implied."""
        view = self.view
        if view is None:
            raise AssertionError("a step is checked before it is taken")
        view.made = [answer for answer in view.made if answer.node != node]
        for part in self.parts(node):
            answer = self.innermost.answers.get(part)
            if answer is not None and answer.source == WHOLE:
                self.innermost.apply(Revoke(part))

    def can_zoom(self, node: int) -> bool:
        """Whether the innermost search has ended at this node, and finer questions about it are possible."""
        if self.innermost.granularity is Granularity.ROUTINE or not _ended_at(self.innermost, node):
            return False
        return self.inside(node) is not None

    def inside(self, node: int) -> Subject | None:
        """The subject inside a node; None for the root of an inner level, which is already the inside."""
        if self.path and node == 0:
            return None
        path = (*self.path, node)
        if path not in self._insides:
            self._insides[path] = self.innermost.subject.inside(node)
        return self._insides[path]

    def end(self) -> Found | DeadEnd:
        """The outcome when nothing is left to ask; its node belongs to the innermost level."""
        end = conclude(self.innermost.subject, self.innermost.space)
        if isinstance(end, DeadEnd):
            return end
        verdict = end.verdict
        # If nothing is wrong inside the root, nothing is wrong in the run.
        if not self.path or (not any(self.path) and verdict.kind is VerdictKind.NONE):
            verdict = evolve(verdict, explanation=_explained(self.innermost, verdict))
            finer = verdict.node is not None and self.inside(verdict.node) is not None
            return Found(evolve(verdict, can_zoom=verdict.can_zoom or finer))
        outer = self.open()[-2]
        around = conclude(outer.subject, outer.space).verdict
        if not verdict.node:  # nothing inside is wrong, so the node itself is buggy
            code = verdict.code if verdict.node == 0 else around.code
            why = _explained(outer, around) if len(self.path) == 1 else around.explanation
            return Found(evolve(around, node=0, code=code, can_zoom=verdict.can_zoom, explanation=why))
        if around.kind is VerdictKind.INADMISSIBLE and around.called is not None:
            call = outer.subject.behaviour(around.called).text
            verdict = evolve(verdict, explanation=f"{verdict.explanation}; it led to the inadmissible call {call}")
        return Found(verdict)

    def _zoom(self, node: int) -> None:
        """Open the level inside a node, or reopen it with its answers."""
        subject = self.inside(node)
        if subject is None:
            raise AssertionError("a step is checked before it is taken")
        self.path = (*self.path, node)
        if self.path not in self._states:
            self._states[self.path] = State(subject, evolve(self._options, root_is_wrong=True), self._shared)

    def _reject(self, node: int) -> None:
        """Reopen the answers that the verdict rests on, on the innermost level where that was not done before.

        If it was done on every level, reopen all answers.
        """
        path = self.path
        while True:
            if self._states[path].reopen_verdict(node):
                self.path = path
                return
            if not path:
                break
            path, node = path[:-1], path[-1]
        for state in self._states.values():
            state.reopen_all()
        self.path = ()

    def _close_from_first_open_search(self) -> None:
        """Close the levels inside the first one whose search has not ended, or whose granularity is `routine`."""
        for depth, node in enumerate(self.path):
            state = self._states[self.path[:depth]]
            if state.granularity is Granularity.ROUTINE or not _ended_at(state, node):
                self.path = self.path[:depth]
                return


def _ended_at(state: State, node: int) -> bool:
    """Whether the search has ended at this node, so that it is known to be buggy."""
    space = state.space
    return space.top == node and not skipped_nodes(space) and not space.any_askable()


def _check_loops(state: State) -> None:
    if not np.isin(state.subject.tree.kind, sorted(LOOP_KINDS)).any():
        raise BadAnswerError("nothing to expand: no loop of this run was recorded")
    if state.asks_loops or state.granularity.kinds >= LOOP_KINDS:
        raise BadAnswerError("loops and iterations are already asked about")


def _explained(state: State, verdict: Verdict) -> str:
    """The explanation of a verdict on the whole run, with advice if only oracles answered and found nothing wrong."""
    whole, answers = state.answers.get(0), list(state.answers.values())
    if (
        verdict.kind is VerdictKind.NONE
        and whole is not None
        and not (whole.source.is_person or whole.source.is_inferred)
    ):
        name, reason = whole.source.oracle, whole.source.reason
        return (
            f"all of this run is right by the {name}{f' ({reason})' if reason else ''}; if it is not what you want, "
            f"either the {name} has the same bug (search without it), or the bug shows in another run (record that one)"
        )
    right = [a for a in answers if a.judgement is Judgement.YES and not (a.source.is_person or a.source.is_inferred)]
    if verdict.node == 0 and state.options.root_failed and right and len(right) == len(answers):
        names = " and the ".join(dict.fromkeys(answer.source.oracle for answer in right))
        more = f"; by the {names} nothing else is, so that what failed is itself wrong, or else the {names}"
        return verdict.explanation + more
    return verdict.explanation
