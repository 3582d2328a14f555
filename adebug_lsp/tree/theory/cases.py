"""Small trees before and after each transformation, with every state and code that the paper's Appendix A allows.

A case is a function that makes choices: the shape of a tree, the code of its nodes, which of them are wrong. `every`
runs it for all combinations of choices, `some` for random ones with a fixed seed. The trees are transformed by the real
transformations; only the states and the code of new nodes are added here.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Protocol, TypeVar

from attrs import frozen

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.theory.properties import Code, Labelled, Pair
from adebug_lsp.tree.transform.balancing import collapse_and_project
from adebug_lsp.tree.transform.compression import compress
from adebug_lsp.tree.transform.draft import Transformed
from adebug_lsp.tree.transform.halving import halve
from adebug_lsp.tree.transform.loops import Iteration, Loop, expand_loops
from adebug_lsp.tree.transform.simplification import Simplified, simplify

T = TypeVar("T")
Parents = tuple[int, ...]

EVENTS = 10
"""Events between consecutive starts and ends of computations, which leaves room for a loop."""

NAMES = "abcdefghijklmnop"


class Choose(Protocol):
    """Picks one of several options."""

    def __call__(self, options: Sequence[T], /) -> T:
        """Return one of the options; there must be at least one."""


Case = Callable[[Choose, int], Pair | None]
"""Returns a pair made from a tree with this number of nodes, or None if the choices do not give one."""


def every(case: Case, nodes: int) -> Iterator[Pair]:
    """The pairs for all combinations of choices."""
    script: list[tuple[int, int]] = []  # per choice: index of the option, number of options
    while True:
        pair = case(_Replay(script), nodes)
        if pair is not None:
            yield pair
        while script and script[-1][0] + 1 == script[-1][1]:
            script.pop()
        if not script:
            return
        script[-1] = (script[-1][0] + 1, script[-1][1])


def some(case: Case, sizes: Sequence[int], rounds: int, seed: int) -> Iterator[Pair]:
    """The pairs for `rounds` random combinations of choices."""
    generator = random.Random(seed)  # noqa: S311 (nothing secret: the same pairs each time)

    def choose(options: Sequence[T], /) -> T:
        return options[int(generator.random() * len(options))]

    for _ in range(rounds):
        pair = case(choose, choose(sizes))
        if pair is not None:
            yield pair


class _Replay:
    """Replays a script of choices; past its end, chooses the first option and appends it to the script."""

    def __init__(self, script: list[tuple[int, int]]) -> None:
        self._script = script
        self._at = 0

    def __call__(self, options: Sequence[T], /) -> T:
        if self._at == len(self._script):
            self._script.append((0, len(options)))
        self._at += 1
        return options[self._script[self._at - 1][0]]


# The cases


def loop_expansion(choose: Choose, nodes: int) -> Pair | None:
    """A node becomes several: the topmost keeps the state of the old one, the others have any state.

    Each has a part of the old code and code that was inserted. In larger trees two nodes may have loops.
    """
    parents = choose(shapes(nodes))
    looping = choose(range(nodes))
    plans = {looping: choose(_loop_plans(parents, looping))}
    if nodes > 3 and (other := choose(range(nodes))) != looping:
        plans[other] = choose(_loop_plans(parents, other))
    change = _loops_expanded(parents, tuple(sorted(plans.items())))
    own = [{f"{name}1", f"{name}2"} if node in plans else {name} for node, name in enumerate(NAMES[:nodes])]
    before = Labelled(parents, _codes(parents, own), _states(choose, nodes))

    def made(new: int) -> Code:
        (old,) = change.sources[new]
        inserted = f"{NAMES[old]}+"
        if change.is_topmost(new):
            return before.code[old] - {f"{NAMES[old]}2"} | {inserted}
        kept = [before.code[change.identity[n]] for n in change.below(new) if n in change.identity]
        return frozenset({f"{NAMES[old]}2", inserted}).union(*kept)

    def states(new: int, _wrong: set[int]) -> Sequence[bool]:
        (old,) = change.sources[new]
        return (old in before.wrong,) if change.is_topmost(new) else (False, True)

    return _pair(choose, before, change, made, states, inserted=frozenset(f"{NAMES[node]}+" for node in plans))


def node_simplification(choose: Choose, nodes: int) -> Pair | None:
    """A node gains or loses the code of another; its parent and state are arbitrary, with one restriction.

    If the old node was wrong and the new one is correct, the fault is in the code that was gained or lost, so a node
    with this code must be wrong.
    """
    parents = choose(shapes(nodes))
    before = Labelled(parents, _codes(parents, [{name} for name in NAMES[:nodes]]), _states(choose, nodes))
    others: dict[int, int] = {}
    for node in range(1, nodes):
        other = choose([None, *(n for n in range(1, nodes) if n != node and not before.code[node] < before.code[n])])
        if other is not None:
            others[node] = other
    places = tuple(choose([above for above in range(nodes) if above != node]) for node in range(1, nodes))
    change = _simplified(parents, tuple(others.items()), places)
    if change is None or not others:
        return None

    def made(new: int) -> Code:
        old = change.main[new]
        code, other = before.code[old], before.code[others[old]]
        return code - other if other <= code else code | other

    pair = _pair(choose, before, change, made, lambda _new, _wrong: (False, True))
    return pair if all(_explained(pair, new, change.main[new]) for new in change.sources) else None


def _explained(pair: Pair, new: int, old: int) -> bool:
    if old not in pair.before.wrong or new in pair.after.wrong:
        return True
    difference = pair.before.code[old] ^ pair.after.code[new]
    return any(difference <= pair.after.code[node] for node in pair.after.wrong)


def tree_balancing(choose: Choose, nodes: int) -> Pair | None:
    """A chain is collapsed, or a run of siblings projected, or both; new nodes have the code of all their sources.

    The nodes of a chain have the same code. A new node can be wrong if one of its sources is; otherwise it is correct.
    """
    parents = choose(shapes(nodes))
    chain = choose([(), *_chains(parents)])
    run = choose([(), *(run for run in _runs(parents) if not {*run} & {*chain})])
    if not chain and not run:
        return None
    change = _balanced(parents, chain, run)
    names = [NAMES[chain[0] if node in chain else node] for node in range(nodes)]
    before = Labelled(parents, _codes(parents, [{name} for name in names]), _states(choose, nodes))

    def states(new: int, _wrong: set[int]) -> Sequence[bool]:
        return (False, True) if change.sources[new] & before.wrong else (False,)

    return _pair(choose, before, change, _united(before, change), states)


def tree_compression(choose: Choose, nodes: int) -> Pair | None:
    """Nodes of a few rules with two branches each; the second may have been executed."""
    parents = choose(shapes(nodes))
    rules: list[int] = []
    for _ in range(nodes):
        rules.append(choose(range(max(rules, default=-1) + 2)))
    change = _compressed(parents, tuple(rules))
    if len(change.parents) == nodes:
        return None
    own = [choose(({f"{NAMES[rule]}1"}, {f"{NAMES[rule]}1", f"{NAMES[rule]}2"})) for rule in rules]
    before = Labelled(parents, _codes(parents, own), _states(choose, nodes))
    return _pair(choose, before, change, lambda _new: frozenset(), lambda _new, _wrong: (False,))


def halving(choose: Choose, nodes: int) -> Pair | None:
    """Loops with at least three iterations, which may have executed the second branch.

    A range has no code of its own: with no wrong half it is correct, with one it is wrong, and with two it can be
    either, because one half can undo the effect of the other.
    """
    parents = choose(_with_long_loop(nodes))
    change = _halved(parents)
    own: list[set[str]] = []
    for node, above in enumerate(parents):
        is_iteration = _depth(parents, node) % 2 == 1
        first = {f"{NAMES[above]}1" if is_iteration else NAMES[node]}
        own.append(choose((first, first | {f"{NAMES[above]}2"})) if is_iteration else first)
    before = Labelled(parents, _codes(parents, own), _states(choose, nodes))

    def states(new: int, wrong: set[int]) -> Sequence[bool]:
        parts = sum(change.parents[node] == new for node in wrong)
        return ((False,), (True,), (False, True))[parts]

    return _pair(choose, before, change, _united(before, change), states)


# Their parts


@frozen
class _Change:
    """How a transformation changed the shape of a tree."""

    parents: Parents
    identity: dict[int, int]
    sources: dict[int, frozenset[int]]
    main: dict[int, int]
    """The first source of each new node."""

    def is_topmost(self, new: int) -> bool:
        """Whether no ancestor of a new node was made from the same nodes."""
        above = self.parents[new]
        return above < 0 or self.sources.get(above) != self.sources[new]

    def below(self, node: int) -> Iterator[int]:
        """All nodes below a node."""
        inside = {node}
        for other in range(node + 1, len(self.parents)):
            if self.parents[other] in inside:
                inside.add(other)
                yield other


def _pair(
    choose: Choose,
    before: Labelled,
    change: _Change,
    made: Callable[[int], Code],
    states: Callable[[int, set[int]], Sequence[bool]],
    *,
    inserted: Code = frozenset(),
) -> Pair:
    """A pair whose new nodes have the code that `made` returns and one of the states that `states` allows.

    `states` receives the wrong nodes below a new node.
    """
    count = len(change.parents)
    identity = change.identity
    code = tuple(before.code[identity[n]] if n in identity else made(n) for n in range(count))
    wrong: set[int] = set()
    for new in reversed(range(count)):
        if identity[new] in before.wrong if new in identity else choose(states(new, wrong)):
            wrong.add(new)
    return Pair(before, Labelled(change.parents, code, frozenset(wrong), inserted), identity, change.sources)


def _united(before: Labelled, change: _Change) -> Callable[[int], Code]:
    return lambda new: frozenset().union(*(before.code[old] for old in change.sources[new]))


def _states(choose: Choose, nodes: int) -> frozenset[int]:
    """Choose which nodes are wrong."""
    return frozenset(node for node in range(nodes) if choose((False, True)))


def _codes(parents: Parents, own: Sequence[set[str]]) -> tuple[Code, ...]:
    """The code of every node: its own, and the code executed below it (Def. 4.15)."""
    codes = [set(code) for code in own]
    for node in range(len(parents) - 1, 0, -1):
        codes[parents[node]] |= codes[node]
    return tuple(map(frozenset, codes))


@cache
def shapes(nodes: int) -> list[Parents]:
    """All ordered trees with this number of nodes, as lists of parents in preorder."""
    if nodes == 1:
        return [(-1,)]
    trees = []
    for smaller in shapes(nodes - 1):
        above = nodes - 2
        while above >= 0:
            trees.append((*smaller, above))
            above = smaller[above]
    return trees


def small_tree(parents: Parents, rules: Sequence[int], kinds: Sequence[NodeKind]) -> ExecutionTree:
    """An execution tree whose computations are nested in time."""
    builder = TreeBuilder()
    inside: list[int] = []
    clock = 0
    for node, above in enumerate((*parents, -1)):
        while inside and inside[-1] != above:
            builder.leave(last=clock)
            inside.pop()
            clock += EVENTS
        if node < len(parents):
            builder.enter(builder.site(Site(NAMES[rules[node]])), kind=kinds[node], first=clock)
            inside.append(node)
            clock += EVENTS
    return builder.finish()[0]


def _routines(parents: Parents) -> ExecutionTree:
    return small_tree(parents, range(len(parents)), [NodeKind.ROUTINE] * len(parents))


def _change(done: Transformed) -> _Change:
    sources = {new: done.sources[new] for new in done.sources}
    return _Change(
        tuple(done.tree.parent.tolist()),
        {new: old for new, old in enumerate(done.identity.tolist()) if old >= 0},
        {new: frozenset(old) for new, old in sources.items()},
        {new: old[0] for new, old in sources.items()},
    )


@cache
def _compressed(parents: Parents, rules: tuple[int, ...]) -> _Change:
    return _change(compress(small_tree(parents, rules, [NodeKind.ROUTINE] * len(parents))))


@cache
def _halved(parents: Parents) -> _Change:
    kinds = [NodeKind.ITERATION if _depth(parents, node) % 2 else NodeKind.LOOP for node in range(len(parents))]
    return _change(halve(small_tree(parents, range(len(parents)), kinds)))


@cache
def _with_long_loop(nodes: int) -> list[Parents]:
    """The shapes that halving changes, in which every second level consists of loops."""
    return [parents for parents in shapes(nodes) if _halved(parents).sources]


def _depth(parents: Parents, node: int) -> int:
    depth = 0
    while parents[node] >= 0:
        node = parents[node]
        depth += 1
    return depth


@cache
def _balanced(parents: Parents, chain: tuple[int, ...], run: tuple[int, ...]) -> _Change:
    done = collapse_and_project(_routines(parents), [chain] if chain else [], [run] if run else [])
    return _change(done)


@cache
def _chains(parents: Parents) -> list[tuple[int, ...]]:
    """All chains of at least two nodes below the root, where each node but the last has a single child."""
    chains = []
    for start in range(1, len(parents)):
        stop = start + 1
        while stop < len(parents) and parents[stop] == stop - 1 and parents.count(stop - 1) == 1:
            stop += 1
            chains.append(tuple(range(start, stop)))
    return chains


@cache
def _runs(parents: Parents) -> list[tuple[int, ...]]:
    """All runs of at least two adjacent siblings that leave out other siblings."""
    runs = []
    for above in range(len(parents)):
        siblings = [node for node, parent in enumerate(parents) if parent == above]
        for length in range(2, len(siblings)):
            runs += [tuple(siblings[i : i + length]) for i in range(len(siblings) - length + 1)]
    return runs


@cache
def _simplified(parents: Parents, others: tuple[tuple[int, int], ...], places: tuple[int, ...]) -> _Change | None:
    simplified = {node: Simplified(0, 0, (node, other)) for node, other in others}
    try:
        return _change(simplify(_routines(parents), simplified, dict(enumerate(places, 1))))
    except BadInputError:  # a cycle
        return None


@cache
def _loops_expanded(parents: Parents, plans: tuple[tuple[int, tuple[Loop, ...]], ...]) -> _Change:
    return _change(expand_loops(_routines(parents), dict(plans)))


@cache
def _loop_plans(parents: Parents, node: int) -> list[tuple[Loop, ...]]:
    """The possible loops of a node: one with one or two iterations, two nested ones, or none."""
    tree = _routines(parents)
    first, last = int(tree.first[node]), int(tree.last[node])
    starts = [int(tree.first[child]) for child in tree.children(node)]
    site = int(tree.site[node])

    def loop(*borders: int, inner: tuple[Loop, ...] = ()) -> Loop:
        iterations = tuple(Iteration(start, stop, inner) for start, stop in pairwise(borders))
        return Loop(site, borders[0], borders[-1], iterations)

    plans: list[tuple[Loop, ...]] = [(loop(first + 1, last - 1),), (loop(first + 1, first + 2),)]
    plans += [(loop(first + 1, start, last - 1),) for start in starts[1:]]
    plans += [(loop(first + 1, last - 1, inner=(loop(first + 2, last - 2),)),), ()]
    return plans
