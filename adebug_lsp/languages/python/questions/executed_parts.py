"""The statements and expressions that one activation, loop or iteration executed itself, as a tree.

Calls, loops and iterations inside it are left out, because they were judged before. An expression has a node for each
evaluation; a statement that only evaluates an expression is that expression.
"""

from attrs import define, field

from adebug_lsp.languages.python.questions.describe.expression_text import HIDDEN, decided, values_of
from adebug_lsp.languages.python.questions.describe.inferred_values import InferredValues
from adebug_lsp.languages.python.reading.recorded_values import Atom, Object, Opaque, TupleLike, TypeInfo
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import DEFINITIONS, STATEMENTS, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.recorder.contract import UNBOUND
from adebug_lsp.languages.python.sandbox.closures import comprehension_variables
from adebug_lsp.model.kinds import NodeKind

MAIN = frozenset(
    [
        "statement",
        "return",
        "yield",
        "delegate",
        "raise",
        "assert",
        "with",
        "branch",
        "jump",
        "iteration",
        "last_test",
        "loop",
        "case",
        "handler",
        "block",
    ]
)
"""Records that end the execution of a statement, or of the head of a compound one."""
BETWEEN = frozenset(["enter", "resume", "resumed", "thrown", "after", "else", "raised", "finally", "passes", "left"])
"""Records that stand for no code."""
_COMPOUND = frozenset({"If", "With", "AsyncWith", "Try", "TryStar", "Match", "ExceptHandler"})
_LOOPS = frozenset({"For", "AsyncFor", "While"})
_CALLING = frozenset({"Call", "Await", "Yield", "YieldFrom", "Attribute", "Subscript", "BinOp", "Compare"})
"""Syntax that may run other code."""
_WRITTEN_OUT = frozenset({"Constant", "Tuple", "List", "Dict", "Set", "UnaryOp"})
_DISPLAYS = frozenset({"List", "Dict", "Set"})
_STEPPING = ("generator", "coroutine", "async_generator")
"""Objects of builtin types that execute recorded code."""


@define(eq=False)
class ExecutedPart:
    """One execution of a statement or expression."""

    kind: NodeKind
    node: int
    before: int
    """Position at which it began."""
    after: int
    """Position at which it had ended."""
    value: int | None = None
    """Word of the value of an expression."""
    truth: bool | None = None
    """Truth of a condition that has no recorded value."""
    raised: int | None = None
    """Word of the exception that ended it."""
    bound: dict[str, int] = field(factory=dict)
    """Variables of the enclosing comprehension, which have no records of their own."""
    children: list["ExecutedPart"] = field(factory=list)
    records: list[Record] = field(factory=list)
    writes: bool = False
    """Whether its statement wrote to an object after evaluating all its expressions."""

    @property
    def value_position(self) -> int:
        """Position at which an expression had been evaluated."""
        return self.records[-1].position if self.writes and self.records else self.after


def executed_parts(run: Run, span: Span) -> list[ExecutedPart]:
    """The statements and expressions that a span executed itself, outermost first."""
    return _Builder(run, span).build()


class _Builder:
    """Builds the parts of one span from its records."""

    def __init__(self, run: Run, span: Span) -> None:
        self.run, self.span = run, span
        self.module: Module = span.routine.module
        self.records = self._own_records()
        self.top: list[ExecutedPart] = []
        self.open: list[ExecutedPart] = []
        self.compound: dict[int, ExecutedPart] = {}
        """Compound statements by node; each runs at most once in a span, because code in a loop belongs to the
        iterations.
        """
        self.asserted: ExecutedPart | None = None
        """The `assert` that was executed last, which an exception may leave."""

    def _own_records(self) -> list[Record]:
        """The records of the span, without those of loops and iterations directly inside it."""
        spans, records, start = self.run.spans, list[Record](), self.span.first
        activation = spans[self.span.activation]
        for child in self.run.children(self.span.number):
            if spans.kind[child] in (NodeKind.LOOP, NodeKind.ITERATION):
                records += self.run.between(activation, start, spans.first[child] - 1)
                start = spans.last[child] + 1
        return records + self.run.between(activation, start, self.span.last)

    def build(self) -> list[ExecutedPart]:
        """Build the parts from the records."""
        previous = self.span.first
        gathered: list[Record] = []
        for record in self.records:
            kind = record.marker.kind
            if kind in BETWEEN:
                if kind == "raised":
                    self._raised(record, gathered, previous)
                    gathered = []
                previous = max(previous, record.end)
                continue
            gathered.append(record)
            if kind in MAIN:
                self._execution(record, gathered, previous)
                gathered = []
                previous = record.end
        if self.span.kind is NodeKind.LOOP:
            self._last_test()
        self._reach_over_loops()
        return self.top

    def _reach_over_loops(self) -> None:
        """Extend statements around a loop to the loop's end, whose records are not among these."""
        spans = self.run.spans
        for child in self.run.children(self.span.number):
            if spans.kind[child] == NodeKind.LOOP:
                for number in self.module.ancestors(spans.node[child]):
                    if number in self.compound:
                        self.compound[number].after = max(self.compound[number].after, spans.last[child] + 1)

    # Statements

    def _statement(self, number: int) -> int:
        """The statement that a node belongs to; inside a lambda, the lambda itself."""
        while number >= 0 and self.module.nodes[number].kind not in STATEMENTS:
            if self.module.nodes[number].kind in _COMPOUND or number == self.span.routine.node:
                return number
            number = self.module.nodes[number].parent
        return number

    def _execution(self, main: Record, records: list[Record], before: int) -> None:
        """Add the execution of a statement that a main record ended."""
        marker = main.marker
        statement = self._statement(marker.node)
        if statement == self.span.routine.node and self.module.nodes[statement].kind == "Lambda":
            for part in self._expressions(statement, records, before):
                self._add(part)
            return
        if statement < 0 or statement == self.span.routine.node:
            return
        self._enclose(statement, before)
        if marker.kind in ("branch", "iteration", "last_test"):
            self._tested(main, statement, records, before)
            return
        if marker.kind in ("case", "handler", "block", "with", "loop"):
            self._begin_compound(statement, records, main, before)
            return
        part = ExecutedPart(NodeKind.STATEMENT, statement, before, main.end, records=records)
        expressions = self._expressions(statement, records, before)
        whole = self._sole_expression(statement)
        if len(expressions) == 1 and expressions[0].node == whole:
            self._add(expressions[0])
            return
        part.children = expressions
        self.asserted = part if marker.kind == "assert" else None
        self._add(part)

    def _sole_expression(self, statement: int) -> int | None:
        """The expression that makes up a whole statement."""
        if self.module.nodes[statement].kind in ("Return", "Expr"):
            children = self.module.children(statement)
            return children[0] if children else None
        return None

    def _enclose(self, statement: int, before: int) -> None:
        """Begin the compound statements around a statement, and end those that it is not in."""
        around = [n for n in self.module.ancestors(statement) if self.module.nodes[n].kind in _COMPOUND | _LOOPS]
        limit = self._limit()
        if limit == statement:  # the head of a loop, whatever the loop itself is in
            around = []
        elif limit in around:
            around = around[: around.index(limit)]
        path = list(reversed(around))
        keep = 0
        while keep < len(self.open) and keep < len(path) and self.open[keep].node == path[keep]:
            keep += 1
        begun = keep + (len(self.open) > keep == len(path) and self.open[keep].node == statement)
        del self.open[begun:]
        for number in path[keep:]:
            self._begin(ExecutedPart(NodeKind.STATEMENT, number, before, before))

    def _limit(self) -> int:
        """The node that encloses all parts."""
        return self.span.node

    def _begin(self, part: ExecutedPart) -> None:
        self._add(part)
        self.open.append(part)
        self.compound[part.node] = part

    def _add(self, part: ExecutedPart) -> None:
        (self.open[-1].children if self.open else self.top).append(part)
        for around in self.open:
            around.after = max(around.after, part.after)

    def _tested(self, main: Record, statement: int, records: list[Record], before: int) -> None:
        """Add an evaluated condition: of an `if`, or of a `while` before an iteration or at the end of the loop."""
        marker = main.marker
        truth = marker.taken if marker.kind == "branch" else marker.kind == "iteration"
        if marker.kind == "branch" and not (self.open and self.open[-1].node == statement):
            self._begin(ExecutedPart(NodeKind.STATEMENT, statement, before, main.end, records=records))
        if marker.test is None:
            return
        self._add(self._condition(marker.test, records, before, main.end, bool(truth)))

    def _condition(self, test: int, records: list[Record], before: int, after: int, truth: bool) -> ExecutedPart:
        """An evaluated condition with its operands."""
        expressions = self._expressions(test, records, before)
        if len(expressions) == 1 and expressions[0].node == test:
            condition = expressions[0]
            condition.truth = truth
        else:
            condition = ExecutedPart(
                NodeKind.EXPRESSION, test, before, after, truth=truth, children=expressions, records=records
            )
        self._add_decided_conditions(condition, records)
        return condition

    def _add_decided_conditions(self, part: ExecutedPart, records: list[Record]) -> None:
        """Add the conditions inside an expression whose truth is known."""
        truth = part.truth if part.value is None else self._truth(part.value)
        recorded = {node for record in records for node in (record.marker.node, *record.marker.slots)}
        self._insert_conditions(
            part, decided(self.module, part.node, truth, recorded, self._inferred_values(part, records))
        )

    def _inferred_values(self, part: ExecutedPart, records: list[Record]) -> InferredValues:
        """Infers values from records and from the variables that an expression read.

        Variables that calls in the same statement may have changed are excluded.
        """
        module, routine = self.module, self.span.routine
        statement = self._statement(part.node)
        whole = next((n for n in (part.node, *module.ancestors(part.node)) if module.nodes[n].parent == statement), -1)
        kinds = {module.nodes[number].kind for number in module.inside(whole if whole >= 0 else part.node)}
        calls, binds = not kinds.isdisjoint(_CALLING), "NamedExpr" in kinds
        variables = self.run.variables(self.run.spans[self.span.activation])
        shared = routine.declared.union(*(other.declared for other in module.routines if other is not routine))

        in_comprehension = any(record.marker.kind == "comprehension" for record in records)
        values = {} if in_comprehension else values_of(records)

        def known(number: int) -> Atom | bool | None:
            if module.nodes[number].kind != "Name":
                return None if number not in values else self._atom(values[number], None)
            name = str(module.nodes[number].extra)
            if binds or (calls and (routine.kind == "module" or name in shared)):
                return None
            inside = name in comprehension_variables(module, number)
            word = part.bound.get(name) if inside else variables.at(name, part.before)
            return None if word is None or word == UNBOUND else self._atom(word, None if calls else part.before)

        return InferredValues(module, known)

    def _atom(self, word: int, moment: int | None) -> Atom | bool | None:
        value = self.run.recording.values.value(word)
        return value if isinstance(value, Atom) else self._truth(word, moment)

    def _insert_conditions(self, part: ExecutedPart, known: dict[int, bool]) -> None:
        """Inserts conditions between an expression and the parts inside them."""
        for node, truth in known.items():
            if self.module.nodes[node].kind in HIDDEN:
                continue
            around, above = part, set(self.module.ancestors(node))
            while (nearer := next((child for child in around.children if child.node in above), None)) is not None:
                around = nearer
            if any(child.node == node for child in around.children):
                continue
            inside = set(self.module.inside(node))
            made = ExecutedPart(NodeKind.EXPRESSION, node, part.before, part.after, truth=truth, records=part.records)
            made.children = [child for child in around.children if child.node in inside]
            others = [child for child in around.children if child.node not in inside]
            around.children = sorted([*others, made], key=lambda child: child.node)

    def _truth(self, word: int, moment: int | None = None) -> bool | None:
        """The recorded truth of a value; of a mutable value, at a position."""
        value = self.run.recording.values.value(word)
        if isinstance(value, Atom):
            return bool(value.value)
        if isinstance(value, TupleLike):
            return bool(value.items) if value.type in ("tuple", "frozenset") else None
        if moment is None or not isinstance(value, Object) or value.type.module != "builtins":
            return None
        state = self.run.heap.state(word, moment)
        return None if state.uncertain or not state.shape else bool(state.items or state.pairs or state.data)

    def _begin_compound(self, statement: int, records: list[Record], main: Record, before: int) -> None:
        expressions = self._expressions(statement, records, before)
        if self.module.nodes[statement].kind in _COMPOUND and not any(p.node == statement for p in self.open):
            self._begin(ExecutedPart(NodeKind.STATEMENT, statement, before, main.end, records=records))
        for part in expressions:
            self._add(part)

    def _last_test(self) -> None:
        """Add the condition that ended a `while` loop without `break`."""
        node = self.module.nodes[self.span.node]
        recorded = any(r.marker.kind == "last_test" for r in self.records)
        if node.kind != "While" or recorded or self.span.open or self.span.raised or self._left_early():
            return
        self.top.append(
            self._condition(self.module.children(self.span.node)[0], [], self.span.last + 1, self.span.last + 1, False)
        )

    def _left_early(self) -> bool:
        """Whether the loop ended with a `break`."""
        last = self.run.last(self.span)
        if last is None or last.marker.kind != "jump" or self.module.nodes[last.marker.node].kind != "Break":
            return False
        return self.module.loops_around(last.marker.node)[:1] == (self.span.node,)

    def _raised(self, record: Record, gathered: list[Record], before: int) -> None:
        """Add the statement that an exception ended."""
        trace = self.run.recording.values.value(record.words[1])
        line = int(trace.name) if isinstance(trace, Opaque) and trace.name and trace.name.isdigit() else -1
        number = self._statement_on(line, gathered)
        already = self.top or self.open
        if number < 0 or (already and self._is_raise(number)):
            return
        if self.asserted is not None and self.asserted.node == number:
            self.asserted.raised, self.asserted.after = record.words[0], record.position
            return
        self._enclose(number, before)
        part = ExecutedPart(
            NodeKind.STATEMENT, number, before, record.position, raised=record.words[0], records=gathered
        )
        part.children = self._expressions(number, gathered, before)
        self._add(part)

    def _is_raise(self, number: int) -> bool:
        return self.module.nodes[number].kind == "Raise"

    def _statement_on(self, line: int, gathered: list[Record]) -> int:
        """The innermost statement of the routine on a line; one that was partly executed takes precedence."""
        if gathered:
            return self._statement(gathered[-1].marker.node)
        routine, nodes = self.span.routine.node, self.module.nodes
        inside = self.module.inside(routine) if routine >= 0 else range(len(nodes))
        statements = [n for n in inside if n != routine and nodes[n].kind in STATEMENTS - DEFINITIONS]
        on_line = [n for n in statements if (place := nodes[n].place) and place[0] <= line <= place[2]]
        return on_line[-1] if on_line else -1

    # Expressions

    def _expressions(self, inside: int, records: list[Record], before: int) -> list[ExecutedPart]:
        """The values in a statement's records, as the tree of its expressions."""
        parts: dict[int, ExecutedPart] = {}
        iterations: dict[int, list[dict[int, ExecutedPart]]] = {}
        bound: dict[str, int] = {}
        for record in records:
            if record.marker.kind == "comprehension":
                iterations.setdefault(record.marker.node, []).append({})
                bound |= {name: record.words[slot] for name, slot in record.marker.iteration_stores}
            for number, word in zip(record.marker.slots, record.words, strict=True):
                if number < 0 or self.module.nodes[number].kind in HIDDEN | STATEMENTS or self._is_written_out(number):
                    continue
                if self._is_library_object(word):
                    continue
                into = self._iteration_of(number, iterations)
                (parts if into is None else into)[number] = ExecutedPart(
                    NodeKind.EXPRESSION,
                    number,
                    before,
                    record.end,
                    value=word,
                    records=[record],
                    bound={} if into is None else dict(bound),
                    writes=bool(record.marker.writes),
                )
        top = self._nested(parts, inside)
        for part in parts.values():
            if part.node != inside:
                self._add_decided_conditions(part, records)
        for comprehension, each in iterations.items():
            if comprehension in parts:
                for values in each:
                    parts[comprehension].children.extend(self._nested(values, comprehension))
        return top

    def _is_written_out(self, number: int) -> bool:
        """Whether an expression is a literal such as `("open", "push")`, whose value is in the source.

        A list or dictionary that is a parameter's default is not: calls share that object.
        """
        is_default = self.module.nodes[self._statement(number)].kind in DEFINITIONS
        if self.module.nodes[number].kind == "Lambda":  # what it computes is asked about where it is called
            return True
        kinds = _WRITTEN_OUT - _DISPLAYS if is_default else _WRITTEN_OUT
        return all(self.module.nodes[n].kind in kinds for n in self.module.inside(number))

    def _is_library_object(self, word: int) -> bool:
        """Whether a value is a class, module, iterator or view of a library, of which a question could show nothing."""
        value = self.run.recording.values.value(word)
        if isinstance(value, TypeInfo):
            return not value.is_user_class
        if isinstance(value, Opaque) and value.type.name == "module":
            return True
        if not isinstance(value, Opaque) or value.name is not None or value.type.name in _STEPPING:
            return False
        return value.type.module in ("builtins", "itertools")

    def _iteration_of(
        self, number: int, iterations: dict[int, list[dict[int, ExecutedPart]]]
    ) -> dict[int, ExecutedPart] | None:
        for around in self.module.ancestors(number):
            if around in iterations:
                first = self.module.children(around)
                return iterations[around][-1] if first else None
        return None

    def _nested(self, parts: dict[int, ExecutedPart], inside: int) -> list[ExecutedPart]:
        """The parts that are not inside another one, which get the others as children."""
        top = []
        for number, part in sorted(parts.items()):
            if number == inside:
                top.append(part)
                continue
            above = next((a for a in self.module.ancestors(number) if a in parts), None)
            if above is None:
                top.append(part)
            else:
                parts[above].children.append(part)
        return top
