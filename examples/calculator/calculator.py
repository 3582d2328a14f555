"""A small language for adebug: functions over numbers, one definition on each line.

    area(w, h) = w * h
    main() = area(2, 3) + area(1, 1)

`adebug run FILE` evaluates `main()`. `adebug test` evaluates each `test_...()` of `tests.calc`, which fails if it is 0.
"""

import ast
import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from adebug_lsp.languages import language as contract
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Position, Range, Site
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.oracles.oracle import Opinion, Oracle
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree
from attrs import define, evolve, field, frozen

# 1. The descriptor: what front ends know about the language before they load it

DESCRIPTOR = LanguageDescriptor(
    name="calculator",
    code="calculator:Calculator",
    suffixes=(".calc",),
    recording_magic=b"calculator recording\n",
    project_files=("tests.calc",),
    test_runner="calc",
    editor_languages=("calculator",),
    gaps={
        **dict.fromkeys(("marks", "slices"), "A recording has no dependences between values."),
        **dict.fromkeys(("rules", "conditions"), "Nothing evaluates a rule or a condition."),
        **dict.fromkeys(("arguments", "modules"), "A program is one file, and `main()` takes nothing."),
        "failing-tests": "Nothing remembers which tests failed.",
        "checks": "A formula is checked when it runs.",
        "test-export": "A test has no notation for an expected value.",
        "live-debugger": "There is no debugger for it.",
        "diagram": "A program has no processes.",
        **dict.fromkeys(("profile", "time-equations"), "Symbolic costs are those of lazy evaluation."),
        "diagnosis": "It needs no tools beyond adebug itself.",
    },
)

# 2. The recorder: evaluates the program, and keeps every call and every expression


@frozen
class Definition:
    """One line of a program."""

    name: str
    parameters: tuple[str, ...]
    body: ast.expr
    line: int


@define(eq=False)
class Step:
    """The evaluation of one call or one expression."""

    kind: NodeKind
    name: str  # name of the function, or text of the expression
    place: Location
    arguments: dict[str, float]
    result: float = 0
    text: str = ""  # the behaviour on one line: `area(2, 3) = 7`
    calls: list["Step"] = field(factory=list)  # made by this call
    operands: list["Step"] = field(factory=list)  # operations and calls inside an expression; the body of a call


class Program:
    """A parsed program; raises `BadInputError` with the number of an invalid line."""

    def __init__(self, source: str, path: str) -> None:
        self.path, self.lines = path, source.split("\n")
        self.definitions: dict[str, Definition] = {}
        for number, line in enumerate(self.lines):
            if line.strip():
                try:
                    definition = _definition(line, number)
                except (SyntaxError, ValueError) as error:
                    raise BadInputError(f"{path}:{number + 1}: not a definition such as f(x) = x + 1") from error
                self.definitions[definition.name] = definition

    def call(self, name: str, arguments: Sequence[float] = ()) -> Step:
        """Evaluate a call."""
        function = self.definitions.get(name)
        if function is None or len(function.parameters) != len(arguments):
            raise BadInputError(f"{self.path}: there is no {name} with {len(arguments)} parameters")
        values = dict(zip(function.parameters, arguments, strict=True))
        call = Step(NodeKind.ROUTINE, name, self.place(function.line, 0, len(self.lines[function.line])), values)
        call.operands = [self.evaluate(function.body, call, function.line)]
        call.result = call.operands[0].result
        call.text = f"{name}({', '.join(map(_shown, arguments))}) = {_shown(call.result)}"
        return call

    def evaluate(self, code: ast.expr, call: Step, line: int) -> Step:
        """Evaluate an expression within a call."""
        encoded = self.lines[line].encode()  # columns of `ast` count bytes, ours count characters
        start, end = (len(encoded[:column].decode()) for column in (code.col_offset, code.end_col_offset or 0))
        step = Step(NodeKind.EXPRESSION, self.lines[line][start:end], self.place(line, start, end), call.arguments)
        inner: list[ast.expr] = []
        match code:
            case ast.Constant(value=int() | float() as value):
                step.result = value
            case ast.Name(id=name) if name in call.arguments:
                step.result = call.arguments[name]
            case ast.Call(func=ast.Name(id=name), args=inner, keywords=[]):
                step.operands = [self.evaluate(operand, call, line) for operand in inner]
                called = self.call(name, [operand.result for operand in step.operands])
                call.calls.append(called)
                step.result = called.result
            case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub() | ast.Mult() as sign):
                inner = [left, right]
                step.operands = [self.evaluate(operand, call, line) for operand in inner]
                a, b = (operand.result for operand in step.operands)
                step.result = a + b if isinstance(sign, ast.Add) else a - b if isinstance(sign, ast.Sub) else a * b
            case _:
                raise BadInputError(f"{self.path}:{line + 1}: cannot evaluate {step.name}")
        step.text = f"{step.name} = {_shown(step.result)}"
        pairs = zip(inner, step.operands, strict=True)
        step.operands = [operand for code, operand in pairs if isinstance(code, ast.BinOp | ast.Call)]
        return step

    def place(self, line: int, start: int, end: int) -> Location:
        """A range of one line."""
        return Location(self.path, Range(Position(line, start), Position(line, end)))


def _definition(line: str, number: int) -> Definition:
    head = line.partition("=")[0]
    blank = " " * len(head.encode())  # keeps the columns of the body
    code = ast.parse(f"({blank}{line[len(head) + 1 :]})", mode="eval").body
    match ast.parse(head.strip(), mode="eval").body:
        case ast.Call(func=ast.Name(id=name), args=parameters):
            return Definition(name, tuple(p.id for p in parameters if isinstance(p, ast.Name)), code, number)
    raise ValueError(line)


def _shown(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


# 3. The subject: the execution tree, and the content of the question about each node


class CalculatorSubject(contract.RecordedSubject):
    """Calls, or the expressions inside one call."""

    root_is_wrong = True

    def __init__(self, program: Program, root: Step, below: Callable[[Step], list[Step]]) -> None:
        self.program = program
        self.steps: list[Step] = []  # by node, in preorder
        builder = TreeBuilder()
        self._add(root, root.name, below, builder)
        self._tree = builder.finish()[0]

    def _add(self, step: Step, routine: str, below: Callable[[Step], list[Step]], builder: TreeBuilder) -> None:
        self.steps.append(step)
        routine = step.name if step.kind is NodeKind.ROUTINE else routine
        builder.enter(builder.site(Site(step.name, routine, "calc", step.place)), kind=step.kind)
        for inner in below(step):
            self._add(inner, routine, below, builder)
        builder.leave(cost=len(step.text))

    @property
    def tree(self) -> ExecutionTree:
        return self._tree

    def behaviour(self, node: int) -> Behaviour:
        step = self.steps[node]
        values = (Binding(name, Value(_shown(value)), Role.ARGUMENT) for name, value in step.arguments.items())
        line = self.program.lines[step.place.range.start.line]
        known = Behaviour(step.text, Environment(tuple(values)), (step.place,), result=Value(_shown(step.result)))
        return evolve(known, identity=step.text, code_hash=hashlib.sha256(line.encode()).hexdigest())

    def code(self, node: int) -> tuple[Location, ...]:
        return (self.steps[node].place,)

    def inside(self, node: int) -> "CalculatorSubject | None":
        step, is_call = self.steps[node], self.steps[node].kind is NodeKind.ROUTINE
        return CalculatorSubject(self.program, step, lambda inner: inner.operands) if is_call else None

    def sources(self) -> dict[str, str]:
        return {self.program.path: "\n".join(self.program.lines)}


# 4. The recording: just the source and the call, because evaluating them again gives the same result


@define(eq=False)
class CalculatorRecording(contract.OpenRecording[CalculatorSubject]):
    """See `OpenRecording`."""

    ended = contract.Ended("finished", 0)
    program: Program
    call: str
    tests: list[str] | None

    @property
    def entries(self) -> list[contract.Entry]:
        if self.tests is None:
            return [contract.Entry("", failed=False)]
        results = {name: self.program.call(name).result for name in self.tests}
        entries = [contract.Entry(name, failed=result == 0, message="it is 0") for name, result in results.items()]
        return sorted(entries, key=lambda entry: not entry.failed)

    def subject(self, entry: contract.Entry) -> CalculatorSubject:
        return CalculatorSubject(self.program, self.program.call(entry.name or self.call), lambda step: step.calls)

    def oracles(self, _: CalculatorSubject, reference: str | None, _problem: object) -> nullcontext[Sequence[Oracle]]:
        return nullcontext([] if reference is None else [Reference(_read(Path(reference), self.program.path))])


@frozen
class Reference:
    """An oracle: a correct version of the program, which knows the results of calls."""

    program: Program
    name: str = "reference"

    def opinion(self, question: Question) -> Opinion | None:
        if question.facts.kind is not NodeKind.ROUTINE or question.behaviour.result is None:
            return None
        arguments = [float(binding.value.text) for binding in question.behaviour.before.bindings]
        meant = _shown(self.program.call(question.facts.site.routine, arguments).result)
        same = meant == question.behaviour.result.text
        return Opinion(Judgement.YES) if same else Opinion(Judgement.NO, expected=meant)


# 5. The language: records programs, opens recordings, outlines source files


class Calculator(contract.Language):
    """See `Language`."""

    descriptor = DESCRIPTOR

    def record(self, request: contract.Request, out: Path, _progress: contract.Progress) -> contract.Ended:
        if request.args:
            raise BadInputError(f"{request.args[0]}: main() takes no arguments")
        file = request.program or request.workspace / "tests.calc"
        program = _read(file, file.name)
        names = [name for name in program.definitions if name.startswith("test_")]
        tests = None if request.tests is None else [*request.tests] or names
        data = {"source": "\n".join(program.lines), "path": file.name, "call": request.call or "main", "tests": tests}
        out.write_bytes(DESCRIPTOR.recording_magic + json.dumps(data).encode())
        try:
            for name in [request.call or "main"] if tests is None else tests:
                program.call(name)  # raises `BadInputError` if something cannot be evaluated
        except RecursionError:
            raise BadInputError(f"{file}: infinite recursion") from None
        return CalculatorRecording.ended

    def open(self, recording: Path, _progress: contract.Progress) -> CalculatorRecording:
        try:
            data = json.loads(recording.read_bytes()[len(DESCRIPTOR.recording_magic) :])
            return CalculatorRecording(Program(data["source"], data["path"]), data["call"], data["tests"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInputError(f"{recording}: not a recording of the calculator, or damaged") from error

    def outline(self, file: Path, text: str, _last: contract.Outline | None) -> "CalculatorOutline | None":
        try:
            return CalculatorOutline(Program(text, file.name))
        except BadInputError:
            return None


@frozen
class CalculatorOutline(contract.Outline):
    """See `Outline`."""

    program: Program

    @property
    def pieces(self) -> list[contract.Piece]:
        return [self._piece(definition) for definition in self.program.definitions.values()]

    def _piece(self, function: Definition) -> contract.Piece:
        ends = (len(self.program.lines[function.line]), len(function.name))
        whole, head = (self.program.place(function.line, 0, end).range for end in ends)
        call = None if function.parameters else function.name
        return contract.Piece("routine", function.name, whole, head, call=call)


def _read(file: Path, path: str) -> Program:
    try:
        return Program(file.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{file}: cannot be read: {error}") from error
