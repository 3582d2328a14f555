"""What an execution of a piece of code read, bound and gave, as far as its records tell."""

from adebug_lsp.languages.python.run import Record
from adebug_lsp.languages.python.static import Module

HIDDEN = frozenset({"Bound", "Constant", "Name", "Slice", "Starred", "FormattedValue", "comprehension", "withitem"})


def names_read(module: Module, nodes: list[int]) -> list[str]:
    """The variables that nodes read, in the order of the text."""
    found: dict[str, None] = {}
    for number in nodes:
        node = module.nodes[number]
        if node.kind == "Name" and isinstance(node.extra, str):
            found.setdefault(node.extra)
        elif node.kind == "AugAssign":
            for child in module.children(number)[:1]:
                if module.nodes[child].kind == "Bound":
                    found.setdefault(module.nodes[child].extra)
    return list(found)


def names_bound(module: Module, loop: int) -> list[str]:
    """The variables that a `for` loop binds at every turn."""
    if module.nodes[loop].kind not in ("For", "AsyncFor"):
        return []
    target = module.inside(module.children(loop)[0])
    return [module.nodes[number].extra for number in target if module.nodes[number].kind == "Bound"]


def header(module: Module, loop: int) -> int | None:
    """What a loop executes between its turns: the test of a `while`, what a `for` goes over."""
    found = module.children(loop)[: 1 if module.nodes[loop].kind == "While" else 2]
    return found[-1] if found else None


def names_of_turns(module: Module, number: int) -> frozenset[str]:
    """The variables of the comprehensions that a node stands in."""
    parts = [n for a in module.ancestors(number) for n in module.children(a) if module.nodes[n].kind == "comprehension"]
    targets = [n for part in parts for n in module.inside(module.children(part)[0])]
    return frozenset(module.nodes[n].extra for n in targets if module.nodes[n].kind == "Bound")


def values_of(records: list[Record]) -> dict[int, int]:
    """For every node that was evaluated in these records the last value it had."""
    pairs = (pair for record in records for pair in zip(record.marker.slots, record.words, strict=True))
    return {node: word for node, word in pairs if node >= 0}
