"""The cost semantics of Fig. 4.1 of the thesis, as an abstract machine with an explicit stack, so that any depth is
possible.

Beyond the figure: applying a function value looks it up (V) and unfolds it (F); a primitive looks its operands up (V)
and unfolds nothing; a constant is a binding of the first heap, and belongs to the outermost centre. An evaluated
binding has the centre of its value, as in the proof of Theorem 12; the figure prints that of the expression.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from adebug_lsp.languages.haskell.engine.machine import HaskellError
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.cost_centres import Centre, Kind
from adebug_lsp.languages.haskell.profile.heap import Argument, Cell, Closure, Data, Dictionary, Environment, Value
from adebug_lsp.languages.haskell.profile.normalise import Rules, method_of
from adebug_lsp.languages.haskell.profile.primitive_values import PrimitiveValues

_F, _V, _U, _H, _C, _E = Kind.F, Kind.V, Kind.U, Kind.H, Kind.C, Kind.E
_CLOCK_STEPS = 1 << 14


class StoppedError(Exception):
    """A run has used up its time, or its steps."""


class _Update:
    """Stack frame: the heap binding that is being evaluated."""

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell


class _Select:
    """Stack frame: a case whose scrutinee is being evaluated."""

    __slots__ = ("case", "centre", "environment")

    def __init__(self, case: f.Case, environment: Environment, centre: Centre) -> None:
        self.case, self.environment, self.centre = case, environment, centre


class _Arguments:
    """Stack frame: the arguments of a function that is being evaluated."""

    __slots__ = ("arguments", "centre", "here")

    def __init__(self, arguments: list[Argument], here: Centre, centre: Centre) -> None:
        self.arguments, self.here, self.centre = arguments, here, centre


class _Operands:
    """Stack frame: a primitive, with the operands evaluated so far."""

    __slots__ = ("cells", "here", "name", "values")

    def __init__(self, name: str, cells: list[Argument], here: Centre) -> None:
        self.name, self.cells, self.here = name, cells, here
        self.values: list[Value] = []


class _Text:
    """Stack frame: a primitive that evaluates a string to its end."""

    __slots__ = ("here", "name", "pieces", "tail")

    def __init__(self, name: str, here: Centre) -> None:
        self.name, self.here = name, here
        self.pieces: list[str] = []
        self.tail: Cell | None = None

    def take(self, value: Value) -> Cell | None:
        """Take a part of the string; returns the next one, None at the end."""
        following: Cell | None
        if self.tail is None:
            assert isinstance(value, Data)
            following, self.tail = value.fields or (None, None)
            return following
        self.pieces.append(str(value))
        following, self.tail = self.tail, None
        return following


class _ChargeUpdate:
    """Stack frame: `update` of Fig. 4.2."""

    __slots__ = ()


Frame = _Update | _Select | _Arguments | _Operands | _Text | _ChargeUpdate


class Machine:
    """Evaluates flat expressions, and charges the costs to centres."""

    def __init__(self, rules: Rules, write: Callable[[str], None], read: Callable[[], str]) -> None:
        self.rules, self.program = rules, rules.program
        self.primitives = PrimitiveValues(rules.program, write, read)
        self.root = Centre("main")
        self.deadline: float | None = None
        self.steps = 0
        self.most_steps: int | None = None
        self._constants: dict[str, Cell] = {}

    # What an instrumented program does in another way

    charges_updates = True
    """Whether rule VarExp charges U; an instrumented program does so itself."""

    def code(self, code: f.Rule | f.Function, _here: Centre) -> f.Flat:
        """The body of a function unfolded under a centre; instrumented machines override it."""
        return code.body

    def constant(self, name: str) -> f.Flat:
        """The expression of a constant in the first heap."""
        return f.Call(name, [])

    def prepared(self, e: f.Flat) -> f.Flat:
        """The expression to evaluate for a given one; instrumented machines override it."""
        return e

    # Runs

    def run(self, name: str) -> Value:
        """The head normal form of a global without parameters; an action is carried out."""
        value, centre = self.evaluate(self.prepared(f.Call(name, [])), {}, self.root)
        if isinstance(value, Closure):
            operands: Environment = {
                "action": Cell(centre, value),
                "world": Cell(centre, Data(self.primitives.unit, [])),
            }
            value, _ = self.evaluate(self.prepared(f.Apply("action", ["world"])), operands, self.root)
        return value

    # The heap

    def argument(self, operand: f.Operand, environment: Environment) -> Argument:
        """The binding of a variable, or a dictionary."""
        if isinstance(operand, str):
            return environment[operand]
        match operand:
            case ("constant", str(name)):
                return self._constant(name)
            case ("inst", instance, parts):
                return Dictionary(instance, tuple(self._dictionary(part, environment) for part in parts))
            case ("super", inner, _, above):
                return self._dictionary(inner, environment).superclass(above, self.program)
        raise AssertionError(operand)

    def _dictionary(self, operand: f.Operand, environment: Environment) -> Dictionary:
        argument = self.argument(operand, environment)
        assert isinstance(argument, Dictionary)
        return argument

    def _constant(self, name: str) -> Cell:
        cell = self._constants.get(name)
        if cell is None:
            cell = self._constants[name] = Cell(self.root)
            cell.expression = self.constant(name)
        return cell

    def _value(self, e: f.Flat, environment: Environment, here: Centre) -> Value:
        """The value of an expression that is already in head normal form."""
        if isinstance(e, f.Construct):
            return Data(e.info, [self.argument(operand, environment) for operand in e.operands])  # type: ignore[misc]
        if isinstance(e, f.Function):
            return Closure(e, environment, [])
        if isinstance(e, f.Text):
            return self.primitives.string(e.value, here)
        assert isinstance(e, f.Literal)
        return e.value

    def _bind(self, e: f.Let, environment: Environment, centre: Centre) -> None:
        """Allocate the bindings of a `let` in the heap, which charges H."""
        cells = [Cell(centre) for _ in e.bindings]
        environment.update(zip((name for name, _ in e.bindings), cells, strict=True))
        for (_, bound), cell in zip(e.bindings, cells, strict=True):
            centre.counts[_H] += 1
            if bound.is_value:
                cell.centre = bound.centre or centre
                cell.value = self._value(bound, environment, cell.centre)
            else:
                cell.expression, cell.environment = bound, environment

    # Evaluation

    def evaluate(  # noqa: PLR0915 - the rules of Fig. 4.1 in one loop, for speed
        self, e: f.Flat, environment: Environment, centre: Centre
    ) -> tuple[Value, Centre]:
        """The head normal form of an expression, and the centre of the value.

        An environment belongs to one activation of a function, and each expression in it is evaluated at most once.
        """
        stack: list[Frame] = []
        value: Value
        needed: Argument | None = None
        while True:
            self.steps += 1
            if not self.steps % _CLOCK_STEPS:
                self._check_limits()
            if needed is None:
                if isinstance(e, f.Case):
                    stack.append(_Select(e, environment, centre))
                    needed = self.argument(e.scrutinee, environment)
                elif isinstance(e, f.Let):
                    self._bind(e, environment, centre)
                    e = e.body
                    continue
                elif isinstance(e, f.Variable):
                    needed = self.argument(e.operand, environment)
                elif isinstance(e, f.Call | f.Method):
                    here = e.centre or centre
                    rule, arguments = self._called(e, environment)
                    missing = len(rule.parameters) - len(arguments)
                    if missing <= 0:
                        if missing:
                            stack.append(_Arguments(arguments[missing:], here, centre))
                        centre.counts[_F] += 1
                        environment = dict(zip(rule.parameters, arguments, strict=False))
                        e = self.code(rule, here)
                        continue
                    value, owner = Closure(rule, {}, arguments), here
                elif isinstance(e, f.Apply):
                    arguments = [self.argument(operand, environment) for operand in e.operands]
                    stack.append(_Arguments(arguments, e.centre or centre, centre))
                    needed = self.argument(e.function, environment)
                elif isinstance(e, f.Primitive):
                    centre = e.centre or centre
                    cells = [
                        self.argument(operand, environment)
                        for operand in e.operands[: self.primitives.operands(e.name)]
                    ]
                    if cells:
                        is_text = self.primitives.takes_text(e.name)
                        stack.append(_Text(e.name, centre) if is_text else _Operands(e.name, cells, centre))
                        needed = cells[0]
                    else:
                        value, owner = self.primitives.compute(e.name, [], centre), centre
                elif isinstance(e, f.Scc):
                    centre = centre.enter(e.name)
                    centre.counts[_E] += 1
                    e = e.body
                    continue
                elif isinstance(e, f.Charge):
                    e.centre.counts[e.kind] += 1  # type: ignore[union-attr]
                    e = e.body
                    continue
                elif isinstance(e, f.Update):
                    stack.append(_ChargeUpdate())
                    e = e.body
                    continue
                elif isinstance(e, f.Failure):
                    raise HaskellError(e.message, 0)
                else:
                    owner = e.centre or centre
                    value = self._value(e, environment, owner)

            if needed is not None:  # VarCons, VarExp
                assert isinstance(needed, Cell)
                centre.counts[_V] += 1
                cell, needed = needed, None
                if cell.value is None:
                    if cell.expression is None:
                        raise HaskellError("<<loop>>", 0)
                    stack.append(_Update(cell))
                    e, environment, centre = cell.expression, cell.environment, cell.centre
                    cell.expression, cell.environment = None, {}
                    continue
                value, owner = cell.value, cell.centre

            while stack:  # the value goes to the frame on top
                frame = stack.pop()
                if isinstance(frame, _Update):
                    frame.cell.value, frame.cell.centre = value, owner
                    if self.charges_updates:
                        owner.counts[_U] += 1
                elif isinstance(frame, _Select):
                    environment, centre = frame.environment, frame.centre
                    centre.counts[_C] += 1
                    e = _selected(frame.case, value, environment)
                    break
                elif isinstance(frame, _Arguments):
                    here, centre = frame.here, frame.centre
                    assert isinstance(value, Closure)
                    code, arguments = value.code, [*value.arguments, *frame.arguments]
                    missing = len(code.parameters) - len(arguments)
                    if missing > 0:
                        value, owner = Closure(code, value.environment, arguments), here
                        continue
                    if missing:
                        stack.append(_Arguments(arguments[missing:], here, centre))
                    centre.counts[_F] += 1
                    environment = {**value.environment, **dict(zip(code.parameters, arguments, strict=False))}
                    e = self.code(code, here)
                    break
                elif isinstance(frame, _Operands):
                    frame.values.append(value)
                    if len(frame.values) < len(frame.cells):
                        stack.append(frame)
                        centre, needed = frame.here, frame.cells[len(frame.values)]
                        break
                    value, owner = self.primitives.compute(frame.name, frame.values, frame.here), frame.here
                elif isinstance(frame, _Text):
                    following = frame.take(value)
                    if following is not None:
                        stack.append(frame)
                        centre, needed = frame.here, following
                        break
                    value, owner = self.primitives.compute(frame.name, ["".join(frame.pieces)], frame.here), frame.here
                else:
                    owner.counts[_U] += 1
            else:
                return value, owner

    def _check_limits(self) -> None:
        is_late = self.deadline is not None and time.monotonic() > self.deadline
        if is_late or (self.most_steps is not None and self.steps > self.most_steps):
            raise StoppedError

    def _called(self, e: f.Call | f.Method, environment: Environment) -> tuple[f.Rule, list[Argument]]:
        arguments = [self.argument(operand, environment) for operand in e.operands]
        if isinstance(e, f.Call):
            return self.rules.rule(e.function), arguments
        dictionary = self._dictionary(e.dictionary, environment)
        name, first = method_of(self.program, e.name, dictionary.instance, dictionary.parts, dictionary)
        return self.rules.rule(name), [*first, *arguments]


def _selected(case: f.Case, value: Value, environment: Environment) -> f.Flat:
    """The alternative for a value, with its variables bound."""
    constant = value.info if isinstance(value, Data) else value
    for alternative in case.alternatives:
        if alternative.constant == constant:
            if alternative.fields:
                assert isinstance(value, Data)
                environment.update(zip(alternative.fields, value.fields, strict=True))
            return alternative.body
    if case.default is None:
        raise HaskellError("no alternative matches", 0)
    return case.default
