"""Strategies by name. A name may have settings after a colon, as in `divide-and-query-biased:loop=2,lambda=0`.

Packages can add strategies: an entry point in the group `adebug.strategies` names a function that takes the settings
(a mapping of names to numbers) and returns a `Strategy`.
"""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from importlib.metadata import entry_points

from adebug_lsp.model.errors import UnknownNameError
from adebug_lsp.model.kinds import NodeKind, kind_named
from adebug_lsp.search import divide_and_query, hat_delta, top_down
from adebug_lsp.search.combined import COMPONENTS, AutoSwitch, Combined
from adebug_lsp.search.expected_cost import ExpectedCost
from adebug_lsp.search.mark_tracking import DynamicWeighting, ProcessDirected, SubtermTracking
from adebug_lsp.search.single_stepping import SingleStepping
from adebug_lsp.search.strategy import Strategy

Settings = Mapping[str, float]
Factory = Callable[[Settings], Strategy]

DEFAULT = "expected-cost"
GROUP = "adebug.strategies"


def names() -> list[str]:
    """The names of all strategies: built-in ones in the order of the documentation, then those of other packages."""
    return [*_OURS, *sorted(entry.name for entry in entry_points(group=GROUP) if entry.name not in _OURS)]


def strategy(spec: str) -> Strategy:
    """Create a strategy from its name and optional settings; raises `UnknownNameError`."""
    name, _, rest = spec.partition(":")
    factory = _OURS.get(name)
    if factory is None:
        factory = next((entry.load() for entry in entry_points(group=GROUP, name=name)), None)
    if factory is None:
        raise UnknownNameError(_unknown("strategy", name, names()))
    return factory(_settings(name, rest))


def because(spec: str) -> str:
    """The reason that a strategy gives for its questions, as the end of a sentence."""
    name = spec.partition(":")[0]
    return _REASONS.get(name, f"the strategy {name} chose it")


def _plain(make: Callable[[], Strategy]) -> Factory:
    """A factory for a strategy without settings."""

    def factory(settings: Settings) -> Strategy:
        if settings:
            raise UnknownNameError(f"this strategy takes no settings, but got {', '.join(settings)}")
        return make()

    return factory


def _top_down(ranking: Callable[..., top_down.Rank]) -> Factory:
    return _plain(lambda: top_down.TopDown(ranking))


def _biased(settings: Settings) -> Strategy:
    bias = dict(divide_and_query.DEFAULT_BIAS)
    for name, weight in settings.items():
        kind = kind_named(name)
        if kind is None:
            raise UnknownNameError(_unknown("node kind", name, [kind.label for kind in NodeKind]))
        bias[kind] = int(weight)
    return divide_and_query.Biased(bias)


def _combined(settings: Settings) -> Strategy:
    for name in settings:
        if name not in COMPONENTS:
            raise UnknownNameError(_unknown("component of 'combined'", name, COMPONENTS))
    return Combined(settings) if settings else Combined()


def _settings(name: str, text: str) -> dict[str, float]:
    """Parse the settings after the colon; raises `UnknownNameError`."""
    settings: dict[str, float] = {}
    for item in filter(None, text.split(",")):
        key, _, value = item.partition("=")
        try:
            settings[key.strip()] = float(value)
        except ValueError:
            raise UnknownNameError(f"{name}: expected NAME=NUMBER, not {item!r}") from None
        if not 0 <= settings[key.strip()] < 1e9:
            raise UnknownNameError(f"{name}: {item!r} is not a number from 0 on")
    return settings


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    choices = list(known)
    close = get_close_matches(name, choices, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"one of {', '.join(choices)}"
    return f"unknown {what} {name!r}; {hint}"


_OURS: dict[str, Factory] = {
    "single-stepping": _plain(SingleStepping),
    "top-down": _top_down(top_down.in_order),
    "top-down-zooming": _top_down(top_down.recursive_first),
    "exception-zooming": _top_down(top_down.raised_first),
    "heaviest-first": _top_down(top_down.heaviest_first),
    "divide-and-query-shapiro": _plain(divide_and_query.Shapiro),
    "divide-and-query-hirunkitti": _plain(divide_and_query.Hirunkitti),
    "divide-and-query-optimal": _plain(divide_and_query.Optimal),
    "divide-and-query-biased": _biased,
    "hat-delta": _plain(lambda: hat_delta.HatDelta(hat_delta.fewest_yes)),
    "hat-delta-no": _plain(lambda: hat_delta.HatDelta(hat_delta.most_no)),
    "hat-delta-share": _plain(lambda: hat_delta.HatDelta(hat_delta.share_of_no)),
    "subterm-tracking": _plain(SubtermTracking),
    "process-directed": _plain(ProcessDirected),
    "less-yes-first": _top_down(top_down.less_yes_first),
    "divide-by-yes": _plain(divide_and_query.divide_by_yes),
    "dynamic-weighting": _plain(DynamicWeighting),
    "distinct-rules": _top_down(top_down.most_rules_first),
    "combined": _combined,
    "auto-switch": _plain(AutoSwitch),
    "expected-cost": _plain(ExpectedCost),
}

_CHILD = "it is a child of the last node that was wrong"
_REASONS = {
    "single-stepping": "everything that it depends on is right",
    "top-down": f"{_CHILD}, the next from the left",
    "top-down-zooming": f"{_CHILD}, and calls of the same routine come first",
    "exception-zooming": f"{_CHILD}, and what raised an exception comes first",
    "heaviest-first": f"{_CHILD}, the one with most below it",
    "divide-and-query-shapiro": "it holds the largest part of the candidates that is not more than half",
    "divide-and-query-hirunkitti": "it holds as nearly half of the candidates as possible",
    "divide-and-query-optimal": "yes and no leave as equally many candidates as possible",
    "divide-and-query-biased": "it holds as nearly half of the weight of the candidates as possible",
    "hat-delta": "its rule has run right least often",
    "hat-delta-no": "its rule has run wrong most often",
    "hat-delta-share": "its rule has the largest share of wrong executions",
    "subterm-tracking": "it made or handed on what was marked, or is the next child of the last wrong node",
    "process-directed": "it sent or made what was marked, or is the next of the process that was asked about last",
    "less-yes-first": f"{_CHILD}, and the rules below it have run right least often",
    "divide-by-yes": "it holds as nearly half as possible, where rules that have run right count less",
    "dynamic-weighting": "of all nodes it had most to do with what was marked",
    "distinct-rules": f"{_CHILD}, the one that runs most different rules",
    "combined": "the combined strategies score it highest",
    "auto-switch": "it is best by depth and size of what is left",
    "expected-cost": "it narrows the search most for the least reading",
}
