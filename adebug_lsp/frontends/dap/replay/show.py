"""The stack, the values before and after, the exception and the sources at the cursor."""

from collections.abc import Iterator
from itertools import islice

from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.client_positions import WHOLE
from adebug_lsp.frontends.dap.replay.cursor import Cursor, cursor_at
from adebug_lsp.frontends.dap.replay.replay import THREAD, Body, Handler, Replay, Reply
from adebug_lsp.frontends.dap.replay.variables import Named, of_environment
from adebug_lsp.frontends.shared import wording
from adebug_lsp.model.answers import Answer
from adebug_lsp.model.errors import BadInputError, StaleReferenceError
from adebug_lsp.model.presentation import AFTER, BEFORE, RAISED, RESULT
from adebug_lsp.model.values import Value

_DIGITS = 20
"""Maximum number of digits of a node number; Python refuses to parse numbers of some thousands."""


def threads(replay: Replay, _arguments: Arguments) -> Reply:
    """One thread for the replay, then the processes of the run if there are several."""
    lanes = () if replay.diagram is None else replay.diagram.lanes
    names = [f"replay of {replay.target.title}", *(f"{lane.name} {lane.text}" for lane in lanes)]
    return Reply({"threads": [{"id": number, "name": name} for number, name in enumerate(names, THREAD)]})


def stack_trace(replay: Replay, arguments: Arguments) -> Reply:
    """The path in the execution tree from the position of the replay or a process up to the run."""
    start, levels = arguments.number("startFrame", 0), arguments.number("levels", 0)
    stack = list(_stack(replay, arguments.number("threadId", THREAD)))
    cursors = islice(stack, start, start + levels if levels else None)
    return Reply({"stackFrames": [_frame(replay, cursor) for cursor in cursors], "totalFrames": len(stack)})


def _stack(replay: Replay, thread: int) -> Iterator[Cursor]:
    lanes = () if replay.diagram is None else replay.diagram.lanes
    if not THREAD < thread <= THREAD + len(lanes):
        return replay.cursor.stack()
    run, process = replay.session.run, lanes[thread - THREAD - 1].node
    begun = [node for node in range(process, run.tree.end(process)) if run.tree.first[node] <= replay.cursor.moment]
    return Cursor(run, max(begun, key=lambda node: (int(run.tree.first[node]), node))).stack() if begun else iter(())


def _frame(replay: Replay, cursor: Cursor) -> Body:
    number = replay.new_id()
    replay.frames[number] = cursor
    place = cursor.place
    shown = replay.files.start(place)
    if _is_shown_whole(cursor):
        shown |= replay.files.end(place)
    return {"id": number, "name": cursor.behaviour().text, "canRestart": True, **shown}


def _is_shown_whole(cursor: Cursor) -> bool:
    """Whether a frame gets an end, which clients select; code of several lines does not: some may not have run."""
    place = cursor.place
    if place is None or place.range.start.line != place.range.end.line:
        return False
    return cursor.line is not None or cursor.subject.tree.facts(cursor.node).kind in WHOLE


def scopes(replay: Replay, arguments: Arguments) -> Reply:
    """The environments of a frame, its result, and the last answer about it.

    Clients may ask for a stale frame. The response is then empty, because nvim-dap fails on an error response.
    """
    if 0 < arguments.number("frameId", 0) <= replay.last_id and arguments.number("frameId") not in replay.frames:
        return Reply({"scopes": []})
    cursor = cursor_of(replay, arguments)
    behaviour = cursor.behaviour()
    outcome = [
        Named(name, value, name, value.moment)
        for name, value in ((RESULT, behaviour.result), (RAISED, behaviour.raised))
        if value is not None
    ]
    groups = {
        "Before": of_environment(BEFORE, behaviour.before),
        "After": of_environment(AFTER, behaviour.after),
        "Result": outcome,
        "Marks": _marks(replay, cursor),
    }
    return Reply({"scopes": [_scope(replay, name, values) for name, values in groups.items()]})


def _scope(replay: Replay, name: str, values: list[Named]) -> Body:
    hint = {"Before": "arguments", "After": "locals", "Result": "returnValue"}.get(name)
    return {
        "name": name,
        "variablesReference": replay.variables.group(values),
        "namedVariables": len(values),
        "expensive": False,
        **({"presentationHint": hint} if hint else {}),
    }


def _marks(replay: Replay, cursor: Cursor) -> list[Named]:
    """The last answer about a node, its source, and its mark."""
    answers = [answer for answer, subject in replay.session.answers if _is_about(answer, subject, cursor)]
    if not answers:
        return []
    answer = answers[-1]
    by = answer.source.oracle + (f": {answer.source.reason}" if answer.source.reason else "")
    texts = {
        "answer": wording.label(answer.judgement),
        "by": by,
        "mark": None if answer.mark is None else str(answer.mark),
        "expected": answer.expected,
    }
    return [Named(name, Value(text)) for name, text in texts.items() if text is not None]


def _is_about(answer: Answer, subject: object, cursor: Cursor) -> bool:
    return answer.node == cursor.node and subject is cursor.subject


def variables(replay: Replay, arguments: Arguments) -> Reply:
    """One page of the parts of a value."""
    reference, wanted = arguments.number("variablesReference"), arguments.maybe_text("filter")
    page = replay.variables.page(reference, wanted, arguments.number("start", 0), arguments.number("count", 0))
    if page is None:
        raise StaleReferenceError("variablesReference: stale, the replay has moved on")
    return Reply({"variables": page})


def exception_info(replay: Replay, _arguments: Arguments) -> Reply:
    """The exception that ended the node."""
    raised = replay.cursor.behaviour().raised
    if raised is None:
        raise BadInputError("this node raised no exception")
    details = {"message": raised.text, "typeName": raised.type, "fullTypeName": raised.type}
    return Reply(
        {
            "exceptionId": raised.type or "exception",
            "description": raised.text,
            "breakMode": "always",
            "details": details,
        }
    )


def loaded_sources(replay: Replay, _arguments: Arguments) -> Reply:
    """Every file that was recorded."""
    return Reply({"sources": [source for source in replay.files.all() if source]})


def source(replay: Replay, arguments: Arguments) -> Reply:
    """The text of a source that is no file."""
    client_source = arguments.part("source")
    reference = client_source.number("sourceReference", arguments.number("sourceReference", 0))
    text = replay.files.text(reference)
    if text is None:
        raise BadInputError("sourceReference: there is no such source")
    return Reply({"content": text})


def modules(_replay: Replay, _arguments: Arguments) -> Reply:
    """An empty list: the program has ended."""
    return Reply({"modules": [], "totalModules": 0})


def cursor_of(replay: Replay, arguments: Arguments) -> Cursor:
    """The cursor of the frame that a request names, or where the replay stands."""
    number = arguments.number("frameId", 0)
    if not number:
        return replay.cursor
    cursor = replay.frames.get(number)
    if cursor is None:
        raise StaleReferenceError("frameId: stale, the replay has moved on")
    return cursor


def cursor_named(replay: Replay, name: str) -> Cursor:
    """The node with a name."""
    numbers = name.split("/")
    if all(number.isdecimal() and len(number) < _DIGITS for number in numbers):
        cursor = cursor_at(replay.session.run, tuple(int(number) for number in numbers))
        if cursor is not None:
            return cursor
    raise BadInputError(f"node: there is no node {name!r}")


HANDLERS: dict[str, Handler] = {
    "threads": threads,
    "stackTrace": stack_trace,
    "scopes": scopes,
    "variables": variables,
    "exceptionInfo": exception_info,
    "loadedSources": loaded_sources,
    "source": source,
    "modules": modules,
}
