"""Trees written by hand as JSON, for teaching, research and benchmarks: the nodes, which of them are wrong, and marks.

The format is public; `docs/reference/tree-json.md` describes it.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from attrs import field, frozen

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.json import from_json
from adebug_lsp.model.kinds import NodeKind, kind_named
from adebug_lsp.model.source import Location, Site
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

Id = int | str

_KNOWN = {
    "id", "parent", "rule", "text", "wrong", "kind", "raised", "size",
    "routine", "module", "location", "behaviour", "mark",
}  # fmt: skip


@frozen
class GivenMark:
    """A mark that the oracle of a hand-made tree makes, with its origin and influencers."""

    mark: Mark
    origin: int
    influencers: frozenset[int]


@frozen
class HandmadeTree:
    """A tree with its author's labels; nodes are numbered in preorder, `ids` are the author's names."""

    tree: ExecutionTree
    ids: tuple[Id, ...]
    texts: tuple[str, ...]
    wrong: frozenset[int]
    marks: Mapping[int, GivenMark] = field(factory=dict)

    def behaviour(self, node: int) -> Behaviour:
        """The behaviour of a node, which consists of its text only."""
        site = self.tree.site_of(node)
        projection = () if site.location is None else (site.location,)
        return Behaviour(self.texts[node], projection=projection, identity=f"{site.routine}: {self.texts[node]}")


def read_handmade(data: object) -> HandmadeTree:
    """Convert parsed JSON to a tree; raises a `BadInputError` that names the invalid node."""
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if not isinstance(nodes, list) or not nodes:
        raise BadInputError('expected an object with a non-empty list "nodes"')
    entries = [_entry(position, node) for position, node in enumerate(nodes)]
    handles: dict[Id, int] = {}
    for handle, entry in enumerate(entries):
        if entry["id"] in handles:
            raise BadInputError(f"two nodes have the id {entry['id']!r}")
        handles[entry["id"]] = handle
    tree, places = _build(entries, handles)
    by_node = sorted(range(len(entries)), key=places.__getitem__)
    nodes_of = {entry["id"]: places[handle] for handle, entry in enumerate(entries)}
    return HandmadeTree(
        tree=tree,
        ids=tuple(entries[handle]["id"] for handle in by_node),
        texts=tuple(entries[handle]["text"] for handle in by_node),
        wrong=frozenset(places[handle] for handle, entry in enumerate(entries) if entry["wrong"]),
        marks={nodes_of[e["id"]]: _mark(e, nodes_of) for e in entries if e["mark"] is not None},
    )


def _entry(position: int, node: object) -> dict[str, Any]:
    """Validate the JSON of one node, and fill in defaults."""
    where = f"node number {position + 1}"
    if not isinstance(node, dict):
        raise BadInputError(f"{where} is not an object")
    unknown = sorted(str(key) for key in node.keys() - _KNOWN)
    if unknown:
        raise BadInputError(f"{where} has an unknown field {unknown[0]!r}")
    entry = {
        "id": _typed(node, "id", (int, str), where),
        "parent": _typed(node, "parent", (int, str, type(None)), where, None),
        "rule": _typed(node, "rule", (str, int), where, ""),
        "text": _typed(node, "text", (str,), where, ""),
        "wrong": _typed(node, "wrong", (bool,), where, False),
        "kind": _kind(node, where),
        "raised": bool(_typed(node, "raised", (bool, str, type(None)), where, False)),
        "size": _typed(node, "size", (int, float), where, len(str(node.get("text", "")))),
        "module": _typed(node, "module", (str,), where, ""),
        "behaviour": _typed(node, "behaviour", (str, int, type(None)), where, None),
        "mark": _typed(node, "mark", (dict, type(None)), where, None),
    }
    entry["rule"] = str(entry["rule"])
    entry["routine"] = _typed(node, "routine", (str,), where, entry["rule"])
    entry["location"] = None if node.get("location") is None else from_json(node["location"], Location)
    if not 0 <= entry["size"] < 2**31:
        raise BadInputError(f"{where}: the field 'size' is {entry['size']}")
    entry["size"] = round(entry["size"])
    return entry


_REQUIRED = object()


def _typed(node: dict[Any, Any], name: str, types: tuple[type, ...], where: str, default: object = _REQUIRED) -> Any:
    """A field of a node; raises `BadInputError` if it has another type."""
    value = node.get(name, default)
    if value is _REQUIRED:
        raise BadInputError(f"{where} has no field {name!r}")
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise BadInputError(f"{where}: the field {name!r} is {value!r}")
    return value


def _kind(node: dict[Any, Any], where: str) -> NodeKind:
    name = node.get("kind", "routine")
    kind = kind_named(name) if isinstance(name, str) else None
    if kind is None:
        raise BadInputError(f"{where}: unknown kind {name!r}; one of {', '.join(k.label for k in NodeKind)}")
    return kind


def _build(entries: list[dict[str, Any]], handles: dict[Id, int]) -> tuple[ExecutionTree, list[int]]:
    """Build the tree of validated nodes; returns it with the node number of each entry."""
    builder = TreeBuilder()
    behaviours: dict[Hashable, int] = {None: 0}
    for entry in entries:
        site = Site(entry["rule"], entry["routine"], entry["module"], entry["location"])
        builder.add(
            builder.site(site),
            kind=entry["kind"],
            raised=entry["raised"],
            cost=entry["size"],
            behaviour=behaviours.setdefault(entry["behaviour"], len(behaviours)),
        )
    roots: list[Id] = []
    for handle, entry in enumerate(entries):
        parent = entry["parent"]
        if parent is None:
            roots.append(entry["id"])
        elif parent not in handles:
            raise BadInputError(f"node {entry['id']!r} has the unknown parent {parent!r}")
        if len(roots) > 1:
            raise BadInputError(f"there are two roots: {roots[0]!r} and {roots[1]!r}")
        builder.attach(handle, None if parent is None else handles[parent])
    _no_cycle(entries, handles)
    tree, places = builder.finish()
    return tree, list(places)


def _no_cycle(entries: list[dict[str, Any]], handles: dict[Id, int]) -> None:
    """Raise `BadInputError` if a node is its own ancestor."""
    reached: set[int] = set()
    for handle in range(len(entries)):
        path: set[int] = set()
        current: int | None = handle
        while current is not None and current not in reached:
            if current in path:
                raise BadInputError(f"node {entries[current]['id']!r} is its own ancestor: the parents form a cycle")
            path.add(current)
            parent = entries[current]["parent"]
            current = None if parent is None else handles[parent]
        reached |= path


def _mark(entry: dict[str, Any], nodes_of: dict[Any, int]) -> GivenMark:
    """The mark of a node, with its origin and influencers as node numbers."""
    where = f"the mark of node {entry['id']!r}"
    data = dict(entry["mark"])
    origin = data.pop("origin", None)
    influencers = data.pop("influencers", None)
    if not isinstance(influencers, list):
        raise BadInputError(f"{where}: 'influencers' is a list of ids")
    for node in (origin, *influencers):
        if not isinstance(node, int | str) or node not in nodes_of:
            raise BadInputError(f"{where} names the unknown node {node!r}")
    try:
        mark = from_json(data, Mark)
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}; 'of' is one of {', '.join(of.value for of in MarkOf)}") from error
    return GivenMark(
        mark=mark,
        origin=nodes_of[origin],
        influencers=frozenset(nodes_of[node] for node in influencers) | {nodes_of[origin]},
    )
