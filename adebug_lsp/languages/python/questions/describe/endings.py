"""How part of a routine ended: by a return, a yield, an exception, a jump out of a loop, or at its end."""

from attrs import evolve, frozen

from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.structure.spans import Span

_NEXT = ("__next__", "__anext__")
_JUMPS = {"Break": "left the loop", "Continue": "went on with the next iteration"}
_GIVES = {"return": "returned", "yield": "yielded"}


@frozen
class Ending:
    """The ending of a piece of code."""

    verb: str = ""
    """`returned`, `yielded`, `raised`, `caught`, or a whole phrase; empty if control passed to the next statement."""
    result: int | None = None
    """Word of the returned or yielded value."""
    raised: int | None = None
    """Word of the exception."""


def of_span(run: Run, span: Span) -> Ending:
    """The ending of a loop or an iteration."""
    exception = _exception(run, span)
    if span.raised or exception is not None:
        return Ending("raised", raised=exception)
    last = run.last(span)
    return Ending() if last is None or span.open else _returned_or_yielded(last) or _left_loop(last, span)


def of_statement(run: Run, activation: Span, node: int, first: int, last: int) -> Ending:
    """The ending of a statement that ran between two positions."""
    record = run.last(evolve(activation, first=first, last=last))
    return Ending() if record is None else _returned_or_yielded(record) or _jumped(record, node)


def _returned_or_yielded(record: Record) -> Ending | None:
    """The ending by `return`, `yield` or `raise`; None for other records."""
    marker = record.marker
    if marker.kind == "raise":
        operands = marker.module.children(marker.node)
        raised = record.words[marker.slots.index(operands[0])] if {*operands[:1]} & {*marker.slots} else None
        return Ending("raised", raised=raised)
    if marker.kind in _GIVES and marker.result is not None:
        return Ending(_GIVES[marker.kind], result=record.words[marker.result])
    return Ending("handed on") if marker.kind == "delegate" else None


def _left_loop(record: Record, span: Span) -> Ending:
    """The ending by a `break` out of the span's own loop, not of an inner one."""
    left = _jump(record) == "Break" and record.marker.module.loops_around(record.marker.node)[:1] == (span.node,)
    return Ending("left the loop") if left else Ending()


def _jumped(record: Record, node: int) -> Ending:
    """The ending of a statement by a jump; it counts if its loop encloses the statement."""
    module, verb = record.marker.module, _JUMPS.get(_jump(record), "")
    loop = module.loops_around(record.marker.node)[:1] if verb else ()
    inside = bool(loop) and node in (loop[0], *module.ancestors(loop[0]))
    return Ending() if inside else Ending(verb)


def _jump(record: Record) -> str:
    return record.marker.module.nodes[record.marker.node].kind if record.marker.kind == "jump" else ""


def caught(run: Run, span: Span, node: int, records: list[Record]) -> Ending:
    """The exception that a `try` statement caught; known if a call raised it."""
    handlers = [
        r for r in records if r.marker.kind == "handler" and r.marker.module.nodes[r.marker.node].parent == node
    ]
    handler = handlers[-1] if handlers else None
    if handler is None:
        return Ending()
    before = (run.spans[child] for child in run.children(span.number))
    calls = [child for child in before if child.last < handler.position]
    return Ending("caught", raised=_exception_of_child(run, calls[-1]) if calls else None)


def _exception(run: Run, span: Span) -> int | None:
    """The exception that ended a span: recorded by the enclosing routine, or by the call that raised it."""
    last = run.last(run.spans[span.activation])
    if span.raised and last is not None and last.marker.kind == "raised":
        return last.words[0]
    after = run.after(run.spans[span.activation], span.last) if span.raised else None
    if after is not None and after.words and after.marker.kind in ("raised", "handler", "passes"):
        return after.words[0]
    inside, last = run.children(span.number)[-1:], run.last(span)
    child = run.spans[inside[0]] if inside else None
    went_on = child is None or (last is not None and last.position > child.last)
    return None if child is None or went_on else _exception_of_child(run, child)


def _exception_of_child(run: Run, child: Span) -> int | None:
    """The exception that ended a call, loop or iteration; the end of an iterator does not count."""
    if child.activation != child.number:
        return _exception(run, child)
    last = run.last(child)
    if not child.raised or last is None or last.marker.kind != "raised" or child.routine.name in _NEXT:
        return None
    return last.words[0]
