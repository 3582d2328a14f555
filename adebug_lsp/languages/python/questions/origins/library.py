"""The table of library functions: which part of which argument a part of the result comes from.

A rule takes a call and the path to a part of its result, and returns the part of an argument. A function without a rule
is followed by content: a part of the result that is a part of an argument came from there.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define

from adebug_lsp.languages.python.questions.origins.call_arguments import CallArguments
from adebug_lsp.languages.python.questions.origins.evaluations import UNKNOWN_VALUE
from adebug_lsp.languages.python.questions.origins.parts import (
    Attribute,
    Characters,
    Evaluation,
    Index,
    Item,
    Path,
    Source,
    Step,
    TracedPart,
)
from adebug_lsp.languages.python.reading.recorded_values import Atom, Derived, Object, Opaque, TupleLike, TypeInfo
from adebug_lsp.slicing.provenance import Certainty, HandOver

if TYPE_CHECKING:
    from adebug_lsp.languages.python.questions.origins.value_flow import ValueFlow


@define(eq=False)
class LibraryCall:
    """A call of library code, and the part of its result that is traced."""

    flow: "ValueFlow"
    arguments: CallArguments
    part: TracedPart

    @property
    def moment(self) -> int:
        """Position of the call."""
        return self.part.evaluation.position

    @property
    def step(self) -> Step | None:
        """The first step of the path."""
        return self.part.path[0] if self.part.path else None

    @property
    def rest(self) -> Path:
        """The path after its first step."""
        return self.part.path[1:]

    @property
    def name(self) -> str:
        """`sorted`, `itertools.chain`, or `str.join` for a method."""
        evaluations, function = self.flow.evaluations, self.arguments.function
        node = evaluations.syntax(function)
        value = evaluations.value(function)
        described = None if value is None else self.flow.run.recording.values.value(value[0])
        if node.kind == "Attribute":
            owner = evaluations.value(evaluations.children(function)[0])
            return self._method(owner, str(node.extra))
        if isinstance(described, Object):
            return described.type.full_name
        if isinstance(described, Opaque) and described.name is None:
            return described.type.full_name
        if isinstance(described, Opaque):
            return _qualified(described.module, str(described.name))
        if isinstance(described, TypeInfo):
            return described.full_name
        return str(node.extra) if node.kind == "Name" and value is None else ""

    def _method(self, owner: tuple[int, int] | None, method: str) -> str:
        """The name of a method, with the type of its receiver."""
        if owner is None:
            text = self.flow.evaluations.text(self.flow.evaluations.children(self.arguments.function)[0])
            return f"{text}.{method}"
        described = self.flow.run.recording.values.value(owner[0])
        if isinstance(described, Opaque) and described.type.name == "module":
            return f"{described.name}.{method}"
        if isinstance(described, Atom | TupleLike):
            return f"{described.type}.{method}"
        if isinstance(described, Object | Derived):
            return f"{described.type.base or described.type.full_name}.{method}"
        return f"{described.full_name}.{method}" if isinstance(described, TypeInfo) else method

    @property
    def receiver(self) -> Evaluation:
        """The object whose method is called."""
        return self.flow.evaluations.children(self.arguments.function)[0]

    def argument(self, number: int, *path: Step) -> Source | None:
        """A part of an argument."""
        argument = self.arguments.positional(number, path)
        return None if argument is None else self._from(argument)

    def of_receiver(self, *path: Step) -> Source:
        """A part of the receiver."""
        return self._from(TracedPart(self.receiver, path))

    def _from(self, part: TracedPart, certainty: Certainty = Certainty.EXACT) -> Source:
        text = " ".join(self.flow.evaluations.text(self.arguments.function).split())
        return HandOver(part, f"handed on by {text}()", certainty)

    def at(self, number: int) -> Index:
        """The step to an element at the time of the call."""
        return Index(number, self.moment)

    def key(self, word: int) -> Item:
        """The step to the value of a key at the time of the call."""
        return Item(word, self.moment)

    def plain(self, number: int, name: str = "") -> object:
        """The plain value of an argument."""
        argument = self.arguments.positional(number) or (self.arguments.keyword(name) if name else None)
        value = None if argument is None or argument.path else self.flow.evaluations.value(argument.evaluation)
        return UNKNOWN_VALUE if value is None else self.flow.evaluations.plain(value[0])

    def items(self, number: int) -> tuple[int, ...] | None:
        """The elements of an argument."""
        argument = self.arguments.positional(number)
        value = None if argument is None or argument.path else self.flow.evaluations.value(argument.evaluation)
        return None if value is None else self.flow.evaluations.items(value[0], self.moment)

    def word(self) -> int | None:
        """The word of the traced part, up to its first step."""
        return self.flow.part_word(TracedPart(self.part.evaluation, self.part.path[:1]))

    def equal_element(self, items: tuple[int, ...] | None, word: int | None) -> int | None:
        """The index of the element that equals a value."""
        if items is None or word is None:
            return None
        return next((n for n, item in enumerate(items) if self.flow.evaluations.same(item, word)), None)


Rule = Callable[[LibraryCall], Source | None]


def library_source(call: LibraryCall) -> Source | None:
    """The part of an argument that a part of a library call's result comes from; None without a rule for it."""
    rule = RULES.get(call.name) or RULES.get(call.name.rpartition(".")[2] if call.name.startswith("builtins.") else "")
    return None if rule is None else rule(call)


def _qualified(module: str | None, name: str) -> str:
    return name if module in (None, "builtins", "") else f"{module}.{name}"


# Rules


def _same(call: LibraryCall) -> Source | None:
    """The result has the parts of the first argument."""
    return call.argument(0, *call.part.path) if call.part.path else None


def _same_object(call: LibraryCall) -> Source | None:
    """The result is the first argument."""
    return call.argument(0, *call.part.path)


def _copy_of_receiver(call: LibraryCall) -> Source | None:
    return call.of_receiver(*call.part.path) if call.part.path else None


def _sorted(call: LibraryCall) -> Source | None:
    """The elements of the first argument in another order; equal ones keep theirs."""
    if not isinstance(call.step, Index):
        return None
    items, result = call.items(0), call.flow.evaluations.value(call.part.evaluation)
    word = call.word()
    if items is None or result is None or word is None:
        return _of_generator(call)
    ordered = call.flow.evaluations.items(result[0], result[1]) or ()
    same = call.flow.evaluations.same
    before = sum(same(other, word) for other in ordered[: call.step.number])
    places = [n for n, item in enumerate(items) if same(item, word)]
    return call.argument(0, call.at(places[before]), *call.rest) if before < len(places) else None


def _of_generator(call: LibraryCall) -> Source | None:
    """The value that a generator, the first argument, yielded: the equal one."""
    word = call.word()
    argument = call.arguments.positional(0)
    if word is None or argument is None or argument.path:
        return None
    for step in call.flow.evaluations.callbacks(call.part.evaluation):
        returned = call.flow.evaluations.returned(step)
        if returned is not None and call.flow.evaluations.same(returned[1], word):
            return HandOver(
                TracedPart(returned[0], call.rest), f"yielded by {step.routine.qualname}", Certainty.DERIVED
            )
    return None


def _reversed(call: LibraryCall) -> Source | None:
    items = call.items(0)
    if not isinstance(call.step, Index) or items is None:
        return None
    return call.argument(0, call.at(len(items) - 1 - call.step.number), *call.rest)


def _enumerate(call: LibraryCall) -> Source | None:
    """Element k is (start + k, element k)."""
    if not isinstance(call.step, Index) or not call.rest or call.rest[0] != Index(1, call.rest[0].moment):
        return None
    return call.argument(0, call.at(call.step.number), *call.rest[1:])


def _zip(call: LibraryCall) -> Source | None:
    """Element k is the tuple of all elements k."""
    if not isinstance(call.step, Index) or not call.rest or not isinstance(call.rest[0], Index):
        return None
    return call.argument(call.rest[0].number, call.at(call.step.number), *call.rest[1:])


def _map(call: LibraryCall) -> Source | None:
    """Element k is what the function returned for element k."""
    if not isinstance(call.step, Index):
        return None
    function = call.arguments.positional(0)
    name = "" if function is None else str(call.flow.evaluations.syntax(function.evaluation).extra)
    calls = call.flow.evaluations.callbacks(call.part.evaluation)
    is_lambda = function is not None and call.flow.evaluations.syntax(function.evaluation).kind == "Lambda"
    called = [c for c in calls if c.routine.name == ("<lambda>" if is_lambda else name)]
    if call.step.number < len(called):
        returned = call.flow.evaluations.returned(called[call.step.number])
        if returned is not None:
            return HandOver(TracedPart(returned[0], call.rest), f"returned by {called[0].routine.qualname}")
    return None


def _filter(call: LibraryCall) -> Source | None:
    """The elements of the second argument for which the function was true."""
    items = call.items(1)
    if call.plain(0) is None and items is not None and isinstance(call.step, Index):
        true = [n for n, word in enumerate(items) if call.flow.evaluations.plain(word)]
        return call.argument(1, call.at(true[call.step.number]), *call.rest) if call.step.number < len(true) else None
    functions = call.flow.evaluations.callbacks(call.part.evaluation)
    truths = [r for c in functions if (r := call.flow.evaluations.returned(c)) is not None]
    if not isinstance(call.step, Index) or items is None or len(truths) < len(items):
        return None
    kept = [
        n
        for n, (_, word) in enumerate(truths[: len(items)])
        if call.flow.evaluations.plain(word) not in (False, 0, None, "")
    ]
    return call.argument(1, call.at(kept[call.step.number]), *call.rest) if call.step.number < len(kept) else None


def _chain(call: LibraryCall) -> Source | None:
    if not isinstance(call.step, Index):
        return None
    number = call.step.number
    for argument in range(len(call.arguments.plain)):
        items = call.items(argument)
        if items is None:
            return None
        if number < len(items):
            return call.argument(argument, call.at(number), *call.rest)
        number -= len(items)
    return None


def _chain_from_iterable(call: LibraryCall) -> Source | None:
    if not isinstance(call.step, Index):
        return None
    number = call.step.number
    for outer, word in enumerate(call.items(0) or ()):
        items = call.flow.evaluations.items(word, call.moment)
        if items is None:
            return None
        if number < len(items):
            return call.argument(0, call.at(outer), call.at(number), *call.rest)
        number -= len(items)
    return None


def _islice(call: LibraryCall) -> Source | None:
    if not isinstance(call.step, Index):
        return None
    bounds = [call.plain(number) for number in range(1, len(call.arguments.plain))]
    start = bounds[0] if len(bounds) > 1 else 0
    step = bounds[2] if len(bounds) > 2 else 1
    if not isinstance(start, int | None) or not isinstance(step, int | None):
        return None
    return call.argument(0, call.at((start or 0) + call.step.number * (step or 1)), *call.rest)


def _extreme(call: LibraryCall) -> Source | None:
    """`min` and `max`: the element or argument that is the result."""
    word = call.flow.part_word(TracedPart(call.part.evaluation))
    if len(call.arguments.plain) > 1:
        chosen = (
            None if word is None else call.flow.evaluations.part_of_arguments(call.arguments.all, word, call.moment)
        )
        return (
            None
            if chosen is None or chosen.path
            else HandOver(TracedPart(chosen.evaluation, call.part.path), "chosen by min or max")
        )
    place = call.equal_element(call.items(0), word)
    return None if place is None else call.argument(0, call.at(place), *call.part.path)


def _get(call: LibraryCall) -> Source | None:
    """`d.get(key, default)`, `d.pop(key, default)`, `d.setdefault(key, default)`: the value, or the default."""
    key = call.arguments.positional(0)
    word = None if key is None or key.path else call.flow.evaluations.value(key.evaluation)
    owner = call.flow.evaluations.value(call.receiver)
    if word is None or owner is None:
        return None
    before = _before(call)
    held = call.flow.evaluations.part_at(owner[0], Item(word[0], before), before)
    if held is not None:
        return call.of_receiver(Item(word[0], before), *call.part.path)
    return call.argument(1, *call.part.path)


def _before(call: LibraryCall) -> int:
    """A position before the statement of the call, for the state before its own changes."""
    window = call.flow.evaluations.window_around(call.part.evaluation.activation, call.moment)
    writes = [w.position for w in window[:1]]
    owner = call.flow.evaluations.value(call.receiver)
    records = [] if owner is None else list(call.flow.run.heap.records(owner[0], 0, call.moment + 1))
    last = [record.position for record in records if writes and record.position >= writes[0] - 8]
    return min([*last, call.moment])


def _popped(call: LibraryCall) -> Source | None:
    """`xs.pop(i)`: the element that was removed."""
    index = call.plain(0)
    before = _before(call)
    number = index if isinstance(index, int) and not isinstance(index, bool) else -1
    return call.of_receiver(Index(number, before), *call.part.path)


def _popped_left(call: LibraryCall) -> Source | None:
    return call.of_receiver(Index(0, _before(call)), *call.part.path)


def _values(call: LibraryCall) -> Source | None:
    """Element k of `d.values()` is the value of key k."""
    keys = _keys_of(call)
    if not isinstance(call.step, Index) or not -len(keys) <= call.step.number < len(keys):
        return None
    return call.of_receiver(call.key(keys[call.step.number]), *call.rest)


def _pairs(call: LibraryCall) -> Source | None:
    """Element k of `d.items()` is key k and its value."""
    keys = _keys_of(call)
    if not isinstance(call.step, Index) or not -len(keys) <= call.step.number < len(keys) or not call.rest:
        return None
    is_value = isinstance(call.rest[0], Index) and call.rest[0].number in (1, -1)
    return call.of_receiver(call.key(keys[call.step.number]), *call.rest[1:]) if is_value else None


def _keys_of(call: LibraryCall) -> tuple[int, ...]:
    owner = call.flow.evaluations.value(call.receiver)
    return () if owner is None else call.flow.evaluations.items(owner[0], call.moment) or ()


def _dict(call: LibraryCall) -> Source | None:
    """`dict(mapping or pairs, name=value)`."""
    if not isinstance(call.step, Item):
        return None
    name = call.flow.evaluations.plain(call.step.key)
    named = call.arguments.keyword(name, call.rest) if isinstance(name, str) else None
    if named is not None:
        return HandOver(named, "passed to dict()")
    argument = call.arguments.positional(0)
    value = None if argument is None or argument.path else call.flow.evaluations.value(argument.evaluation)
    if value is None:
        return None
    if call.flow.evaluations.part_at(value[0], call.key(call.step.key), call.moment) is not None:
        return call.argument(0, call.key(call.step.key), *call.rest)
    for number, pair in enumerate(call.flow.evaluations.items(value[0], call.moment) or ()):
        items = call.flow.evaluations.items(pair, call.moment) or ()
        if len(items) == 2 and call.flow.run.heap.is_same_key(items[0], call.step.key, call.moment):
            return call.argument(0, call.at(number), call.at(1), *call.rest)
    return _zipped_pairs(call, name)


def _zipped_pairs(call: LibraryCall, name: object) -> Source | None:
    """`dict(zip(keys, values))`: the pair with the key."""
    argument = call.arguments.positional(0)
    if argument is None or call.flow.evaluations.syntax(argument.evaluation).kind != "Call":
        return None
    inner = LibraryCall(call.flow, CallArguments(call.flow.evaluations, argument.evaluation), argument)
    keys = inner.items(0) if inner.name == "zip" else None
    place = next((n for n, key in enumerate(keys or ()) if call.flow.evaluations.plain(key) == name), None)
    return None if place is None else call.argument(0, call.at(place), call.at(1), *call.rest)


def _from_keys(call: LibraryCall) -> Source | None:
    return call.argument(1, *call.rest) if isinstance(call.step, Item) else None


def _next(call: LibraryCall) -> Source | None:
    """`next(it)`: the value that a generator yielded."""
    word = call.flow.part_word(TracedPart(call.part.evaluation))
    for step in reversed(call.flow.evaluations.callbacks(call.part.evaluation)):
        returned = call.flow.evaluations.returned(step)
        if returned is not None and word is not None and call.flow.evaluations.same(returned[1], word):
            return HandOver(TracedPart(returned[0], call.part.path), f"yielded by {step.routine.qualname}")
    return None


def _called(call: LibraryCall) -> Source | None:
    """`reduce` and the like: the last value that the function returned."""
    calls = call.flow.evaluations.callbacks(call.part.evaluation)
    returned = call.flow.evaluations.returned(calls[-1]) if calls else None
    return (
        None
        if returned is None
        else HandOver(TracedPart(returned[0], call.part.path), f"returned by {calls[-1].routine.qualname}")
    )


def _join(call: LibraryCall) -> Source | None:
    """`separator.join(texts)`: the text that contains the characters."""
    separator = call.flow.evaluations.value(call.receiver)
    items = call.items(0)
    if not isinstance(call.step, Characters) or separator is None or items is None:
        return None
    between = call.flow.evaluations.plain(separator[0])
    start = 0
    for number, word in enumerate(items):
        text = call.flow.evaluations.plain(word)
        if not isinstance(text, str) or not isinstance(between, str):
            return None
        if start <= call.step.start < start + len(text):
            characters = Characters(call.step.start - start, min(call.step.stop - start, len(text)), call.moment)
            return call.argument(0, call.at(number), characters)
        start += len(text) + len(between)
    return None


def _split(call: LibraryCall) -> Source | None:
    """Part of a split text: the characters that it was cut from."""
    whole = call.flow.evaluations.value(call.receiver)
    result = call.flow.evaluations.value(call.part.evaluation)
    text = None if whole is None else call.flow.evaluations.plain(whole[0])
    if not isinstance(call.step, Index) or result is None or not isinstance(text, str):
        return None
    pieces = [call.flow.evaluations.plain(word) for word in call.flow.evaluations.items(result[0], call.moment) or ()]
    number = call.step.number + len(pieces) if call.step.number < 0 else call.step.number
    start = 0
    for index, piece in enumerate(pieces):
        place = text.find(piece, start) if isinstance(piece, str) else -1
        if place < 0:
            return None
        if index == number:
            return call.of_receiver(Characters(place, place + len(str(piece)), call.moment))
        start = place + len(str(piece))
    return None


def _substring(call: LibraryCall) -> Source | None:
    """`strip` and the like: the characters, at the first occurrence of the result in the text."""
    whole = call.flow.evaluations.value(call.receiver)
    result = call.flow.evaluations.value(call.part.evaluation)
    texts = [None if value is None else call.flow.evaluations.plain(value[0]) for value in (whole, result)]
    if not all(isinstance(text, str) for text in texts):
        return None
    place = str(texts[0]).lower().find(str(texts[1]).lower())
    if place < 0:
        return None
    if not isinstance(call.step, Characters):
        return call.of_receiver(Characters(place, place + len(str(texts[1])), call.moment))
    return call.of_receiver(Characters(call.step.start + place, call.step.stop + place, call.moment))


def _format(call: LibraryCall) -> Source | None:
    """`"...".format(...)` and `%`: the argument whose text contains the characters."""
    result = call.flow.evaluations.value(call.part.evaluation)
    text = None if result is None else call.flow.evaluations.plain(result[0])
    if not isinstance(call.step, Characters) or not isinstance(text, str):
        return None
    wanted = text[call.step.start : call.step.stop].strip()
    for argument in call.arguments.all:
        value = call.flow.evaluations.value(argument)
        plain = UNKNOWN_VALUE if value is None else call.flow.evaluations.plain(value[0])
        if plain is not UNKNOWN_VALUE and str(plain) == wanted:
            return HandOver(TracedPart(argument), "formatted", Certainty.DERIVED)
    return None


def _getattr(call: LibraryCall) -> Source | None:
    name = call.plain(1)
    argument = call.arguments.positional(0)
    value = None if argument is None or argument.path else call.flow.evaluations.value(argument.evaluation)
    if not isinstance(name, str) or value is None:
        return None
    step = Attribute(name, call.moment)
    return (
        call.argument(0, step, *call.part.path)
        if call.flow.evaluations.part_at(value[0], step, call.moment) is not None
        else None
    )


def _getitem(call: LibraryCall) -> Source | None:
    """`operator.getitem(container, key)`."""
    index = call.plain(1)
    key = call.arguments.positional(1)
    word = None if key is None or key.path else call.flow.evaluations.value(key.evaluation)
    if isinstance(index, int) and not isinstance(index, bool):
        return call.argument(0, call.at(index), *call.part.path)
    return None if word is None else call.argument(0, call.key(word[0]), *call.part.path)


def _pool_map(call: LibraryCall) -> Source | None:
    """`pool.map(function, xs)`: what the function returned for the equal element, in another thread."""
    function, items = call.arguments.positional(0), call.items(1)
    if function is None or items is None or not isinstance(call.step, Index) or call.step.number >= len(items):
        return None
    evaluations = call.flow.evaluations
    name = str(evaluations.syntax(function.evaluation).extra) if isinstance(function.evaluation, Evaluation) else ""
    for activation in evaluations.activations_named(name, call.part.evaluation):
        first = call.flow.run.record(activation.first)
        returned = evaluations.returned(activation)
        if returned is not None and first.words and evaluations.same(first.words[0], items[call.step.number]):
            return HandOver(TracedPart(returned[0], call.rest), f"returned by {name}", Certainty.DERIVED)
    return None


def _selected(call: LibraryCall) -> Source | None:
    """`operator.itemgetter(...)(x)`: the part of the argument that is the result."""
    word = call.flow.part_word(call.part)
    chosen = None if word is None else call.flow.evaluations.part_of_arguments(call.arguments.all, word, call.moment)
    return None if chosen is None or not chosen.path else HandOver(chosen, "selected", Certainty.DERIVED)


def _largest(call: LibraryCall) -> Source | None:
    """`heapq.nlargest(n, xs)`: the equal elements."""
    place = call.equal_element(call.items(1), call.word())
    return None if place is None else call.argument(1, call.at(place), *call.rest)


def _chosen(call: LibraryCall) -> Source | None:
    """`random.choice(xs)` and `heapq.heappop(heap)`: the element that is the result."""
    word = call.flow.part_word(TracedPart(call.part.evaluation))
    argument = call.arguments.positional(0)
    value = None if argument is None or argument.path else call.flow.evaluations.value(argument.evaluation)
    if value is None or word is None or argument is None:
        return None
    for moment in (call.moment, argument.evaluation.position):
        place = call.equal_element(call.flow.evaluations.items(value[0], moment), word)
        if place is not None:
            return call.argument(0, Index(place, moment), *call.part.path)
    records = list(call.flow.run.heap.records(value[0], 0, call.moment))
    before = records[-1].position if records else call.moment
    place = call.equal_element(call.flow.evaluations.items(value[0], before), word)
    return None if place is None else call.argument(0, Index(place, before), *call.part.path)


RULES: dict[str, Rule] = {
    **dict.fromkeys(("list", "tuple", "iter", "collections.deque", "copy.copy", "copy.deepcopy"), _same),
    **dict.fromkeys(("collections.OrderedDict", "collections.Counter", "collections.UserList"), _same),
    **dict.fromkeys(("typing.cast", "asyncio.wait_for", "asyncio.shield"), _same_object),
    **dict.fromkeys(("list.copy", "dict.copy", "deque.copy", "dict.keys", "ordered.copy"), _copy_of_receiver),
    **dict.fromkeys(("sorted", "random.sample"), _sorted),
    "reversed": _reversed,
    "enumerate": _enumerate,
    **dict.fromkeys(("zip", "itertools.zip_longest"), _zip),
    **dict.fromkeys(("map", "itertools.starmap"), _map),
    "filter": _filter,
    "itertools.chain": _chain,
    **dict.fromkeys(("itertools.chain.from_iterable", "chain.from_iterable"), _chain_from_iterable),
    "itertools.islice": _islice,
    **dict.fromkeys(("min", "max"), _extreme),
    **dict.fromkeys(
        ("dict.get", "dict.setdefault", "ordered.get", "ordered.setdefault", "dict.pop", "ordered.pop"), _get
    ),
    **dict.fromkeys(("list.pop", "deque.pop"), _popped),
    "deque.popleft": _popped_left,
    **dict.fromkeys(("dict.values", "ordered.values"), _values),
    **dict.fromkeys(("dict.items", "ordered.items"), _pairs),
    **dict.fromkeys(("dict", "collections.defaultdict"), _dict),
    "dict.fromkeys": _from_keys,
    **dict.fromkeys(("next", "anext"), _next),
    **dict.fromkeys(("functools.reduce", "asyncio.run"), _called),
    "str.join": _join,
    **dict.fromkeys(("str.split", "str.rsplit", "str.partition", "str.rpartition", "str.splitlines"), _split),
    **dict.fromkeys(
        ("str.strip", "str.lstrip", "str.rstrip", "str.lower", "str.upper", "str.title", "str.removeprefix"), _substring
    ),
    "str.format": _format,
    "getattr": _getattr,
    "operator.getitem": _getitem,
    **dict.fromkeys(("operator.itemgetter", "operator.attrgetter"), _selected),
    **dict.fromkeys(("concurrent.futures.thread.ThreadPoolExecutor.map",), _pool_map),
    **dict.fromkeys(("heapq.nlargest", "heapq.nsmallest"), _largest),
    **dict.fromkeys(("heapq.heappop", "random.choice"), _chosen),
}
"""For each function, the rule for the parts of its result."""
