"""Renders the rows of a presentation: inputs, changes, result, effects."""

from collections.abc import Callable, Sequence

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared import wording
from adebug_lsp.model.folding import fold
from adebug_lsp.model.presentation import Presentation, Row, Section
from adebug_lsp.model.values import Binding


def question_rows(presentation: Presentation, style: Style) -> list[str]:
    """The rows that the headline does not show, each section with its label once; then the place of the call."""
    lines = [line for label, row in wording.labelled(presentation) for line in _row(label, row, style)]
    return lines + [style.faint(escape(line)) for line in wording.called_by(presentation)]


def outcome_rows(rows: Sequence[Row], style: Style) -> list[str]:
    """The result or the exception of a verdict's node."""
    wanted = (Section.RESULT, Section.RAISED)
    return [line for row in rows if row.section in wanted for line in _row(row.section.value, row, style)]


def _row(label: str, row: Row, style: Style) -> list[str]:
    first, *others = [escape(line) for line in wording.row_lines(label, row)]
    return [_set_apart(row.section, style)(first), *others]


def _set_apart(section: Section, style: Style) -> Callable[[str], str]:
    if section in (Section.CHANGED, Section.EFFECT):
        return style.new
    return style.strong if section in (Section.RESULT, Section.RAISED, Section.CONSEQUENCE) else str


def bindings_in_short(bindings: tuple[Binding, ...]) -> str:
    """`a = 1, b = 2`."""
    return ", ".join(f"{escape(binding.name)} = {escape(fold(binding.value.text, 60))}" for binding in bindings)
