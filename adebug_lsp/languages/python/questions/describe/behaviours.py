"""Builds behaviours: arguments and results of calls, and variables before and after the code inside them.

Values are shown as of their position in the recording. Changes are found by comparing whole values, not their texts.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from attrs import define, evolve, field, frozen

from adebug_lsp.languages.python.questions.describe.call_sites import call_site
from adebug_lsp.languages.python.questions.describe.decisions import consequence_of, decision
from adebug_lsp.languages.python.questions.describe.endings import Ending, caught, of_span, of_statement
from adebug_lsp.languages.python.questions.describe.expression_text import header, names_bound, names_read
from adebug_lsp.languages.python.questions.describe.globals import Globals
from adebug_lsp.languages.python.questions.describe.io_effects import Effects
from adebug_lsp.languages.python.questions.describe.named_parts import NamedParts
from adebug_lsp.languages.python.questions.describe.one_line import (
    OneLine,
    called,
    headline,
    joined,
    of_changes,
    of_value,
    short,
)
from adebug_lsp.languages.python.questions.executed_parts import ExecutedPart
from adebug_lsp.languages.python.reading.recorded_values import Atom, Object, Opaque, TypeInfo
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import DEFINITIONS, STATEMENTS, Marker, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.reading.value_formatter import BUILTIN
from adebug_lsp.languages.python.recorder.contract import NONE, UNBOUND
from adebug_lsp.model.behaviour import Behaviour, Judged
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.presentation import RAISED, RESULT
from adebug_lsp.model.source import Location
from adebug_lsp.model.text import lines_of
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.tree.columns import Ints

_Change = tuple[str, int | None, int]
"""A variable with the words that it was bound to before (None if unbound) and after."""
_MOST_CALLS = 8
_MOST_INSIDE = 8
"""Delegated generators shown with a step."""
_GOES_THROUGH = (NodeKind.GENERATOR, NodeKind.LOOP, NodeKind.ITERATION)
_STOPPED = ("timeout", "interrupted")
_SENT, _THROWN = "yield", "yield raises"
_INCOMING = (_SENT, _THROWN)
"""Names for the value that came in through a `yield`; no variable can have them."""
_UNSEEN = "recorded at level `calls`: changes of variables inside it are unknown"
_LONG = "the run was long: only calls were recorded here, not their inside"


@frozen
class _Outcome:
    """The outcome of a call."""

    after: list[Binding]
    unchanged: tuple[Binding, ...]
    result: Value | None
    raised: Value | None


@define(eq=False)
class BehaviourBuilder:
    """Builds the behaviours of spans and parts of one run."""

    run: Run
    global_variables: Globals = field(init=False)
    effects: Effects = field(init=False)
    named_parts: NamedParts = field(init=False)
    _digests: dict[tuple[int, int], str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.global_variables = Globals(self.run)
        self.effects = Effects(self.run, self.global_variables)
        self.named_parts = NamedParts(self.run)

    # Calls

    def call(self, span: Span) -> Behaviour:
        """The behaviour of a call, a step of a generator, or the loading of a module."""
        run, routine = self.run, span.routine
        records = run.summary(span, span.first, span.last)
        start, end = span.first + 1, span.last + 1
        arguments = self.arguments(span, records)
        before = [
            Binding(
                name, self.value(word, start), Role.RECEIVER if routine.method and name == "self" else Role.ARGUMENT
            )
            for name, word in arguments
        ]
        before += self._incoming_values(span, records)
        read = self.nonlocal_reads(span, records)
        before += [
            Binding(name, self.value(word, start), Role.GLOBAL) for name, word in read if not self._is_class(word)
        ]
        after = [
            Binding(name, self.value(word, end), Role.ARGUMENT)
            for name, word in arguments
            if self.changed(word, start, word, end)
        ]
        outside = list(self._changed_outside(span, arguments))
        if routine.kind == "module":
            after += self._bound(span, end)
        else:
            self._add(outside, before, after, start, end)
        result, raised = self.outcome(span)
        shown_result = None if result is None else self.value(result, end)
        shown_raised = None if raised is None else self.value(raised, end)
        self._show_differences(before, after)
        left = self._step_variables(span, {binding.name for binding in after})
        written = self._output(span.first, span.last)
        unchanged = (
            ()
            if raised is not None
            else self._unchanged(span, dict(arguments), {b.name for b in after}, returned=shown_result is not None)
        )
        inside = routine.module.inside(routine.node) if routine.node >= 0 else []
        before = self._with_reads(before, dict(arguments), routine.module, inside, (span.first, span.last))
        done = _Outcome([*after, *written], unchanged, shown_result, shown_raised)
        asked, text = self._call_text(span, before, done)
        if left:
            text = joined([text, of_changes(before, left)], "; ")
        after += left + self._delegate_variables(span) + written
        return Behaviour(
            text.text,
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=self.projection(routine.module, records),
            asked=asked,
            in_text=text.shown,
            unchanged=unchanged,
            call_site=call_site(self.run, span),
            result=shown_result,
            raised=shown_raised,
            identity=self._identity(span, [*arguments, *read], outside, result, raised),
            coarse=self._inexact_because(span, "it had not ended when the recording did" if span.open else ""),
        )

    def _show_differences(self, before: list[Binding], after: list[Binding]) -> None:
        """Replace values that changed by ones that list the parts that differ."""
        places = {binding.name: index for index, binding in enumerate(before)}
        for index, binding in enumerate(after):
            place = places.get(binding.name)
            pair = None if place is None else self.run.formatter.differing(before[place].value, binding.value)
            if place is not None and pair is not None:
                before[place] = evolve(before[place], value=pair[0])
                after[index] = evolve(binding, value=pair[1])

    def _inexact_because(self, span: Span, why: str) -> str:
        """Why a behaviour is not exact, with another reason where only calls were recorded; empty if it is exact."""
        if span.last < self.run.detailed_until:
            return why
        return f"{why}; {_LONG}" if why else _LONG

    def arguments(self, span: Span, records: list[Record]) -> list[tuple[str, int]]:
        """The arguments of a call; for a later step of a generator, its variables."""
        first = records[0] if records else None
        if first is not None and first.marker.kind == "enter":
            return [(name, first.words[slot]) for name, slot in first.marker.stores]
        if not self.run.is_detailed(span):
            return []
        variables = self.run.variables(span)
        known = ((name, variables.at(name, span.first + 1)) for name in variables.names)
        return [(name, word) for name, word in known if word is not None]

    def nonlocal_reads(self, span: Span, records: list[Record]) -> list[tuple[str, int]]:
        """Global and free variables that the call read, with their values at the first read."""
        routine, module = span.routine, span.routine.module
        own = {*self.run.variables(span).names, *routine.bound, *routine.defines} - routine.declared
        reads = {name: word for name, word in self._read(span, records).items() if name not in own}
        for record in records[:1]:  # at level `calls` the first record has them
            reads |= {name: record.words[slot] for name, slot in record.marker.free if record.words[slot] != UNBOUND}
        code = set(module.inside(routine.node)) if routine.kind != "module" else set()
        executed = [n for number in self._statements(module, records) for n in module.inside(number) if n in code]
        if not self.run.has_inside(self.run.spans[span.activation]):  # which statements ran is unknown
            executed = sorted(code)
        for name in names_read(module, executed):
            if name not in reads and name not in own:
                word = self.global_variables.at(module, name, span.first + 1) or self.global_variables.free(
                    span, name, span.first + 1
                )
                if word is not None:
                    reads[name] = word
        return list(reads.items())

    def _changed_outside(self, span: Span, arguments: list[tuple[str, int]]) -> Iterator[_Change]:
        """Global and free variables that differ after a call."""
        start, end = span.first + 1, span.last + 1
        held = {word for _, word in arguments if self.is_mutable(word)}
        changes = {name: (name, old, new) for name, old, new in self._changed_globals(span, span.first, span.last)}
        variables = self.run.variables(span)
        for name, old in self.nonlocal_reads(span, self.run.summary(span, span.first, span.last)):
            new = variables.at(name, end) or old
            if name not in changes and self.changed(old, start, new, end):
                changes[name] = (name, old, new)
        return (change for change in changes.values() if change[2] not in held)

    def _changed_globals(self, span: Span, first: int, last: int) -> Iterator[_Change]:
        """Global variables that differ after part of a span, whichever code changed them."""
        start, end = first + 1, last + 1
        for module, name in self.global_variables.used_in(span, first, last):
            old, new = self.global_variables.at(module, name, start), self.global_variables.at(module, name, end)
            if new is not None and (old is None or self.changed(old, start, new, end)):
                yield name if module is span.routine.module else f"{module.name}.{name}", old, new

    def _add(
        self, changes: Iterable[_Change], before: list[Binding], after: list[Binding], start: int, end: int
    ) -> None:
        """Add changed variables that are not shown yet."""
        known, shown = {binding.name for binding in before}, {binding.name for binding in after}
        for name, old, new in changes:
            if name in shown:
                continue
            if old is not None and name not in known:
                before.append(Binding(name, self.value(old, start), Role.GLOBAL))
            after.append(Binding(name, self.value(new, end), Role.GLOBAL))

    def outcome(self, span: Span) -> tuple[int | None, int | None]:
        """Words of the value that a call returned or yielded, and of the exception that it raised."""
        inner = None if span.open else self._delegate(span)
        if inner is not None:
            return self.outcome(inner)
        record = self.run.ending(span)
        if record is None or span.open:
            return None, None
        if record.marker.kind == "raised":
            return None, record.words[0]
        if span.raised:
            return None, self._exception_of_lambda(span)
        result = record.marker.result if record.marker.kind in ("return", "yield", "delegate") else None
        return (None if result is None else record.words[result]), None

    def _incoming_values(self, span: Span, records: list[Record]) -> list[Binding]:
        """The value sent to a later step of a generator, or the exception thrown into it."""
        first = records[0] if records and records[0].position == span.first else None
        kind = "" if first is None else first.marker.kind
        if first is None or kind not in ("resume", "thrown") or first.words[1] == NONE:
            return []
        name = _SENT if kind == "resume" else _THROWN
        return [Binding(name, self.value(first.words[1], first.end), Role.ARGUMENT)]

    def _step_variables(self, span: Span, shown: set[str]) -> list[Binding]:
        """Variables bound by a step that yielded; the next step starts from them."""
        if not self.yields(span):
            return []
        variables, start, end = self.run.variables(span), span.first + 1, span.last + 1
        words = [(name, variables.at(name, start), variables.at(name, end)) for name in variables.names]
        return [
            Binding(name, self.value(new, end))
            for name, old, new in words
            if new is not None and name not in shown and (old is None or self.changed(old, start, new, end))
        ]

    def _delegate_variables(self, span: Span) -> list[Binding]:
        """The same for the suspended generators that a step delegated to, prefixed with their names."""
        if not self.yields(span):
            return []
        inside, waiting = dict[int, Span](), list(self.run.children(span.number))
        while waiting and len(inside) < _MOST_INSIDE:
            inner = self.run.spans[waiting.pop(0)]
            if inner.kind is NodeKind.GENERATOR and inner.token != span.token:
                inside[inner.token] = inner
            waiting += self.run.children(inner.number) if inner.kind in _GOES_THROUGH else []
        steps = [step for step in inside.values() if self.yields(step)]
        return [
            evolve(binding, name=f"{step.routine.name}: {binding.name}")
            for step in steps
            for binding in self._step_variables(step, set())
        ]

    def yields_from(self, span: Span) -> bool:
        """Whether a step delegated to an iterator that is not recorded, whose items leave no record."""
        record = None if self._delegate(span) is not None else self.run.ending(span)
        return record is not None and record.marker.kind == "delegate"

    def _delegate(self, span: Span) -> Span | None:
        """The step of another generator in which a step ended, whose value was passed on."""
        if span.kind is not NodeKind.GENERATOR:
            return None
        inside = [self.run.spans[number] for number in self.run.children(span.number)[-1:]]
        return next((step for step in inside if step.kind is NodeKind.GENERATOR and step.last == span.last), None)

    def _exception_of_lambda(self, span: Span) -> int | None:
        """The exception that left a lambda, which has no record of it: the one that left the enclosing routine."""
        words, after = self.run.recording.words, span.last + 1
        marker = self.run.program.markers.get(int(words[after])) if after + 1 < len(words) else None
        return int(words[after + 1]) if marker is not None and marker.kind == "raised" else None

    def _call_text(self, span: Span, before: list[Binding], done: "_Outcome") -> tuple[str, OneLine]:
        """A call as a headline, and that with its outcome."""
        routine = span.routine
        arguments = [b for b in before if b.role == Role.ARGUMENT and b.name not in _INCOMING]
        receiver = next((b for b in before if b.role == Role.RECEIVER), None)
        name = routine.qualname or ("the run" if routine.name == "the run" else routine.module.title)
        title = OneLine(name) if routine.kind == "module" else called(name, receiver, arguments, routine.parameters)
        asked = name if routine.kind == "module" else headline(name, title, arguments)
        if span.kind is NodeKind.GENERATOR:
            incoming = "".join(_incoming_text(b) for b in before if b.name in _INCOMING)
            title, asked = OneLine(f"a step of {title.text}{incoming}", title.shown), f"a step of {asked}{incoming}"
        return asked, joined([title, self._ending(span, before, done)], "")

    def _ending(self, span: Span, before: list[Binding], done: "_Outcome") -> OneLine:
        """The outcome of a call, for behind its headline."""
        result, raised = done.result, done.raised
        if raised is not None:
            return joined([OneLine(" raised "), of_value(raised, RAISED)], "")
        if span.raised:
            return OneLine(" raised an exception")
        if span.open:
            return OneLine(" did not end")
        value = OneLine("None") if result is None else of_value(result, RESULT)
        if self.yields_from(span):
            return joined([OneLine(" yields from "), value], "")
        if span.kind is NodeKind.GENERATOR and self._has_ended(span):
            is_none = result is None or result.text == "None"
            return joined([OneLine(" ended the generator"), *([] if is_none else [OneLine(", returning "), value])], "")
        if span.routine.kind == "module":
            return OneLine("")
        if value.text != "None" or span.kind is NodeKind.GENERATOR:
            return joined([OneLine(" = "), value], "")
        if done.after:
            return joined([OneLine(": "), of_changes(before, done.after), OneLine("", (RESULT,))], "")
        if done.unchanged:
            roots = dict.fromkeys(binding.name.partition(".")[0].partition("[")[0] for binding in done.unchanged)
            return OneLine(f" left {', '.join(roots)} unchanged", (RESULT,))
        return OneLine(" = None", (RESULT,))

    def yields(self, span: Span) -> bool:
        """Whether a step of a generator yielded."""
        return span.kind is NodeKind.GENERATOR and not span.raised and not self._has_ended(span)

    def _has_ended(self, span: Span) -> bool:
        """Whether a step ended the generator."""
        last = None if self._delegate(span) is not None else self.run.ending(span)
        return last is not None and last.marker.kind not in ("yield", "delegate")

    def _identity(
        self,
        span: Span,
        inputs: list[tuple[str, int]],
        outside: list[_Change],
        result: int | None,
        raised: int | None,
    ) -> str:
        """The identity of a call: equal for calls that did the same from the same values."""
        if span.open or span.kind is NodeKind.GENERATOR or span.routine.kind == "module":
            return ""
        start, end = span.first + 1, span.last + 1
        outcome = raised if result is None else result
        parts = [span.routine.callable, str(result is None and raised is not None)]
        parts += [f"{name}={self.digest(word, start)}" for name, word in inputs]
        parts += [f"{name}>{self.digest(word, end)}" for name, word in inputs]
        for name, old, new in outside:
            parts.append(f"{name}:{'' if old is None else self.digest(old, start)}>{self.digest(new, end)}")
        parts += self.effects.lines(span.first, span.last)
        parts.append("" if outcome is None else self.digest(outcome, end))
        return "|".join(parts)

    def unfinished(self, span: Span) -> bool:
        """Whether a span was still running when the program was stopped."""
        if span.open or not span.raised or (self.run.recording.ending or {}).get("how") not in _STOPPED:
            return span.open
        _, raised = self.outcome(self.run.spans[span.activation])
        exception = None if raised is None else self.run.recording.values.value(raised)
        return isinstance(exception, Object) and exception.type.full_name == "KeyboardInterrupt"

    # Parts of calls

    def stretch(self, span: Span, first: int, last: int, what: str, final: Span | None = None) -> Behaviour:
        """The behaviour of a loop, or of iterations of which `final` is the last: variables before and after."""
        run = self.run
        activation = run.spans[span.activation]
        records = run.summary(activation, first, last)
        module = span.routine.module
        nodes = [n for number in self._statements(module, records) for n in module.inside(number)]
        nodes += [n for number in self._headers(module, records, span) for n in module.inside(number)]
        names, targets = names_read(module, nodes), names_bound(module, span.node) if final is not None else []
        # A loop binds them itself; an iteration begins with them.
        others = [name for name in names if name not in targets]
        names = others if span.kind is NodeKind.LOOP else [*targets, *others]
        before, after = self._environments(activation, names, records, first + 1, last + 1)
        self._add(self._changed_globals(span, first, last), before, after, first + 1, last + 1)
        self._show_differences(before, after)
        after += self._output(first, last)
        after += [] if final is None else self.next_values(final)
        ending = Ending() if final is None or self.unfinished(final) else of_span(run, final)
        unseen = not run.has_inside(activation)
        coarse = self._inexact_because(
            span, "it had not ended when the program was stopped" if self.unfinished(span) else ""
        )
        summary = self._summary(
            before, after, ending, last + 1, "no change was recorded" if unseen else "nothing changed"
        )
        words = self._words(activation, before, first + 1)
        before = self._with_reads(before, words, module, nodes, (first, last))
        return Behaviour(
            f"{what}: {summary.text}",
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=self.projection(module, records),
            asked=what,
            in_text=summary.shown,
            result=None if ending.result is None else self.value(ending.result, last + 1),
            raised=None if ending.raised is None else self.value(ending.raised, last + 1),
            coarse=coarse or (_UNSEEN if unseen else ""),
        )

    def call_sequence(self, span: Span, grouped: Ints, ends: tuple[int, int], what: str) -> Behaviour:
        """The behaviour of consecutive calls, given as span numbers, with the result of each."""
        whole, spans = self.stretch(span, *ends, what), self.run.spans
        calls = np.flatnonzero(np.frombuffer(spans.activation, np.int32)[grouped] == grouped).tolist()
        shown = calls if len(calls) <= _MOST_CALLS else [*calls[: _MOST_CALLS // 2], *calls[-_MOST_CALLS // 2 :]]
        results = [Binding(f"call {index + 1}", Value(self.call(spans[int(grouped[index])]).text)) for index in shown]
        return evolve(whole, after=Environment((*whole.after.bindings, *results)))

    def next_values(self, iteration: Span) -> list[Binding]:
        """Values that a recorded generator produced at the end of this iteration for the next one."""
        run, spans = self.run, self.run.spans
        last, steps = run.last(iteration), run.children(iteration.number)[-1:]
        if (
            iteration.kind is not NodeKind.ITERATION
            or last is None
            or not names_bound(iteration.routine.module, iteration.node)
        ):
            return []
        if not steps or spans.kind[steps[0]] != NodeKind.GENERATOR or spans.first[steps[0]] < last.position:
            return []
        later = [
            n for n in run.children(iteration.parent) if n > iteration.number and spans.kind[n] == NodeKind.ITERATION
        ]
        begins = run.record(spans.first[later[0]]) if later else None
        if begins is None:
            return [Binding("next iteration", Value("none"))]
        return [Binding(f"next {name}", self.value(begins.words[s], begins.end)) for name, s in begins.marker.stores]

    def trailing_test(self, iteration: Span) -> str:
        """Whether the test after an iteration of a `while` loop belongs to it.

        `ends` if the loop ended there; `on` if the test left records before the next iteration, such as a call.
        """
        module, last = iteration.routine.module, self.run.last(iteration)
        if (
            iteration.kind is not NodeKind.ITERATION
            or iteration.raised
            or last is None
            or module.nodes[iteration.node].kind != "While"
        ):
            return ""
        if last.marker.kind == "last_test" and last.marker.node == iteration.node:
            return "ends"
        calls, test = self.run.children(iteration.number)[-1:], header(module, iteration.node)
        called = bool(calls) and self.run.spans.first[calls[0]] > last.position
        begun = test is not None and last.marker.node in module.inside(test)
        return "on" if called or begun else ""

    def part(self, span: Span, part: ExecutedPart) -> Behaviour:
        """The behaviour of a statement or an expression that a span executed itself."""
        return self._expression(span, part) if part.kind is NodeKind.EXPRESSION else self._statement(span, part)

    def _statement(self, span: Span, part: ExecutedPart) -> Behaviour:
        """The behaviour of a statement."""
        activation, module = self.run.spans[span.activation], span.routine.module
        names = names_read(module, module.inside(part.node))
        records = self.run.summary(activation, part.before, part.after - 1) or part.records
        before, after = self._environments(activation, names, records, part.before, part.after)
        first, last = part.before, part.after - 1
        self._add(self._changed_globals(activation, first, last), before, after, part.before, part.after)
        self._show_differences(before, after)
        after += self._output(first, last)
        ending = of_statement(self.run, activation, part.node, part.before, part.after - 1)
        if part.raised is not None:
            ending = Ending("raised", raised=part.raised)
        elif module.nodes[part.node].kind in DEFINITIONS:
            ending = Ending(f"defined {module.nodes[part.node].extra}")
        elif module.nodes[part.node].kind == "Try" and not ending.verb:
            ending = caught(self.run, span, part.node, records)
        header = short(module.text(part.node).partition("\n")[0].rstrip(": "))
        truth = part.children[0].truth if part.children and module.nodes[part.node].kind == "If" else None
        consequence = "" if truth is None else consequence_of(module, part.node, truth)
        if truth is not None:
            header = f"`{header}` was {truth}"
        nothing = f"so {consequence}" if consequence else "nothing changed"
        summary = self._summary(before, after, ending, part.after, nothing)
        words = self._words(activation, before, part.before)
        nodes = module.inside(part.node)
        before = self._with_reads(before, words, module, nodes, (part.before, part.after - 1))
        return Behaviour(
            f"{header}: {summary.text}",
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=(module.location(part.node),),
            asked=header,
            in_text=summary.shown,
            judged=Judged.DECISION if consequence and not summary.shown and not after else Judged.OUTCOME,
            result=None if ending.result is None else self.value(ending.result, part.after),
            raised=None if ending.verb != "raised" or ending.raised is None else self.value(ending.raised, part.after),
        )

    def _expression(self, span: Span, part: ExecutedPart) -> Behaviour:
        """The behaviour of an expression."""
        activation, module = self.run.spans[span.activation], span.routine.module
        names = names_read(module, module.inside(part.node))
        if "super" in names and activation.routine.method:
            names += activation.routine.parameters[:1]
        before, after = self._environments(activation, names, part.records, part.before, part.after)
        before += [Binding(name, self.value(word, part.before)) for name, word in part.bound.items() if name in names]
        # Parts of one statement share their positions, so changes can only be attributed to a whole statement.
        if module.nodes[module.nodes[part.node].parent].kind == "Expr":
            first, last = part.before, part.after - 1
            self._add(self._changed_globals(activation, first, last), before, after, part.before, part.after)
            self._show_differences(before, after)
            after += self._output(first, last)
        else:
            after = []
        source = _one_line(module.text(part.node))
        result = self._result(part)
        raised = None if part.raised is None else self.value(part.raised, part.after)
        consequence = "" if raised is not None else decision(module, part.node, result)
        text = OneLine(source)
        if raised is not None:
            text = joined([OneLine(f"{short(source)} raised "), of_value(raised, RAISED)], "")
        elif after:
            changes = of_changes(before, after)
            text = OneLine(f"{short(source)}: {changes.text}", (*changes.shown, RESULT))
        elif consequence and result is not None:
            text = OneLine(f"the condition `{short(source)}` was {result.text}", (RESULT,))
        elif result is not None:
            text = joined([OneLine(f"{source} = "), of_value(result, RESULT)], "")
        words = self._words(activation, before, part.before)
        nodes = module.inside(part.node)
        before = self._with_reads(before, words, module, nodes, (part.before, part.after - 1))
        return Behaviour(
            text.text,
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            projection=(module.location(part.node),),
            asked=f"`{source}`" if not consequence else text.text,
            in_text=text.shown,
            consequence=consequence,
            judged=_judged(module, part.node, consequence),
            result=result if not after else None,
            raised=raised,
        )

    def _summary(
        self, before: list[Binding], after: list[Binding], ending: Ending, moment: int, nothing: str = "nothing changed"
    ) -> OneLine:
        """The changes and the ending on one line."""
        word = ending.raised if ending.result is None else ending.result
        place = RAISED if ending.result is None else RESULT
        shown = OneLine(ending.verb)
        if word is not None:
            shown = joined([OneLine(f"{ending.verb} "), of_value(self.value(word, moment), place)], "")
        elif ending.verb in ("raised", "caught"):
            shown = OneLine(f"{ending.verb} an exception")
        parts = [line for line in (of_changes(before, after), shown) if line.text]
        return joined(parts) if parts else OneLine(nothing)

    def _words(self, activation: Span, before: list[Binding], moment: int) -> dict[str, int]:
        """The words of the variables that are shown."""
        words = ((b.name, self.bound(activation, b.name, moment)) for b in before)
        return {name: word for name, word in words if word is not None}

    def _with_reads(
        self, before: list[Binding], words: dict[str, int], module: Module, nodes: list[int], during: tuple[int, int]
    ) -> list[Binding]:
        """Inputs, each with the attributes that the code and its callees name."""
        reads = self.named_parts.read(module, nodes, words, during)
        return [evolve(binding, read=reads.get(binding.name)) for binding in before]

    def _unchanged(
        self, span: Span, arguments: dict[str, int], changed: set[str], *, returned: bool
    ) -> tuple[Binding, ...]:
        """Places that a call wrote, or looks as if it wrote, that are as before."""
        if span.kind not in (NodeKind.ROUTINE, NodeKind.COROUTINE) or not self.run.is_detailed(span):
            return ()
        records = self.run.between(span, span.first, span.last)
        untouched = self.named_parts.left_alone(span, records, arguments, changed, returned=returned)
        return tuple(Binding(name, self.value(word, span.last + 1)) for name, word in untouched)

    def _result(self, part: ExecutedPart) -> Value | None:
        if part.value is not None:
            return self.value(part.value, part.value_position)
        if part.truth is not None:
            return Value(str(part.truth), "bool")
        return None

    def _environments(
        self, activation: Span, names: list[str], records: list[Record], start: int, end: int
    ) -> tuple[list[Binding], list[Binding]]:
        """Variables read, with their values before; and the variables that differ afterwards."""
        variables, outer = self.run.variables(activation), self._read(activation, records)
        known = set(variables.names)
        before, after = [], []
        stored = [name for record in records for name, _ in record.marker.stores]
        for name in dict.fromkeys((*names, *stored)):
            own = name in known
            old = self.bound(activation, name, start) if own else outer.get(name)
            new = self.bound(activation, name, end) if own else outer.get(name)
            if old is not None and name in names and (own or not self._is_class(old)):
                before.append(Binding(name, self.value(old, start)))
            if new is not None and (old is None or self.changed(old, start, new, end)):
                after.append(Binding(name, self.value(new, end)))
        return before, after

    def bound(self, activation: Span, name: str, moment: int) -> int | None:
        """The word that a variable of an activation was bound to; a global may have been bound elsewhere."""
        routine = activation.routine
        if routine.kind == "module" or name in routine.global_names:
            word = self.global_variables.at(routine.module, name, moment)
            if word is not None:
                return word
        return self.run.variables(activation).at(name, moment)

    def variable(self, activation: Span, name: str, moment: int) -> Value | None:
        """The value of a local, free or global variable as an activation would read it."""
        word = self.bound(activation, name, moment)
        if word is None:
            word = self.global_variables.free(activation, name, moment)
        if word is None:
            word = self.global_variables.at(activation.routine.module, name, moment)
        return None if word is None else self.value(word, moment)

    @staticmethod
    def _read(activation: Span, records: list[Record]) -> dict[str, int]:
        """Names with recorded values, as of their first read."""
        nodes, words = activation.routine.module.nodes, dict[str, int]()
        for record in records:
            for node, word in zip(record.marker.slots, record.words, strict=True):
                if node >= 0 and nodes[node].kind == "Name":
                    words.setdefault(nodes[node].extra, word)
        return words

    def _bound(self, span: Span, end: int) -> list[Binding]:
        words = ((name, self.bound(span, name, end)) for name in self.run.variables(span).names)
        return [Binding(name, self.value(word, end)) for name, word in words if word is not None]

    def _output(self, first: int, last: int) -> list[Binding]:
        """The effects of any code between two positions."""
        return [Binding(on.target, Value(on.text), Role.OUTPUT) for on in self.effects.between(first, last)]

    # Values

    def value(self, word: int, moment: int) -> Value:
        """The value of a word as of a position in the recording."""
        return self.run.formatter.value(word, moment)

    def digest(self, word: int, moment: int) -> str:
        """Digest of a value; equal for equal values."""
        key = (word, moment)
        if key not in self._digests:
            self._digests[key] = self.run.formatter.digest(word, moment)
        return self._digests[key]

    def changed(self, old: int, start: int, new: int, end: int) -> bool:
        """Whether a variable has a different value."""
        if old == new and not self.is_mutable(old):
            return False
        return self.digest(old, start) != self.digest(new, end)

    def _is_class(self, word: int) -> bool:
        """Whether a name stands for a class, which the source already shows."""
        return isinstance(self.run.recording.values.value(word), TypeInfo)

    def is_mutable(self, word: int) -> bool:
        """Whether a value can change, or can contain values that do."""
        value = self.run.recording.values.value(word)
        if isinstance(value, Opaque):  # `items.append` is shown with the items
            return value.type.name == BUILTIN and value.module is None and value.receiver is not None
        return not isinstance(value, Atom | TypeInfo)

    # Code

    def _statements(self, module: Module, records: list[Record]) -> list[int]:
        """The statements and conditions that records belong to."""
        return list(dict.fromkeys(node for record in records for node in executed_by(module, record.marker)))

    @staticmethod
    def _headers(module: Module, records: list[Record], span: Span) -> list[int]:
        """The iterables of the recorded loops; an iteration does not evaluate that of its own loop."""
        loops = {record.marker.node for record in records if record.marker.kind == "loop"}
        if span.kind is NodeKind.ITERATION:
            loops.discard(span.node)
        return [
            over for loop in sorted(loops) for over in module.children(loop)[1:2] if module.nodes[loop].kind != "While"
        ]

    def projection(self, module: Module, records: list[Record]) -> tuple[Location, ...]:
        """The locations of the code that records belong to."""
        return tuple(sorted({module.location(number) for number in self._statements(module, records)}))


def executed_by(module: Module, marker: Marker) -> list[int]:
    """The condition and the simple statement that a marker belongs to."""
    nodes = [] if marker.test is None else [marker.test]
    number = marker.node
    while number >= 0 and module.nodes[number].kind not in STATEMENTS:
        number = module.nodes[number].parent
    return [*nodes, number] if number >= 0 and module.nodes[number].kind not in _COMPOUND else nodes


_COMPOUND = ("If", "While", "For", "AsyncFor", "Try", "With", "FunctionDef")


def _judged(module: Module, expression: int, consequence: str) -> Judged:
    """What to judge in a question about an expression."""
    if consequence:
        return Judged.DECISION
    is_statement = module.nodes[module.nodes[expression].parent].kind == "Expr"
    return Judged.CALL if is_statement and module.nodes[expression].kind in ("Call", "Await") else Judged.OUTCOME


def _incoming_text(incoming: Binding) -> str:
    """A short text for a value that came in through a `yield`."""
    if incoming.name == _SENT:
        return f" (sent {short(incoming.value.text)})"
    closed = incoming.value.text == "GeneratorExit()"
    return " (closed)" if closed else f" ({short(incoming.value.text)} thrown in)"


def _one_line(text: str) -> str:
    return text if "\n" not in text else " ".join(line.strip() for line in lines_of(text))[:200]
