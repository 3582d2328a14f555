"""The levels of a session: the tree of the run, the tree inside its buggy node, and so on inwards.

Every level but the innermost has come to its end, at the node whose inside the next one is; a step that opens it again
closes those inside. A closed level keeps its answers, for when the session comes back to its node. Trust, rules,
strategy and granularity hold on all levels; answers on the one they were given on. A level whose tree was
transformed has a `View`, which chooses its questions.
"""

from collections.abc import Iterator

import numpy as np
from attrs import evolve

from adebug_lsp.model.answers import (
    WHOLE,
    AddRule,
    Answer,
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
from adebug_lsp.session.outcome import DeadEnd, Found, conclude, put_off
from adebug_lsp.session.state import Options, State
from adebug_lsp.session.subject import Subject
from adebug_lsp.session.transformation import TransformedSubject, View, check_name, transform

Path = tuple[int, ...]
"""The nodes that were zoomed into, outermost first: where a level is."""

Insides = dict[Path, Subject | None]
"""The subjects of levels. Worked out once, for a session builds its levels anew at every undo."""

TransformedSubjects = dict[tuple[Path, tuple[str, ...], frozenset[int]], TransformedSubject]
"""Transformed trees by level, transformations and the nodes that had been judged; kept for the same reason."""


class Levels:
    """The meaning of all steps so far."""

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
        """The levels from the outermost to the innermost."""
        return [self._states[self.path[:depth]] for depth in range(len(self.path) + 1)]

    def all(self) -> Iterator[State]:
        """Every level on which something was asked, closed ones too."""
        return iter(self._states.values())

    def apply(self, step: Step) -> None:
        """Take one step."""
        match step:
            case Zoom():
                self._zoom(step.node)
            case Reject():
                self._reject(step.node)
            case Transform() if step.name != LOOP_EXPANSION:
                self._transform(step)
            case Trust() | Untrust() | AddRule() | SwitchStrategy() | SwitchGranularity() | Transform():
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
        """Take a step that holds on all levels."""
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
        """Whether a number stands for a node that only the transformed tree of the innermost level has."""
        return node >= len(self.innermost.subject.tree)

    def parts(self, node: int) -> tuple[int, ...]:
        """The nodes of the run in a range that a transformation made; none for any other node."""
        view = self.view
        position = None if view is None or not self.is_made(node) else view.subject.position(node)
        return () if view is None or position is None else view.subject.parts(position)

    def _subject_of(self, name: str) -> TransformedSubject:
        """The innermost level's subject with one more transformation; raises `BadAnswerError`."""
        before = None if self.view is None else self.view.subject
        judged = frozenset(self.innermost.space.judged)
        key = (self.path, (*(() if before is None else before.names), name), judged)
        if key not in self._transformed:
            self._transformed[key] = transform(self.innermost.subject, before, name, judged)
        return self._transformed[key]

    def _transform(self, step: Transform) -> None:
        if step.name == ORIGINAL:
            self._views.pop(self.path, None)
            if step.source.is_person:
                self._share(step)
            return
        made = [] if self.view is None else self.view.moved(self._subject_of(step.name))
        self._views[self.path] = View(self._subject_of(step.name), self.innermost.options, made)

    def _answer_made(self, answer: Answer) -> None:
        view = self.view
        if view is None:
            raise AssertionError("a step is checked before it is taken")
        view.made.append(answer)
        for following in view.follows(answer):
            if self.innermost.space.judged.get(following.node) is not Judgement.YES:
                self.innermost.apply(following)
        self.innermost.go_on()

    def _revoke_made(self, node: int) -> None:
        view = self.view
        if view is None:
            raise AssertionError("a step is checked before it is taken")
        view.made = [answer for answer in view.made if answer.node != node]
        for part in self.parts(node):
            answer = self.innermost.answers.get(part)
            if answer is not None and answer.source == WHOLE:
                self.innermost.apply(Revoke(part))

    def can_zoom(self, node: int) -> bool:
        """Whether the innermost level has ended at this node and finer code of it may be asked about."""
        if self.innermost.granularity is Granularity.ROUTINE or not _ended_at(self.innermost, node):
            return False
        return self.inside(node) is not None

    def inside(self, node: int) -> Subject | None:
        """The subject inside a node of the innermost level; the root of a level has no other inside than the level."""
        if self.path and node == 0:
            return None
        path = (*self.path, node)
        if path not in self._insides:
            self._insides[path] = self.innermost.subject.inside(node)
        return self._insides[path]

    def end(self) -> Found | DeadEnd:
        """How the search ends, where nothing can be asked any more; the node is one of the innermost level."""
        end = conclude(self.innermost.subject, self.innermost.space)
        if isinstance(end, DeadEnd):
            return end
        verdict = end.verdict
        if not self.path or (not any(self.path) and verdict.kind is VerdictKind.NONE):  # then the run is right, too
            verdict = evolve(verdict, explanation=_explained(self.innermost, verdict))
            finer = verdict.node is not None and self.inside(verdict.node) is not None
            return Found(evolve(verdict, can_zoom=verdict.can_zoom or finer))
        outer = self.open()[-2]
        around = conclude(outer.subject, outer.space).verdict
        if not verdict.node:  # nothing in it, or its root: it is the node itself that is buggy
            code = verdict.code if verdict.node == 0 else around.code
            why = _explained(outer, around) if len(self.path) == 1 else around.explanation
            return Found(evolve(around, node=0, code=code, can_zoom=verdict.can_zoom, explanation=why))
        if around.kind is VerdictKind.INADMISSIBLE and around.called is not None:
            call = outer.subject.behaviour(around.called).text
            verdict = evolve(verdict, explanation=f"{verdict.explanation}; it led to the inadmissible call {call}")
        return Found(verdict)

    def _zoom(self, node: int) -> None:
        subject = self.inside(node)
        if subject is None:
            raise AssertionError("a step is checked before it is taken")
        self.path = (*self.path, node)
        if self.path not in self._states:
            self._states[self.path] = State(subject, evolve(self._options, root_is_wrong=True), self._shared)

    def _reject(self, node: int) -> None:
        """Open the answers that the verdict rests on: from the innermost level outwards, the first not opened before.

        When all were, every answer there is.
        """
        path = self.path
        while True:
            if self._states[path].open_again(node):
                self.path = path
                return
            if not path:
                break
            path, node = path[:-1], path[-1]
        for state in self._states.values():
            state.open_all_again()
        self.path = ()

    def _close_from_first_open_search(self) -> None:
        """A level whose search is no longer at its end is the innermost; routines only means the outermost."""
        for depth, node in enumerate(self.path):
            state = self._states[self.path[:depth]]
            if state.granularity is Granularity.ROUTINE or not _ended_at(state, node):
                self.path = self.path[:depth]
                return


def _ended_at(state: State, node: int) -> bool:
    """Whether this node is known to be buggy."""
    space = state.space
    return space.top == node and not put_off(space) and not space.any_askable()


def _check_loops(state: State) -> None:
    if not np.isin(state.subject.tree.kind, sorted(LOOP_KINDS)).any():
        raise BadAnswerError("nothing to expand: no loop of this run was recorded")
    if state.asks_loops or state.granularity.kinds >= LOOP_KINDS:
        raise BadAnswerError("loops and iterations are asked about already")


def _explained(state: State, verdict: Verdict) -> str:
    """The explanation of a verdict on the whole run, with what to make of it where oracles found nothing wrong."""
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
