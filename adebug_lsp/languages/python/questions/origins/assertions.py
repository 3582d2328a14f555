"""Assertions in source code: the expression that is checked, and the expected value."""

import ast
import re

from attrs import frozen

from adebug_lsp.languages.python.reading.static import STATEMENTS, Module, Routine

_EQUAL = frozenset(
    {"assertEqual", "assertEquals", "assertIs", "assertAlmostEqual", "assertListEqual", "assertDictEqual"}
)
WITH = ("With", "AsyncWith")
_ASSERTION = re.compile(r"assert(_\w+|[A-Z]\w*)")
_OF_MOCK = re.compile(r"assert_(any|has|not|called|awaited|not_awaited|not_called)\w*")
_TRUE, _FALSE = frozenset({"assertTrue"}), frozenset({"assertFalse"})


def statement_on(module: Module, routine: int, line: int) -> int | None:
    """The innermost statement of a routine on a line."""
    statement = None
    for number in module.inside(routine):
        node = module.nodes[number]
        if node.kind in STATEMENTS and number != routine and node.place and node.place[0] <= line <= node.place[2]:
            statement = number
    return statement


@frozen
class Failure:
    """The place and the message of a test's failure."""

    message: str
    frames: tuple[tuple[str, int], ...]
    """File and line, outermost first."""

    def statement(self, routine: Routine) -> int | None:
        """The statement of a routine that failed, or that was waiting for the code that did."""
        module = routine.module
        lines = [line for path, line in self.frames if path.replace("\\", "/").endswith(module.path)]
        statements = (statement_on(module, routine.node, line) for line in reversed(lines))
        return next((statement for statement in statements if statement is not None), None)


def checked_expressions(module: Module, statement: int) -> list[int]:
    """The expressions that an assertion compares, the checked one first; also those of any call of an `assert...`."""
    node, children = module.nodes[statement], module.children(statement)
    if node.kind in WITH:
        return calls_in_body(module, statement)[-1:]
    asserted = asserted_expression(module, statement)
    first = [] if asserted is None else [asserted[0]]
    if node.kind not in ("Assert", "Expr") or not children:
        return first
    compared = module.children(children[0]) if module.nodes[children[0]].kind in ("Compare", "Call") else []
    if node.kind == "Expr":
        name = str(module.nodes[compared[0]].extra) if compared else ""
        compared = compared[1:] if _ASSERTION.fullmatch(name) else []
    elif module.nodes[children[0]].kind == "Call":
        compared = []
    return [*dict.fromkeys([*first, *sorted(compared, key=lambda n: not calls_in(module, n))])]


def is_of_mock(module: Module, statement: int) -> bool:
    """Whether a statement asserts how a mock was called."""
    calls = [n for n in module.children(statement) if module.nodes[n].kind == "Call"]
    functions = [module.nodes[module.children(call)[0]] for call in calls[:1]]
    return any(f.kind == "Attribute" and _OF_MOCK.fullmatch(str(f.extra)) for f in functions)


def calls_in_body(module: Module, statement: int) -> list[int]:
    """The outermost calls in a `with` block, without those of its context managers."""
    body = [n for n in module.children(statement) if module.nodes[n].kind != "withitem"]
    calls = [call for part in body for call in calls_in(module, part)]
    return [call for call in calls if not set(calls) & set(module.ancestors(call))]


def asserted_expression(module: Module, statement: int) -> tuple[int, str | None] | None:
    """The checked expression, and the text of its expected value."""
    node, children = module.nodes[statement], module.children(statement)
    if node.kind == "Assert" and children:
        return _condition(module, children[0])
    if node.kind in WITH:
        return statement, None
    if node.kind == "Expr" and children and module.nodes[children[0]].kind == "Call":
        function, *arguments = module.children(children[0])
        name = module.nodes[function].extra
        if name in _EQUAL and len(arguments) >= 2:
            return _sides(module, arguments[0], arguments[1])
        if name in _TRUE | _FALSE and arguments:
            return arguments[0], str(name in _TRUE)
    return None


def _condition(module: Module, test: int) -> tuple[int, str | None] | None:
    """The checked expression of an `assert`, and the expected value."""
    node, children = module.nodes[test], module.children(test)
    if node.kind == "UnaryOp" and node.extra == "Not":
        return children[0], "False"
    if node.kind == "Compare" and len(children) == 2:
        if node.extra in (["Eq"], ["Is"]):
            return _sides(module, children[0], children[1])
        return children[0], None
    return test, "True"


def _sides(module: Module, left: int, right: int) -> tuple[int, str | None] | None:
    """The checked side of a comparison, and the literal on the other."""
    for subject, written in ((left, right), (right, left)):
        text = _literal(module, written)
        if text is not None and _literal(module, subject) is None:
            return subject, text
    for subject, other in ((left, right), (right, left)):
        if not calls_in(module, other) and (other is right or calls_in(module, subject)):
            return subject, None
    return None


def _literal(module: Module, number: int) -> str | None:
    """The literal value of an expression as text; that of `approx(x)` is x."""
    if module.nodes[number].kind == "Call":
        function, *arguments = module.children(number)
        if module.nodes[function].extra == "approx" and arguments:
            return _literal(module, arguments[0])
        return None
    try:
        return repr(ast.literal_eval(" ".join(module.text(number).split())))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def calls_in(module: Module, number: int) -> list[int]:
    """All calls in an expression."""
    return [n for n in module.inside(number) if module.nodes[n].kind == "Call"]
