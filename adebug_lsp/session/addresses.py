"""Addresses: names of parts of a question's values, such as `after.meter.months['2026-02']` or `result[2].name`.

An address begins with a scope, because a variable may have different values before and after, and means the same in
every front end. Keys are written as the question shows them.
"""

import re
from collections.abc import Callable, Sequence

from attrs import frozen

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.presentation import AFTER, BEFORE, RAISED, RESULT
from adebug_lsp.model.values import Key, Part, Value
from adebug_lsp.session.marks import check_mark, mark_address

_SCOPES = {BEFORE: MarkOf.ARGUMENT, AFTER: MarkOf.AFTER, RESULT: MarkOf.RESULT, RAISED: MarkOf.RESULT}

_NAME = re.compile(r"\s*([^\W\d]\w*)\s*")
_ATTRIBUTE = re.compile(r"\s*\.\s*(\w+)\s*")
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_INDEX = re.compile(r"-?\d{1,18}")

MoreParts = Callable[[int, int, int, int], Sequence[Part]]
"""Looks up parts that a value does not list: from its identity, moment, first index and count."""


@frozen
class Step:
    """One step from a value to a part of it: `.name` or `[key]`, as it was written."""

    text: str
    is_attribute: bool = False

    @property
    def key(self) -> Key:
        """The key to look up beyond the listed parts."""
        return int(self.text) if not self.is_attribute and _INDEX.fullmatch(self.text) else self.text

    @property
    def plain(self) -> Key:
        """The key without quotes."""
        return self.text[1:-1] if not self.is_attribute and _QUOTED.fullmatch(self.text) else self.key

    def forms(self) -> tuple[Key, ...]:
        """The keys that it may mean, the exact one first; dictionary keys are source text of the program's language."""
        if self.is_attribute:
            return self.text, repr(self.text)
        quoted = _QUOTED.fullmatch(self.text)
        plain = self.text[1:-1] if quoted else self.text
        return self.key, self.text, *((repr(plain), plain) if quoted else ())


@frozen
class NamedPart:
    """The part that an address names."""

    mark: Mark
    value: Value | None
    """None if the part is not listed and cannot be looked up."""
    moment: int | None


def read_path(text: str) -> tuple[str, tuple[Step, ...]]:
    """Parse a name and the steps from it to a part; raises `BadAnswerError`."""
    name = _NAME.match(text)
    if name is None:
        raise BadAnswerError(f"{text.strip()!r} is not a name, nor a part of one such as items[0].price")
    steps: list[Step] = []
    position = name.end()
    while position < len(text):
        if attribute := _ATTRIBUTE.match(text, position):
            steps.append(Step(attribute[1], is_attribute=True))
            position = attribute.end()
        else:
            end = _bracket(text, position)
            steps.append(Step(text[position + 1 : end - 1].strip()))
            position = end + len(text[end:]) - len(text[end:].lstrip())
    return name[1], tuple(steps)


def _bracket(text: str, start: int) -> int:
    """The end of the bracket at `start`; nested brackets and quoted text belong to the key."""
    depth, position = 0, start
    while position < len(text):
        if quoted := _QUOTED.match(text, position):
            position = quoted.end()
            continue
        depth += {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}.get(text[position], 0)
        position += 1
        if depth <= 0:
            break
    if text[start] != "[" or depth or text[position - 1] != "]" or position - start < len("[0]"):
        raise BadAnswerError(f"{text.strip()!r} cannot be read from {text[start:]!r} on")
    return position


def find(behaviour: Behaviour, text: str, more: MoreParts | None = None) -> NamedPart | None:
    """The part that an address names; None if it does not begin with a scope that the question shows."""
    scope, steps = read_path(text)
    if scope in (BEFORE, AFTER) and steps:
        environment = behaviour.before if scope == BEFORE else behaviour.after
        names = (binding.name for binding in environment.bindings)
        name = next((name for name in names if name in steps[0].forms()), None)
        whole = None if name is None else environment.value(name)
        mark, steps = Mark(_SCOPES[scope], (str(name),)), steps[1:]
        return None if whole is None else _locate(behaviour, mark, whole, steps, more)
    whole = {RESULT: behaviour.result, RAISED: behaviour.raised}.get(scope)
    return None if whole is None else _locate(behaviour, Mark(_SCOPES[scope]), whole, steps, more)


def find_named(behaviour: Behaviour, text: str, more: MoreParts | None = None) -> NamedPart | None:
    """Like `find`, but without a scope the value after is preferred to the one before."""
    part = find(behaviour, text, more)
    for scope in (AFTER, BEFORE):
        part = part or find(behaviour, f"{scope}.{text.strip()}", more)
    return part


def _locate(behaviour: Behaviour, mark: Mark, whole: Value, steps: Sequence[Step], more: MoreParts | None) -> NamedPart:
    """Follow the steps from a value; raises `BadAnswerError` if there is no such part."""
    path, value = part_at(whole, steps, more)
    if path is None:
        missing = Mark(mark.of, (*mark.path, *(step.plain for step in steps)))
        check_mark(behaviour, missing)  # raises an error that lists the existing parts
        raise BadAnswerError(f"there is no {mark_address(missing)}")
    return NamedPart(Mark(mark.of, (*mark.path, *path)), value, whole.moment)


def part_at(
    whole: Value, steps: Sequence[Step], more: MoreParts | None = None
) -> tuple[tuple[Key, ...] | None, Value | None]:
    """The path to a part, with keys as the value has them, and the part; (None, None) if there is no such part.

    The part alone is None if it may exist but is not listed.
    """
    path: list[Key] = []
    value: Value | None = whole
    for step in steps:
        parts = () if value is None else _parts(value, step, whole.moment, more)
        part = _among(parts, step)
        indexed = value.part(step.key) if part is None and value is not None else None
        if indexed is not None:
            path.append(step.key)
            value = indexed
            continue
        if part is None and value is not None and not _may_have(value, step, all_seen=parts is not value.parts):
            return None, None
        path.append(step.key if part is None else part.key)
        value = None if part is None else part.value
    return tuple(path), value


def _parts(value: Value, step: Step, moment: int | None, more: MoreParts | None) -> Sequence[Part]:
    """The parts to search for a key: the listed ones, or more if the key is not listed and more can be looked up."""
    unlisted = value.elided and _among(value.parts, step) is None
    if not unlisted or more is None or value.identity is None or moment is None:
        return value.parts
    if isinstance(step.key, int) and value.parts and isinstance(value.parts[0].key, int):
        return more(value.identity, moment, step.key, 1) if step.key >= 0 else []
    return more(value.identity, moment, 0, len(value.parts) + value.elided)


def _among(parts: Sequence[Part], step: Step) -> Part | None:
    """The part with a key, among listed parts."""
    return next((part for form in step.forms() for part in parts if _is(part.key, form)), None)


def _is(key: Key, form: Key) -> bool:
    return type(key) is type(form) and key == form


def _may_have(value: Value, step: Step, *, all_seen: bool) -> bool:
    """Whether a missing part may be among those that are not listed."""
    if all_seen:
        return False
    if isinstance(step.key, int) and value.parts and isinstance(value.parts[0].key, int):
        return 0 <= step.key < len(value.parts) + value.elided
    return not value.parts or bool(value.elided)
