"""What questions show: for calls their arguments and results, for code inside them the variables before and after.

A value is shown as it was at the moment. What changed is found by comparing whole values, never their texts.
"""

import ast

from attrs import define, field

from adebug_lsp.languages.python.expressions import names_read, values_of
from adebug_lsp.languages.python.inner import Part
from adebug_lsp.languages.python.run import Record, Run
from adebug_lsp.languages.python.spans import Span
from adebug_lsp.languages.python.static import STATEMENTS, Marker, Module
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.recording.values import Object

_SHORT = 60
_MOST_LINES = 20
_STOPPED = ("timeout", "interrupted")


@define(eq=False)
class Describer:
    """Describes spans and parts of one run."""

    run: Run
    _digests: dict[tuple[int, int], str] = field(factory=dict)
    _prints: dict[int, list[int]] = field(factory=dict)

    # Calls

    def call(self, span: Span) -> Behaviour:
        """A call, a step of a generator, a module that was loaded."""
        run, routine = self.run, span.routine
        records = run.summary(span, span.first, span.last)
        start, end = span.first + 1, span.last + 1
        given = self.arguments(span, records)
        before = [
            Binding(
                name, self.value(word, start), Role.RECEIVER if routine.method and name == "self" else Role.ARGUMENT
            )
            for name, word in given
        ]
        read = self.outer_names(span, records)
        before += [Binding(name, self.value(word, start), Role.GLOBAL) for name, word in read]
        after = [
            Binding(name, self.value(word, end), Role.ARGUMENT)
            for name, word in (*given, *read)
            if self.changed(word, start, word, end)
        ]
        if routine.kind == "module":
            after += self._bound(span, end)
        result, raised = self.outcome(span)
        shown_result = None if result is None else self.value(result, end)
        shown_raised = None if raised is None else self.value(raised, end)
        after += self._output(span, span.first, span.last)
        text = self._call_text(span, before, shown_result, shown_raised)
        return Behaviour(
            text,
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=self.projection(routine.module, records),
            result=shown_result,
            raised=shown_raised,
            identity=self._identity(span, given, read, result, raised),
            coarse="" if not span.open else "it had not ended when the recording did",
        )

    def arguments(self, span: Span, records: list[Record]) -> list[tuple[str, int]]:
        """What a call was given; for a later step of a generator, its variables."""
        first = records[0] if records else None
        if first is not None and first.marker.kind == "enter":
            return [(name, first.words[slot]) for name, slot in first.marker.stores]
        variables = self.run.variables(span)
        known = ((name, variables.at(name, span.first + 1)) for name in variables.names)
        return [(name, word) for name, word in known if word is not None]

    def outer_names(self, span: Span, records: list[Record]) -> list[tuple[str, int]]:
        """Global and free variables that the call read: recorded where they were read first."""
        own = set(self.run.variables(span).names) - span.routine.declared
        found = {name: word for name, word in self._read(span, records).items() if name not in own}
        return list(found.items())

    def outcome(self, span: Span) -> tuple[int | None, int | None]:
        """The words of what a call returned or yielded, and of what it raised."""
        record = self.run.last(span)
        if record is None or span.open:
            return None, None
        if record.marker.kind == "raised":
            return None, record.words[0]
        if span.raised:
            return None, self._passing(span)
        result = record.marker.result if record.marker.kind in ("return", "yield") else None
        return (None if result is None else record.words[result]), None

    def _passing(self, span: Span) -> int | None:
        """What left a lambda, which has no record of that: what left the routine around it, if something did."""
        words, after = self.run.recording.words, span.last + 1
        marker = self.run.program.markers.get(int(words[after])) if after + 1 < len(words) else None
        return int(words[after + 1]) if marker is not None and marker.kind == "raised" else None

    def _call_text(self, span: Span, before: list[Binding], result: Value | None, raised: Value | None) -> str:
        routine = span.routine
        shown = [_short(b.value.text) for b in before if b.role == Role.ARGUMENT]
        receiver = next((b.value.text for b in before if b.role == Role.RECEIVER), None)
        name = routine.qualname or ("the run" if routine.name == "the run" else f"module {routine.module.name}")
        if receiver is not None:
            name = f"{_short(receiver)}.{routine.name}"
        text = name if routine.kind == "module" else f"{name}({', '.join(shown)})"
        if span.kind is NodeKind.GENERATOR:
            text = f"a step of {text}"
        if raised is not None:
            return f"{text} raised {_short(raised.text)}"
        if span.raised:
            return f"{text} raised an exception"
        if span.open:
            return f"{text} did not end"
        return text if routine.kind == "module" else f"{text} = {_short('None' if result is None else result.text)}"

    def _identity(
        self,
        span: Span,
        given: list[tuple[str, int]],
        read: list[tuple[str, int]],
        result: int | None,
        raised: int | None,
    ) -> str:
        """The same for calls that did the same from the same values."""
        if span.open or span.kind is NodeKind.GENERATOR or span.routine.kind == "module":
            return ""
        start, end = span.first + 1, span.last + 1
        outcome = raised if result is None else result
        parts = [span.routine.callable, str(result is None and raised is not None)]
        parts += [f"{name}={self.digest(word, start)}" for name, word in (*given, *read)]
        parts += [f"{name}>{self.digest(word, end)}" for name, word in (*given, *read)]
        parts.append("" if outcome is None else self.digest(outcome, end))
        return "|".join(parts)

    def unfinished(self, span: Span) -> bool:
        """Whether a span was still running when the program was stopped."""
        if span.open or not span.raised or (self.run.recording.ending or {}).get("how") not in _STOPPED:
            return span.open
        _, raised = self.outcome(self.run.spans[span.activation])
        found = None if raised is None else self.run.recording.values.value(raised)
        return isinstance(found, Object) and found.type.full_name == "KeyboardInterrupt"

    # Parts of calls

    def stretch(self, span: Span, first: int, last: int, what: str) -> Behaviour:
        """A loop, an iteration or several: variables before and after."""
        run = self.run
        activation = run.spans[span.activation]
        records = run.summary(activation, first, last)
        module = span.routine.module
        nodes = [n for number in self._statements(module, records) for n in module.inside(number)]
        before, after = self._environments(activation, names_read(module, nodes), records, first + 1, last + 1)
        after += self._output(activation, first, last)
        text = f"{what}: {_changes(before, after)}"
        return Behaviour(
            text,
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=self.projection(module, records),
            coarse="it had not ended when the program was stopped" if self.unfinished(span) else "",
        )

    def part(self, activation: Span, part: Part) -> Behaviour:
        """A statement or an expression."""
        module = activation.routine.module
        names = names_read(module, module.inside(part.node))
        records = part.records
        before, after = self._environments(activation, names, records, part.before, part.after)
        before += [Binding(name, self.value(word, part.before)) for name, word in part.bound.items() if name in names]
        source = _one_line(module.text(part.node))
        result = raised = None
        if part.kind is NodeKind.EXPRESSION:
            result = self._result(part)
            text = f"{source} = {_short(result.text)}" if result else source
            after = [b for b in after if b.role != Role.VARIABLE]
        else:
            header = module.text(part.node).partition("\n")[0].rstrip(": ")
            text = f"{_short(header)}: {_changes(before, after)}"
        if part.raised is not None:
            raised = self.value(part.raised, part.after)
            text = f"{_short(source)} raised {_short(raised.text)}"
        return Behaviour(
            text,
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=(module.location(part.node),),
            result=result,
            raised=raised,
        )

    def _result(self, part: Part) -> Value | None:
        if part.value is not None:
            return self.value(part.value, part.after)
        if part.truth is not None:
            return Value(str(part.truth), "bool")
        return None

    def _environments(
        self, activation: Span, names: list[str], records: list[Record], start: int, end: int
    ) -> tuple[list[Binding], list[Binding]]:
        """The variables that were read, before; and what is different afterwards."""
        variables, outer = self.run.variables(activation), self._read(activation, records)
        known = set(variables.names)
        before, after = [], []
        stored = [name for record in records for name, _ in record.marker.stores]
        for name in dict.fromkeys((*names, *stored)):
            own = name in known
            old = variables.at(name, start) if own else outer.get(name)
            new = variables.at(name, end) if own else outer.get(name)
            if old is not None and name in names:
                before.append(Binding(name, self.value(old, start)))
            if new is not None and (old is None or self.changed(old, start, new, end)):
                after.append(Binding(name, self.value(new, end)))
        return before, after

    @staticmethod
    def _read(activation: Span, records: list[Record]) -> dict[str, int]:
        """Names that records tell the values of, where they were read first."""
        nodes, found = activation.routine.module.nodes, dict[str, int]()
        for record in records:
            for node, word in zip(record.marker.slots, record.words, strict=True):
                if node >= 0 and nodes[node].kind == "Name":
                    found.setdefault(nodes[node].extra, word)
        return found

    def _bound(self, span: Span, end: int) -> list[Binding]:
        variables = self.run.variables(span)
        found = ((name, variables.at(name, end)) for name in variables.names)
        return [Binding(name, self.value(word, end)) for name, word in found if word is not None]

    def _output(self, activation: Span, first: int, last: int) -> list[Binding]:
        """What `print` was given."""
        module = activation.routine.module
        records = self.run.with_markers(activation, first, last, self._printing(module))
        lines = []
        for record in records[-_MOST_LINES:]:
            arguments = module.children(module.children(record.marker.node)[0])[1:]
            shown = [self._printed(activation, n, record) for n in arguments if module.nodes[n].kind != "keyword"]
            lines.append(" ".join(shown))
        if len(records) > _MOST_LINES:
            lines.insert(0, f"... {len(records) - _MOST_LINES} lines before")
        return [Binding("printed", Value("\n".join(lines)), Role.OUTPUT)] if lines else []

    def _printing(self, module: Module) -> list[int]:
        """The markers of statements that print."""
        found = self._prints.get(module.first)
        if found is None:
            found = [
                module.first + i
                for i, m in enumerate(module.markers)
                if m.kind == "statement" and _prints(module, m.node)
            ]
            self._prints[module.first] = found
        return found

    def _printed(self, activation: Span, node: int, record: Record) -> str:
        """An argument of `print`, as it came out."""
        module = activation.routine.module
        word = values_of([record]).get(node)
        if word is None and module.nodes[node].kind == "Name":
            word = self.run.variables(activation).at(module.nodes[node].extra, record.position)
        if word is None:
            found = module.nodes[node].extra if module.nodes[node].kind == "Constant" else None
            return str(ast.literal_eval(found)) if isinstance(found, str) and found != "..." else module.text(node)
        plain = self.run.recording.values.atom(word)
        return plain if isinstance(plain, str) else self.value(word, record.end).text

    # Values

    def value(self, word: int, moment: int) -> Value:
        """A value as it was."""
        return self.run.shower.value(word, moment)

    def digest(self, word: int, moment: int) -> str:
        """Equal for equal values."""
        key = (word, moment)
        if key not in self._digests:
            self._digests[key] = self.run.shower.digest(word, moment)
        return self._digests[key]

    def changed(self, old: int, start: int, new: int, end: int) -> bool:
        """Whether what a variable stands for is different."""
        if old == new and not self.is_mutable(old):
            return False
        return self.digest(old, start) != self.digest(new, end)

    def is_mutable(self, word: int) -> bool:
        """Whether a value can change, or can hold what changes."""
        return type(self.run.recording.values.value(word)).__name__ not in ("Atom", "Opaque", "TypeInfo")

    # Code

    def _statements(self, module: Module, records: list[Record]) -> list[int]:
        """The statements and conditions that records tell of."""
        return list(dict.fromkeys(node for record in records for node in executed_by(module, record.marker)))

    def projection(self, module: Module, records: list[Record]) -> tuple[Location, ...]:
        """The code that records tell of."""
        return tuple(sorted({module.location(number) for number in self._statements(module, records)}))


def executed_by(module: Module, marker: Marker) -> list[int]:
    """The condition, and the simple statement, that a record with this marker tells of."""
    found = [] if marker.test is None else [marker.test]
    number = marker.node
    while number >= 0 and module.nodes[number].kind not in STATEMENTS:
        number = module.nodes[number].parent
    return [*found, number] if number >= 0 and module.nodes[number].kind not in _COMPOUND else found


_COMPOUND = ("If", "While", "For", "AsyncFor", "Try", "With", "FunctionDef")


def _short(text: str) -> str:
    line = " ".join(text.split()) if "\n" in text else text
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 20]}...{line[-16:]}"


def _one_line(text: str) -> str:
    return text if "\n" not in text else " ".join(line.strip() for line in text.splitlines())[:200]


def _changes(before: list[Binding], after: list[Binding]) -> str:
    """What changed, in a few words."""
    old = {binding.name: binding.value.text for binding in before}
    shown = []
    for binding in after:
        if binding.role == Role.OUTPUT:
            shown.append(f"printed {_short(binding.value.text)}")
        elif binding.name in old:
            shown.append(f"{binding.name}: {_short(old[binding.name])} -> {_short(binding.value.text)}")
        else:
            shown.append(f"{binding.name} = {_short(binding.value.text)}")
    return ", ".join(shown) or "nothing changed"


def _prints(module: Module, number: int) -> bool:
    """Whether a statement calls `print`."""
    called = module.children(number)[:1] if module.nodes[number].kind == "Expr" else []
    inside = module.children(called[0]) if called and module.nodes[called[0]].kind == "Call" else []
    return bool(inside) and module.nodes[inside[0]].kind == "Name" and module.nodes[inside[0]].extra == "print"
