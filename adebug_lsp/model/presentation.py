"""Prepares a question for people, once for all front ends: what is asked, and a row for each value to judge.

Rows have addresses, which mean the same in every front end. A presentation fits a small screen: long values are folded
first, then inputs that do not fit share one row.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from attrs import evolve, frozen

from adebug_lsp.model.behaviour import Behaviour, CallSite, Judged
from adebug_lsp.model.changes import ARROW, differences, named
from adebug_lsp.model.folding import fold, fold_lines
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.text import cells, lines_of
from adebug_lsp.model.values import Binding, Key, Role, Value

BEFORE, AFTER, RESULT, RAISED, OUTPUT = "before", "after", "result", "raised", "output"
"""Scopes: the first words of addresses."""
WIDTH = 80
HEIGHT = 17
"""Lines for the rows of a question; with headline, notes and answers it has at most 24."""
_LONGEST_HEADLINE = 100
_LABEL = 12
"""Width of the margin and the label of a row."""
_PER_ROW = (2 * WIDTH - _LABEL, WIDTH - _LABEL, WIDTH // 2 - _LABEL)
"""Characters of a row, from the most to the least generous."""
_OUTPUT_LINES = (12, 8, 5)
_LEAST_INPUTS = 2
_LONG_TEXT = 40
_LINE_END = re.compile(r"(?<!\\)(?:\\\\)*\\n")
"""A line end in quoted text."""


class Section(Enum):
    """The role of a row; the value is its label."""

    GIVEN = "given"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    RESULT = "gave"
    RAISED = "raised"
    EFFECT = "effect"
    CONSEQUENCE = "so"


@frozen
class Row:
    """One value, change or effect of a question."""

    section: Section
    name: str
    """The variable, the part of it, or the kind of the effect; empty for results."""
    text: str
    """The value or the change, on one line."""
    address: str = ""
    """The name of the value in answers, marks and inquiries; empty if it has none."""
    lines: tuple[str, ...] = ()
    """Output of several lines, as it was printed; `text` is empty then."""
    in_headline: bool = False
    """Whether the headline already shows it."""
    markable: bool = False

    joint: str = ": "
    """The text between name and value, such as ` = `."""

    @property
    def on_one_line(self) -> str:
        """Name and text on one line."""
        if not self.name:
            return self.text
        return f"{self.name}{self.joint}{self.text}" if self.text else f"{self.name}:"


@frozen
class Presentation:
    """A question as every front end shows it."""

    asked: str
    """The headline: the code that ran and, if it is short, its outcome."""
    prompt: str
    """The question to judge."""
    rows: tuple[Row, ...]
    call_site: CallSite | None = None

    @property
    def below(self) -> list[Row]:
        """The rows that the headline does not already show."""
        return [row for row in self.rows if not row.in_headline]


def present(
    behaviour: Behaviour, kind: NodeKind | None = None, width: int = WIDTH, height: int = HEIGHT
) -> Presentation:
    """The presentation of a behaviour in at most `height` lines of a width."""
    rows: list[Row] = []
    for per_row, most_output in zip(_PER_ROW, _OUTPUT_LINES, strict=True):
        rows = _with_headline(behaviour, list(_rows(behaviour, max(per_row + width - WIDTH, 20), most_output)))
        if _height(rows, width) <= height:
            break
    else:
        rows = _in_few_lines(rows, width, height)
    return Presentation(_headline(behaviour, rows), _prompt(behaviour, kind), tuple(rows), behaviour.call_site)


def address(scope: str, name: str) -> str:
    """The address of a binding."""
    return part_address(scope, name) if name.isidentifier() else f"{scope}[{name!r}]"


def part_address(whole: str, key: Key) -> str:
    """The address of a part, given the address of the whole."""
    return f"{whole}.{key}" if isinstance(key, str) and key.isidentifier() else f"{whole}[{key}]"


# Rows


def _rows(behaviour: Behaviour, most: int, most_output: int) -> Iterator[Row]:
    """All rows of a behaviour, in reading order."""
    changed = [row for binding in behaviour.after.bindings for row in _after(behaviour, binding, most, most_output)]
    both_sides = {row.name for row in changed if ARROW in row.text} | {part.name for part in behaviour.unchanged}
    for binding in behaviour.before.bindings:
        yield from (row for row in _given(binding, most) if row.name not in both_sides)
    yield from changed
    for binding in behaviour.unchanged:
        yield Row(Section.UNCHANGED, binding.name, fold(binding.value.text, most), joint=" = ")
    if behaviour.result is not None:
        yield _result(behaviour.result, most, most_output)
    if behaviour.raised is not None:
        yield Row(Section.RAISED, "", fold(behaviour.raised.text, most), RAISED, markable=True)
    if behaviour.consequence:
        yield Row(Section.CONSEQUENCE, "", behaviour.consequence)


def _given(binding: Binding, most: int) -> Iterator[Row]:
    """The rows of an input; of an object whose read parts are known, only those."""
    whole = address(BEFORE, binding.name)
    markable = binding.role in (Role.ARGUMENT, Role.RECEIVER, Role.GLOBAL, Role.MAILBOX, Role.VARIABLE)
    if binding.read is None or not _has_attributes(binding.value):
        yield Row(Section.GIVEN, binding.name, fold(binding.value.text, most), whole, markable=markable, joint=" = ")
        return
    for part in binding.value.parts:
        if part.key in binding.read:
            name, text = named(binding.name, [part.key]), fold(part.value.text, most)
            yield Row(Section.GIVEN, name, text, part_address(whole, part.key), markable=markable, joint=" = ")


def _result(value: Value, most: int, most_output: int) -> Row:
    """The result; a text of several lines is a block."""
    lines = _LINE_END.split(value.text[1:-1]) if value.text[:1] in ("'", '"') else []
    if len(lines) < 2 or len(value.text) < _LONG_TEXT:
        return Row(Section.RESULT, "", fold(value.text, most), RESULT, markable=True)
    folded = [fold(line, most) for line in fold_lines(lines, most_output)]
    return Row(Section.RESULT, "", f"{len(lines)} lines", RESULT, tuple(folded), markable=True)


def _has_attributes(value: Value) -> bool:
    return any(isinstance(part.key, str) and part.key.isidentifier() for part in value.parts)


def _after(behaviour: Behaviour, binding: Binding, most: int, most_output: int) -> Iterator[Row]:
    """The rows of a variable afterwards, by the parts that differ; or of an effect."""
    if binding.role == Role.OUTPUT:
        yield _effect(binding, most, most_output)
        return
    whole, old = address(AFTER, binding.name), behaviour.before.value(binding.name)
    if old is None or binding.role == Role.CLAUSE:
        yield Row(Section.CHANGED, binding.name, fold(binding.value.text, most), whole, markable=True, joint=" = ")
        return
    for change in differences(old, binding.value):
        place = whole
        for key in change.path:
            place = part_address(place, key)
        yield Row(Section.CHANGED, named(binding.name, change.path), change.text(most), place, markable=True)


def _effect(binding: Binding, most: int, most_output: int) -> Row:
    lines = lines_of(binding.value.text)
    if len(lines) < 2:
        return Row(Section.EFFECT, binding.name, fold(lines[0], most) if lines else "", address(OUTPUT, binding.name))
    folded = [fold(line, most) for line in fold_lines(lines, most_output)]
    return Row(Section.EFFECT, binding.name, "", address(OUTPUT, binding.name), tuple(folded))


# Size


def _height(rows: Sequence[Row], width: int) -> int:
    return sum(_lines(row, width) for row in rows if not row.in_headline)


def _lines(row: Row, width: int) -> int:
    texts = (row.on_one_line, *row.lines)
    return sum(max(-(-(cells(text) + _LABEL) // width), 1) for text in texts)


def _in_few_lines(rows: Sequence[Row], width: int, height: int) -> list[Row]:
    """Rows that fit: inputs share a row first, then unchanged values, then changes."""
    kept = list(rows)
    for section, least in ((Section.GIVEN, _LEAST_INPUTS), (Section.UNCHANGED, 0), (Section.CHANGED, 1)):
        own = [row for row in kept if row.section is section and not row.in_headline]
        for most in range(len(own) - 2, least - 1, -1):
            if _height(kept, width) <= height:
                return kept
            kept = _sharing(rows, own, most)
        rows = kept
    return kept


def _sharing(rows: Sequence[Row], own: Sequence[Row], most: int) -> list[Row]:
    """Rows in which all but the first few of a section share one row that names them."""
    names = fold(f"[{', '.join(row.name for row in own[most:])}]", WIDTH - 3 * _LABEL)[1:-1]
    shared = Row(own[0].section, f"{len(own) - most} more", names)
    gone = {id(row) for row in own[most:]}
    return [shared if row is own[most] else row for row in rows if row is own[most] or id(row) not in gone]


# Words


_OUTCOMES = (Section.CHANGED, Section.RESULT, Section.RAISED, Section.EFFECT)


def _with_headline(behaviour: Behaviour, rows: list[Row]) -> list[Row]:
    """The rows, each marked if the headline shows it."""
    inside = behaviour.in_text if _headline(behaviour, rows) == behaviour.text else _inputs_of(behaviour)
    return [evolve(row, in_headline=row.address != "" and _is_in(row.address, inside)) for row in rows]


def _headline(behaviour: Behaviour, rows: Sequence[Row]) -> str:
    """The whole text if it is short and complete, otherwise the code without its outcome."""
    if not behaviour.asked:
        return behaviour.text
    outcomes = [row for row in rows if row.section in _OUTCOMES]
    complete = all(_is_in(row.address, behaviour.in_text) for row in outcomes)
    return behaviour.text if complete and len(behaviour.text) <= _LONGEST_HEADLINE else behaviour.asked


def _inputs_of(behaviour: Behaviour) -> tuple[str, ...]:
    """The values in the call, without those of the outcome."""
    shown = behaviour.asked and behaviour.text.startswith(behaviour.asked)
    return tuple(place for place in behaviour.in_text if place.startswith(BEFORE)) if shown else ()


def _is_in(place: str, wholes: Sequence[str]) -> bool:
    return any(place == whole or place.startswith((f"{whole}.", f"{whole}[")) for whole in wholes)


_PROMPTS = {
    NodeKind.LOOP: "From these values, is this what the whole loop should have done?",
    NodeKind.ITERATION: "From these values, is this what the iteration should have done?",
    NodeKind.ITERATION_RANGE: "From these values, is this what these iterations should have done?",
    NodeKind.STATEMENT: "From these values, should this statement have done this?",
    NodeKind.EXPRESSION: "In this place, with these values: is this the value it should have?",
    NodeKind.GENERATOR: "Is this the right step: the right value, at the right time?",
    NodeKind.PROJECTION: "Are all these calls right?",
}


def _prompt(behaviour: Behaviour, kind: NodeKind | None) -> str:
    """The question to judge, worded differently for every kind of question."""
    if behaviour.judged is Judged.DECISION:
        return "Is this decision right?"
    if behaviour.raised is not None:
        where = "Here, with these values:" if kind in (NodeKind.EXPRESSION, NodeKind.STATEMENT) else "Given these:"
        return f"{where} is this exception expected?"
    if behaviour.judged is Judged.CALL:
        return "Should this be called here, like this?"
    if kind in _PROMPTS:
        prompt = _PROMPTS[kind]
        return prompt if behaviour.before.bindings else _without_inputs(prompt)
    if any(binding.role == Role.OUTPUT for binding in behaviour.after.bindings):
        return "Given these: is this what it should have done and written?"
    if behaviour.after.bindings:
        more = "" if behaviour.result is None or behaviour.result.text == "None" else " and returned"
        return f"Given these: is this what it should have changed{more}?"
    if behaviour.unchanged and behaviour.result is None:
        return "Given these: is it right that it changed nothing?"
    return "Given these: is this result right?" if behaviour.result is not None else "Is this what it should have done?"


def _without_inputs(prompt: str) -> str:
    """The prompt for code that read nothing."""
    short = prompt.replace("From these values, ", "").replace(", with these values", "")
    return short[0].upper() + short[1:]
