"""Transformations in a session: line 8 of Algorithm 1 in *Algorithmic Debugging Generalized*.

Answers always refer to the tree of the run; a transformed tree only decides which question comes next. So answers
outlive every transformation, and when the transformed tree has nothing left to ask, the search continues in the tree
of the run until it ends at a buggy node there.

A node of the transformed tree that stands for a single node of the run has the number of that node. A range of siblings
has a question of its own, and a number not less than the size of the run's tree.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray

from adebug_lsp.model.answers import PARTS, WHOLE, Answer, Judgement, Mark, Restart, Step
from adebug_lsp.model.behaviour import Behaviour, NodeFacts
from adebug_lsp.model.errors import BadAnswerError, UnknownNameError
from adebug_lsp.model.kinds import ROUTINE_KINDS, NodeKind
from adebug_lsp.model.source import Location
from adebug_lsp.model.transformations import BALANCING, COMPRESSION, HALVING, SIMPLIFICATION, TRANSFORMATIONS
from adebug_lsp.model.values import Environment, Role
from adebug_lsp.search.strategy import Strategy
from adebug_lsp.session.state import Options, State
from adebug_lsp.session.subject import Subject
from adebug_lsp.slicing.dependence_contract import Dependences, Trace
from adebug_lsp.tree.columns import Bools, ExecutionTree, Ints
from adebug_lsp.tree.transform.balancing import balance
from adebug_lsp.tree.transform.compression import compress
from adebug_lsp.tree.transform.draft import Transformed
from adebug_lsp.tree.transform.halving import halve
from adebug_lsp.tree.transform.simplification import Simplified, simplify

_LONGEST = 2
"""Siblings up to which halving leaves them as they are."""

_MOST_DESCRIBED = 8
"""Nodes in a range up to which its question describes all of them."""

_OF_ONE_CALL = (Role.ARGUMENT, Role.RECEIVER)
_RANGES = (NodeKind.PROJECTION, NodeKind.ITERATION_RANGE)


def listed() -> list[str]:
    """One line of help for each transformation."""
    width = max(map(len, TRANSFORMATIONS))
    return [f"  {name:{width}}  {description}" for name, description in TRANSFORMATIONS.items()]


def check_name(name: str) -> None:
    """Raise `UnknownNameError` for a name that is no transformation."""
    if name not in TRANSFORMATIONS:
        close = get_close_matches(name, TRANSFORMATIONS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"one of {', '.join(TRANSFORMATIONS)}"
        raise UnknownNameError(f"unknown transformation {name!r}; {hint}")


@frozen
class Simplification:
    """The changes of node simplification to the tree of a lazy program; see `tree.transform.simplification`."""

    simplified: Mapping[int, Simplified]
    places: Mapping[int, int]
    behaviours: Mapping[int, Behaviour]
    """The behaviour that the question about each simplified node shows."""


@runtime_checkable
class LazySubject(Protocol):
    """A subject whose program was evaluated lazily."""

    def simplification(self) -> Simplification:
        """The changes that replace terms in questions by the results of their reductions."""


@define(eq=False)
class TransformedSubject:
    """A subject with a transformed tree. Its nodes are positions in that tree; `number` maps them to the run."""

    run: Subject
    """The subject before all transformations."""
    before: "TransformedSubject | None"
    """The subject before the last transformation; None if that is `run`."""
    name: str
    transformed: Transformed
    behaviours: Mapping[int, Behaviour] = field(factory=dict)
    """New behaviours of nodes of `run`, which simplification restated."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the transformations, in the order they were applied."""
        return (*(() if self.before is None else self.before.names), self.name)

    @cached_property
    def tree(self) -> ExecutionTree:
        """The transformed tree; ranges of nodes finer than routines have the kind of an iteration range."""
        tree = self.transformed.tree
        kind = tree.kind.copy()
        made = np.flatnonzero((self.transformed.identity < 0) & (kind == NodeKind.PROJECTION))
        for position in reversed(made.tolist()):
            if int(kind[position + 1]) not in ROUTINE_KINDS:
                kind[position] = NodeKind.ITERATION_RANGE
        return evolve(tree, kind=kind)

    @cached_property
    def _numbers(self) -> Ints:
        """The node of the run for every position, or -1."""
        old, kind = self.transformed.identity, self.transformed.tree.kind
        before = np.arange(len(self.run.tree)) if self.before is None else self.before._numbers
        numbers = np.where(old >= 0, before[old], -1)
        for position in np.flatnonzero((old < 0) & (kind == NodeKind.COLLAPSE)).tolist():
            numbers[position] = before[self.transformed.sources[position][0]]
        return numbers

    @cached_property
    def _positions(self) -> Ints:
        """The position of every node of the run, or -1."""
        positions = np.full(len(self.run.tree), -1, dtype=np.int64)
        of_run = np.flatnonzero(self._numbers >= 0)
        positions[self._numbers[of_run]] = of_run
        return positions

    def number(self, position: int) -> int:
        """The node number of a position in steps and questions."""
        number = int(self._numbers[position])
        return number if number >= 0 else len(self.run.tree) + position

    def position(self, number: int) -> int | None:
        """The position of a node number; None if the transformed tree does not have that node."""
        made = number - len(self.run.tree)
        if made < 0:
            position = int(self._positions[number])
            return position if position >= 0 else None
        return made if made < len(self.tree) and self._numbers[made] < 0 else None

    def parts(self, position: int) -> tuple[int, ...]:
        """The nodes of the run in a range that a transformation made; none for any other position."""
        if self._numbers[position] >= 0 or int(self.tree.kind[position]) not in _RANGES:
            return ()
        old = int(self.transformed.identity[position])
        if old >= 0:
            return () if self.before is None else self.before.parts(old)
        sources = self.transformed.sources[position]
        return sources if self.before is None else tuple(n for s in sources for n in self.before.nodes(s))

    def nodes(self, position: int) -> tuple[int, ...]:
        """The nodes of the run that a position stands for."""
        number = int(self._numbers[position])
        if number >= 0:
            return (number,)
        old = int(self.transformed.identity[position])
        if self.before is None:
            return self.transformed.sources[position]
        sources = (old,) if old >= 0 else self.transformed.sources[position]
        return tuple(node for source in sources for node in self.before.nodes(source))

    def facts(self, number: int) -> NodeFacts:
        """The facts of a node that only the transformed tree has."""
        position = self.position(number)
        if position is None:
            raise BadAnswerError(f"there is no node {number}")
        return evolve(self.tree.facts(position), node=number)

    # As a subject

    @property
    def dependences(self) -> "_MappedDependences | None":
        """See `Subject`."""
        known = self.run.dependences
        return None if known is None else _MappedDependences(known, self)

    @property
    def suspicion(self) -> NDArray[np.float64] | None:
        """See `Subject`: sites are those of the run."""
        return self.run.suspicion

    @property
    def plumbing(self) -> None:
        """See `Subject`: None, because a person who transforms a tree wants to be asked about all of it."""

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        number, parts = int(self._numbers[node]), self.parts(node)
        if number >= 0:
            return self.run.behaviour(number)
        if parts:
            return _range_behaviour(self.run, parts)
        return self._restated(self.nodes(node)[0])

    def _restated(self, node: int) -> Behaviour:
        """The behaviour of a node under the latest transformation that restated it."""
        if node in self.behaviours:
            return self.behaviours[node]
        return self.run.behaviour(node) if self.before is None else self.before._restated(node)

    def behaviour_key(self, node: int) -> str:
        """See `Subject`: ranges are not compared."""
        number = int(self._numbers[node])
        return self.run.behaviour_key(number) if number >= 0 else ""

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`."""
        return tuple(dict.fromkeys(place for number in self.nodes(node) for place in self.run.code(number)))

    def holds(self, rule: str, node: int) -> bool | None:
        """See `Subject`: rules are about single calls."""
        number = int(self._numbers[node])
        return self.run.holds(rule, number) if number >= 0 else None

    def inside(self, _node: int) -> None:
        """See `Subject`: a session zooms in the tree of the run."""

    def sources(self) -> dict[str, str]:
        """See `Subject`."""
        return self.run.sources()


@frozen
class _MappedDependences:
    """The dependences of the run, by positions of a transformed tree."""

    known: Dependences
    subject: TransformedSubject

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`; an origin that was removed is replaced by its nearest remaining ancestor."""
        number = self.subject.number(node)
        trace = self.known.trace(number, mark) if number < len(self.subject.run.tree) else None
        if trace is None:
            return None
        positions = (self.subject.position(influencer) for influencer in trace.influencers)
        origin = nearest(self.subject, trace.origin)
        return Trace(origin, frozenset({origin, *(position for position in positions if position is not None)}))


def nearest(subject: TransformedSubject, node: int) -> int:
    """The position of a node of the run, or of its nearest ancestor that has one."""
    for above in (node, *subject.run.tree.ancestors(node)):
        position = subject.position(above)
        if position is not None:
            return position
    return 0


def _range_behaviour(run: Subject, parts: Sequence[int]) -> Behaviour:
    """The behaviour of a range: the environments before its first node and after its last.

    Arguments are left out, because they belong to the single calls, whose texts show them.
    """
    chosen = parts if len(parts) <= _MOST_DESCRIBED else (parts[0], parts[-1])
    described = [run.behaviour(part) for part in chosen]
    texts = [behaviour.text for behaviour in described]
    is_short = len(chosen) == len(parts)
    text = f"{len(parts)} in a row: {'; '.join(texts)}" if is_short else f"{len(parts)} in a row, {' to '.join(texts)}"
    before = (binding for binding in described[0].before.bindings if binding.role not in _OF_ONE_CALL)
    after = {binding.name: binding for behaviour in described for binding in behaviour.after.bindings}
    places = dict.fromkeys(place for behaviour in described for place in behaviour.projection)
    coarse = "" if is_short else "only the first and the last of these are shown"
    return Behaviour(
        text,
        before=Environment(tuple(before)),
        projection=tuple(places),
        after=Environment(tuple(after.values())),
        raised=described[-1].raised,
        coarse=coarse,
    )


# From names to trees


def transform(
    subject: Subject, before: TransformedSubject | None, name: str, judged: Iterable[int]
) -> TransformedSubject:
    """Transform the tree of a subject, or the result of earlier transformations; raises `BadAnswerError`.

    Nodes that were judged are kept, so that their judgements remain valid.
    """
    tree = subject.tree if before is None else before.tree
    positions = [*judged] if before is None else [p for n in judged if (p := before.position(n)) is not None]
    keep = ~np.isin(tree.kind, _SINGLE)
    keep[np.array(positions, dtype=np.int64)] = True
    if name == SIMPLIFICATION:
        return _simplified(subject, before)
    transformed = _FUNCTIONS[name](tree, keep)
    if len(transformed.tree) == len(tree) and bool((transformed.identity >= 0).all()):
        raise BadAnswerError(_NOTHING_TO_DO[name])
    return TransformedSubject(subject, before, name, transformed)


def _simplified(subject: Subject, before: TransformedSubject | None) -> TransformedSubject:
    """Apply node simplification, which must be the first transformation, to a lazy subject."""
    if not isinstance(subject, LazySubject):
        raise BadAnswerError("simplification is for lazy programs, and this run was evaluated eagerly")
    if before is not None:
        raise BadAnswerError("simplification comes before other transformations; say `transform original` first")
    change = subject.simplification()
    if not change.simplified and not change.places:
        raise BadAnswerError("nothing to simplify: every term in the questions is in its final form")
    transformed = simplify(subject.tree, change.simplified, change.places)
    return TransformedSubject(subject, None, SIMPLIFICATION, transformed, change.behaviours)


def _halve(tree: ExecutionTree, _keep: Bools) -> Transformed:
    return halve(tree, _LONGEST)


_SINGLE = sorted(ROUTINE_KINDS - {NodeKind.PROJECTION})
"""Kinds of nodes that are a single execution of a routine; only these can be recursive."""

_FUNCTIONS: Mapping[str, Callable[[ExecutionTree, Bools], Transformed]] = {
    COMPRESSION: compress,
    BALANCING: balance,
    HALVING: _halve,
}
_NOTHING_TO_DO = {
    COMPRESSION: "nothing to compress: no routine called itself directly here",
    BALANCING: "nothing to balance: no node has more than two children, and no routine called only itself",
    HALVING: "nothing to halve: nowhere are there more than two calls or iterations in a row",
}


# In a session


@define
class View:
    """The search in a transformed tree: repeats the steps of the run there, and chooses the next question."""

    subject: TransformedSubject
    options: Options
    made: list[Answer] = field(factory=list)
    """Answers on nodes that exist only in the transformed tree."""
    state: State = field(init=False)

    def follow(self, run: State) -> None:
        """Rebuild the search from all steps so far."""
        known = {answer for made in self.made for answer in self.follows(made)}
        said = [step for step in run.standing if not (isinstance(step, Answer) and step in known)]
        steps = (self._renumbered_step(step) for step in [*said, *self.made])
        self.state = State(self.subject, self.options, [step for step in steps if step is not None])

    def renumbered(self, subject: TransformedSubject) -> list[Answer]:
        """The answers of `made`, renumbered for the result of one more transformation."""
        size, old = len(subject.run.tree), subject.transformed.identity
        place = {int(old[position]): int(position) for position in np.flatnonzero(old >= 0)} if self.made else {}
        placed = ((answer, place.get(answer.node - size)) for answer in self.made)
        return [evolve(answer, node=size + position) for answer, position in placed if position is not None]

    def _renumbered_step(self, step: Step) -> Step | None:
        """A step with positions of the transformed tree; None if that tree does not have its node."""
        if isinstance(step, Answer):
            position = self.subject.position(step.node)
            return None if position is None else evolve(step, node=position)
        return Restart(nearest(self.subject, step.node)) if isinstance(step, Restart) else step

    def choose(self, run: State, strategy: Strategy) -> int | None:
        """The number of the node to ask about next; None if no node left is askable in the run."""
        space = self.state.space
        while space.any_askable():
            position = strategy.choose(space)
            number = self.subject.number(position)
            if number >= len(run.subject.tree) or run.space.is_askable(number):
                return number
            space.judge(position, Judgement.YES)  # implied by answers on nodes that this tree lacks
        return None

    def follows(self, answer: Answer) -> list[Answer]:
        """The answers on nodes of the run that an answer on a range implies."""
        position = self.subject.position(answer.node)
        if position is None or answer.judgement is not Judgement.YES or answer.source == PARTS:
            return []
        return [Answer(part, Judgement.YES, source=WHOLE) for part in self.subject.parts(position)]
