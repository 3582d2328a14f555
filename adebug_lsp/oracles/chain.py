"""The chain of oracles: all are asked, the highest-ranked one answers, and contradictory ones are ignored.

A sure "don't know" postpones the question: other questions come first, and it returns at a dead end.

Failures of oracles are collected in `problems`; the person is asked instead.
"""

from collections.abc import Sequence
from threading import Event

from attrs import Factory, define, frozen

from adebug_lsp.model.answers import Answer, Judgement, Source
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import OracleError
from adebug_lsp.oracles.oracle import Opinion, Oracle, Witness


@frozen
class Consultation:
    """The result of asking all oracles about a question."""

    answer: Answer | None = None
    """A sure answer with its source; None if the person must be asked."""
    suggestion: str | None = None
    """The answer to suggest to the person."""


@define
class Chain:
    """Oracles in order of decreasing reliability; the person comes last."""

    oracles: Sequence[Oracle] = ()
    problems: list[str] = Factory(list)
    stop: Event | None = None
    """Set to stop waiting for oracles: then only those that need not execute anything are asked."""

    def consult(self, question: Question) -> Consultation:
        """Ask all oracles about a question."""
        asked = [oracle for oracle in self.oracles if not self._is_stopped or isinstance(oracle, Witness)]
        opinions = [(oracle.name, opinion) for oracle in asked if (opinion := self._ask(oracle, question))]
        sure = [(name, opinion) for name, opinion in opinions if opinion.sure]
        decided = [(name, opinion) for name, opinion in sure if opinion.judgement is not Judgement.UNKNOWN]
        sure = decided or sure
        judgements = (opinion.judgement for _name, opinion in opinions if opinion.judgement is not Judgement.UNKNOWN)
        suggestion = next((judgement.value for judgement in judgements), None)
        if not sure:
            return Consultation(suggestion=suggestion)
        name, first = sure[0]
        for other, opinion in sure[1:]:
            if opinion.judgement is not first.judgement:
                self.problems.append(
                    f"{name} says {first.judgement.value} to {question.behaviour.text}, "
                    f"{other} says {opinion.judgement.value}: you decide"
                )
                return Consultation(suggestion=suggestion)
        source = Source(name, first.reason)
        return Consultation(Answer(question.node, first.judgement, first.mark, first.expected, source))

    @property
    def _is_stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def _ask(self, oracle: Oracle, question: Question) -> Opinion | None:
        try:
            return oracle.opinion(question)
        except OracleError as error:
            self.problems.append(str(error))
            return None
