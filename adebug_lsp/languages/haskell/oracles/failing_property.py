"""The property of a failing test as an oracle: it should have been true."""

from __future__ import annotations

from attrs import frozen

from adebug_lsp.languages.haskell.engine.units import SITE_BITS
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.languages.haskell.reading.run import qualified_name
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion


@frozen(eq=False)
class FailingProperty:
    """See `Oracle`: judges the call that the test made."""

    subject: HaskellSubject
    name: str = "test"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        run = self.subject.run
        if question.zoomed or not question.node:
            return None
        q = self.subject.reduction(question.node)
        is_first = run.recording.trail.redexes[q] >> SITE_BITS == 0
        if is_first and qualified_name(run.unit(q)) == run.recording.start.split()[0]:
            return Opinion(Judgement.NO, reason="a property should be True")
        return None
