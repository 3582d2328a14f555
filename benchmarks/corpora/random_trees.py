"""Random execution trees: many shapes, many ways in which nodes share rules, and bugs made by a stated model.

Two models make the wrong nodes. *rule*: one rule is buggy; each of its executions goes wrong with probability q, and
a node above a wrong one is wrong with probability 1 - m, but always on the path from one chosen buggy execution to the
root. So every buggy node executes the buggy rule. *node*: any node may be the buggy one, and only the path from it to
the root is wrong. A case depends on the seed and its number alone, so that a longer corpus begins with a shorter one.
"""

from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from random import Random

from adebug_lsp.model.source import Site
from benchmarks.corpora.call_graphs import call_graph_tree
from benchmarks.corpora.case import Case, tree_of

Shape = Callable[[Random, int], list[int]]
"""Gives for every node its parent, which has a smaller number (-1 for node 0)."""

CALL_GRAPH = "call-graph"


def random_cases(seed: int, count: int, nodes: tuple[int, int]) -> Iterator[Case]:
    """Cases whose trees have between `nodes[0]` and `nodes[1]` nodes, each size of tree about equally often."""
    for number in range(count):
        yield _case(number, Random(f"{seed}/{number}/{nodes}"), nodes)


def _case(number: int, random: Random, nodes: tuple[int, int]) -> Case:
    size = random.randint(*nodes)
    kind = random.choice([*SHAPES, CALL_GRAPH, CALL_GRAPH])
    if kind == CALL_GRAPH:
        sharing = "calls"
        parents, rules = call_graph_tree(random, size)
    else:
        sharing = random.choice(list(SHARINGS))
        parents = preorder(SHAPES[kind](random, size))
        rules = SHARINGS[sharing](random, parents)
    model = "rule" if random.random() < 2 / 3 else "node"
    if model == "rule":
        wrong = wrong_by_rule(random, parents, rules)
    else:
        wrong = frozenset(_path(parents, random.randrange(size)))
    sites = [Site(f"r{rule}", f"r{rule}") for rule in range(max(rules) + 1)]
    tree = tree_of(parents, rules, _costs(random, parents, rules), sites)
    return Case(f"{kind}/{sharing}/{model}/{number}", tree, wrong)


# Shapes


def _uniform(random: Random, size: int) -> list[int]:
    """A random recursive tree: every earlier node is as likely to be the parent."""
    return [-1, *(int(random.random() * node) for node in range(1, size))]


def _preferential(random: Random, size: int) -> list[int]:
    """Nodes with many children get more of them."""
    parents, ends = [-1], [0]
    for node in range(1, size):
        parent = ends[int(random.random() * len(ends))]
        parents.append(parent)
        ends += (parent, node)
    return parents


def _chain(random: Random, size: int) -> list[int]:
    """A long path, as of a recursion over a list, with small branches beside it."""
    spine = max(1, round(size * random.uniform(0.3, 1)))
    parents = list(range(-1, spine - 1))
    while len(parents) < size:
        node = len(parents)
        deeper = node > spine and random.random() < 0.5
        parents.append(node - 1 if deeper else int(random.random() * spine))
    return parents


def _star(random: Random, size: int) -> list[int]:
    """A few hubs, as of loops, with all other nodes directly below them."""
    hubs = random.randint(1, max(1, min(6, size // 8)))
    parents = [-1, *(int(random.random() * node) for node in range(1, min(hubs, size)))]
    return parents + [int(random.random() * hubs) for _ in range(size - len(parents))]


def _binary(_random: Random, size: int) -> list[int]:
    """Every node calls itself twice on half of its input."""
    return [(node - 1) // 2 for node in range(size)]


def _deep(random: Random, size: int) -> list[int]:
    """Each node goes below one of the few that came just before it: deep, and bushy at every depth."""
    reach = random.randint(2, 12)
    return [-1, *(node - 1 - int(random.random() * min(reach, node)) for node in range(1, size))]


SHAPES: dict[str, Shape] = {
    "uniform": _uniform,
    "preferential": _preferential,
    "chain": _chain,
    "star": _star,
    "binary": _binary,
    "deep": _deep,
}


def preorder(parents: Sequence[int]) -> list[int]:
    """The same tree with its nodes numbered in preorder; siblings keep their order."""
    count = len(parents)
    sizes, places, free = [1] * count, [0] * count, [1] * count
    for node in range(count - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    ordered = [-1] * count
    for node in range(1, count):
        parent = parents[node]
        place = free[parent]
        places[node], free[parent], free[node] = place, place + sizes[node], place + 1
        ordered[place] = places[parent]
    return ordered


# Which nodes share a rule


def _rule_count(random: Random, size: int) -> int:
    """From few rules to nearly one for each node, every order of magnitude as likely."""
    return max(1, round(exp(random.uniform(log(2), log(max(2, size))))))


def _evenly(random: Random, parents: list[int]) -> list[int]:
    count = _rule_count(random, len(parents))
    return [0, *(int(random.random() * count) for _ in parents[1:])]


def _unevenly(random: Random, parents: list[int]) -> list[int]:
    """A few rules are executed most of the time (Zipf's law); the root has its own."""
    count = _rule_count(random, len(parents))
    weights = [1 / rank for rank in range(1, count + 1)]
    return [0, *(1 + rule for rule in random.choices(range(count), weights, k=len(parents) - 1))]


def _by_depth(random: Random, parents: list[int]) -> list[int]:
    """Layers of helpers: how deep a node lies decides which few rules it can execute."""
    width = random.randint(1, 4)
    layers = random.randint(2, 12)
    depths = [0] * len(parents)
    for node in range(1, len(parents)):
        depths[node] = min(layers, depths[parents[node]] + 1)
    return [depth * width + int(random.random() * width) if depth else 0 for depth in depths]


def _by_caller(random: Random, parents: list[int]) -> list[int]:
    """Each rule calls a fixed small set of rules, itself perhaps among them."""
    count = _rule_count(random, len(parents))
    callees = [random.choices(range(count), k=random.randint(1, 4)) for _ in range(count)]
    rules = [0] * len(parents)
    for node in range(1, len(parents)):
        choices = callees[rules[parents[node]]]
        rules[node] = choices[int(random.random() * len(choices))]
    return rules


def _apart(_random: Random, parents: list[int]) -> list[int]:
    """No rule is executed twice."""
    return list(range(len(parents)))


SHARINGS: dict[str, Callable[[Random, list[int]], list[int]]] = {
    "evenly": _evenly,
    "unevenly": _unevenly,
    "by-depth": _by_depth,
    "by-caller": _by_caller,
    "apart": _apart,
}


# What a question costs


def _costs(random: Random, parents: list[int], rules: list[int]) -> list[int]:
    """Log-normal around a length typical of the rule, and larger for larger computations."""
    typical = [random.gauss(log(35), 0.6) for _ in range(max(rules) + 1)]
    growth, spread = random.uniform(0, 0.35), random.uniform(0.1, 0.7)
    sizes = [1] * len(parents)
    for node in range(len(parents) - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    gauss = random.gauss
    return [
        4 + int(exp(typical[rule] + gauss(0, spread)) * size**growth) for rule, size in zip(rules, sizes, strict=True)
    ]


# Bugs


def wrong_by_rule(random: Random, parents: list[int], rules: list[int]) -> frozenset[int]:
    """The wrong nodes when one rule is buggy: each rule that was executed is as likely to be."""
    buggy = random.choice(sorted(set(rules)))
    fails, masked = random.uniform(0.2, 1), random.uniform(0, 0.3)
    chosen = random.choice([node for node, rule in enumerate(rules) if rule == buggy])
    certain = set(_path(parents, chosen))
    wrong = set()
    below = [False] * (len(parents) + 1)  # the last is the root's parent
    for node in range(len(parents) - 1, -1, -1):
        if (
            node in certain
            or (rules[node] == buggy and random.random() < fails)
            or (below[node] and random.random() >= masked)
        ):
            wrong.add(node)
            below[parents[node]] = True
    return frozenset(wrong)


def _path(parents: list[int], node: int) -> Iterator[int]:
    while node >= 0:
        yield node
        node = parents[node]
