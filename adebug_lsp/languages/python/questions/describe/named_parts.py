"""The attributes of an object that code names: those it may read, and those it looks as if it changed.

Of an object, a question shows only what the code and its callees name. A place that the code looks as if it wrote, but
that is as before, is shown as unchanged.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from adebug_lsp.languages.python.questions.dependences.possible_writes import is_target
from adebug_lsp.languages.python.reading.heap.object_states import State
from adebug_lsp.languages.python.reading.recorded_values import Object
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.languages.python.reading.structure.spans import Span

_MOST_CALLS = 300
"""Calls searched for reads of an object; with more, the whole object is shown."""
_MOST_PATHS = 3
_MUTATING = frozenset(
    [
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard", "update"),
        *("setdefault", "popitem", "appendleft", "popleft", "extendleft", "rotate", "move_to_end", "write"),
    ]
)
"""Methods of library containers that change their receiver."""

Chain = tuple[str, ...]
"""A variable, and the attributes that lead from it to a value: `self.months` is ("self", "months")."""


@define(eq=False)
class NamedParts:
    """The attributes that the code of one run names."""

    run: Run
    _by_routine: dict[tuple[int, int], dict[str, frozenset[str] | None]] = field(factory=dict)

    def read(
        self, module: Module, nodes: Sequence[int], words: dict[str, int], during: tuple[int, int]
    ) -> dict[str, frozenset[str]]:
        """For each variable with an object, the attributes that the code and its callees name, if that is known."""
        values = self.run.recording.values
        objects = {name: word for name, word in words.items() if isinstance(values.value(word), Object)}
        known = attributes_named(module, nodes)
        by_name = {name: known.get(name, frozenset()) for name in objects}
        passed = {name for name, attributes in by_name.items() if attributes is None}
        reads = {name: set(attributes or ()) for name, attributes in by_name.items()}
        is_calling = any(module.nodes[number].kind in _CALLING for number in nodes)
        calls = self._calls(*during) if objects and is_calling else []
        if calls is None:
            return {}
        for routine, arguments in calls:
            inside = self._of_routine(routine)
            for parameter, word in arguments:
                for name in (name for name, own in objects.items() if own == word):
                    attributes = inside.get(parameter, frozenset())
                    reads[name] |= attributes or set()
                    if attributes is None:
                        passed.add(name)
        return {name: frozenset(reads[name]) for name in objects if name not in passed}

    def left_alone(
        self, span: Span, records: Sequence[Record], words: dict[str, int], changed: set[str], *, returned: bool
    ) -> list[tuple[str, int]]:
        """Places in arguments that a call wrote but left as they were, each with its word.

        For a call that returned and changed nothing, also those that its code would write.
        """
        rebound = span.routine.bound
        words = {name: word for name, word in words.items() if name not in rebound}
        module, start, end = span.routine.module, span.first + 1, span.last + 1
        untouched: dict[str, int] = {}
        for container, root, owner, key in keys_written(module, records):
            old, new = self._element(owner, key, start), self._element(owner, key, end)
            if root in words and old is not None and new is not None and self._same(old, start, new, end):
                untouched[f"{container}[{self.run.formatter.value(key, start).text}]"] = new
        if untouched or returned or changed & words.keys():
            return list(untouched.items())[:_MOST_PATHS]
        for chain, _node in chains_written(module, module.inside(span.routine.node)):
            word = self._followed(chain, words, end)
            if word is not None:
                untouched[".".join(chain)] = word
        return list(untouched.items())[:_MOST_PATHS]

    def _followed(self, chain: Chain, words: dict[str, int], moment: int) -> int | None:
        """The value at a chain of attributes."""
        word = words.get(chain[0])
        for attribute in chain[1:]:
            word = None if word is None else dict(self._state(word, moment).attributes).get(attribute)
        return word

    def _element(self, owner: int, key: int, moment: int) -> int | None:
        state = self._state(owner, moment)
        if state.shape == "mapping":
            pairs = (value for own, value in state.pairs if own == key or self._same(own, moment, key, moment))
            return next(pairs, None)
        index = self.run.recording.values.atom(key)
        is_index = isinstance(index, int) and -len(state.items) <= index < len(state.items)
        return state.items[index] if is_index else None

    def _state(self, word: int, moment: int) -> State:
        is_object = isinstance(self.run.recording.values.value(word), Object)
        return self.run.heap.state(word, moment) if is_object else State("")

    def _same(self, old: int, start: int, new: int, end: int) -> bool:
        return self.run.formatter.digest(old, start) == self.run.formatter.digest(new, end)

    def _calls(self, first: int, last: int) -> list[tuple[Routine, list[tuple[str, int]]]] | None:
        """Routines called between two positions with their arguments; None if there are too many."""
        spans = self.run.spans
        calls = []
        number = bisect_left(spans.first, first)
        while number < len(spans) and spans.first[number] <= last:
            if spans.activation[number] == number:
                record = self.run.record(spans.first[number])
                if record.marker.kind == "enter":
                    arguments = [(name, record.words[slot]) for name, slot in record.marker.stores]
                    calls.append((spans.routines[spans.routine[number]], arguments))
            if len(calls) > _MOST_CALLS:
                return None
            number += 1
        return calls

    def _of_routine(self, routine: Routine) -> dict[str, frozenset[str] | None]:
        key = (routine.module.first, routine.index)
        if key not in self._by_routine:
            inside = routine.module.inside(routine.node) if routine.node >= 0 else []
            self._by_routine[key] = attributes_named(routine.module, inside)
        return self._by_routine[key]


def attributes_named(module: Module, nodes: Iterable[int]) -> dict[str, frozenset[str] | None]:
    """The attributes that code names of each variable; None for one that is used as a whole, in a way that may read."""
    named: dict[str, set[str]] = {}
    whole: set[str] = set()
    for number in nodes:
        node = module.nodes[number]
        if node.kind != "Name" or not isinstance(node.extra, str):
            continue
        around = module.nodes[node.parent] if node.parent >= 0 else None
        if around is not None and around.kind == "Attribute":
            named.setdefault(node.extra, set()).add(str(around.extra))
        elif around is not None and around.kind in _PASSING and not _is_library_call(module, node.parent):
            named.setdefault(node.extra, set())
        else:
            whole.add(node.extra)
    return {name: None if name in whole else frozenset(named.get(name, ())) for name in {*named, *whole}}


def _is_library_call(module: Module, call: int) -> bool:
    """Whether a call is of a builtin that may look inside its arguments."""
    if module.nodes[call].kind != "Call":
        return False
    called = module.nodes[module.children(call)[0]]
    return called.kind == "Name" and called.extra in _LOOKING_INSIDE


_CALLING = frozenset({"Call", "Await", "With", "AsyncWith", "For", "AsyncFor", "YieldFrom"})
_PASSING = ("Call", "Return", "Assign", "keyword", "Compare")
"""Syntax that uses a variable as a whole without looking inside its value."""
_LOOKING_INSIDE = frozenset(
    [
        *("print", "str", "repr", "len", "list", "tuple", "set", "dict", "sorted", "sum", "max", "min", "any", "all"),
        *("vars", "dir", "format", "iter", "next", "enumerate", "zip", "map", "filter", "reversed", "bool", "hash"),
        *("getattr", "hasattr", "setattr", "copy", "deepcopy", "replace", "asdict", "fields", "float", "int", "abs"),
    ]
)


def chains_written(module: Module, nodes: Iterable[int]) -> Iterator[tuple[Chain, int]]:
    """Places that code looks as if it writes, each with its node: `self.months[k] = 1` writes to `self.months`."""
    for number in nodes:
        node = module.nodes[number]
        children = module.children(number)
        if node.kind in ("Attribute", "Subscript") and is_target(module, number):
            chain = chain_of(module, children[0] if node.kind == "Subscript" else number)
        elif node.kind == "Call" and module.nodes[children[0]].kind == "Attribute":
            changes = str(module.nodes[children[0]].extra) in _MUTATING
            chain = chain_of(module, module.children(children[0])[0]) if changes else None
        else:
            continue
        if chain is not None:
            yield chain, number


def chain_of(module: Module, number: int) -> Chain | None:
    """The chain that an expression is; None for any other expression."""
    names: list[str] = []
    while module.nodes[number].kind == "Attribute":
        names.append(str(module.nodes[number].extra))
        number = module.children(number)[0]
    node = module.nodes[number]
    return (str(node.extra), *reversed(names)) if node.kind == "Name" else None


def keys_written(module: Module, records: Iterable[Record]) -> Iterator[tuple[str, str, int, int]]:
    """Executed writes to elements: the container's source, its variable and word, and the key's word."""
    for record in records:
        slots, words = record.marker.slots, record.words
        for kind, key, owner, _value in record.marker.writes:
            if kind == "set_item" and isinstance(key, int) and slots[owner] >= 0:
                root = slots[owner]
                while module.nodes[root].kind in ("Attribute", "Subscript"):
                    root = module.children(root)[0]
                if module.nodes[root].kind == "Name":
                    yield module.text(slots[owner]), str(module.nodes[root].extra), words[owner], words[key]
