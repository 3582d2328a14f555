"""Hand-made trees with hand-made trees inside their nodes: the subject of sessions that zoom."""

from collections.abc import Mapping

from attrs import field, frozen
from hypothesis import strategies as st

from adebug_lsp.model.answers import Mark
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.slicing.dependence_contract import Trace
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.handmade import HandmadeTree, read_handmade
from tests.support import labelled

KINDS = ("statement", "expression")


@frozen
class Nested(HandmadeSubject):
    """Some nodes have an inside, which is a subject again; every mark leads to some earlier node, or nowhere."""

    insides: Mapping[int, "Nested"] = field(factory=dict)

    @property
    def dependences(self) -> "AnyTraces":
        return AnyTraces(self.tree)

    def inside(self, node: int) -> "Nested | None":
        return self.insides.get(node)


@frozen
class AnyTraces:
    tree: ExecutionTree

    def trace(self, node: int, mark: Mark) -> Trace | None:
        if mark.path == (2,):
            return None
        origin = (node * 7 + len(mark.path)) % len(self.tree)
        return Trace(
            origin, frozenset({origin, *self.tree.ancestors(origin), *range(origin, self.tree.end(origin), 2)})
        )


@st.composite
def finer(draw: st.DrawFn, most: int = 7) -> HandmadeTree:
    """The inside of a node: statements and expressions, right or wrong; the root is wrong."""
    plain = draw(labelled(most))
    tree = plain.tree
    nodes = [
        {
            "id": node,
            "parent": None if node == 0 else int(tree.parent[node]),
            "rule": f"s{node}",
            "routine": tree.site_of(node).routine,
            "module": tree.site_of(node).module,
            "text": f"inner {plain.texts[node]}",
            "kind": "routine" if node == 0 else draw(st.sampled_from(KINDS)),
            "wrong": node in plain.wrong,
        }
        for node in range(len(tree))
    ]
    return read_handmade({"nodes": nodes})


@st.composite
def nested(draw: st.DrawFn, most: int = 10, depth: int = 2) -> Nested:
    """A run whose nodes may have insides, and these again."""
    outer = draw(labelled(most)) if depth == 2 else draw(finer())
    with_inside = draw(st.sets(st.integers(0, len(outer.tree) - 1), max_size=4)) if depth else set()
    return Nested(outer, {node: draw(nested(most, depth - 1)) for node in with_inside})
