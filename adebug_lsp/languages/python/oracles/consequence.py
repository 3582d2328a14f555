"""What follows from an answer on a call: where all that it does is to return an expression, the expression is as wrong.

Nothing follows where the call also changed something or printed: then that may be what is wrong, or what is missing.
"""

from attrs import frozen

from adebug_lsp.languages.python.questions.subject import InnerSubject, PythonSubject
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion


@frozen(eq=False)
class Consequence:
    """Answers for the expression that is all of a call; whoever asks inside of a call knows the call to be wrong."""

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
        return Opinion(Judgement.NO, "all that the wrong call does is to return this")
