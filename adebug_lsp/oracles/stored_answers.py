"""Answers from earlier sessions, so that the same behaviour is not asked about again.

If the code has changed since, the answer is only suggested: the edit may have changed its purpose.
"""

from attrs import frozen

from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion
from adebug_lsp.store.saved_answers import Answers


@frozen
class StoredAnswers:
    """The answers in a store."""

    answers: Answers

    @property
    def name(self) -> str:
        """See `Oracle`."""
        return "stored answer"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        behaviour = question.behaviour
        saved = self.answers.find(behaviour.identity) if behaviour.identity else None
        if saved is None:
            return None
        changed = bool(saved.code_hash and behaviour.code_hash and saved.code_hash != behaviour.code_hash)
        reason = "answered before this routine was changed" if changed else "answered in an earlier session"
        return Opinion(saved.judgement, reason, expected=saved.expected, sure=not changed)
