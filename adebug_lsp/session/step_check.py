"""Validates a step against the current state of a session, with an error that says why it does not apply."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    AskSkipped,
    Judgement,
    Reject,
    Restart,
    Revoke,
    Scope,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
    Untrust,
    Zoom,
)
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.search.strategies import strategy
from adebug_lsp.session.levels import Levels
from adebug_lsp.session.marks import check_mark
from adebug_lsp.session.state import State


def check(levels: Levels, step: Step) -> None:
    """Raise `BadAnswerError` or `UnknownNameError` for a step that does not apply; changes nothing."""
    state = levels.innermost
    match step:
        case Answer():
            _answer(_behaviour(levels, step.node), step)
        case Restart() | Reject():
            _node(state, step.node)
        case Revoke():
            made = () if levels.view is None else levels.view.made
            if step.node not in state.answers and all(answer.node != step.node for answer in made):
                raise BadAnswerError(f"node {step.node} has no answer to revoke")
        case Trust():
            _known(step.scope, step.name, _names(levels, step.scope))
        case Untrust():
            trusted = [name for scope, name in state.trusted if scope is step.scope]
            if step.name not in trusted:
                raise BadAnswerError(f"the {step.scope.value} {step.name!r} is not trusted")
        case AddRule():
            _known(Scope.ROUTINE, step.routine, _names(levels, Scope.ROUTINE))
            state.subject.holds(step.text, 0)
        case SwitchStrategy():
            strategy(step.strategy)
        case SwitchGranularity():
            choices = [granularity.value for granularity in Granularity]
            if step.granularity not in choices:
                raise BadAnswerError(f"unknown granularity {step.granularity!r}; one of {', '.join(choices)}")
        case Transform():
            levels.check_transform(step.name)
        case AskSkipped():
            if not state.space.skipped():
                raise BadAnswerError("no question was skipped")
        case Zoom():
            _node(state, step.node)
            if not levels.can_zoom(step.node):
                raise BadAnswerError(f"node {step.node} is not a buggy node with finer code to ask about")


def _node(state: State, node: int) -> None:
    if not 0 <= node < len(state.subject.tree):
        raise BadAnswerError(f"there is no node {node}; the tree has {len(state.subject.tree)}")


def _behaviour(levels: Levels, node: int) -> Callable[[], Behaviour]:
    """Returns a function that describes a node, which may exist only in the transformed tree."""
    view = levels.view
    position = None if view is None or not levels.is_made(node) else view.subject.position(node)
    if view is not None and position is not None:
        return partial(view.subject.behaviour, position)
    _node(levels.innermost, node)
    return partial(levels.innermost.subject.behaviour, node)


def _answer(behaviour: Callable[[], Behaviour], answer: Answer) -> None:
    """Check that mark, expected value and judgement of an answer fit."""
    mark, judgement = answer.mark, answer.judgement
    if mark is not None:
        if judgement is Judgement.UNKNOWN:
            raise BadAnswerError('a mark says that something is wrong; "don\'t know" cannot carry one')
        if mark.in_outcome and judgement is not Judgement.NO:
            raise BadAnswerError("a part of the result is marked as wrong: the answer to that is no")
        check_mark(behaviour(), mark)
    if answer.expected is not None and judgement is not Judgement.NO:
        raise BadAnswerError("an expected value goes with the answer no")


def _names(levels: Levels, scope: Scope) -> list[str]:
    sites = (site for state in levels.open() for site in state.subject.tree.sites)
    return sorted({name for site in sites if (name := site.routine if scope is Scope.ROUTINE else site.module)})


def _known(scope: Scope, name: str, names: Iterable[str]) -> None:
    choices = list(names)
    if name not in choices:
        close = get_close_matches(name, choices, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise BadAnswerError(f"this run has no {scope.value} {name!r}{hint}")
