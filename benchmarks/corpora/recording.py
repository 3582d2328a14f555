"""Runs a module with its calls recorded, and evaluates calls in the original version for comparison.

A run is limited by calls, depth and length of text, never by time, so that the corpus does not depend on the machine.
Programs are pure: functions over numbers, strings and tuples, with no sets, whose order may change between runs.
"""

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from attrs import define, field, frozen

MOST_CALLS = 20_000
MOST_DEPTH = 250
MOST_STEPS = 200_000
MOST_TEXT = 4_000
TRUTH_CALLS = 100_000
"""Call limit of the original version per question: higher than for a run, since a wrong run may have ended early."""

Body = Callable[..., tuple[int, Any]]


class OverBudgetError(BaseException):
    """The run exceeds its budget; no program catches this."""


@define
class Recording:
    """The calls of one run, in the order of their start."""

    parents: list[int] = field(factory=list)
    functions: list[str] = field(factory=list)
    arguments: list[str] = field(factory=list)
    values: list[tuple[Any, ...]] = field(factory=list)
    outcomes: list[str] = field(factory=list)
    branches: list[int] = field(factory=list)
    """Index, from 1, of the `return` that ended the call; 0 if an exception did."""

    def __len__(self) -> int:
        return len(self.parents)

    def raised(self, node: int) -> bool:
        """Whether an exception ended a call."""
        return self.outcomes[node].startswith("raises ")

    def text(self, node: int) -> str:
        """The question about a call."""
        arguments, outcome = self.arguments[node], self.outcomes[node]
        arguments = arguments[:-2] + ")" if arguments.endswith(",)") else arguments
        return f"{self.functions[node]}{arguments} {outcome}"


@frozen
class Definitions:
    """The functions of a module by name, and the remaining code."""

    rest: ast.Module
    functions: dict[str, ast.FunctionDef]

    @classmethod
    def parse(cls, source: str) -> "Definitions":
        """Parses a module: top-level functions are recorded, everything else runs unchanged."""
        body = ast.parse(source).body
        functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        return cls(ast.Module([node for node in body if not isinstance(node, ast.FunctionDef)], []), functions)


class Program:
    """A module whose functions can be replaced one at a time; its runs are recorded."""

    def __init__(self, source: str) -> None:
        self.definitions = Definitions.parse(source)
        self._recorded = _namespace(self.definitions, self._recording_call, self._step)
        self._bodies = {name: _body(node, self._recorded) for name, node in self.definitions.functions.items()}
        self._reference = _namespace(self.definitions, self._reference_call, self._step)
        self._reference_bodies = {
            name: _body(node, self._reference) for name, node in self.definitions.functions.items()
        }
        self._known: dict[tuple[str, str], tuple[str, Any]] = {}
        """Cache of outcomes in the original version, as text and as value or exception; no text if over budget."""
        self._run = Recording()
        self._open = [-1]
        self._steps = 0
        self._calls = 0
        self._depth = 0
        inputs: list[tuple[Any, ...]] = self._recorded["INPUTS"]
        self.inputs = inputs

    def record(self, entry: tuple[Any, ...], changed: ast.FunctionDef | None = None) -> Recording | None:
        """Runs one of the inputs, with one function changed; returns None if the run exceeds its budget."""
        name, *arguments = entry
        kept = dict(self._bodies)
        if changed is not None:
            self._bodies[changed.name] = _body(changed, self._recorded)
        self._run, self._open, self._steps = Recording(), [-1], 0
        try:
            with _deep_recursion():
                self._recorded[name](*arguments)
        except OverBudgetError:
            return None
        except Exception:  # recorded as the outcome of the call
            pass
        finally:
            self._bodies = kept
        return self._run

    def truth(self, function: str, arguments: tuple[Any, ...], key: str) -> str | None:
        """The outcome of a call in the original version; None if it exceeds its budget."""
        known = self._known.get((function, key))
        if known is None:
            self._calls = self._depth = self._steps = 0
            try:
                with _deep_recursion():
                    self._reference[function](*arguments)
            except OverBudgetError:
                self._known[function, key] = ("", None)
            except Exception:  # cached as the outcome of the call
                pass
            known = self._known[function, key]
        return known[0] or None

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise OverBudgetError

    def _recording_call(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            run, path = self._run, self._open
            node = len(run.parents)
            key = repr(arguments)
            if node >= MOST_CALLS or len(path) > MOST_DEPTH or len(key) > MOST_TEXT:
                raise OverBudgetError
            run.parents.append(path[-1])
            run.functions.append(name)
            run.arguments.append(key)
            run.values.append(arguments)
            run.outcomes.append("")
            run.branches.append(0)
            path.append(node)
            try:
                run.branches[node], value = self._bodies[name](*arguments)
                run.outcomes[node] = _given(value)
            except Exception as error:
                run.outcomes[node] = _raised(error)
                raise
            finally:
                path.pop()
            return value

        return call

    def _reference_call(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            key = repr(arguments)
            known = self._known.get((name, key))
            if known is None:
                self._calls += 1
                if self._calls > TRUTH_CALLS or self._depth > 2 * MOST_DEPTH or len(key) > MOST_TEXT:
                    raise OverBudgetError
                self._depth += 1
                try:
                    value = self._reference_bodies[name](*arguments)[1]
                    self._known[name, key] = (_given(value), value)
                except Exception as error:
                    self._known[name, key] = (_raised(error), error)
                    raise
                finally:
                    self._depth -= 1
                return value
            if isinstance(known[1], Exception):
                raise known[1].with_traceback(None)
            if not known[0]:
                raise OverBudgetError
            return known[1]

        return call


def _given(value: Any) -> str:
    text = repr(value)
    if len(text) > MOST_TEXT:
        raise OverBudgetError
    return f"= {text}"


def _raised(error: Exception) -> str:
    return f"raises {error!r}"


def _namespace(
    definitions: Definitions, call: Callable[[str], Callable[..., Any]], step: Callable[[], None]
) -> dict[str, Any]:
    """The globals of a module, with every function wrapped in `call`."""
    namespace: dict[str, Any] = {name: call(name) for name in definitions.functions}
    namespace |= {"range": _short_range, "_step": step}
    exec(compile(definitions.rest, "<program>", "exec"), namespace)
    return namespace


def _short_range(*bounds: int) -> range:
    steps = builtins.range(*bounds)
    if len(steps) > MOST_STEPS:
        raise OverBudgetError
    return steps


def _body(definition: ast.FunctionDef, namespace: dict[str, Any]) -> Body:
    """The instrumented function, which returns the index of its `return` and the value."""
    instrumented = _Instrumenter().visit(deepcopy(definition))
    instrumented.body.append(ast.Return(_pair(0, ast.Constant(None))))
    module = ast.fix_missing_locations(ast.Module([instrumented], []))
    made: dict[str, Any] = {}
    exec(compile(module, f"<{definition.name}>", "exec"), namespace, made)
    body: Body = made[definition.name]
    return body


class _Instrumenter(ast.NodeTransformer):
    """Numbers the returns, and counts every iteration of a `while`."""

    def __init__(self) -> None:
        self._returns = 0

    def visit_Return(self, node: ast.Return) -> ast.Return:
        """Returns the index along with the value."""
        self._returns += 1
        return ast.Return(_pair(self._returns, node.value or ast.Constant(None)))

    def visit_While(self, node: ast.While) -> ast.While:
        """Counts one step per iteration."""
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Call(ast.Name("_step", ast.Load()), [], [])))
        return node


def _pair(number: int, value: ast.expr) -> ast.Tuple:
    return ast.Tuple([ast.Constant(number), value], ast.Load())


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 8 * MOST_DEPTH + 1_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
