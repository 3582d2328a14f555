"""Serves views of the execution tree: one page of children at a time, never the whole tree; and the code of a node."""

from typing import cast

from adebug_lsp.frontends.dap.protocol.messages import Children, Path, Place, Projection, TreeNode
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.cursor import Cursor, cursor_in
from adebug_lsp.frontends.dap.replay.events import name_of
from adebug_lsp.frontends.dap.replay.replay import Handler, Replay, Reply
from adebug_lsp.frontends.dap.replay.show import cursor_named, cursor_of
from adebug_lsp.model.answers import Judgement, Scope
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.state import State

PAGE = 100
"""Children on a page without a `count`."""
_STATES = {
    Judgement.YES: "correct",
    Judgement.NO: "wrong",
    Judgement.UNKNOWN: "unknown",
    Judgement.INADMISSIBLE: "inadmissible",
}


def children(replay: Replay, arguments: Arguments) -> Reply:
    """Return a page of the children of a node."""
    cursor = cursor_named(replay, arguments.maybe_text("node") or "0")
    start, count = arguments.number("start", 0), arguments.number("count", PAGE)
    below = cursor.below()
    body: Children = {
        "node": _shown(replay, cursor),
        "children": [_shown(replay, child) for child in below[start : start + count]],
        "total": len(below),
    }
    return Reply(body)


def projection(replay: Replay, arguments: Arguments) -> Reply:
    """The code that a node executed."""
    cursor = _cursor_or_here(replay, arguments)
    places = replay.files.sources.lsp_place
    body: Projection = {
        "node": name_of(cursor),
        "projection": [cast("Place", places(place)) for place in cursor.behaviour().projection],
        "code": [cast("Place", places(place)) for place in cursor.subject.code(cursor.node)],
    }
    return Reply(body)


def path(replay: Replay, arguments: Arguments) -> Reply:
    """Return the path from the root to a node."""
    cursors = [*_cursor_or_here(replay, arguments).stack()]
    body: Path = {"path": [_shown(replay, cursor) for cursor in reversed(cursors)]}
    return Reply(body)


def _shown(replay: Replay, cursor: Cursor) -> TreeNode:
    """A node as the custom requests return it."""
    facts, place = cursor.subject.tree.facts(cursor.node), cursor.place
    session = replay.session
    asked = cursor_in(session, session.outcome.question.node).path if isinstance(session.outcome, Ask) else None
    node = {
        "node": name_of(cursor),
        "text": cursor.behaviour().text,
        "kind": facts.kind.label,
        "state": _state(replay, cursor),
        "asked": cursor.path == asked,
        "expandable": facts.descendants > 0 or cursor.around is None,
        "path": None if place is None else place.path,
        "range": None if place is None else replay.files.sources.lsp_range(place),
    }
    return cast("TreeNode", node)


def _state(replay: Replay, cursor: Cursor) -> str:
    """The state of a node."""
    level = next((level for level in replay.session.levels.all() if level.subject is cursor.subject), None)
    if level is None:
        return "undefined"
    judged = level.space.judged.get(cursor.node)
    if judged is not None:
        return _STATES[judged]
    if _is_trusted(level, cursor):
        return "trusted"
    return "correct" if level.space.is_cut(cursor.node) else "undefined"


def _is_trusted(level: State, cursor: Cursor) -> bool:
    site = cursor.subject.tree.site_of(cursor.node)
    return not level.trusted.isdisjoint({(Scope.ROUTINE, site.routine), (Scope.MODULE, site.module)})


def _cursor_or_here(replay: Replay, arguments: Arguments) -> Cursor:
    name = arguments.maybe_text("node")
    return cursor_of(replay, arguments) if name is None else cursor_named(replay, name)


HANDLERS: dict[str, Handler] = {
    "adebug/children": children,
    "adebug/path": path,
    "adebug/projection": projection,
}
