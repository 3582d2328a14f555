"""Which code inside a call is more likely wrong than other code, before anything was answered.

A statement around others, or around an expression, is wrong by itself only where something is missing from it. A call
of recorded code was judged before anything inside its caller is asked: it gave what it should from what it was given.
Both are rarer than a wrong condition or sum.
"""

from collections.abc import Iterable

from adebug_lsp.languages.python.reading.static import Module

NEUTRAL, RARE = 0.5, 0.0
"""Suspicions: of code of which nothing is known, and of code that is rarely what is wrong."""
_PLAIN = frozenset({"Name", "Constant", "Attribute"})


def suspicions(module: Module, nodes: Iterable[int], around: frozenset[int], called: frozenset[str]) -> list[float]:
    """The suspicion of each of these nodes: some are around others, and the code called these routines."""
    return [RARE if node in around or _is_call(module, node, called) else NEUTRAL for node in nodes]


def _is_call(module: Module, node: int, called: frozenset[str]) -> bool:
    """Whether all that a node does is to call one of these routines with what variables hold."""
    children = module.children(node)
    if node < 0 or module.nodes[node].kind != "Call" or not children:
        return False
    plain = all(module.nodes[child].kind in _PLAIN for child in children)
    return plain and module.text(children[0]).rpartition(".")[2] in called
