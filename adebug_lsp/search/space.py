"""The search space: what the answers so far say about an execution tree.

Words. A node is *settled* when it was judged; *muted* when it is trusted or too fine for the granularity: never
asked, never the verdict, transparent to what lies below it. The *area* is where the bug must be: the subtree of the
*top* (the known-wrong node in focus, or the whole tree while none is known), without the subtrees judged correct
and without what a mark cut away. A node is *suspect* when it is in the area, below the top, and neither muted nor
known to be wrong; *askable* when it is suspect and unsettled.

Invariants: "yes" and "no" change the space by whole slices of the columns, so that no answer costs more than
one pass over them; and a space holds nothing per node, so that the tree may be larger than memory.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.search.interval_set import Spans
from adebug_lsp.slicing.dependence_contract import Dependences, Trace
from adebug_lsp.tree.columns import ExecutionTree, Ints

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

BLOCK = 1 << 16
"""Number of nodes to process at once; their columns fit in the processor's cache."""

INHERITED = -1
"""In `_kept_for`: the mark was made on another node, so it does not prove this one buggy."""


class Space:
    """The state of a search over one tree, fully determined by the facts applied to it and their order."""

    def __init__(
        self,
        tree: ExecutionTree,
        *,
        root_is_wrong: bool = True,
        dependences: Dependences | None = None,
        suspicion: Floats | None = None,
        plumbing: Bools | None = None,
    ) -> None:
        self.tree = tree
        self.dependences = dependences
        self.suspicion = suspicion
        """For every site, its suspicion from other runs, from 0 to 1; 1/2 is neutral. None without other runs."""
        self.plumbing = plumbing
        """Which nodes only carry the program or its test; None if there are none."""
        self.root_is_wrong = root_is_wrong
        self.top: int | None = 0 if root_is_wrong else None
        self.judged: dict[int, Judgement] = {}
        self.answers: list[tuple[int, Judgement]] = []
        """The nodes that were asked about with their answers, in order, without inferred ones."""
        self.traces: list[tuple[int, Trace]] = []
        """Marks that could be followed, in order, with the node that each was made on."""
        self._needed: Ints | None = None
        """The nodes that the value marked last depends on, or otherwise the failed value."""
        self._cut = Spans()
        self._puts_plumbing_off = False
        self._puts_unneeded_off = False
        self._kept: Ints | None = None
        self._kept_for: int | None = INHERITED
        """The node whose own result was marked; the nodes that the mark kept are all possible causes."""
        self._trusted = np.zeros(len(tree.sites), dtype=np.bool_)
        self._fine = np.zeros(len(NodeKind), dtype=np.bool_)
        self._cleared: list[int] = []
        self._doubted: list[int] = []
        self._counts: dict[int, Ints] = {}

    # Facts

    def judge(self, node: int, judgement: Judgement, mark: Mark | None = None) -> Trace | None:
        """Apply an answer; returns the trace of its mark."""
        trace = self._follow(node, judgement, mark)
        self.answers.append((node, judgement))
        for equal in self.equals(node):
            self._settle(equal, judgement)
        if trace is not None:
            self.traces.append((node, trace))
            self._needed = self._needed if trace.needed is None else trace.needed
            within = mark is not None and mark.in_outcome and self.tree.contains(node, trace.origin)
            if not within or self.top == node:
                self._narrow(trace, within_top=within)
        return trace

    def equals(self, node: int) -> list[int]:
        """All nodes with the same behaviour, which one answer settles."""
        behaviour = int(self.tree.behaviour[node])
        if behaviour == 0:
            return [node]
        masks = (self.tree.behaviour[start:stop] == behaviour for start, stop in blocks(0, len(self.tree)))
        return [BLOCK * index + int(n) for index, mask in enumerate(masks) for n in np.flatnonzero(mask)]

    def restart(self, node: int) -> None:
        """Restart the search below `node`, which counts as wrong from now on."""
        self._note(node, Judgement.NO)
        self._focus(node, None)

    def reopen_skipped(self) -> None:
        """Make nodes answered "don't know" askable again, except ranges whose question one part answers as well."""
        unknown = [node for node, judgement in self.judged.items() if judgement is Judgement.UNKNOWN]
        for node in [node for node in unknown if not self._is_settled_by_parts(node)]:
            del self.judged[node]
            self._doubted.remove(node)

    def mute_sites(self, trusted: Bools) -> None:
        """Mute the nodes of trusted sites; `trusted` has a value for every site."""
        self._trusted = trusted

    def mute_kinds(self, asked: frozenset[NodeKind]) -> None:
        """Mute the nodes of all kinds but these."""
        self._fine = np.array([kind not in asked for kind in NodeKind], dtype=np.bool_)

    # The area

    @property
    def area(self) -> tuple[int, int]:
        """The slice of the columns that contains the area."""
        return (0, len(self.tree)) if self.top is None else (self.top, self.tree.end(self.top))

    def blocks(self) -> Iterator[tuple[int, int]]:
        """The area in blocks."""
        return blocks(*self.area)

    def suspects(self, start: int, stop: int) -> Bools:
        """Which of the area's nodes start, ..., stop - 1 are suspect."""
        mask = np.ones(stop - start, dtype=np.bool_)
        if self._kept is not None:
            first, last = np.searchsorted(self._kept, (start, stop))
            mask[:] = False
            mask[self._kept[first:last] - start] = True
        for low, high in self._cut.within(start, stop):
            mask[low - start : high - start] = False
        if self._puts_plumbing_off and self.plumbing is not None:
            mask &= ~self.plumbing[start:stop]
        if self._puts_unneeded_off and self._needed is not None:
            first, last = np.searchsorted(self._needed, (start, stop))
            inside = np.zeros(stop - start, dtype=np.bool_)
            inside[self._needed[first:last] - start] = True
            mask &= inside
        if self._trusted.any():
            mask &= ~self._trusted[self.tree.site[start:stop]]
        if self._fine.any():
            mask &= ~self._fine[self.tree.kind[start:stop]]
        for node in self._in_doubt(start, stop):
            if self.judged[node] is Judgement.NO:
                mask[node - start] = False
        if self.top is not None and start <= self.top < stop:
            mask[self.top - start] = False
        return mask

    def askable(self, start: int, stop: int) -> Bools:
        """Which of the area's nodes start, ..., stop - 1 can be asked about."""
        mask = self.suspects(start, stop)
        for node in self._in_doubt(start, stop):
            mask[node - start] = False
        return mask

    def is_suspect(self, node: int) -> bool:
        """Whether a node other than the top could be the bug."""
        low, high = self.area
        if not low <= node < high or node == self.top or self.is_cut(node) or self.is_muted(node):
            return False
        if self._kept is not None:
            index = int(np.searchsorted(self._kept, node))
            if index == len(self._kept) or self._kept[index] != node:
                return False
        return self.judged.get(node) is not Judgement.NO

    def has_suspects(self, node: int) -> bool:
        """Whether a node in a subtree, other than the top, could be the bug."""
        low, high = max(self.area[0], node), min(self.area[1], self.tree.end(node))
        return any(self.suspects(start, stop).any() for start, stop in blocks(low, high))

    def is_askable(self, node: int) -> bool:
        """Whether a node can be asked about."""
        return node not in self.judged and self.is_suspect(node)

    def is_muted(self, node: int) -> bool:
        """Whether a node is trusted, or too fine for the granularity."""
        return self.is_trusted(node) or bool(self._fine[self.tree.kind[node]])

    def is_trusted(self, node: int) -> bool:
        """Whether the code of a node is trusted."""
        return bool(self._trusted[self.tree.site[node]])

    def is_cut(self, node: int) -> bool:
        """Whether a node of the area lies in a subtree that was judged correct."""
        return self._cut.covers(node)

    def executions(self, node: int = 0) -> Ints:
        """The number of executions of every site in a subtree; cached."""
        total = self._counts.get(node)
        if total is None:
            total = self._counts[node] = np.zeros(len(self.tree.sites), dtype=np.int64)
            for start, stop in blocks(node, self.tree.end(node)):
                total += np.bincount(self.tree.site[start:stop], minlength=len(total))
        return total

    def cleared_executions(self) -> Ints:
        """The number of executions of every site in subtrees judged correct."""
        return self._count_cleared(0, len(self.tree))

    def suspected_executions(self) -> Ints:
        """For every site, the number of its nodes that could be the bug, with the top."""
        low, high = self.area
        if self._kept is None and not (self._fine.any() or self._puts_plumbing_off or self._puts_unneeded_off):
            left = self.executions(low) - self._count_cleared(low if self.top is None else low + 1, high)
            left[self._trusted] = 0
            wrong = [n for n in self._in_doubt(low, high) if self.judged[n] is Judgement.NO and n != self.top]
            np.subtract.at(left, self.tree.site[[n for n in wrong if not self.is_muted(n)]], 1)
            if self.top is not None and self.is_muted(self.top):
                left[self.tree.site[self.top]] += 1
            return left
        left = np.zeros(len(self.tree.sites), dtype=np.int64)
        for start, stop in self.blocks():
            left += np.bincount(self.tree.site[start:stop][self.suspects(start, stop)], minlength=len(left))
        if self.top is not None:
            left[self.tree.site[self.top]] += 1
        return left

    def can_zoom(self, node: int) -> bool:
        """Whether a finer granularity would make nodes below this one askable."""
        if not self._fine.any():
            return False
        for start, stop in blocks(node + 1, self.tree.end(node)):
            fine = self._fine[self.tree.kind[start:stop]]
            for low, high in self._cut.within(start, stop):
                fine[low - start : high - start] = False
            if fine.any():
                return True
        return False

    @contextmanager
    def without_postponed(self) -> Iterator[None]:
        """Exclude nodes from the area that are asked about later, unless nothing else can be asked about.

        Those are plumbing, except below plumbing, and before that nodes that a wrong value does not depend on.
        """
        if self.plumbing is not None and not (self.top is not None and self.plumbing[self.top]):
            self._puts_plumbing_off = True
            self._puts_plumbing_off = self.any_askable()
        if self._needed is not None:
            self._puts_unneeded_off = True
            self._puts_unneeded_off = self.any_askable()
        try:
            yield
        finally:
            self._puts_plumbing_off = self._puts_unneeded_off = False

    def any_askable(self) -> bool:
        """Whether there is anything left to ask in the area."""
        return any(self.askable(start, stop).any() for start, stop in self.blocks())

    def skipped(self) -> list[int]:
        """The suspects that were answered "don't know"."""
        return [n for n in self._in_doubt(*self.area) if self.judged[n] is Judgement.UNKNOWN and self.is_suspect(n)]

    def is_sum_of_right_parts(self, node: int) -> bool:
        """Whether a node has no own code and only right parts, so that it is right as well."""
        return self.is_sum(node) and not self._open_parts(node)

    def _is_settled_by_parts(self, node: int) -> bool:
        """Whether a node without own code has at most one open part, so that asking about the part is enough."""
        left = self._open_parts(node) if self.is_sum(node) else [node, node]
        return not left or (len(left) == 1 and (self.judged.get(left[0]) is not None or self.is_askable(left[0])))

    def is_sum(self, node: int) -> bool:
        """Whether a node has no own code, so that it is right exactly if its parts are."""
        return self.tree.kind[node] in (NodeKind.ITERATION_RANGE, NodeKind.PROJECTION)

    def _open_parts(self, node: int) -> list[int]:
        """The parts of a node without own code that are not known to be right."""
        open_parts, waiting = list[int](), list(self.tree.children(node))
        while waiting:
            part = waiting.pop()
            if self.judged.get(part) in (None, Judgement.UNKNOWN) and self.is_sum(part):
                waiting += self.tree.children(part)
            elif self.judged.get(part) is not Judgement.YES:
                open_parts.append(part)
        return open_parts

    def refocus(self) -> bool:
        """Move the area if it has nothing left to ask and the top is not yet proven buggy; returns whether it moved.

        Nodes that a mark cut away come back, because they may contain another bug, unless the mark was on the top's own
        result and therefore kept everything that can have caused it. Otherwise the search moves to a wrong node inside
        the area, which has a bug in its subtree.
        """
        if self._kept is not None and self._kept_for != self.top:
            self._focus(self.top, None)
            return True
        wrong = [n for n in self._in_doubt(*self.area) if self.judged[n] is Judgement.NO and n != self.top]
        wrong = [node for node in wrong if not self.is_cut(node)]
        if not wrong:
            return False
        self._focus(min(wrong, key=lambda node: (int(self.tree.size[node]), node)), None)
        return True

    def follow_failure(self) -> None:
        """Trace the run's failure to the call that caused it, as if the outcome of the root had been marked.

        A statement or expression of the root itself is not preferred, because it is known to have failed.
        """
        trace = None if self.dependences is None else self.dependences.trace(0, Mark(MarkOf.RESULT))
        self._needed = None if trace is None else trace.needed
        if trace is not None and trace.explanation and self._is_inside_a_call(trace.origin):
            self.traces.append((0, trace))

    def _is_inside_a_call(self, node: int) -> bool:
        """Whether a node is a call other than the root, or inside one."""
        return any(self.tree.kind[n] in _CALLS for n in (node, *self.tree.ancestors(node)) if n != 0)

    def maker_of_marked(self) -> int | None:
        """The node that made the value marked last, if askable; every strategy asks about it next."""
        judged = self.answers[-1][0] if self.answers else 0
        if not self.traces or self.traces[-1][0] != judged:
            return None
        trace = self.traces[-1][1]
        return trace.origin if trace.explanation and self.is_askable(trace.origin) else None

    def frontier(self) -> list[int]:
        """The askable nodes that the top depends on directly, from left to right.

        Muted nodes and nodes that a mark cut away are replaced by their children in place; the children of skipped
        nodes come last.
        """
        if self.top is None and self.is_askable(0):
            return [0]
        askable: list[int] = []
        postponed = [0 if self.top is None else self.top]
        for node in postponed:  # grows during the iteration
            pending = list(reversed(self.tree.children(node)))
            while pending:
                child = pending.pop()
                if self.is_cut(child):
                    continue
                if self.is_askable(child):
                    askable.append(child)
                elif self.judged.get(child) is Judgement.UNKNOWN:
                    postponed.append(child)
                else:
                    pending.extend(reversed(self.tree.children(child)))
        return askable

    # Internals

    def _count_cleared(self, low: int, high: int) -> Ints:
        total = np.zeros(len(self.tree.sites), dtype=np.int64)
        end = low
        for node in _between(self._cleared, low, high):
            if node >= end:
                total += self.executions(node)
                end = self.tree.end(node)
        return total

    def _settle(self, node: int, judgement: Judgement) -> None:
        """Apply a judgement to one node: cut its subtree, or focus on it."""
        taken_back = self.judged.get(node) in _CLEARED and judgement not in _CLEARED
        self._note(node, judgement)
        if taken_back:
            self._focus(self.top, self._kept)
        low, high = self.area
        inside = low <= node < high and not self.is_cut(node)
        if judgement in _CLEARED:
            if inside and node != self.top:
                self._cut.add(node, self.tree.end(node))
            elif node == self.top:
                self._focus(self._wrong_around(node, but=node), None)
        elif judgement is Judgement.NO and inside:
            self._focus(node, self._kept)

    def _note(self, node: int, judgement: Judgement) -> None:
        before = self.judged.get(node)
        if before is not None:
            (self._cleared if before in _CLEARED else self._doubted).remove(node)
        insort(self._cleared if judgement in _CLEARED else self._doubted, node)
        self.judged[node] = judgement

    def _focus(self, top: int | None, kept: Ints | None) -> None:
        """Move the area, and cut the subtrees judged correct below the top."""
        self.top = top
        self._kept = kept
        self._cut = Spans()
        low, high = self.area
        for node in _between(self._cleared, low if top is None else low + 1, high):
            self._cut.add(node, self.tree.end(node))

    def _follow(self, node: int, judgement: Judgement, mark: Mark | None) -> Trace | None:
        if self.dependences is None:
            return None
        if mark is None and judgement is Judgement.INADMISSIBLE:
            mark = Mark(MarkOf.ARGUMENT)
        return None if mark is None else self.dependences.trace(node, mark)

    def _narrow(self, trace: Trace, *, within_top: bool) -> None:
        """Keep only nodes that can have influenced the marked value.

        A wrong result is caused inside the node itself, whose arguments count as right. A wrong argument may come from
        outside the area, which is then widened to contain the value's origin. An origin with an explanation only
        orders the questions and proves nothing: a value can be right where it was made but stored in the wrong place,
        or outdated because code that should have replaced it did not.
        """
        top = self.top if within_top else self._wrong_around(trace.origin)
        self._focus(top, np.array(sorted(trace.influencers), dtype=np.int64))
        proves = within_top and not trace.explanation
        self._kept_for = top if proves else INHERITED

    def _wrong_around(self, node: int, but: int | None = None) -> int | None:
        """The first of the top and its ancestors that is known to be wrong and contains `node`."""
        if self.top is not None:
            for above in (self.top, *self.tree.ancestors(self.top)):
                known = self.judged.get(above) is Judgement.NO or (above == 0 and self.root_is_wrong)
                if known and above != but and self.tree.contains(above, node):
                    return above
        return None

    def _in_doubt(self, start: int, stop: int) -> list[int]:
        """The settled nodes among start, ..., stop - 1 that were not judged correct."""
        return _between(self._doubted, start, stop)


_CLEARED = (Judgement.YES, Judgement.INADMISSIBLE)
_CALLS = (NodeKind.ROUTINE, NodeKind.LAMBDA, NodeKind.GENERATOR, NodeKind.COROUTINE)


def blocks(low: int, high: int) -> Iterator[tuple[int, int]]:
    """The numbers low, ..., high - 1 in blocks."""
    for start in range(low, high, BLOCK):
        yield start, min(start + BLOCK, high)


def _between(numbers: list[int], low: int, high: int) -> list[int]:
    return numbers[bisect_left(numbers, low) : bisect_left(numbers, high)]
