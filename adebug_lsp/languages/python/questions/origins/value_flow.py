"""Follows a part of a value one step back: to the expression that handed it over, or to its maker.

Contents of mutable objects are followed by the log of writes, everything else by what its expression does with values.
"""

from collections.abc import Callable

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.questions.describe.globals import Globals
from adebug_lsp.languages.python.questions.origins.call_arguments import CallArguments
from adebug_lsp.languages.python.questions.origins.comprehensions import Comprehensions
from adebug_lsp.languages.python.questions.origins.contents import Contents, Moved, Untraceable, Written
from adebug_lsp.languages.python.questions.origins.evaluations import (
    COMPREHENSIONS,
    Evaluations,
    dict_pairs,
)
from adebug_lsp.languages.python.questions.origins.library import LibraryCall, library_source
from adebug_lsp.languages.python.questions.origins.parts import (
    Attribute,
    Characters,
    Effect,
    Evaluation,
    Index,
    Item,
    Path,
    Source,
    Step,
    TracedPart,
    Variable,
)
from adebug_lsp.languages.python.questions.origins.variable_sources import VariableSources
from adebug_lsp.languages.python.reading.recorded_values import Atom, Derived, Object, Opaque, TypeInfo
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import STATEMENTS, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.recorder.contract import FIRST_OF_MODULES, IMAGE_BYTES
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.slicing.provenance import Certainty, HandOver, Made, find_origin


@define(eq=False)
class ValueFlow:
    """The flow of values through one run."""

    run: Run
    global_variables: Globals
    evaluations: Evaluations = field(init=False)
    _variables: VariableSources = field(init=False)
    _contents: Contents = field(init=False)
    _comprehensions: Comprehensions = field(init=False)
    _steps: dict[TracedPart, Source] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.evaluations = Evaluations(self.run, self.global_variables)
        self._variables = VariableSources(self.evaluations)
        self._contents = Contents(self.evaluations)
        self._comprehensions = Comprehensions(self.evaluations)

    def source(self, part: TracedPart) -> Source:
        """The source of a part: what handed it over, or that it was made there."""
        if part not in self._steps:
            container = self._mutable_container(part)
            self._steps[part] = self._expression(part) if container is None else self._content(part, *container)
        return self._steps[part]

    def raised(self, word: int, before: int) -> Evaluation | None:
        """The expression that evaluated to a raised exception."""
        return self._variables.raised(word, before)

    def parameter(self, call: Span, name: str) -> Source:
        """The source of a parameter: an argument or its default."""
        return self._variables.parameter(call, name, ())

    # Contents of mutable objects

    def _mutable_container(self, part: TracedPart) -> tuple[int, int] | None:
        """The innermost object on the path to a part that has a log of writes: its word, and the index of the step."""
        value = self.evaluations.value(part.evaluation)
        word, container = (None if value is None else value[0]), None
        for number, step in enumerate(part.path):
            if word is None or isinstance(step, Characters | Effect):
                break
            described = self.run.recording.values.value(word)
            if isinstance(described, Object) and described.type.base != "exception":
                container = word, number
            word = self.evaluations.part_at(word, step, step.moment)
        return container

    def _content(self, part: TracedPart, word: int, number: int) -> Source:
        """The source of a part of a mutable object: the last write to its place."""
        step, rest = part.path[number], part.path[number + 1 :]
        holder = TracedPart(part.evaluation, part.path[:number])
        if isinstance(step, Index) and self.run.heap.state(word, step.moment).shape in ("mapping", "set"):
            return self._made(holder, (step, *rest))
        writer = self._contents.writer(word, step)
        if isinstance(writer, Written):
            return self._written(word, step, writer, rest)
        if isinstance(writer, Moved):
            return self._moved(word, writer, rest)
        if isinstance(writer, Untraceable):
            return Made(writer.why, Certainty.UNKNOWN)
        return self._made(holder, (writer.step, *rest))

    def _made(self, holder: TracedPart, path: Path) -> Source:
        """The source of a part that an object had from the beginning: the expression that made the object."""
        maker = find_origin(holder, self.source).part
        if maker.path:
            return Made("it is not known where the object was made", Certainty.UNKNOWN)
        return self._expression(TracedPart(maker.evaluation, path))

    def _moved(self, word: int, moved: Moved, rest: Path) -> Source:
        """The source of an element that `sort` or `reverse` moved: its place in the list before that."""
        position = moved.record.position
        activation = self.evaluations.owner(position)
        window = self.evaluations.window_around(activation, position)
        if not window:
            return Made("moved by code that is not recorded", Certainty.UNKNOWN)
        module, statement = window[-1].marker.module, window[-1].marker.node
        how = f"moved by `{_short(module.text(statement))}`"
        for node in module.inside(statement):
            holder = Evaluation(activation, node, window[-1].position)
            value = (
                self.evaluations.value(holder)
                if module.nodes[node].kind in ("Name", "Attribute", "Subscript")
                else None
            )
            if value is not None and value[0] == word:
                return HandOver(TracedPart(holder, (moved.step, *rest)), how)
        return HandOver(TracedPart(Evaluation(activation, statement, window[-1].position), (Effect(position),)), how)

    def _written(self, word: int, step: Step, written: Written, rest: Path) -> Source:
        """The source of a write: an assignment, a method, or library code."""
        position = written.record.position
        activation = self.evaluations.owner(position)
        if self.run.recording.words[position] < FIRST_OF_MODULES:
            return self._written_by_library(activation, word, step, written, rest)
        record = self.run.record(position)
        module, statement = record.marker.module, record.marker.node
        for number, (kind, key, owner, value) in enumerate(record.marker.writes):
            if record.words[owner] != word or (kind == "call") != (written.argument is not None):
                continue
            if kind == "call":
                return self._by_method(activation, statement, str(key), written, rest)
            if kind in ("set_item", "del_item") and record.words[key] != written.record.key:
                continue
            if kind == "set_attr" and key != self.evaluations.plain(written.record.key):
                continue
            if value is not None and (node := record.marker.slots[value]) >= 0:
                how = f"stored by `{_short(module.text(statement))}`"
                return HandOver(TracedPart(Evaluation(activation, node, position), rest), how)
            return self._assigned(activation, position, statement, number, rest)
        return Made("written by a statement that is not understood", Certainty.UNKNOWN)

    def _assigned(self, activation: int, position: int, statement: int, number: int, rest: Path) -> Source:
        """The value that an assignment stored into an attribute or item, the `number`-th of its targets."""
        module = self.run.spans[activation].routine.module
        while module.nodes[statement].kind not in STATEMENTS:
            statement = module.nodes[statement].parent
        kind, children = module.nodes[statement].kind, module.children(statement)
        how = f"stored by `{_short(module.text(statement))}`"
        if kind not in ("Assign", "AnnAssign") or not children:
            return HandOver(TracedPart(Evaluation(activation, statement, position), (Effect(position),)), how)
        targets = [n for child in children[:-1] for n in module.inside(child) if self._is_target(module, statement, n)]
        path: Path = rest
        if number < len(targets):
            path, _ = VariableSources.pattern(module, targets[number], rest, position)
        return HandOver(TracedPart(Evaluation(activation, children[-1], position), path), how)

    @staticmethod
    def _is_target(module: Module, statement: int, number: int) -> bool:
        nodes = module.nodes
        if nodes[number].kind not in ("Attribute", "Subscript"):
            return False
        around = nodes[number].parent
        while nodes[around].kind in ("Tuple", "List", "Starred"):
            around = nodes[around].parent
        return bool(around == statement)

    def _by_method(self, activation: int, statement: int, method: str, written: Written, rest: Path) -> Source:
        """The argument of a method that changed an object."""
        module, position = self.run.spans[activation].routine.module, written.record.position
        how = f"put there by `{_short(module.text(statement))}`"
        calls = [n for n in module.inside(statement) if module.nodes[n].kind == "Call"]
        for node in calls:
            function = module.children(node)[0]
            if module.nodes[function].extra != method or written.argument is None:
                continue
            arguments = CallArguments(self.evaluations, Evaluation(activation, node, position))
            part = arguments.positional(written.argument, (*_inside(written, position), *rest))
            if part is not None:
                return HandOver(part, how)
        return HandOver(TracedPart(Evaluation(activation, statement, position), (Effect(position),)), how)

    def _written_by_library(
        self, activation: int, word_of_object: int, step: Step, written: Written, rest: Path
    ) -> Source:
        """The source of a write by library code or by slice assignment, in the statement that follows."""
        window = self.evaluations.window_around(activation, written.record.position)
        if not window:
            return Made("written by code that is not recorded", Certainty.UNKNOWN)
        module, position, statement = window[-1].marker.module, window[-1].position, window[-1].marker.node
        how = f"put there by `{_short(module.text(statement))}`"
        kind, children = module.nodes[statement].kind, module.children(statement)
        if kind == "AugAssign" and written.element is not None:
            path = (Index(written.element, position), *rest)
            return HandOver(TracedPart(Evaluation(activation, children[1], position), path), how)
        words = (written.word or written.record.value, *self.run.heap.method_arguments(written.record))
        if written.record.kind <= IMAGE_BYTES and written.word is None:
            words = (self.evaluations.part_at(word_of_object, step, written.record.position + 1) or 0,)
        for node in [n for n in module.inside(statement) if module.nodes[n].kind in ("Call", "Assign")]:
            operands = [Evaluation(activation, n, position) for n in module.children(node)[1:]]
            arguments = [o for o in operands if (self.evaluations.value(o) or (0, 0))[0] != word_of_object]
            for word in words:
                source = self.evaluations.part_of_arguments(arguments, word, position) if word > 0 else None
                if source is not None:
                    path = (*source.path, *_inside(written, position), *rest)
                    return HandOver(TracedPart(source.evaluation, path), how, Certainty.DERIVED)
        return HandOver(TracedPart(Evaluation(activation, statement, position), (Effect(position),)), how)

    # Expressions

    def _expression(self, part: TracedPart) -> Source:
        """The source of a part by the rule for its expression."""
        if part.path and isinstance(part.path[0], Effect):
            return Made("changed by code that is not recorded", Certainty.DERIVED)
        if isinstance(part.evaluation, Variable):
            return self._variables.stored(part.evaluation.place, part.evaluation.name, part.path)
        node = self.evaluations.syntax(part.evaluation)
        if node.kind == "Name":
            return self._variables.source(part.evaluation, part.path)
        if node.kind in COMPREHENSIONS:
            return self._comprehensions.source(part)
        rule = _RULES.get(node.kind)
        return Made(f"made by `{_short(self.evaluations.text(part.evaluation))}`") if rule is None else rule(self, part)

    def _returned(self, part: TracedPart) -> Source | None:
        """The source of a value that a recorded call returned."""
        call = self.evaluations.call(part.evaluation)
        if call is None or call.routine.name == "__init__":
            return None
        returned = self.evaluations.returned(call)
        if returned is None:
            return None
        return HandOver(TracedPart(returned[0], part.path), f"returned by {call.routine.qualname}")

    def _operator(self, part: TracedPart) -> Source:
        """The source of an operator's result: a recorded method, a concatenation or repetition, or a new value."""
        returned = self._returned(part)
        if returned is not None:
            return returned
        evaluation, node = part.evaluation, self.evaluations.syntax(part.evaluation)
        made = Made(f"computed by `{_short(self.evaluations.text(evaluation))}`")
        operands = self.evaluations.children(evaluation)
        if not part.path or node.kind not in ("BinOp", "AugAssign") or len(operands) != 2:
            return made
        left, right = (self._length(operand) for operand in operands)
        step, rest = part.path[0], part.path[1:]
        if node.extra == "Add" and left is not None:
            return self._concatenated(operands, left, step, rest) or made
        if node.extra == "Mult" and isinstance(step, Index):
            sequence, length = (operands[0], left) if left is not None else (operands[1], right)
            if length:
                part = TracedPart(sequence, (Index(step.number % length, evaluation.position), *rest))
                return HandOver(part, "repeated", Certainty.EXACT)
        if node.extra in ("BitOr", "BitAnd", "Sub", "BitXor", "Mod"):
            return self._among(evaluation, operands, part) or made
        return made

    def _concatenated(
        self, operands: list[Evaluation], left: int, step: object, rest: Path
    ) -> HandOver[TracedPart] | None:
        """The operand of a concatenation or repetition that an element comes from."""
        moment = operands[0].position
        if isinstance(step, Index):
            number, side = (step.number, 0) if 0 <= step.number < left else (step.number - left, 1)
            if step.number < 0:
                number, side = step.number, 1
            return HandOver(TracedPart(operands[side], (Index(number, moment), *rest)), "concatenated")
        if isinstance(step, Characters):
            if step.stop <= left:
                return HandOver(TracedPart(operands[0], (step, *rest)), "concatenated")
            if step.start >= left:
                moved = Characters(step.start - left, step.stop - left, moment)
                return HandOver(TracedPart(operands[1], (moved, *rest)), "concatenated")
        return None

    def _length(self, evaluation: Evaluation) -> int | None:
        """The length of a sequence or text when an operator used it."""
        value = self.evaluations.value(evaluation)
        if value is None:
            return None
        described = self.run.recording.values.value(value[0])
        if isinstance(described, Atom):
            return len(described.value) if isinstance(described.value, str | bytes) else None
        items = self.evaluations.items(value[0], evaluation.position)
        return None if items is None else len(items)

    def _among(self, evaluation: Evaluation, operands: list[Evaluation], part: TracedPart) -> Source | None:
        """The operand that contains a part of the result: by identity, or by equality of atoms."""
        word = self.part_word(part)
        source = None if word is None else self.evaluations.part_of_arguments(operands, word, evaluation.position)
        if source is None or (not source.path and not part.path):
            return None
        certainty = (
            Certainty.DERIVED if isinstance(self.run.recording.values.value(word or 0), Atom) else Certainty.EXACT
        )
        return HandOver(source, f"taken over by `{_short(self.evaluations.text(evaluation))}`", certainty)

    def part_word(self, part: TracedPart) -> int | None:
        """The word of a traced part."""
        value = self.evaluations.value(part.evaluation)
        word = None if value is None else value[0]
        for step in part.path:
            if word is None:
                return None
            word = self.evaluations.part_at(word, step, step.moment)
        return word

    def _call(self, part: TracedPart) -> Source:
        """The source of a call's result, of recorded code, a class, or library code."""
        returned = self._returned(part)
        if returned is not None:
            return returned
        evaluation = part.evaluation
        arguments = CallArguments(self.evaluations, evaluation)
        value = self.evaluations.value(evaluation)
        described = None if value is None else self.run.recording.values.value(value[0])
        if part.path and isinstance(described, Opaque) and isinstance(part.path[0], Index):
            yielded = self._yielded(part, described)
            if yielded is not None:
                return yielded
        constructed = self._constructed(part, arguments, described)
        if constructed is not None:
            return constructed
        source = library_source(LibraryCall(self, arguments, part))
        if source is not None:
            return source
        if part.path and (among := self._among(evaluation, arguments.all, part)) is not None:
            return among
        call = self.evaluations.call(evaluation)
        if call is not None and part.path:
            return Made(f"made by {call.routine.qualname}", Certainty.DERIVED)
        return Made(f"made by `{_short(self.evaluations.text(evaluation))}`")

    def _yielded(self, part: TracedPart, generator: Opaque) -> Source | None:
        """The source of the k-th value that a generator yielded."""
        step = part.path[0]
        if not isinstance(step, Index):
            return None
        name = str(generator.name).rpartition(".")[2]
        during = self.evaluations.callbacks(part.evaluation)
        steps = [c for c in during if c.routine.name == name]
        if not steps:
            steps = self.run.steps_begun(name, part.evaluation.position)
        yields = [r for s in steps if (r := self.evaluations.returned(s)) is not None and self.evaluations.yields(s)]
        if 0 <= step.number < len(yields):
            how = f"yielded by {steps[0].routine.qualname}"
            return HandOver(TracedPart(yields[step.number][0], part.path[1:]), how)
        return None

    def _constructed(self, part: TracedPart, arguments: CallArguments, described: object) -> Source | None:
        """The source of a field of a dataclass or named tuple, or of an exception's argument: the call of the class."""
        if not part.path or not isinstance(described, Object | Derived):
            return None
        step, rest = part.path[0], part.path[1:]
        names = [name for name, _shown, _compared in described.type.fields or ()]
        how = f"passed to {described.type.name}"
        if isinstance(step, Index) and names and 0 <= step.number < len(names):
            step = Attribute(names[step.number], step.moment)
        if isinstance(step, Attribute) and step.name in names:
            argument = arguments.positional(names.index(step.name), rest) or arguments.keyword(step.name, rest)
            return None if argument is None else HandOver(argument, f"{how} as {step.name}")
        if isinstance(described, Object) and described.type.base == "exception":
            if isinstance(step, Attribute) and step.name == "args" and rest and isinstance(rest[0], Index):
                step, rest = rest[0], rest[1:]
            if isinstance(step, Index) and (argument := arguments.positional(step.number, rest)) is not None:
                return HandOver(argument, how)
        return None

    def _attribute(self, part: TracedPart) -> Source:
        """The source of an attribute: what a property returned, or what was stored in the object or its class."""
        returned = self._returned(part)
        if returned is not None:
            return returned
        evaluation, owner = part.evaluation, self.evaluations.children(part.evaluation)[0]
        name = str(self.evaluations.syntax(evaluation).extra)
        value = self.evaluations.value(owner)
        described = None if value is None else self.run.recording.values.value(value[0])
        path = (Attribute(name, evaluation.position), *part.path)
        if isinstance(described, Derived):
            return HandOver(TracedPart(owner, path), f"read from .{name}")
        if isinstance(described, Object) and value is not None:
            state = self.run.heap.state(value[0], evaluation.position)
            if any(held == name for held, _ in state.attributes) or described.type.base == "exception":
                return HandOver(TracedPart(owner, path), f"read from .{name}")
            return self._class_attribute(described.type, name, part)
        if isinstance(described, TypeInfo):
            return self._class_attribute(described, name, part)
        if value is None and self.evaluations.syntax(owner).kind == "Name":  # a class statement leaves no record
            return self._class_attribute(TypeInfo("", str(self.evaluations.syntax(owner).extra)), name, part)
        if isinstance(described, Opaque) and described.type.name == "module":
            return self._module_attribute(str(described.name), name, part)
        return Made(f"read by `{_short(self.evaluations.text(evaluation))}`", Certainty.DERIVED)

    def _class_attribute(self, kind: TypeInfo, name: str, part: TracedPart) -> Source:
        """The source of a variable that a class body bound."""
        own = self.evaluations.module(part.evaluation)
        for owner in (kind.full_name, *kind.bases):
            module_name, _, class_name = owner.rpartition(".")
            modules = [m for m in self.run.program.modules if m.name == module_name] or [own]
            for module in modules:
                place = self._bound_in_class(module, class_name, name, part.evaluation.position)
                if place is not None:
                    return self._variables.stored(place, f"{class_name}.{name}", part.path)
        return Made(f"an attribute that {kind.name} computes or inherits", Certainty.UNKNOWN)

    def _bound_in_class(self, module: Module, owner: str, name: str, moment: int) -> int | None:
        """The position at which a class body bound a variable."""
        places: list[int] = []
        for number, marker in enumerate(module.markers):
            for stored, slot in marker.stores:
                if stored == name and _class_around(marker.module, marker.node) == owner:
                    positions = self.run.positions([marker.module.first + number])
                    before = positions[: int(np.searchsorted(positions, moment))]
                    places += (before[-1:] + 1 + slot).tolist()
        return max(places, default=None)

    def _module_attribute(self, module: str, name: str, part: TracedPart) -> Source:
        for other in self.run.program.modules:
            if other.name == module:
                place = self.global_variables.place(other, name, part.evaluation.position)
                if place is not None:
                    return self._variables.stored(place, f"{module}.{name}", part.path)
        return Made(f"a variable of {module}, which is not recorded")

    def _subscript(self, part: TracedPart) -> Source:
        """The source of an element, a value of a mapping, a slice or a character."""
        returned = self._returned(part)
        if returned is not None:
            return returned
        container, index = self.evaluations.children(part.evaluation)
        moment, how = part.evaluation.position, f"read by `{_short(self.evaluations.text(part.evaluation))}`"
        if self.evaluations.syntax(index).kind == "Slice":
            return self._slice(part, container, index)
        value = self.evaluations.value(container)
        key = self.evaluations.value(index)
        if value is None or key is None:
            return HandOver(TracedPart(container), how, Certainty.UNKNOWN)
        number = self.evaluations.plain(key[0])
        described = self.run.recording.values.value(value[0])
        if isinstance(described, Atom) and isinstance(described.value, str | bytes) and isinstance(number, int):
            start = number + len(described.value) if number < 0 else number
            return HandOver(TracedPart(container, (Characters(start, start + 1, moment),)), how)
        is_mapping = isinstance(described, Object) and self.run.heap.state(value[0], moment).shape == "mapping"
        step = Index(number, moment) if isinstance(number, int) and not is_mapping else Item(key[0], moment)
        return HandOver(TracedPart(container, (step, *part.path)), how)

    def _slice(self, part: TracedPart, container: Evaluation, index: Evaluation) -> Source:
        """The source of element k of a slice: element start + k * step of the whole."""
        length = self._length(container)
        text = f"`{_short(self.evaluations.text(part.evaluation))}`"
        if not part.path or length is None:
            return Made(f"a slice made by {text}")
        names = str(self.evaluations.syntax(index).extra or "").split()
        bounds = {}
        for name, bound in zip(names, self.evaluations.children(index), strict=True):
            word = self.evaluations.value(bound)
            bounds[name] = None if word is None else self.evaluations.plain(word[0])
        try:
            chosen = range(length)[slice(bounds.get("start"), bounds.get("stop"), bounds.get("step"))]
        except (TypeError, ValueError):
            return Made(f"a slice made by {text}", Certainty.UNKNOWN)
        step, rest, moment = part.path[0], part.path[1:], part.evaluation.position
        if isinstance(step, Index) and -len(chosen) <= step.number < len(chosen):
            return HandOver(TracedPart(container, (Index(chosen[step.number], moment), *rest)), f"sliced by {text}")
        if isinstance(step, Characters) and chosen and chosen.step == 1:
            moved = Characters(step.start + chosen.start, step.stop + chosen.start, moment)
            return HandOver(TracedPart(container, (moved,)), f"sliced by {text}")
        return Made(f"a slice made by {text}")

    def _display(self, part: TracedPart) -> Source:
        """The source of an element of a list, tuple or set display."""
        text = _short(self.evaluations.text(part.evaluation))
        step = part.path[0] if part.path else None
        if not isinstance(step, Index):
            return Made(f"made by `{text}`")
        elements, number = self.evaluations.children(part.evaluation), step.number
        if self.evaluations.syntax(part.evaluation).kind == "Set" or number < 0:
            return self._among(part.evaluation, elements, part) or Made(f"made by `{text}`")
        for element in elements:
            if self.evaluations.syntax(element).kind != "Starred":
                if number == 0:
                    return HandOver(TracedPart(element, part.path[1:]), f"put into `{text}`")
                number -= 1
                continue
            inner = self.evaluations.children(element)[0]
            length = self._length(inner)
            if length is None or number < length:
                path = (Index(number, part.evaluation.position), *part.path[1:])
                return HandOver(TracedPart(inner, path), f"put into `{text}`")
            number -= length
        return Made(f"made by `{text}`")

    def _dict(self, part: TracedPart) -> Source:
        """The source of a value in a dict display: the last pair with the key."""
        text, evaluation = _short(self.evaluations.text(part.evaluation)), part.evaluation
        step = part.path[0] if part.path else None
        module = self.evaluations.module(evaluation)
        pairs = dict_pairs(module, evaluation.node)
        keys = [key for key, _ in pairs if key is not None]
        if isinstance(step, Index) and len(keys) == len(pairs) and 0 <= step.number < len(pairs):
            chosen = Evaluation(evaluation.activation, keys[step.number], evaluation.position)
            return HandOver(TracedPart(chosen), f"a key of `{text}`")
        if not isinstance(step, Item):
            return Made(f"made by `{text}`")
        for key, value in reversed(pairs):
            inner = Evaluation(evaluation.activation, value, evaluation.position)
            if key is not None:
                word = self.evaluations.value(Evaluation(evaluation.activation, key, evaluation.position))
                if word is not None and self.run.heap.is_same_key(word[0], step.key, evaluation.position):
                    return HandOver(TracedPart(inner, part.path[1:]), f"put into `{text}`")
            elif self._has_key(inner, Item(step.key, evaluation.position)):
                return HandOver(
                    TracedPart(inner, (Item(step.key, evaluation.position), *part.path[1:])), f"put into `{text}`"
                )
        return Made(f"made by `{text}`", Certainty.UNKNOWN)

    def _has_key(self, mapping: Evaluation, step: Item) -> bool:
        """Whether an unpacked mapping has a key; a display without a recorded value is searched."""
        if self.evaluations.value(mapping) is not None:
            return self.part_word(TracedPart(mapping, (step,))) is not None
        return isinstance(self._expression(TracedPart(mapping, (step,))), HandOver)

    def _chosen(self, part: TracedPart) -> Source:
        """The operand that `a if c else b`, `a and b` or `a or b` evaluated to."""
        operands = self.evaluations.children(part.evaluation)
        text, value = _short(self.evaluations.text(part.evaluation)), self.evaluations.value(part.evaluation)
        if self.evaluations.syntax(part.evaluation).kind == "IfExp":
            operands = operands[1:]
            tested = self.evaluations.truth(self.evaluations.children(part.evaluation)[0])
            if tested is not None:
                return HandOver(TracedPart(operands[0 if tested else 1], part.path), f"chosen by `{text}`")
        if value is None:
            return Made(f"made by `{text}`", Certainty.UNKNOWN)
        for operand in reversed(operands):
            word = self.evaluations.value(operand)
            if word is not None and self.evaluations.same(word[0], value[0]):
                return HandOver(TracedPart(operand, part.path), f"chosen by `{text}`")
        return Made(f"made by `{text}`", Certainty.UNKNOWN)

    def _inner(self, part: TracedPart) -> Source:
        """The last expression inside `:=`, `*x` or a formatted value."""
        inner = self.evaluations.children(part.evaluation)
        kind = self.evaluations.syntax(part.evaluation).kind
        chosen = inner[-1] if kind == "NamedExpr" else inner[0]
        return HandOver(TracedPart(chosen, part.path), "assigned" if kind == "NamedExpr" else "unpacked")

    def _awaited(self, part: TracedPart) -> Source:
        """The source of an `await`: what the coroutine returned."""
        return (
            self._returned(part)
            or self._coroutine(part)
            or Made(f"awaited by `{_short(self.evaluations.text(part.evaluation))}`", Certainty.UNKNOWN)
        )

    def _coroutine(self, part: TracedPart) -> Source | None:
        """The source of what a task returned, or one of several that are gathered."""
        path, awaited = part.path, self._awaited_call(part.evaluation)
        if awaited is not None and LibraryCall(self, awaited, part).name == "asyncio.gather":
            if not path or not isinstance(path[0], Index) or not 0 <= path[0].number < len(awaited.plain):
                return None
            arguments = [str(self.evaluations.called_name(argument)) for argument in awaited.plain]
            name = arguments[path[0].number]
            order = arguments[: path[0].number].count(name) - arguments.count(name)
            return self._returned_by_task(name, part.evaluation, order, path[1:])
        while awaited is not None and awaited.plain and self.evaluations.called_name(awaited.call) in _WRAPS_COROUTINES:
            inner = find_origin(TracedPart(awaited.plain[0]), self.source).part.evaluation
            awaited = CallArguments(self.evaluations, inner) if isinstance(inner, Evaluation) else None
        if awaited is None:
            return None
        name = str(self.evaluations.called_name(awaited.call))
        return self._returned_by_task(name, part.evaluation, 0, path)

    def _awaited_call(self, evaluation: Evaluation) -> CallArguments | None:
        """The call that made an awaited object."""
        awaited = find_origin(TracedPart(self.evaluations.children(evaluation)[0]), self.source).part.evaluation
        is_call = isinstance(awaited, Evaluation) and self.evaluations.syntax(awaited).kind == "Call"
        return CallArguments(self.evaluations, awaited) if is_call and isinstance(awaited, Evaluation) else None

    def _returned_by_task(self, name: str, awaited: Evaluation, order: int, path: Path) -> Source | None:
        """What the coroutine of a name returned: the one with the awaited value, or the n-th last one that began."""
        value = None if order else self.evaluations.value(awaited)
        tasks = [c for c in self.evaluations.activations_named(name, awaited) if c.kind is NodeKind.COROUTINE]
        for call in tasks[-order - 1 :][:1] if order else tasks:
            returned = self.evaluations.returned(call)
            if returned is not None and (value is None or self.evaluations.same(returned[1], value[0])):
                how = f"returned by {call.routine.qualname}"
                return HandOver(TracedPart(returned[0], path), how, Certainty.DERIVED)
        return None

    def _sent(self, part: TracedPart) -> Source:
        """The source of the value of `yield`: what was sent into the generator."""
        value = self.evaluations.value(part.evaluation)
        step = self.run.spans[part.evaluation.activation]
        activation = self.run.spans.activation[step.parent] if step.parent >= 0 else -1
        window = self.evaluations.window_around(activation, step.last + 1) if activation >= 0 else []
        for record in window[::-1]:
            module = record.marker.module
            for node in record.marker.slots:
                if node >= 0 and module.nodes[node].kind == "Call" and value is not None:
                    call = CallArguments(self.evaluations, Evaluation(activation, node, record.position))
                    sent = call.positional(0)
                    if self.evaluations.syntax(call.function).extra == "send" and sent is not None:
                        return HandOver(TracedPart(sent.evaluation, (*sent.path, *part.path)), "sent to the generator")
        return Made("sent to the generator", Certainty.UNKNOWN)

    def _text(self, part: TracedPart) -> Source:
        """The source of a character of an f-string: the replacement field that contains it."""
        text = _short(self.evaluations.text(part.evaluation))
        made = Made(f"formatted by `{text}`")
        step = part.path[0] if part.path else None
        if not isinstance(step, Characters):
            return made
        start = 0
        for piece in self.evaluations.children(part.evaluation):
            is_literal = self.evaluations.syntax(piece).kind == "Constant"
            length = self.evaluations.literal_length(piece) if is_literal else self._formatted_length(piece)
            if length is None:
                return self._by_content(part, step) or made
            if start <= step.start < start + length:
                return (
                    made
                    if is_literal
                    else HandOver(TracedPart(self.evaluations.children(piece)[0]), f"formatted by `{text}`")
                )
            start += length
        return made

    def _formatted_length(self, piece: Evaluation) -> int | None:
        """The length of a replacement field's text; known for plain values without a format."""
        inner = self.evaluations.children(piece)
        value = self.evaluations.value(inner[0]) if len(inner) == 1 else None
        plain = None if value is None else self.evaluations.plain(value[0])
        return (
            len(str(plain))
            if isinstance(plain, str | int | float) and "!" not in self.evaluations.text(piece)
            else None
        )

    def _by_content(self, part: TracedPart, step: Characters) -> Source | None:
        """The replacement field whose text contains the marked characters."""
        value = self.evaluations.value(part.evaluation)
        whole = None if value is None else self.evaluations.plain(value[0])
        if not isinstance(whole, str):
            return None
        wanted = whole[step.start : step.stop].strip()
        for piece in self.evaluations.children(part.evaluation):
            if self.evaluations.syntax(piece).kind == "FormattedValue":
                inner = self.evaluations.children(piece)[0]
                word = self.evaluations.value(inner)
                if word is not None and str(self.evaluations.plain(word[0])) == wanted:
                    return HandOver(TracedPart(inner), "formatted", Certainty.DERIVED)
        return None


def _inside(written: Written, moment: int) -> Path:
    """The step into an argument of a method that takes many elements."""
    if written.element is not None:
        return (Index(written.element, moment),)
    return () if written.key is None else (Item(written.key, moment),)


def _class_around(module: Module, node: int) -> str | None:
    nodes = module.nodes
    while node >= 0:
        if nodes[node].kind == "ClassDef":
            return str(nodes[node].extra)
        if nodes[node].kind in ("FunctionDef", "AsyncFunctionDef", "Lambda"):
            return None
        node = nodes[node].parent
    return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


_WRAPS_COROUTINES = ("create_task", "ensure_future", "wait_for", "shield")

_RULES: dict[str, Callable[[ValueFlow, TracedPart], Source]] = {
    "Call": ValueFlow._call,
    "Attribute": ValueFlow._attribute,
    "Subscript": ValueFlow._subscript,
    "BinOp": ValueFlow._operator,
    "UnaryOp": ValueFlow._operator,
    "Compare": ValueFlow._operator,
    "AugAssign": ValueFlow._operator,
    "List": ValueFlow._display,
    "Tuple": ValueFlow._display,
    "Set": ValueFlow._display,
    "Dict": ValueFlow._dict,
    "IfExp": ValueFlow._chosen,
    "BoolOp": ValueFlow._chosen,
    "NamedExpr": ValueFlow._inner,
    "Starred": ValueFlow._inner,
    "FormattedValue": ValueFlow._inner,
    "Await": ValueFlow._awaited,
    "Yield": ValueFlow._sent,
    "YieldFrom": ValueFlow._awaited,
    "JoinedStr": ValueFlow._text,
}
