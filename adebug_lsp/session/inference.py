"""Infers answers from those of this session: for equal behaviours, for ranges and their parts, and for conditions.

A node is compared only when it would be asked about next, so that nothing is computed for the rest of the run.
"""

from collections.abc import Iterator

from adebug_lsp.model.answers import DECIDED, PARTS, REST, SAME, Answer, Judgement
from adebug_lsp.model.behaviour import Judged
from adebug_lsp.search.space import Space
from adebug_lsp.session.levels import Levels
from adebug_lsp.session.state import State

_MOST_PARTS = 256
"""Parts up to which answers on a range are inferred, because each part has to be compared."""


def inferred_answer(levels: Levels, node: int) -> Answer | None:
    """The answer that earlier ones imply on a node of the innermost level, or "no" on a wrong part of it."""
    rest = _by_rest(levels, node)
    if rest is not None or levels.is_made(node):
        return rest or _by_range(levels, node)
    return _same(levels, node) or _by_parts(levels, node) or _by_decision(levels.innermost, node)


def revised_answers(state: State, answer: Answer) -> list[Answer]:
    """The same answer for every node with the same behaviour that was answered differently before."""
    others = [n for n, a in state.answers.items() if a.judgement is not answer.judgement and a.is_of_behaviour]
    return [_for(node, answer) for node in others if state.is_same(node, answer.node)]


def _same(levels: Levels, node: int) -> Answer | None:
    """The latest answer of a person on an equal behaviour, on any level."""
    state = levels.innermost
    # Revoking an answer on a node revokes it for equal nodes of the level, too.
    others = [state] if node in state.revoked else levels.all()
    answers = (
        answer
        for other in others
        for answered, answer in other.answers.items()
        if answer.source.is_person and answer.is_of_behaviour and state.is_same(node, answered, other)
    )
    latest = next(iter([*answers][-1:]), None)
    return None if latest is None else _for(node, latest)


def _for(node: int, answer: Answer) -> Answer:
    mark = None if answer.judgement is Judgement.YES else answer.mark
    return Answer(node, answer.judgement, mark, answer.expected, SAME)


def _by_parts(levels: Levels, node: int) -> Answer | None:
    """ "Yes" for a node without own code if all of its parts are right, otherwise "no" for the first wrong part."""
    space = levels.innermost.space
    if not space.is_sum(node):
        return None
    for count, part in enumerate(_open_parts(space, node)):
        same = _same(levels, part) if count < _MOST_PARTS and space.is_askable(part) else None
        if same is None or same.judgement is Judgement.NO:
            return same
        if same.judgement is not Judgement.YES:
            return None
    return Answer(node, Judgement.YES, source=PARTS)


def _by_range(levels: Levels, node: int) -> Answer | None:
    """Like `_by_parts`, for a range that a transformation made; parts without suspects count as right."""
    parts, space = levels.parts(node), levels.innermost.space
    if not 0 < len(parts) <= _MOST_PARTS:
        return None
    for part in (part for part in parts if space.has_suspects(part)):
        same = _same(levels, part) if space.is_askable(part) else None
        if same is None or same.judgement is Judgement.NO:
            return same
        if same.judgement is not Judgement.YES:
            return None
    return Answer(node, Judgement.YES, source=PARTS)


def _by_rest(levels: Levels, node: int) -> Answer | None:
    """ "No" for the only part of a wrong range that can be wrong."""
    view, space = levels.view, levels.innermost.space
    wrong = () if view is None else [a.node for a in view.made if a.judgement is Judgement.NO and a.node != node]
    of_node = {*(levels.parts(node) or (node,))}
    for around in wrong:
        parts = levels.parts(around)
        rest = [part for part in parts if part not in of_node]
        is_right = (space.judged.get(part) is Judgement.YES or space.is_cut(part) for part in rest)
        if len(rest) < len(parts) <= _MOST_PARTS and all(is_right):
            return Answer(node, Judgement.NO, source=REST)
    return None


def _by_decision(state: State, node: int) -> Answer | None:
    """ "No" for the condition of a statement that did nothing else and that a person answered "no".

    Questions about the two would show the same decision.
    """
    tree = state.subject.tree
    parent = int(tree.parent[node])
    answer = state.answers.get(parent)
    if answer is None or answer.judgement is not Judgement.NO or not answer.source.is_person:
        return None
    if list(tree.children(parent)) != [node]:
        return None
    both = (state.subject.behaviour(parent), state.subject.behaviour(node))
    if any(behaviour.judged is not Judged.DECISION for behaviour in both):
        return None
    return Answer(node, Judgement.NO, source=DECIDED)


def _open_parts(space: Space, node: int) -> Iterator[int]:
    """The parts with own code that are not known to be right, from left to right."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if space.judged.get(part) is Judgement.YES:
            continue
        if space.is_sum(part):
            waiting += reversed(space.tree.children(part))
        else:
            yield part
