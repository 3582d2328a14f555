"""Writes that a condition, loop or handler could have led to, had it gone the other way; by syntax, with calls.

In which branch a write stands does not matter: if the branch that ran made it, the write is later than the condition.
"""

import builtins
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module, Routine

_HEADS = frozenset({"branch", "after", "handler", "case"})
"""Records that show which way a compound statement went, or that it ended."""
_PURE = frozenset([
    "abs", "all", "any", "bool", "bytes", "chr", "dict", "divmod", "enumerate", "filter", "float", "format",
    "frozenset", "getattr", "hash", "hex", "id", "int", "isinstance", "issubclass", "iter", "len", "list", "map",
    "max", "min", "ord", "pow", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum",
    "tuple", "type", "zip",
])  # fmt: skip
"""Builtins that change none of their arguments."""


@frozen
class Write:
    """A kind of place that code can write to."""

    kind: str
    """`variable` for one of the same activation, `shared` for a global or nonlocal one, `attribute`, or `element` for
    elements and values of mappings.
    """
    name: str = ""


ELEMENT = Write("element")


@define(eq=False)
class PossibleWrites:
    """The possible writes of one program."""

    run: Run
    _positions: dict[Write, Array] = field(factory=dict)

    def last_head(self, write: Write, moment: int, after: int) -> int | None:
        """The position of the last record between two moments that could have led to a write, of any code."""
        if write not in self._positions:
            self._positions[write] = self.run.positions(list(self.heads.get(write, ())))
        positions = self._positions[write]
        index = int(np.searchsorted(positions, moment))
        return int(positions[index - 1]) if index and positions[index - 1] > after else None

    @cached_property
    def heads(self) -> dict[Write, set[int]]:
        """For each kind of write, the markers of the records that could have led to it."""
        heads: dict[Write, set[int]] = {}
        for module in self.run.program.modules:
            for index, marker in enumerate(module.markers):
                if marker.kind in _HEADS and marker.node >= 0:
                    routine = module.routines[marker.routine]
                    for write in self._after(module, routine, marker.node):
                        heads.setdefault(write, set()).add(module.first + index)
                        if write.kind == "variable" and (routine.kind == "module" or write.name in routine.declared):
                            heads.setdefault(Write("shared", write.name), set()).add(module.first + index)
        return heads

    def _after(self, module: Module, routine: Routine, node: int) -> frozenset[Write]:
        """The writes that the statement of a head could make, or that code behind it does not make if it jumps."""
        statement = node
        if module.nodes[node].kind in ("ExceptHandler", "match_case"):
            statement = module.nodes[node].parent
        writes = self._inside(module, statement)
        for number in module.inside(statement):
            kind = module.nodes[number].kind
            if kind in ("Break", "Continue"):
                loop = module.loops_around(number)[:1]
                writes |= self._inside(module, loop[0]) if loop else frozenset()
            elif kind in ("Return", "Raise"):
                writes |= self._inside(module, routine.node)
        return writes

    def _inside(self, module: Module, node: int) -> frozenset[Write]:
        """The writes of a piece of syntax and of the routines that it may call."""
        key = (module.first, node)
        if key not in self._known:
            own, called = _written_inside(module, node)
            self._known[key] = own.union(*(self._of_called.get(name, frozenset()) for name in called)) | (
                {ELEMENT} if any(self._may_change_arguments(name) for name in called) else frozenset()
            )
        return self._known[key]

    def _may_change_arguments(self, name: str) -> bool:
        return name not in self._of_called and not _is_pure(name)

    @cached_property
    def _known(self) -> dict[tuple[int, int], frozenset[Write]]:
        return {}

    @cached_property
    def _of_called(self) -> dict[str, frozenset[Write]]:
        """For each name, the writes of a call that others can see: a fixed point over all calls."""
        own: dict[str, set[Write]] = {}
        calls: dict[str, set[str]] = {}
        for module in self.run.program.modules:
            for routine in module.routines:
                if routine.kind == "module":
                    continue
                written, called = _written_inside(module, routine.node)
                shared = {w for w in written if w.kind != "variable"}
                shared |= {Write("shared", w.name) for w in written if w.name in routine.declared}
                for name in _called_as(routine):
                    own.setdefault(name, set()).update(shared)
                    calls.setdefault(name, set()).update(called)
        changed = True
        while changed:
            changed = False
            for name, others in calls.items():
                more = set[Write]().union(*(own.get(other, set()) for other in others))
                more |= {ELEMENT} if any(other not in own and not _is_pure(other) for other in others) else set()
                changed |= not more <= own[name]
                own[name] |= more
        return {name: frozenset(writes) for name, writes in own.items()}


def _is_pure(name: str) -> bool:
    named = getattr(builtins, name, None)
    return name in _PURE or (isinstance(named, type) and issubclass(named, BaseException))


def _called_as(routine: Routine) -> Iterator[str]:
    """The names by which a routine is called: its own, and its class's if it initialises objects."""
    yield routine.name
    if routine.name in ("__init__", "__post_init__", "__new__") and "." in routine.qualname:
        yield routine.qualname.split(".")[-2]


def _written_inside(module: Module, node: int) -> tuple[frozenset[Write], frozenset[str]]:
    """The writes that syntax makes itself, and the names that it calls."""
    writes, called = set(), set()
    nodes = module.nodes
    for number in module.inside(node) if node >= 0 else []:
        kind = nodes[number].kind
        if kind == "Bound":
            writes.add(Write("variable", str(nodes[number].extra)))
        elif kind in ("Attribute", "Subscript") and is_target(module, number):
            writes.add(ELEMENT if kind == "Subscript" else Write("attribute", str(nodes[number].extra)))
        elif kind == "Call":
            called.add(str(nodes[module.children(number)[0]].extra))
        if kind == "AugAssign":
            writes.add(ELEMENT)  # `xs += ys` changes a list in place
    return frozenset(writes), frozenset(called)


def is_target(module: Module, number: int) -> bool:
    """Whether an attribute or element is assigned, bound by a loop, or deleted."""
    nodes = module.nodes
    while nodes[number].parent >= 0 and nodes[nodes[number].parent].kind in ("Tuple", "List", "Starred"):
        number = nodes[number].parent
    around = nodes[number].parent
    if around < 0:
        return False
    children, kind = module.children(around), nodes[around].kind
    if kind in ("For", "AsyncFor", "AugAssign", "AnnAssign"):
        return children[0] == number
    return (kind == "Assign" and number in children[:-1]) or kind == "Delete"
