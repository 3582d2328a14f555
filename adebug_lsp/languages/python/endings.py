"""How a piece of a routine was left: by a return, a yield, an exception, out of a loop, or just at its end."""

from attrs import evolve, frozen

from adebug_lsp.languages.python.run import Record, Run
from adebug_lsp.languages.python.spans import Span
from adebug_lsp.model.kinds import NodeKind

_NEXT = ("__next__", "__anext__")
_GIVES = {"return": "returned", "yield": "yielded"}


@frozen
class Ending:
    """What there is to say about it."""

    verb: str = ""
    """`returned`, `yielded`, `raised`, `caught`, or all there is to say; empty: it went on behind its end."""
    result: int | None = None
    """The word of what was returned or yielded."""
    raised: int | None = None
    """The word of the exception."""


def of_span(run: Run, span: Span) -> Ending:
    """How a loop or a turn of one was left."""
    exception = _exception(run, span)
    if span.raised or exception is not None:
        return Ending("raised", raised=exception)
    last = run.last(span)
    return Ending() if last is None or span.open else _of_record(last, span)


def of_stretch(run: Run, activation: Span, first: int, last: int) -> Ending:
    """How the code from one position to another was left, by what its last record says."""
    found = run.last(evolve(activation, first=first, last=last))
    return Ending() if found is None else _of_record(found, activation)


def _of_record(record: Record, span: Span) -> Ending:
    marker, module = record.marker, record.marker.module
    if marker.kind in _GIVES and marker.result is not None:
        return Ending(_GIVES[marker.kind], result=record.words[marker.result])
    if marker.kind == "delegate":
        return Ending("handed on")
    kind = module.nodes[marker.node].kind if marker.kind == "jump" else ""
    inside = span.kind in (NodeKind.LOOP, NodeKind.ITERATION)
    if kind == "Break" and not (inside and module.loops_around(marker.node)[:1] != (span.node,)):
        return Ending("left the loop")
    return Ending("went on with the next turn") if kind == "Continue" and not inside else Ending()


def caught(run: Run, span: Span, records: list[Record]) -> Ending:
    """The exception that the last handler among these records of a span caught; it is known if a call raised it."""
    handler = next((record for record in reversed(records) if record.marker.kind == "handler"), None)
    if handler is None:
        return Ending()
    before = (run.spans[child] for child in run.children(span.number))
    calls = [child for child in before if child.last < handler.position]
    return Ending("caught", raised=_from_inside(run, calls[-1]) if calls else None)


def _exception(run: Run, span: Span) -> int | None:
    """What left a span: the routine around it tells, or the call inside that it came from."""
    last = run.last(run.spans[span.activation])
    if span.raised and last is not None and last.marker.kind == "raised":
        return last.words[0]
    inside, last = run.children(span.number)[-1:], run.last(span)
    child = run.spans[inside[0]] if inside else None
    went_on = child is None or (last is not None and last.position > child.last)
    return None if child is None or went_on else _from_inside(run, child)


def _from_inside(run: Run, child: Span) -> int | None:
    """What left a call, loop or turn; the end of an iterator is none."""
    if child.activation != child.number:
        return _exception(run, child)
    last = run.last(child)
    if not child.raised or last is None or last.marker.kind != "raised" or child.routine.name in _NEXT:
        return None
    return last.words[0]
