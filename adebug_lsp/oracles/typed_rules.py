"""Rules that a person typed during the session: a predicate over a behaviour that decides questions about a routine."""

from collections.abc import Callable, Sequence

from attrs import frozen

from adebug_lsp.model.answers import AddRule, Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion

Holds = Callable[[str, int], bool | None]
"""Returns whether a rule holds for a node. The language provides it, because only it can evaluate a rule."""


@frozen
class RuleOracle:
    """Answers "yes" if all rules of the routine hold, "no" if one is violated."""

    rules: Sequence[AddRule]
    holds: Holds

    @property
    def name(self) -> str:
        """See `Oracle`."""
        return "rule"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        rules = [rule.text for rule in self.rules if rule.routine == question.facts.site.routine]
        results = {text: self.holds(text, question.node) for text in rules}
        broken = next((text for text, held in results.items() if held is False), None)
        if broken is not None:
            return Opinion(Judgement.NO, reason=broken)
        if results and all(results.values()):
            return Opinion(Judgement.YES, reason=" and ".join(results))
        return None
