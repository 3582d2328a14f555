"""Infers that the only expression of a wrong call is wrong, if the call just returns it.

Nothing is inferred if the call also changed or printed something, because the error may be there.
"""

from attrs import frozen

from adebug_lsp.languages.python.questions.subject import InnerSubject, PythonSubject
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion


@frozen(eq=False)
class Consequence:
    """Answers "no" for the only expression of a call; questions inside a call are asked only if the call is wrong."""

    subject: PythonSubject

    @property
    def name(self) -> str:
        """See `Oracle`."""
        return "consequence"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        inner = self.subject.at(question.zoomed)
        if not isinstance(inner, InnerSubject) or not inner.is_all(question.node):
            return None
        return Opinion(Judgement.NO, "the wrong call only returns this expression")
