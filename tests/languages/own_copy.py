"""What both languages must show: a program compared with its own copy has no bug."""

from collections.abc import Iterator

from adebug_lsp.frontends.shared.talk import Talk
from adebug_lsp.model.verdicts import VerdictKind
from adebug_lsp.session.outcome import Ask


def blamed(talk: Talk) -> Iterator[str]:
    """The verdict of a session that nobody but oracles has answered, if it blames any code."""
    talk.give_up()
    outcome = talk.session.outcome
    assert not isinstance(outcome, Ask)
    verdict = outcome.verdict
    if verdict.kind is not VerdictKind.NONE and (verdict.kind is not VerdictKind.CANDIDATES or verdict.known_wrong):
        yield f"the verdict is {verdict}"
