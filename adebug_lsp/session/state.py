"""The state of one level after a list of steps: search space, strategy, trust, answers and contradictions.

The same subject and the same steps always give the same state. `Revoke` and `Reject`, which withdraw answers, rebuild
the state from the remaining steps.
"""

from collections.abc import Iterable

import numpy as np
from attrs import frozen

from adebug_lsp.model.answers import (
    DECIDED,
    PARTS,
    REST,
    SAME,
    WHOLE,
    AddRule,
    Answer,
    AskSkipped,
    Confine,
    Elsewhere,
    Judgement,
    Reject,
    Restart,
    Revoke,
    Scope,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
    Untrust,
    Zoom,
)
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.kinds import LOOP_KINDS, Granularity
from adebug_lsp.model.transformations import LOOP_EXPANSION
from adebug_lsp.search.belief import doubt
from adebug_lsp.search.space import Space
from adebug_lsp.session.subject import Subject


@frozen
class Options:
    """The settings that a session starts with."""

    strategy: str
    granularity: Granularity = Granularity.EXPRESSION
    root_is_wrong: bool = True
    """Whether the run is assumed to be wrong, so that its root is not asked about."""
    root_failed: bool = False
    """Whether the run visibly failed. Otherwise an oracle may find that it was right after all."""
    stop_at_rule: bool = False
    """Stop when all candidates execute the same rule (Example 19), without finding out which of them is buggy."""


@frozen
class Contradiction:
    """The description of two answers that cannot both be true, and a node to show for it."""

    text: str
    node: int


class State:
    """The state of one level after the steps so far."""

    def __init__(self, subject: Subject, options: Options, steps: Iterable[Step] = ()) -> None:
        self.subject = subject
        self.options = options
        self.standing: list[Step] = []
        """The steps that were not withdrawn."""
        self.reopened: dict[int, Answer] = {}
        """Answers to give again after a rejected verdict, the most doubtful first; the old one is the default."""
        self.revoked: set[int] = set()
        """Nodes on which only a person answers from now on."""
        self._keys: dict[int, str] = {}
        self._identities: dict[int, str] = {}
        self._reset()
        for step in steps:
            self.apply(step)
        self.refocus()

    def is_same(self, node: int, other: int, level: "State | None" = None) -> bool:
        """Whether two different nodes have the same behaviour; `other` may belong to another level."""
        of = level or self
        if (of is self and node == other) or not self._same_routine(of, node, other):
            return False
        return bool(self._key(node)) and self._key(node) == of._key(other)

    def is_excluded(self, node: int) -> bool:
        """Whether an oracle found that the code of a node cannot hold the bug."""
        return self.confined is not None and self.subject.tree.site_of(node).routine not in self.confined

    def is_identical(self, identity: str, routine: str) -> bool:
        """Whether a person answered a question on this level that looks the same, even with other objects."""
        sites = self.subject.tree
        asked = (n for n, a in self.answers.items() if a.source.is_person and sites.site_of(n).routine == routine)
        return bool(identity) and any(self._identity(node) == identity for node in asked)

    def _same_routine(self, level: "State", node: int, other: int) -> bool:
        return self.subject.tree.site_of(node).routine == level.subject.tree.site_of(other).routine

    def _key(self, node: int) -> str:
        if node not in self._keys:
            self._keys[node] = self.subject.behaviour_key(node)
        return self._keys[node]

    def _identity(self, node: int) -> str:
        if node not in self._identities:
            self._identities[node] = self.subject.behaviour(node).identity
        return self._identities[node]

    def _reset(self) -> None:
        """Return to the state before the first step."""
        self.space = Space(
            self.subject.tree,
            root_is_wrong=self.options.root_is_wrong,
            dependences=self.subject.dependences,
            suspicion=self.subject.suspicion,
            plumbing=self.subject.plumbing,
        )
        if self.options.root_is_wrong and self.options.root_failed:
            self.space.follow_failure()
        self.strategy = self.options.strategy
        self.granularity = self.options.granularity
        self.asks_loops = False
        """Whether loops and iterations are asked about at every granularity (loop expansion)."""
        self.trusted: set[tuple[Scope, str]] = set()
        self.confined: frozenset[str] | None = None
        """The routines that can hold the bug; None if all can."""
        self.elsewhere: tuple[Elsewhere, ...] = ()
        """Code outside the tree that can hold it."""
        self.rules: list[AddRule] = []
        self.answers: dict[int, Answer] = {}
        self.contradictions: list[Contradiction] = []
        self._mute_kinds()

    def apply(self, step: Step) -> None:
        """Apply one step; `Reject` and `Zoom` concern several levels and are applied by `Levels`."""
        if isinstance(step, Revoke):
            nodes = {step.node, self._origin(step.node)}
            self.revoked |= nodes
            self._withdraw(nodes)
        else:
            self.standing.append(step)
            self._take(step)

    def _take(self, step: Step) -> None:
        self._carry_out(step)
        if not (isinstance(step, Answer) and step.source == WHOLE):  # `Levels` refocuses once after many of these
            self.refocus()

    def refocus(self) -> None:
        """Move the search to an area where something can be asked; see `Space.refocus`."""
        while not self.space.any_askable() and self.space.refocus():
            pass

    def _carry_out(self, step: Step) -> None:
        """Apply the effect of a step."""
        match step:
            case Answer():
                self._answer(step)
            case Trust():
                self.trusted.add((step.scope, step.name))
                self._mute()
            case Untrust():
                self.trusted.discard((step.scope, step.name))
                self._mute()
            case Confine():
                self.confined, self.elsewhere = frozenset(step.routines), step.elsewhere
                self._mute()
            case AddRule():
                self.rules.append(step)
            case SwitchStrategy():
                self.strategy = step.strategy
            case SwitchGranularity():
                self.granularity = Granularity(step.granularity)
                self._mute_kinds()
            case Transform():
                self.asks_loops = step.name == LOOP_EXPANSION
                self._mute_kinds()
            case Restart():
                self.space.restart(step.node)
            case AskSkipped():
                self.space.reopen_skipped()
            case Reject() | Revoke() | Zoom():
                raise AssertionError("these are never left standing")

    def _answer(self, answer: Answer) -> None:
        """Apply an answer, and note its contradictions with earlier ones."""
        self.contradictions.extend(contradictions(self, answer))
        self.reopened.pop(answer.node, None)
        top = self.space.top
        trace = self.space.judge(answer.node, answer.judgement, answer.mark)
        self.answers[answer.node] = answer
        moved = trace is not None and top is not None and self.space.top != top
        if moved and top in self.answers and answer.judgement is not Judgement.NO:  # otherwise nobody judged the top
            text = (
                f"{self._text(top)} was judged wrong, so its arguments counted as right; but the value marked in "
                f"{self._text(answer.node)} came from outside of it"
            )
            self.contradictions.append(Contradiction(text, answer.node))

    def _mute_kinds(self) -> None:
        self.space.mute_kinds(self.granularity.kinds | (LOOP_KINDS if self.asks_loops else frozenset()))

    def _mute(self) -> None:
        sites = self.subject.tree.sites
        names = [{(Scope.ROUTINE, site.routine), (Scope.MODULE, site.module)} for site in sites]
        muted = np.array([not self.trusted.isdisjoint(of_site) for of_site in names], dtype=np.bool_)
        if self.confined is not None:
            muted |= np.array([site.routine not in self.confined for site in sites], dtype=np.bool_)
        self.space.mute_sites(muted)

    def _withdraw(self, nodes: set[int]) -> None:
        """Rebuild the state without the answers on these nodes, and without inferred ones, which are inferred again."""
        kept = [
            step
            for step in self.standing
            if not isinstance(step, Answer) or not (step.node in nodes or step.source in (SAME, PARTS, REST, DECIDED))
        ]
        self.standing = kept
        self._reset()
        for step in kept:
            self._take(step)
        self.refocus()

    def reopen_verdict(self, node: int) -> bool:
        """Reopen the answers that a verdict on this node rests on; returns False if all were reopened before."""
        rests_on = self._supporting_nodes(node)
        if all(n in self.revoked for n in rests_on):
            return False
        self._reopen(rests_on)
        return True

    def reopen_all(self) -> None:
        """Reopen every answer."""
        self._reopen(list(self.answers))

    def _reopen(self, nodes: list[int]) -> None:
        reopened = {n: self.answers[n] for n in sorted(nodes, key=self._trustworthiness)}
        self.revoked |= set(nodes)
        self._withdraw(set(nodes))
        self.reopened = reopened

    def _supporting_nodes(self, node: int) -> list[int]:
        """The nodes whose answers prove that a node is buggy: itself, and the outermost judged nodes below it.

        A judgement below it may have been inferred from the answer on an equal behaviour elsewhere.
        """
        tree = self.subject.tree
        judged, end = [node], node
        sums = {n for n, answer in self.answers.items() if answer.source == PARTS}
        for below in sorted(n for n in self.space.judged if tree.contains(node, n) and n != node and n not in sums):
            if below >= end:
                judged.append(below)
                end = tree.end(below)
        equal = {int(tree.behaviour[n]): n for n in self.answers if tree.behaviour[n] != 0}
        answered = [n if n in self.answers else equal.get(int(tree.behaviour[n])) for n in judged]
        return list(dict.fromkeys(self._origin(n) for n in answered if n is not None))

    def _origin(self, node: int) -> int:
        """The node with the person's answer that the answer on a node was inferred from, or the node itself."""
        if node not in self.answers or self.answers[node].source != SAME:
            return node
        asked = (n for n, answer in self.answers.items() if answer.source.is_person and self.is_same(node, n))
        return next(asked, node)

    def _trustworthiness(self, node: int) -> tuple[bool, float, int]:
        """Sort key, least trustworthy first: persons err more than oracles, then by likelihood of a wrong answer."""
        answer = self.answers[node]
        return not answer.source.is_person, -doubt(self.space, node, answer.judgement), node

    def _text(self, node: int) -> str:
        return self.subject.behaviour(node).text


def contradictions(state: State, answer: Answer) -> Iterable[Contradiction]:
    """The contradictions between an answer and earlier ones. Describes nodes only if needed, because that is slow."""
    space, node, subject = state.space, answer.node, state.subject
    before = space.judged.get(node)
    if before not in (None, Judgement.UNKNOWN, answer.judgement) and answer.judgement is not Judgement.UNKNOWN:
        was, now = before.value, answer.judgement.value
        yield Contradiction(f"{subject.behaviour(node).text} was answered {was} before and is now answered {now}", node)
    site = space.tree.site_of(node)
    if answer.judgement is Judgement.NO:
        for scope, name in ((Scope.ROUTINE, site.routine), (Scope.MODULE, site.module)):
            if (scope, name) in state.trusted:
                text = f"{subject.behaviour(node).text} is answered no, but the {scope.value} {name} is trusted"
                yield Contradiction(text, node)
    if answer.expected is not None:
        yield from _against_expected(state, answer, subject.behaviour(node))


def _against_expected(state: State, answer: Answer, behaviour: Behaviour) -> Iterable[Contradiction]:
    """Contradictions with expected values of equal calls."""
    if behaviour.result is not None and answer.expected == behaviour.result.text:
        text = f"{behaviour.text} is answered no, but {answer.expected} is what it returned"
        yield Contradiction(text, answer.node)
    for other, earlier in state.answers.items():
        if earlier.expected is None or earlier.expected == answer.expected:
            continue
        identity = behaviour.identity
        if other == answer.node or (identity and state.subject.behaviour(other).identity == identity):
            text = f"{behaviour.text} should give {answer.expected}, but {earlier.expected} was expected before"
            yield Contradiction(text, other)
