"""Text for people that several front ends show."""

from adebug_lsp.model.behaviour import Reason
from adebug_lsp.model.plural import counted

NO_TESTS_RAN = "no test was run, so there is nothing to find; what ran the tests has said why"
MARK_NOT_TRACED = "adebug: where that value came from is not known; the answer counts without the mark"


def no_test_failed(recorded: int) -> str:
    """Why there is nothing to ask about a run of tests."""
    return f"no test failed, so there is nothing to find ({recorded} recorded)"


def cannot_resume(error: Exception) -> str:
    """The note of a session that starts over because the saved one does not fit."""
    return f"the saved session cannot be resumed and is left aside: {error}"


def resumed(answers: int) -> str:
    """The note of a resumed session."""
    return f"going on with {counted(answers, 'answer')} from before"


def reason(why: Reason) -> str:
    """The reply to "why"."""
    return (
        f"Asked because {why.because}. {why.candidates} candidates are left: "
        f"yes would leave {why.yes_leaves}, no would leave {why.no_leaves}."
    )
