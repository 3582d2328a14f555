"""The execution tree for a view of it: a page of children at a time, never the whole tree; and the code of a node."""

from typing import cast

from adebug_lsp.frontends.dap.protocol.messages import Children, Path, Place, Projection, TreeNode
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay.cursor import Spot, spot_in
from adebug_lsp.frontends.dap.replay.events import name_of
from adebug_lsp.frontends.dap.replay.replay import Handler, Replay, Reply
from adebug_lsp.frontends.dap.replay.show import spot_named, spot_of
from adebug_lsp.model.answers import Judgement, Scope
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.state import State

PAGE = 100
"""Children on a page, if nobody says how many."""
_STATES = {
    Judgement.YES: "correct",
    Judgement.NO: "wrong",
    Judgement.UNKNOWN: "unknown",
    Judgement.INADMISSIBLE: "inadmissible",
}


def children(replay: Replay, arguments: Arguments) -> Reply:
    """A page of what a node directly depends on."""
    spot = spot_named(replay, arguments.maybe_text("node") or "0")
    start, count = arguments.number("start", 0), arguments.number("count", PAGE)
    below = spot.below()
    body: Children = {
        "node": _shown(replay, spot),
        "children": [_shown(replay, child) for child in below[start : start + count]],
        "total": len(below),
    }
    return Reply(body)


def projection(replay: Replay, arguments: Arguments) -> Reply:
    """The code that a node executed."""
    spot = _spot_or_here(replay, arguments)
    places = replay.files.sources.lsp_place
    body: Projection = {
        "node": name_of(spot),
        "projection": [cast("Place", places(one)) for one in spot.behaviour().projection],
        "code": [cast("Place", places(one)) for one in spot.subject.code(spot.node)],
    }
    return Reply(body)


def path(replay: Replay, arguments: Arguments) -> Reply:
    """The way to a node, from the root on."""
    spots = [*_spot_or_here(replay, arguments).stack()]
    body: Path = {"path": [_shown(replay, spot) for spot in reversed(spots)]}
    return Reply(body)


def _shown(replay: Replay, spot: Spot) -> TreeNode:
    facts, place = spot.subject.tree.facts(spot.node), spot.place
    session = replay.session
    asked = spot_in(session, session.outcome.question.node).path if isinstance(session.outcome, Ask) else None
    node = {
        "node": name_of(spot),
        "text": spot.behaviour().text,
        "kind": facts.kind.label,
        "state": _state(replay, spot),
        "asked": spot.path == asked,
        "expandable": facts.descendants > 0 or spot.around is None,
        "path": None if place is None else place.path,
        "range": None if place is None else replay.files.sources.lsp_range(place),
    }
    return cast("TreeNode", node)


def _state(replay: Replay, spot: Spot) -> str:
    """What is known of a node."""
    level = next((one for one in replay.session.levels.all() if one.subject is spot.subject), None)
    if level is None:
        return "undefined"
    judged = level.space.judged.get(spot.node)
    if judged is not None:
        return _STATES[judged]
    if _is_trusted(level, spot):
        return "trusted"
    return "correct" if level.space.is_cut(spot.node) else "undefined"


def _is_trusted(level: State, spot: Spot) -> bool:
    site = spot.subject.tree.site_of(spot.node)
    return not level.trusted.isdisjoint({(Scope.ROUTINE, site.routine), (Scope.MODULE, site.module)})


def _spot_or_here(replay: Replay, arguments: Arguments) -> Spot:
    name = arguments.maybe_text("node")
    return spot_of(replay, arguments) if name is None else spot_named(replay, name)


HANDLERS: dict[str, Handler] = {
    "adebug/children": children,
    "adebug/path": path,
    "adebug/projection": projection,
}
