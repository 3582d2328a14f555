"""Cost centres, and the symbolic costs attributed to them (the thesis, Table 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum


class Kind(IntEnum):
    """A kind of cost. `B` and `N` belong to logic programs, and stay 0 in functional ones."""

    F = 0
    V = 1
    U = 2
    H = 3
    C = 4
    E = 5
    B = 6
    N = 7


MEANING = {
    Kind.F: "function unfolding",
    Kind.V: "variable lookup",
    Kind.U: "variable update",
    Kind.H: "heap allocation",
    Kind.C: "case evaluation",
    Kind.E: "entering a cost centre",
    Kind.B: "binding of a logic variable",
    Kind.N: "non-deterministic choice",
}


class Centre:
    """A cost centre for one path of centres, as in GHC's cost-centre stacks.

    The semantics of Fig. 4.1 knows names only; the path refines it, for flame graphs.
    """

    __slots__ = ("above", "below", "counts", "name")

    def __init__(self, name: str, above: Centre | None = None) -> None:
        self.name, self.above = name, above
        self.counts = [0] * len(Kind)
        self.below: dict[str, Centre] = {}

    def enter(self, name: str) -> Centre:
        """The centre after `scc name`; one that is entered again inside itself stays the same."""
        known = self.below.get(name)
        if known is None:
            around: Centre | None = self
            while around is not None and around.name != name:
                around = around.above
            known = self.below[name] = Centre(name, self) if around is None else around
        return known

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost centre to this one."""
        return (*(self.above.path if self.above else ()), self.name)

    def all(self) -> Iterator[Centre]:
        """This centre and those below it that costs were charged to."""
        if self.above is None or any(self.counts):
            yield self
        for centre in self.below.values():
            if centre.above is self:
                yield from centre.all()


def totals(root: Centre) -> dict[str, list[int]]:
    """The costs of each centre by name, over all paths."""
    result: dict[str, list[int]] = {}
    for centre in root.all():
        counts = result.setdefault(centre.name, [0] * len(Kind))
        counts[:] = map(int.__add__, counts, centre.counts)
    return result
