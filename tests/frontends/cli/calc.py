"""A small language for tests of the command line: definitions of functions over numbers, one per line.

    area(w, h) = w * h + 1
    main() = area(2, 3) + area(1, 1)

A run evaluates `main()`, or every `test_...()` with a call that fails when the value is 0. Running it starts a real
process, which prints and reads as programs do. `python -m tests.frontends.cli.calc ARGUMENTS` is `adebug` with this
language.
"""

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Ended, Entry, Progress, RecordedSubject, Request
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Position, Range, Site
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.oracles.oracle import Opinion, Oracle
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

MAGIC = "calc recording\n"
NOISE = 'import sys; print("program output"); print("heard:", sys.stdin.read())'


class Node:
    """What happened at one piece of source."""

    def __init__(self, kind: NodeKind, name: str, place: Location, before: dict[str, float]) -> None:
        self.kind, self.name, self.place, self.before = kind, name, place, before
        self.value: float = 0
        self.text = name
        self.composed = True
        self.calls: list[Node] = []
        self.parts: list[Node] = []


class Machine:
    """Evaluates, and notes every call and every expression."""

    def __init__(self, source: str, path: str) -> None:
        self.path = path
        self.definitions: dict[str, tuple[list[str], ast.expr, int]] = {}
        for number, line in enumerate(source.split("\n")):
            if line.strip():
                head, _, _body = line.partition("=")
                call = ast.parse(head.strip(), mode="eval").body
                # Spaces keep the columns; columns of the syntax tree are bytes.
                body = ast.parse("(" + " " * len(head.encode()) + line[len(head) + 1 :] + ")", mode="eval").body
                assert isinstance(call, ast.Call)
                assert isinstance(call.func, ast.Name)
                self.definitions[call.func.id] = ([a.id for a in call.args if isinstance(a, ast.Name)], body, number)
        self.lines = source.split("\n")

    def call(self, name: str, arguments: list[float]) -> Node:
        names, body, number = self.definitions[name]
        whole = Range(Position(number, 0), Position(number, len(self.lines[number])))
        node = Node(NodeKind.ROUTINE, name, Location(self.path, whole), dict(zip(names, arguments, strict=True)))
        part = self.evaluate(body, node, number)
        node.parts.append(part)
        node.value = part.value
        node.text = f"{name}({', '.join(map(show, arguments))}) = {show(node.value)}"
        return node

    def evaluate(self, code: ast.expr, routine: Node, number: int) -> Node:
        line = self.lines[number].encode()
        start, end = (len(line[:column].decode()) for column in (code.col_offset, code.end_col_offset or 0))
        place = Location(self.path, Range(Position(number, start), Position(number, end)))
        node = Node(NodeKind.EXPRESSION, self.lines[number][start:end], place, routine.before)
        if isinstance(code, ast.Constant):
            assert isinstance(code.value, int | float)
            node.value = code.value
        elif isinstance(code, ast.Name):
            node.value = routine.before[code.id]
        elif isinstance(code, ast.Call):
            assert isinstance(code.func, ast.Name)
            node.parts = [self.evaluate(argument, routine, number) for argument in code.args]
            called = self.call(code.func.id, [part.value for part in node.parts])
            routine.calls.append(called)
            node.value = called.value
        else:
            assert isinstance(code, ast.BinOp)
            node.parts = [self.evaluate(part, routine, number) for part in (code.left, code.right)]
            left, right = (part.value for part in node.parts)
            node.value = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}[type(code.op)]
        node.text = f"{node.name} = {show(node.value)}"
        node.parts = [part for part in node.parts if part.composed]
        node.composed = isinstance(code, ast.BinOp | ast.Call)
        return node


def show(value: float) -> str:
    return repr(int(value)) if value == int(value) else repr(value)


class Run:
    """A subject: calls outside, expressions inside."""

    root_is_wrong = True
    dependences = None
    suspicion = None

    def __init__(self, root: Node, below: Callable[[Node], list[Node]], source: str, routine: str) -> None:
        self.root, self.source = root, source
        self.nodes: list[Node] = []
        builder = TreeBuilder()

        def visit(node: Node) -> None:
            self.nodes.append(node)
            name = node.name if node.kind is NodeKind.ROUTINE else routine
            builder.enter(builder.site(Site(node.name, name, "calc", node.place)), kind=node.kind)
            for child in below(node):
                visit(child)
            builder.leave(cost=len(node.text))

        visit(root)
        self.tree: ExecutionTree = builder.finish()[0]

    def behaviour(self, number: int) -> Behaviour:
        node = self.nodes[number]
        before = tuple(Binding(name, Value(show(value)), Role.ARGUMENT) for name, value in node.before.items())
        code = hashlib.sha256(node.name.encode()).hexdigest()
        return Behaviour(
            node.text,
            before=Environment(before),
            projection=(node.place,),
            result=Value(show(node.value)),
            identity=node.text,
            code_hash=code,
        )

    def behaviour_key(self, number: int) -> str:
        return self.nodes[number].text

    def code(self, number: int) -> tuple[Location, ...]:
        return (self.nodes[number].place,)

    def holds(self, rule: str, number: int) -> bool | None:
        return None

    def inside(self, number: int) -> "Run | None":
        node = self.nodes[number]
        if node.kind is not NodeKind.ROUTINE:
            return None
        return Run(node, lambda below: below.parts, self.source, node.name)

    def parts(self, _identity: int, _moment: int, _start: int, _count: int) -> tuple[()]:
        return ()

    def variable(self, _node: int, _name: str) -> None:
        return None

    def sources(self) -> dict[str, str]:
        return {self.root.place.path: self.source}


class Opened:
    """A recording of this language: the source and what was asked for; evaluating it again is exact."""

    problem = ""
    ended = Ended("finished", 0)

    def __init__(self, data: dict[str, Any]) -> None:
        self.source, self.path, self.call = data["source"], data["path"], data["call"]
        self.machine = Machine(self.source, self.path)
        tests = [name for name in self.machine.definitions if name.startswith("test_")]
        if data["tests"] is None:
            self.entries: list[Entry] = [Entry("", failed=False)]
        else:
            results = {name: self.machine.call(name, []).value for name in tests}
            self.entries = [Entry(name, failed=not value, message="it is 0") for name, value in results.items()]
            self.entries.sort(key=lambda entry: not entry.failed)

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def trusted(self) -> tuple[str, ...]:
        return ()

    def subject(self, entry: Entry) -> Run:
        root = self.machine.call(entry.name or self.call, [])
        return Run(root, lambda node: node.calls, self.source, root.name)

    def executed(self, subject: RecordedSubject, _path: str, line: int) -> "np.ndarray[Any, Any]":
        places = [site.location.range.start.line for site in subject.tree.sites]
        return np.flatnonzero(np.array(places)[subject.tree.site] == line)

    def diagram(self, _subject: RecordedSubject) -> None:
        return None

    @contextmanager
    def oracles(
        self, subject: RecordedSubject, reference: str | None, problem: Callable[[str], None]
    ) -> Iterator[Sequence[Oracle]]:
        if reference is None:
            yield []
        elif not Path(reference).is_file():
            raise BadInputError(f"{reference}: there is no such reference")
        else:
            yield [Reference(Machine(Path(reference).read_text(encoding="utf-8"), self.path))]


class Reference:
    """A version that is right; it knows calls only."""

    name = "reference"

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def opinion(self, question: Question) -> Opinion | None:
        if question.facts.kind is not NodeKind.ROUTINE:
            return None
        values = [float(binding.value.text) for binding in question.behaviour.before.bindings]
        meant = show(self.machine.call(question.facts.site.routine, values).value)
        same = question.behaviour.result is not None and meant == question.behaviour.result.text
        return Opinion(Judgement.YES) if same else Opinion(Judgement.NO, expected=meant)


class Calc:
    """See `Language`."""

    name = "calc"
    suffixes = (".calc",)
    laid_out = ()
    test_runner = None
    debugger = None

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        program = request.program or request.workspace / "tests.calc"
        source = program.read_text(encoding="utf-8")
        try:
            Machine(source, program.name)
        except (SyntaxError, AssertionError) as error:
            raise BadInputError(f"{program.name}: not a program: {error}") from error
        progress("recording", 1, 2)
        code = subprocess.run([sys.executable, "-c", NOISE, *request.args], check=False).returncode
        data = {"source": source, "path": program.name, "call": request.call or "main", "tests": request.tests}
        out.write_text(MAGIC + json.dumps(data | {"args": request.args}), encoding="utf-8")
        return Ended("finished", code, f"ran with {list(request.args)}")

    def open(self, recording: Path, progress: Progress) -> Opened:
        return Opened(json.loads(recording.read_text(encoding="utf-8").removeprefix(MAGIC)))

    def has_tests(self, _workspace: Path, _arguments: Sequence[str]) -> bool:
        return False

    def recognises(self, recording: Path) -> bool:
        return recording.read_bytes().startswith(MAGIC.encode())


if __name__ == "__main__":
    registry.languages = lambda: {"calc": Calc(), "python": Calc()}  # type: ignore[assignment]
    sys.exit(main())
