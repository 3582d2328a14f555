"""Addresses: names of parts of a question's values, such as `after.meter.months['2026-02']` or `result[2].name`.

An address begins with the scope that shows the part, so that it names the same value in every front end: a variable may
have one value before and another after. Keys stand in it as the question shows them.
"""

import re
from collections.abc import Callable, Sequence

from attrs import frozen

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.values import Key, Part, Value
from adebug_lsp.session.marks import check_mark, mark_address

BEFORE, AFTER, RESULT, RAISED = "before", "after", "result", "raised"
_SCOPES = {BEFORE: MarkOf.ARGUMENT, AFTER: MarkOf.AFTER, RESULT: MarkOf.RESULT, RAISED: MarkOf.RESULT}

_NAME = re.compile(r"\s*([^\W\d]\w*)\s*")
_ATTRIBUTE = re.compile(r"\s*\.\s*(\w+)\s*")
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_INDEX = re.compile(r"-?\d{1,18}")

MoreParts = Callable[[int, int, int, int], Sequence[Part]]
"""Parts of an object at a moment, from one on, so many: of a value that has more than it lists."""


@frozen
class Step:
    """One step from a value to a part of it: `.name` or `[key]`, the key as it is written."""

    text: str
    is_attribute: bool = False

    @property
    def key(self) -> Key:
        """The key, for a value whose parts are not all listed."""
        return int(self.text) if not self.is_attribute and _INDEX.fullmatch(self.text) else self.text

    @property
    def plain(self) -> Key:
        """The key without quotes."""
        return self.text[1:-1] if not self.is_attribute and _QUOTED.fullmatch(self.text) else self.key

    def forms(self) -> tuple[Key, ...]:
        """The keys that it can stand for, the exact one first; those of dictionaries are texts of its language."""
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
    """None: the part is not listed, and cannot be had."""
    moment: int | None


def address(scope: str, name: str) -> str:
    """The address of a binding."""
    return extended(scope, name) if name.isidentifier() else f"{scope}[{name!r}]"


def extended(whole: str, key: Key) -> str:
    """The address of a part of what another address names."""
    return f"{whole}.{key}" if isinstance(key, str) and key.isidentifier() else f"{whole}[{key}]"


def read_path(text: str) -> tuple[str, tuple[Step, ...]]:
    """A name, and the steps from it to a part; raises `BadAnswerError`."""
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
    """Where the bracket ends that begins here; brackets and quotes inside of it are part of the key."""
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
    """The part that an address names; None: the text does not begin with a scope that the question shows."""
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
    """The part that an address names, or a name without a scope: then its value afterwards, or else before."""
    part = find(behaviour, text, more)
    for scope in (AFTER, BEFORE):
        part = part or find(behaviour, f"{scope}.{text.strip()}", more)
    return part


def _locate(behaviour: Behaviour, mark: Mark, whole: Value, steps: Sequence[Step], more: MoreParts | None) -> NamedPart:
    path, value = part_at(whole, steps, more)
    if path is None:
        missing = Mark(mark.of, (*mark.path, *(step.plain for step in steps)))
        check_mark(behaviour, missing)  # says what there is
        raise BadAnswerError(f"there is no {mark_address(missing)}")
    return NamedPart(Mark(mark.of, (*mark.path, *path)), value, whole.moment)


def part_at(
    whole: Value, steps: Sequence[Step], more: MoreParts | None = None
) -> tuple[tuple[Key, ...] | None, Value | None]:
    """The keys as the value has them, and the part itself. No keys: there is no such part.

    A part of a value that does not list all of its parts may be there, and not be known.
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
    """The parts to look for a key among: those that are listed, or all where that can be had and is needed."""
    unlisted = value.elided and _among(value.parts, step) is None
    if not unlisted or more is None or value.identity is None or moment is None:
        return value.parts
    if isinstance(step.key, int) and value.parts and isinstance(value.parts[0].key, int):
        return more(value.identity, moment, step.key, 1) if step.key >= 0 else []
    return more(value.identity, moment, 0, len(value.parts) + value.elided)


def _among(parts: Sequence[Part], step: Step) -> Part | None:
    return next((part for form in step.forms() for part in parts if _is(part.key, form)), None)


def _is(key: Key, form: Key) -> bool:
    return type(key) is type(form) and key == form


def _may_have(value: Value, step: Step, *, all_seen: bool) -> bool:
    """Whether a part that was not found may exist among the parts that are not listed."""
    if all_seen:
        return False
    if isinstance(step.key, int) and value.parts and isinstance(value.parts[0].key, int):
        return 0 <= step.key < len(value.parts) + value.elided
    return not value.parts or bool(value.elided)
