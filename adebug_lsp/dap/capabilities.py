"""What the adapter says that it can do: at first, what debugpy can; from the replay on, what a recording can."""

from typing import Any


def capabilities() -> dict[str, Any]:
    """The body of the response to `initialize`. While a program runs, nothing goes back."""
    can = (
        "supportsConfigurationDoneRequest",
        "supportsEvaluateForHovers",
        "supportsExceptionInfoRequest",
        "supportsGotoTargetsRequest",
        "supportsLoadedSourcesRequest",
        "supportsDelayedStackTraceLoading",
        "supportsCancelRequest",
        "supportTerminateDebuggee",
    )
    return dict.fromkeys(can, True)


IN_REPLAY = {
    "supportsStepBack": True,
    "supportsRestartFrame": True,
}
"""What changes when the replay begins."""
