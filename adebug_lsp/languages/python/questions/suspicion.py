"""Prior suspicion of the code inside a call, before any answer.

Two kinds of code are wrong less often than a condition or a computation: a compound statement, which is wrong itself
only if something is missing from it, and a call of recorded code, which was judged before anything inside its caller.
"""

from collections.abc import Iterable

from adebug_lsp.languages.python.reading.static import Module

NEUTRAL, RARE = 0.5, 0.0
"""Suspicion of ordinary code, and of code that is rarely wrong."""
_PLAIN = frozenset({"Name", "Constant", "Attribute"})


def suspicions(module: Module, nodes: Iterable[int], around: frozenset[int], called: frozenset[str]) -> list[float]:
    """The suspicion of each node; `around` are compound statements, `called` the routines that the code called."""
    return [RARE if node in around or _is_call(module, node, called) else NEUTRAL for node in nodes]


def _is_call(module: Module, node: int, called: frozenset[str]) -> bool:
    """Whether a node only calls one of these routines with variables as arguments."""
    children = module.children(node)
    if node < 0 or module.nodes[node].kind != "Call" or not children:
        return False
    plain = all(module.nodes[child].kind in _PLAIN for child in children)
    return plain and module.text(children[0]).rpartition(".")[2] in called
