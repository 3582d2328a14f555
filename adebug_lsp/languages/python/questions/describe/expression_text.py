"""The names that code reads and binds, and the truth of conditions as it follows from records."""

from adebug_lsp.languages.python.questions.describe.inferred_values import InferredValues, outcome
from adebug_lsp.languages.python.reading.run import Record
from adebug_lsp.languages.python.reading.static import Module

HIDDEN = frozenset(
    [
        *("Bound", "Constant", "Name", "Slice", "Starred"),
        *("FormattedValue", "Interpolation", "comprehension", "withitem"),
    ]
)


def names_read(module: Module, nodes: list[int]) -> list[str]:
    """The variables that nodes read, in source order."""
    names: dict[str, None] = {}
    for number in nodes:
        node = module.nodes[number]
        if node.kind == "Name" and isinstance(node.extra, str):
            names.setdefault(node.extra)
        elif node.kind == "AugAssign":
            for child in module.children(number)[:1]:
                if module.nodes[child].kind == "Bound":
                    names.setdefault(module.nodes[child].extra)
    return list(names)


def names_bound(module: Module, loop: int) -> list[str]:
    """The variables that a `for` loop binds in every iteration."""
    if module.nodes[loop].kind not in ("For", "AsyncFor"):
        return []
    target = module.inside(module.children(loop)[0])
    return [module.nodes[number].extra for number in target if module.nodes[number].kind == "Bound"]


def decided(
    module: Module, number: int, truth: bool | None, recorded: set[int], inferred: InferredValues
) -> dict[int, bool]:
    """The truth of the conditions inside an expression, from its own truth and from which parts were evaluated.

    Both operands of `a and b` are true if the whole is; `a` is true if there is a record of `b`. In `x if test else y`
    the evaluated side decides `test`. Where there is no record, the value may be inferred.
    """
    kind, operator = module.nodes[number].kind, module.nodes[number].extra
    parts = sorted(module.children(number), key=lambda part: module.nodes[part].place or ())
    known: dict[int, bool] = {}
    if kind == "IfExp" and len(parts) == 3:
        then_side, else_side = (not recorded.isdisjoint(module.inside(side)) for side in (parts[0], parts[2]))
        tested = then_side if then_side != else_side else inferred.truth(parts[1])
        known = {} if tested is None else {parts[1]: tested}
    elif kind == "BoolOp":
        known = inferred.evaluated(parts, operator == "And")
        if truth is not None and outcome(known, parts, operator == "And") not in (None, truth):
            known = {}
        if truth is not None:
            is_recorded = [not recorded.isdisjoint(module.inside(n)) for n in parts]
            known |= _operands(parts, operator == "And", truth, is_recorded)
    elif kind == "UnaryOp" and operator == "Not" and truth is not None:
        known = {parts[0]: not truth}
    inner = [decided(module, part, held, recorded, inferred) for part, held in known.items()]
    return known | {node: held for conditions in inner for node, held in conditions.items()}


def _operands(parts: list[int], passes: bool, truth: bool, is_recorded: list[bool]) -> dict[int, bool]:
    """The truth of the operands of an `and` (`passes`) or `or`, up to the deciding one."""
    if truth is passes:
        return dict.fromkeys(parts, passes)
    last = max((index for index, known in enumerate(is_recorded) if known), default=0)
    truths = dict.fromkeys(parts[:last], passes)
    return {**truths, parts[last]: truth} if last == len(parts) - 1 else truths


def header(module: Module, loop: int) -> int | None:
    """The expression that a loop evaluates between iterations: the test of a `while`, the iterable of a `for`."""
    parts = module.children(loop)[: 1 if module.nodes[loop].kind == "While" else 2]
    return parts[-1] if parts else None


def values_of(records: list[Record]) -> dict[int, int]:
    """The last value of every node that was evaluated in these records."""
    pairs = (pair for record in records for pair in zip(record.marker.slots, record.words, strict=True))
    return {node: word for node, word in pairs if node >= 0}
