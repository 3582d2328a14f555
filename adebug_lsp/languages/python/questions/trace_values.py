"""Values that expressions and variables had during one behaviour, by source location: for hovers and inline values."""

from collections.abc import Iterator

from attrs import define, field

from adebug_lsp.languages.language import TraceValue
from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.questions.executed_parts import BETWEEN
from adebug_lsp.languages.python.reading.run import Record
from adebug_lsp.languages.python.reading.static import SCOPES, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.source import Location

MOST_RECORDS = 2000
"""Number of records read; a longer behaviour is cut there."""
MOST_VALUES = 5
_HIDDEN = frozenset({"Starred", "Slice", "FormattedValue", "Interpolation", "comprehension", "withitem", "AugAssign"})


@define
class _Values:
    """The values seen at one place."""

    texts: list[str] = field(factory=list)
    count: int = 0
    name: str = ""
    bound: bool = False

    @property
    def full(self) -> bool:
        return len(self.texts) >= MOST_VALUES


def trace_values(behaviours: BehaviourBuilder, activation: Span, first: int, last: int) -> list[TraceValue]:
    """The recorded values of an activation between two positions, in source order."""
    run, module = behaviours.run, activation.routine.module
    by_place: dict[Location, _Values] = {}
    for record in run.beginning(activation, first, last, MOST_RECORDS):
        for node, word, moment in _of_record(behaviours, activation, record):
            place = module.location(node)
            if place not in by_place:
                kind = module.nodes[node].kind
                name = str(module.nodes[node].extra) if kind in ("Name", "Bound") else ""
                by_place[place] = _Values(name=name, bound=kind == "Bound")
            values = by_place[place]
            values.count += 1
            if not values.full:
                values.texts.append(str(word) if isinstance(word, bool) else behaviours.value(word, moment).text)
    return [
        TraceValue(place, tuple(v.texts), v.count, v.name, v.bound) for place, v in sorted(by_place.items(), key=_place)
    ]


def _place(item: tuple[Location, _Values]) -> Location:
    return item[0]


def _of_record(behaviours: BehaviourBuilder, activation: Span, record: Record) -> Iterator[tuple[int, int | bool, int]]:
    """The nodes with a value in a record: node, word (or the truth of a condition), and position."""
    module, marker = activation.routine.module, record.marker
    recorded = set()
    for node, word in zip(marker.slots, record.words, strict=True):
        if node >= 0 and module.nodes[node].kind not in _HIDDEN:
            recorded.add(node)
            yield node, word, record.end
    if marker.test is not None and marker.test not in recorded and module.nodes[marker.test].kind != "Name":
        truth = marker.taken if marker.kind == "branch" else marker.kind == "iteration"
        yield marker.test, bool(truth), record.end
    variables = behaviours.run.variables(activation)
    for node in _names(module, record):
        bound = module.nodes[node].kind == "Bound"
        name = module.nodes[node].extra
        moment = record.end if bound else record.position
        bound_word = variables.at(name, moment) if node not in recorded and isinstance(name, str) else None
        if bound_word is not None:
            yield node, bound_word, moment


def _names(module: Module, record: Record) -> list[int]:
    """The variables in the code of a record: a condition, an iteration or a whole simple statement."""
    marker = record.marker
    if (
        marker.kind in BETWEEN
        or marker.kind == "comprehension"
        or marker.node < 0
        or module.nodes[marker.node].kind in SCOPES
    ):
        return []
    stored = {name for name, _ in marker.stores}
    inside = module.inside(marker.node)
    if marker.test is not None:
        inside = module.inside(marker.test)
    elif marker.kind in ("iteration", "loop", "with", "case", "handler", "block", "branch"):
        inside = [n for n in module.children(marker.node) if module.nodes[n].kind == "Bound"]
        inside = [n for n in inside if module.nodes[n].extra in stored]
    return [n for n in inside if module.nodes[n].kind in ("Name", "Bound")]
