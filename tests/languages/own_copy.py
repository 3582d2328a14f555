"""Shared by both languages: a program compared with its own copy has no bug."""

from collections.abc import Iterator

from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget
from adebug_lsp.model.verdicts import VerdictKind
from adebug_lsp.session.outcome import Ask


def blamed(open_session: OpenSession[SessionTarget]) -> Iterator[str]:
    """The verdict of a session that only oracles answered, if it blames any code."""
    open_session.give_up()
    outcome = open_session.session.outcome
    assert not isinstance(outcome, Ask)
    verdict = outcome.verdict
    if verdict.kind is not VerdictKind.NONE and (verdict.kind is not VerdictKind.CANDIDATES or verdict.known_wrong):
        yield f"the verdict is {verdict}"
