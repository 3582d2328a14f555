"""Trees like those of real programs: executions of a random call graph with layers, recursion and loops.

Each rule has a fixed body, a list of the rules that it calls in order. A node's fuel is the number of nodes in its
subtree; it is divided among the calls of the body, so that a tree has exactly the requested number of nodes.
"""

from math import exp, log
from random import Random

from attrs import frozen


@frozen
class _Call:
    rule: int
    share: float
    """Share of the caller's fuel, relative to the other calls; 0 for a call of a leaf rule."""
    most: int
    """Maximum number of repetitions: more than 1 for a call in a loop."""


def call_graph_tree(random: Random, size: int) -> tuple[list[int], list[int]]:
    """Returns the parent and the rule of each node, in preorder."""
    count = max(4, round(exp(random.uniform(log(4), log(max(5, size / 2))))))
    inner = max(1, round(count * random.uniform(0.3, 0.7)))
    bodies = [_body(random, rule, inner, count) for rule in range(inner)]
    parents: list[int] = []
    rules: list[int] = []
    pending = [(0, size, -1)]
    while pending:
        rule, fuel, parent = pending.pop()
        node = len(parents)
        parents.append(parent)
        rules.append(rule)
        if fuel > 1:
            calls = _shared_out(random, rule, bodies[rule], fuel - 1)
            pending.extend((callee, part, node) for callee, part in reversed(calls))
    return parents, rules


def _body(random: Random, rule: int, inner: int, count: int) -> list[_Call]:
    """Calls of leaf rules, of rules in lower layers, and sometimes of the rule itself or one above it."""
    calls = []
    for _ in range(random.randint(2, 5)):
        loop = random.randint(2, 9) if random.random() < 0.25 else 1
        chance = random.random()
        if chance < 0.35 or (rule == inner - 1 and chance < 0.8):
            calls.append(_Call(random.randrange(inner, count), 0, loop))
        elif chance < 0.8:
            reach = min(inner, rule + 7)  # layers: a rule calls helpers close to it
            calls.append(_Call(random.randrange(rule + 1, reach), random.uniform(0.2, 2), loop))
        elif chance < 0.93:
            calls.append(_Call(rule, random.choice([0.5, 1, 4]), 1))
        else:
            calls.append(_Call(random.randrange(rule + 1), random.uniform(0.1, 1), 1))
    return calls


def _shared_out(random: Random, rule: int, body: list[_Call], fuel: int) -> list[tuple[int, int]]:
    """The calls of one execution of the body, each with its fuel."""
    calls = [call for call in body for _ in range(random.randint(1, call.most))]
    calls = calls if len(calls) <= fuel else calls[:fuel]
    heavy = [place for place, call in enumerate(calls) if call.share]
    parts = [1] * len(calls)
    rest = fuel - len(calls)
    if not heavy:
        again = [(rule, rest)] if rest else []  # a body of leaf calls uses up its fuel by recursion
        return [(call.rule, 1) for call in calls] + again
    weights = [calls[place].share * random.uniform(0.5, 1.5) for place in heavy]
    total = sum(weights)
    for place, weight in zip(heavy, weights, strict=True):
        parts[place] += int(rest * weight / total)
    parts[random.choice(heavy)] += fuel - sum(parts)
    return [(call.rule, part) for call, part in zip(calls, parts, strict=True)]
