"""Keys of behaviours: equal if the same code ran from the same values to the same values, within one run.

A key covers everything that the code and its callees may have read, so that one answer holds for both executions. There
is no key if a value has state that is not recorded (an iterator, a file, a closure): it may have decided the result.
"""

import hashlib
from collections.abc import Iterable

from attrs import define, field

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.questions.describe.endings import Ending
from adebug_lsp.languages.python.questions.describe.expression_text import names_read
from adebug_lsp.languages.python.reading.recorded_values import Opaque, TypeInfo
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.reading.value_digest import HIDDEN
from adebug_lsp.languages.python.sandbox.fragment import Fragment, ValueAt
from adebug_lsp.model.kinds import NodeKind


@define
class _Key:
    """A hash of texts and values."""

    behaviours: BehaviourBuilder
    hidden: bool = False
    _texts: list[str] = field(factory=list)

    def add(self, *texts: object) -> None:
        self._texts += map(repr, texts)

    def add_value(self, name: str, word: int | None, moment: int) -> None:
        digest = "" if word is None else self.behaviours.digest(word, moment)
        self.hidden = self.hidden or digest.endswith(HIDDEN)
        self.add(name, digest)

    def add_moment(self, name: str, value: ValueAt | None) -> None:
        if value is None:
            self.add(name)
        else:
            self.add_value(name, value.number, value.position)

    def finish(self) -> str:
        return "" if self.hidden else hashlib.sha256("\n".join(self._texts).encode(errors="replace")).hexdigest()


def call_key(behaviours: BehaviourBuilder, span: Span) -> str:
    """The key of a call; empty for a step of a generator and for a module body, which do not repeat."""
    if span.open or span.kind is NodeKind.GENERATOR or span.routine.kind == "module":
        return ""
    records = behaviours.run.summary(span, span.first, span.last)
    start, end = span.first + 1, span.last + 1
    key = _Key(behaviours)
    key.add(span.routine.module.name, span.routine.qualname, span.routine.node)
    for name, word in (*behaviours.arguments(span, records), *behaviours.nonlocal_reads(span, records)):
        key.add_value(name, word, start)
        key.add_value(name, word, end)
    for module, name in behaviours.global_variables.used_in(span, span.first, span.last):
        _add_global(key, module, name, start)
        _add_global(key, module, name, end)
    result, raised = behaviours.outcome(span)
    key.add_value("result", result, end)
    key.add_value("raised", raised, end)
    key.add(*behaviours.effects.lines(span.first, span.last))
    return key.finish()


def fragment_key(
    behaviours: BehaviourBuilder, fragment: Fragment, place: tuple[Module, int], ending: Ending, during: tuple[int, int]
) -> str:
    """The key of a part of a call; covers only the variables that the code read or bound."""
    if fragment.fetches:  # the generator's value for the next iteration is not part of the fragment
        return ""
    module, node = place
    key = _Key(behaviours)
    key.add(fragment.path, fragment.routine, fragment.what, fragment.place, fragment.iterations, fragment.trailing_test)
    read, before = set(names_read(module, module.inside(node))), dict(fragment.before)
    _add_all(key, ((name, value) for name, value in fragment.before if name in read))
    after = ((n, v) for n, v in fragment.after if n in read or n not in before or before[n].number != v.number)
    _add_all(key, after)
    _add_all(key, (("item", item) for item in fragment.items))
    for variable in fragment.global_variables:
        name = f"{variable.module}.{variable.name}"
        _add_all(key, ((name, value) for value in (variable.before, variable.after) if value is not None))
    key.add_moment("result", fragment.result)
    key.add_moment("raised", fragment.raised)
    key.add(ending.verb)
    key.add_value("left", ending.raised if ending.result is None else ending.result, during[1] + 1)
    key.add(*behaviours.effects.lines(*during))
    return key.finish()


def _add_all(key: _Key, values: Iterable[tuple[str, ValueAt]]) -> None:
    for name, value in values:
        key.add_moment(name, value)


def _add_global(key: _Key, module: Module, name: str, moment: int) -> None:
    """Add a global variable unless it is code; a closure is more than its code."""
    word = key.behaviours.global_variables.at(module, name, moment)
    value = None if word is None else key.behaviours.run.recording.values.value(word)
    if not isinstance(value, TypeInfo) and not (isinstance(value, Opaque) and "<" not in str(value.name)):
        key.add_value(f"{module.name}.{name}", word, moment)
