"""Elements of comprehensions and generator expressions: the evaluation that made each."""

from attrs import define

from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, Index, Item, Source, TracedPart
from adebug_lsp.languages.python.reading.run import Record
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.slicing.provenance import Certainty, HandOver, Made


@define(eq=False)
class Comprehensions:
    """The comprehensions of one run."""

    evaluations: Evaluations

    def source(self, part: TracedPart) -> Source:
        """The evaluation that made an element."""
        evaluation, module = part.evaluation, self.evaluations.module(part.evaluation)
        made = Made(f"made by `{self.evaluations.text(evaluation)[:60]}`")
        if not part.path:
            return made
        step, rest = part.path[0], part.path[1:]
        elements = self._elements(evaluation, module)
        children = module.children(evaluation.node)
        is_dict = module.nodes[evaluation.node].kind == "DictComp"
        if isinstance(step, Index) and 0 <= step.number < len(elements):
            chosen = Evaluation(evaluation.activation, children[0], elements[step.number])
            if module.nodes[evaluation.node].kind != "SetComp":
                return HandOver(TracedPart(chosen, rest), "an element of a comprehension")
        if isinstance(step, Item) and is_dict:
            for position in reversed(elements):
                key = self.evaluations.value(Evaluation(evaluation.activation, children[0], position))
                if key is not None and self.evaluations.run.heap.is_same_key(key[0], step.key, position):
                    chosen = Evaluation(evaluation.activation, children[1], position)
                    return HandOver(TracedPart(chosen, rest), "an element of a comprehension")
        return Made(made.why, Certainty.UNKNOWN)

    def _elements(self, evaluation: Evaluation, module: Module) -> list[int]:
        """For every element, a position in its iteration by which it had been evaluated."""
        value = self.evaluations.value(evaluation)
        until = evaluation.position if value is None else value[1]
        window = list(self.evaluations.window_before(evaluation.activation, until))[::-1]
        if module.nodes[evaluation.node].kind == "GeneratorExp":
            window = self.evaluations.window_around(evaluation.activation, until)
        element = module.children(evaluation.node)[1 if module.nodes[evaluation.node].kind == "DictComp" else 0]
        recorded = [record.position for record in window if element in record.marker.slots]
        if recorded:
            return recorded
        generators = [n for n in module.children(evaluation.node) if module.nodes[n].kind == "comprehension"]
        innermost = {n for n in module.inside(module.children(generators[-1])[0]) if module.nodes[n].kind == "Bound"}
        iterations = []
        for index, record in enumerate(window):
            if record.marker.kind == "comprehension" and innermost.intersection(record.marker.slots):
                last = _last_of_iteration(window[index:], evaluation.node)
                if self._passed(evaluation.activation, module, generators[-1], last):
                    iterations.append(last)
        return iterations

    def _passed(self, activation: int, module: Module, generator: int, position: int) -> bool:
        """Whether the conditions of a generator were true."""
        conditions = module.children(generator)[2:]
        truths = (self.evaluations.truth(Evaluation(activation, number, position)) for number in conditions)
        return all(truth is not False for truth in truths)


def _last_of_iteration(records: list[Record], comprehension: int) -> int:
    """The last position of the iteration that the first record begins."""
    last = records[0].position + 1
    for record in records[1:]:
        if record.marker.kind != "inline" or record.marker.node == comprehension:
            break
        last = record.position
    return last
