"""A small lazy evaluator that leaves an augmented redex trail: enough to run the thesis's first-order programs.

A program maps a function name to (number of arguments, body). A body is an expression: `("var", i)`, `("con", name,
parts...)`, `("call", name, arguments...)`, `("int", n)` or `("case", expression, {constructor: (arity, body)})`, where
the parts of the matched constructor come after the variables that are already bound. Strict primitives are trusted:
they are reduced, but they are no execution nodes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from adebug_lsp.model.source import Site
from adebug_lsp.slicing.trail import App, Atom, Ref, Step, Trail, TrailDependences
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

Expression = tuple[Any, ...]
Program = Mapping[str, tuple[int, Expression]]
Primitive = Callable[..., object]

PRIMITIVES: dict[str, Primitive] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else 0,
    "==": lambda a, b: "True" if a == b else "False",
}


class Machine:
    """Evaluates by graph reduction on a trail."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.trail = Trail()
        self._arity = {name: arity for name, (arity, _body) in program.items()} | dict.fromkeys(PRIMITIVES, 2)

    def run(self, start: Expression) -> int:
        root = self.trail.add()
        self._build(root, start, ())
        self.deep(root)
        return root

    # Building graphs

    def _build(self, node: int, expression: Expression, env: tuple[int, ...]) -> None:
        """Put an expression into a node that was made for it."""
        kind = expression[0]
        if kind == "var":
            self.trail.set(node, Ref(env[expression[1]]))
        elif kind == "int":
            self.trail.set(node, Atom(str(expression[1])))
        elif kind in ("con", "call"):
            self._apply(node, expression[1], expression[2:], env)
        else:
            raise AssertionError(kind)

    def _apply(self, node: int, name: str, arguments: tuple[Expression, ...], env: tuple[int, ...]) -> None:
        if not arguments:
            self.trail.set(node, Atom(name))
            return
        left = self.trail.add(node, Step.LEFT)
        self._apply(left, name, arguments[:-1], env)
        last = arguments[-1]
        if last[0] == "var":
            right = env[last[1]]  # shared with older nodes
        else:
            right = self.trail.add(node, Step.RIGHT)
            self._build(right, last, env)
        self.trail.set(node, App(left, right))

    # Evaluating

    def spine(self, node: int) -> tuple[str, list[int]]:
        """The function and the arguments of an application that is not reduced yet."""
        arguments: list[int] = []
        while isinstance(expression := self.trail.expressions[node], App):
            arguments.append(expression.right)
            node = expression.left
        assert isinstance(expression, Atom)
        return expression.name, arguments[::-1]

    def head(self, node: int) -> int:
        """Reduce to head normal form; returns the resulting node."""
        while True:
            node = self.trail.settle(node)
            name, arguments = self.spine(node)
            if name not in self._arity or len(arguments) < self._arity[name]:
                return node
            if name in PRIMITIVES:
                result = PRIMITIVES[name](*(self.number(argument) for argument in arguments))
                reduct = self.trail.add(node, Step.TOP)
                self.trail.set(reduct, Atom(str(result)))
            else:
                self._reduce(node, self.program[name][1], tuple(arguments))

    def _reduce(self, node: int, body: Expression, env: tuple[int, ...]) -> None:
        while body[0] == "case":
            value = self.head(env[body[1][1]])
            constructor, parts = self.spine(value)
            branches = body[2]
            _arity, body = branches.get(constructor, branches.get("_"))
            env = (*env, *parts) if constructor in branches else env
        reduct = self.trail.add(node, Step.TOP)
        self._build(reduct, body, env)

    def number(self, node: int) -> int:
        expression = self.trail.expressions[self.head(node)]
        assert isinstance(expression, Atom)
        return int(expression.name)

    def deep(self, node: int) -> None:
        """Evaluate a value completely, as printing it would."""
        _name, parts = self.spine(self.head(node))
        for part in parts:
            self.deep(part)

    # Reading

    def show(self, node: int) -> Any:
        """The most evaluated form (`mef`), as nested tuples; "_" for what was never needed."""
        node = self.trail.settle(node)
        if self.trail.expressions[node] is None:
            return "_"
        name, arguments = self.spine(node)
        if name in self._arity and len(arguments) >= self._arity[name]:
            return "_"
        return (name, *(self.show(argument) for argument in arguments)) if arguments else name

    def equation(self, redex: int) -> tuple[Any, Any]:
        """The call with its arguments, and its result (Def. 41)."""
        name, arguments = self.spine(redex)
        return (name, *(self.show(argument) for argument in arguments)), self.show(redex)

    def tree(self, trusted: frozenset[str] = frozenset()) -> tuple[ExecutionTree, TrailDependences]:
        """The execution tree: a node for each reduction of a function that is not trusted, under its parent."""
        builder = TreeBuilder()
        handles: dict[int, int] = {}
        asked = self.program.keys() - trusted
        redexes = [r for r in self.trail.reductions() if self.spine(r)[0] in asked]
        for redex in redexes:
            name = self.spine(redex)[0]
            handles[redex] = builder.add(builder.site(Site(name, name)))
        for redex in redexes:
            above = next((a for a in self.trail.ancestors(redex) if a in handles), None)
            builder.attach(handles[redex], None if above is None else handles[above])
        tree, places = builder.finish()
        nodes = {redex: places[handle] for redex, handle in handles.items()}
        return tree, TrailDependences(self.trail, nodes, {node: redex for redex, node in nodes.items()})
