"""Tests the properties of a module, and finds the smallest arguments for which one fails."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.languages.haskell.core.entities import ModuleInfo
from adebug_lsp.languages.haskell.engine.load import load
from adebug_lsp.languages.haskell.engine.machine import HaskellError, force
from adebug_lsp.languages.haskell.engine.program_execution import evaluate_to
from adebug_lsp.languages.haskell.engine.program_sources import Sources
from adebug_lsp.languages.haskell.testing.arbitrary import INTEGER, Generator, Item, some_smaller
from adebug_lsp.languages.haskell.types.types import (
    Scheme,
    TAp,
    TCon,
    TGen,
    Type,
    prune,
    replace,
    show,
    show_scheme,
    spine,
)
from adebug_lsp.model.errors import BadInputError

CASES = 100
_MOST_SHRINKS = 40
_MOST_ROUNDS = 40
_MOST_REDUCTIONS = 1_000_000
_SECONDS = 10.0
_LARGEST = 12
_CASES = "adebugCases"
Arguments = tuple[Item, ...]


@frozen
class Outcome:
    """The outcome of a property."""

    name: str
    counterexample: str = ""
    """The failing call, as source; empty if all cases passed."""
    problem: str = ""
    """The failure (`is False`, `failed: divide by zero`), or why it could not be tested."""

    @property
    def failed(self) -> bool:
        """Whether a counterexample was found."""
        return bool(self.counterexample)


def is_property(name: str) -> bool:
    """Whether a name is that of a property."""
    return name.startswith("prop_")


def property_names(module: ModuleInfo) -> list[str]:
    """The properties of a module, in source order."""
    prefix = f"{module.name}."
    binds = [bind for group in module.groups for bind in group if bind.name.startswith(prefix)]
    names = [(bind.span, bind.name.removeprefix(prefix)) for bind in binds]
    return [name for _, name in sorted(names) if is_property(name)]


class Properties:
    """Evaluates the properties of a main module."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._text = dict(sources.texts)[sources.program]
        self._program = load(sources.program, self._text, self._find)
        self.module = next(m for m in self._program.modules.values() if m.path == sources.program)

    def _find(self, name: str) -> tuple[str, str] | None:
        texts, names = dict(self._sources.texts), dict(self._sources.names)
        return (names[name], texts[names[name]]) if name in names else None

    def test(self, name: str) -> Outcome:
        """Try generated arguments, then shrink those that fail."""
        try:
            kinds = self._argument_types(name)
            generator = Generator(self._program, self.module, f"adebug {name}")
            cases = [
                tuple(generator.make(kind, min(_LARGEST, number // 4)) for kind in kinds)
                for number in range(CASES if kinds else 1)
            ]
        except BadInputError as error:
            return Outcome(name, problem=str(error))
        failure = self._first_failure(name, cases)
        if failure is None:
            return Outcome(name)
        arguments, problem = failure
        for _ in range(_MOST_ROUNDS):
            smaller = self._first_failure(name, some_smaller(arguments, _MOST_SHRINKS))
            if smaller is None:
                break
            arguments, problem = smaller
        return Outcome(name, self._call(name, arguments), problem)

    def _argument_types(self, name: str) -> list[Type]:
        """The argument types of a property, whose result must be `Bool`."""
        scheme = self._program.schemes[f"{self.module.name}.{name}"]
        assert isinstance(scheme, Scheme)
        kinds, kind = list[Type](), scheme.type
        while True:
            head, arguments = spine(kind)
            if not (isinstance(head, TCon) and head.name == "->"):
                break
            kinds.append(arguments[0])
            kind = arguments[1]
        result = prune(kind)
        if not isinstance(result, TCon) or result.name != "Prelude.Bool":
            raise BadInputError(f"a property has a Bool as its result, but this is {show_scheme(scheme)}")
        return kinds

    def _call(self, name: str, arguments: Arguments) -> str:
        kinds = self._argument_types(name)
        pairs = zip(arguments, kinds, strict=True)
        return " ".join([name, *(_written(argument, kind) for argument, kind in pairs)])

    def _first_failure(self, name: str, cases: Sequence[Arguments]) -> tuple[Arguments, str] | None:
        """The first case for which a property fails, and how; all cases run in one program."""
        if not cases:
            return None
        passed: list[int] = []
        failures: list[str] = []

        def try_all(value: object) -> bool:
            cell = force(value)
            while cell[0]:
                try:
                    right = force(cell[1])
                except HaskellError as error:
                    right, problem = False, f"failed: {error.message}"
                else:
                    problem = "is False"
                if not right:
                    failures.append(problem)
                    return True
                passed.append(1)
                cell = force(cell[2])
            return False

        calls = ", ".join(self._call(name, case) for case in cases)
        text = f"{self._text}\n{_CASES} = [{calls}]\n"
        program = load(self._sources.program, text, self._find)
        ended = evaluate_to(program, f"{self.module.name}.{_CASES}", try_all, _MOST_REDUCTIONS, _SECONDS)
        if ended is False:
            return None
        return cases[len(passed)], failures[0] if failures else "did not end"


def _written(argument: Item, kind: Type) -> str:
    """An argument as source, with its type if that has variables: the type of `[]` alone would be ambiguous."""
    count = _variables(kind)
    return f"({argument.source} :: {show(replace(kind, [INTEGER] * count))})" if count else argument.source


def _variables(kind: Type) -> int:
    """One more than the highest number of a type variable."""
    kind = prune(kind)
    if isinstance(kind, TAp):
        return max(_variables(kind.function), _variables(kind.argument))
    return kind.number + 1 if isinstance(kind, TGen) else 0
