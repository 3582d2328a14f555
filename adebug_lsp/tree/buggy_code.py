"""Lemma 1 (`getCode`): the code that a buggy node executed outside its children.

A computation e1 ... en is numbered by its environments; step i leads from e(i) to e(i+1) and executes one piece of
code. A node whose computation is e(first) ... e(last) executes the steps first, ..., last - 1.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from adebug_lsp.tree.columns import ExecutionTree

Code = TypeVar("Code")


def own_segments(tree: ExecutionTree, node: int) -> list[tuple[int, int]]:
    """The set Z: the longest subcomputations (i, j) of the node that no child performed."""
    start, end = int(tree.first[node]), int(tree.last[node])
    segments = []
    spans = sorted((int(tree.first[child]), int(tree.last[child])) for child in tree.children(node))
    for first, last in [*spans, (end, end)]:
        if start < min(first, end):
            segments.append((start, min(first, end)))
        start = max(start, last)
    return segments


def buggy_code(tree: ExecutionTree, node: int, code: Mapping[int, Code] | Sequence[Code]) -> list[Code]:
    """The code of a buggy node: the distinct pieces that its own steps executed, in order of first execution.

    `code[i]` is the code that step i executed.
    """
    seen: dict[Code, None] = {}
    for start, end in own_segments(tree, node):
        for step in range(start, end):
            seen.setdefault(code[step])
    return list(seen)
