"""The statement of recorded code that made a call."""

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import STATEMENTS
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.behaviour import CallSite
from adebug_lsp.model.kinds import NodeKind

_NO_STATEMENT = ("raised", "handler", "passes", "left", "after", "else", "finally", "enter", "resume", "thrown")
"""Records that do not end the statement of a call."""


def call_site(run: Run, span: Span) -> CallSite | None:
    """Where a call was made: the statement that the caller's next record ends; None if an exception ended it."""
    if span.parent < 0 or span.kind is NodeKind.GENERATOR or span.routine.kind == "module":
        return None
    around = run.spans[run.spans[span.parent].activation]
    record = run.after(around, span.first)
    if record is None or record.marker.kind in _NO_STATEMENT or record.marker.node < 0:
        return None
    module, number = around.routine.module, record.marker.node
    while module.nodes[number].parent >= 0 and module.nodes[number].kind not in STATEMENTS:
        number = module.nodes[number].parent
    text = module.text(number).partition("\n")[0].rstrip()
    return CallSite(text, around.routine.qualname or f"module {module.name}", module.location(number))
