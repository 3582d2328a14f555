"""Capabilities of the adapter: first those of debugpy, then, in the replay, those of a recording."""

from typing import Any

_ALWAYS = (
    "supportsConfigurationDoneRequest",
    "supportsEvaluateForHovers",
    "supportsExceptionInfoRequest",
    "supportsGotoTargetsRequest",
    "supportsLoadedSourcesRequest",
    "supportsDelayedStackTraceLoading",
    "supportsCancelRequest",
    "supportTerminateDebuggee",
    "supportsClipboardContext",
    "supportsConditionalBreakpoints",
    "supportsHitConditionalBreakpoints",
    "supportsLogPoints",
)
_WHILE_IT_RUNS = (
    "supportsFunctionBreakpoints",
    "supportsSetVariable",
    "supportsSetExpression",
    "supportsStepInTargetsRequest",
    "supportsCompletionsRequest",
    "supportsModulesRequest",
)
_IN_REPLAY = ("supportsStepBack", "supportsRestartFrame")

_FILTERS = [
    {
        "filter": "raised",
        "label": "Raised exceptions",
        "default": False,
        "description": "Stop where an exception is raised, caught or not.",
    },
    {
        "filter": "uncaught",
        "label": "Uncaught exceptions",
        "default": True,
        "description": "Stop where the program is about to end with an exception.",
    },
]


def at_first() -> dict[str, Any]:
    """The body of the response to `initialize`. Stepping back is not supported while a program runs."""
    can = dict.fromkeys((*_ALWAYS, *_WHILE_IT_RUNS), True)
    return {**can, "exceptionBreakpointFilters": _FILTERS}


def in_replay() -> dict[str, Any]:
    """Capabilities that change when the replay begins."""
    return dict.fromkeys(_IN_REPLAY, True) | dict.fromkeys(_WHILE_IT_RUNS, False)
