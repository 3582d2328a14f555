"""The variables, parts of objects, whole objects and calls that evaluating an expression reads, by its syntax."""

from collections.abc import Iterator

from attrs import define, field, frozen

from adebug_lsp.languages.python.questions.origins.evaluations import COMPREHENSIONS
from adebug_lsp.languages.python.reading.static import SCOPES, STATEMENTS, Module
from adebug_lsp.languages.python.sandbox.closures import comprehension_variables

_LOOKS_INSIDE = frozenset([
    "BinOp", "UnaryOp", "Compare", "BoolOp", "FormattedValue", "Interpolation", "Starred", "AugAssign", "Assert",
    "Await", "YieldFrom", "Slice", "comprehension", "If", "While", "Match",
])  # fmt: skip
"""Syntax that uses the contents of its operands; an assignment or a `return` only hands the object on."""


@frozen
class Reads:
    """The reads of an expression, or of the head of a statement, as numbers of syntax nodes."""

    names: tuple[int, ...]
    parts: tuple[int, ...]
    """Attributes, elements and values of mappings."""
    calls: tuple[int, ...]
    looked_into: tuple[int, ...]
    """Expressions whose contents are used."""
    passed: tuple[tuple[int, int], ...]
    """Arguments and receivers, each with its call: library code uses their contents, recorded code reads for itself."""
    walrus: bool


@define(eq=False)
class ReadsOfSyntax:
    """A cache of reads by expression."""

    _known: dict[tuple[int, int], Reads] = field(factory=dict)

    def of(self, module: Module, node: int) -> Reads:
        """The reads of a piece of syntax."""
        key = (module.first, node)
        if key not in self._known:
            self._known[key] = _reads(module, node)
        return self._known[key]


def evaluated_with(module: Module, node: int) -> Iterator[int]:
    """The expressions that a piece of syntax evaluates; for a compound statement, those in its head."""
    waiting = [node]
    while waiting:
        number = waiting.pop()
        yield number
        kind = module.nodes[number].kind
        if kind in SCOPES and kind != "Lambda":
            signature = module.signatures.get(number)
            waiting.extend(signature.defaults.values() if signature else ())
        elif kind not in SCOPES and kind != "ClassDef":
            inner = module.children(number)
            waiting.extend(n for n in inner if module.nodes[n].kind not in _OTHER_PARTS)


_OTHER_PARTS = STATEMENTS | {"ExceptHandler", "match_case"}


def _reads(module: Module, node: int) -> Reads:
    nodes, written = module.nodes, _written(module, node)
    names, parts, calls, inside, passed = [], [], [], [], []
    walrus = False
    for number in evaluated_with(module, node):
        kind, around = nodes[number].kind, nodes[number].parent
        walrus |= kind == "NamedExpr"
        if kind == "Name" and str(nodes[number].extra) not in comprehension_variables(module, number):
            names.append(number)
        if kind == "Bound" and around >= 0 and nodes[around].kind == "AugAssign":
            names.append(number)
        if kind in ("Attribute", "Subscript") and number not in written:
            parts.append(number)
        if kind == "Call":
            calls.append(number)
        if number == node or around < 0 or kind == "Bound":
            continue
        if nodes[around].kind == "Call" and module.children(around)[0] != number:
            passed.append((number, around))
        elif nodes[around].kind == "Attribute" and _called(module, around):
            passed.append((number, nodes[around].parent))
        elif _looks_inside(module, number, around):
            inside.append(number)
    if module.nodes[node].parent >= 0 and _looks_inside(module, node, nodes[node].parent):
        inside.append(node)
    return Reads(tuple(names), tuple(parts), tuple(calls), tuple(inside), tuple(passed), walrus)


def _looks_inside(module: Module, number: int, around: int) -> bool:
    kind, place = module.nodes[around].kind, module.children(around).index(number)
    if kind == "IfExp":
        return place == 0
    if kind == "Subscript":
        return place == 0 and module.nodes[module.children(around)[1]].kind == "Slice"
    return kind in _LOOKS_INSIDE or kind in COMPREHENSIONS


def _called(module: Module, number: int) -> bool:
    around = module.nodes[number].parent
    return around >= 0 and module.nodes[around].kind == "Call" and module.children(around)[0] == number


def _written(module: Module, node: int) -> frozenset[int]:
    """Attributes and elements that a statement only writes to."""
    children, kind = module.children(node), module.nodes[node].kind if node >= 0 else ""
    targets = {"Assign": children[:-1], "AnnAssign": children[:1], "Delete": children, "For": children[:1]}
    written = list(targets.get(kind, ()))
    for target in written:  # grows while it is read
        if module.nodes[target].kind in ("Tuple", "List", "Starred"):
            written.extend(module.children(target))
    return frozenset(written)


def statement_of(module: Module, node: int) -> int:
    """The statement, case or handler that contains some syntax; -1 for code in no statement, such as a lambda's."""
    while node >= 0 and module.nodes[node].kind not in _OTHER_PARTS:
        node = module.nodes[node].parent if module.nodes[node].kind not in SCOPES else -1
    return node
