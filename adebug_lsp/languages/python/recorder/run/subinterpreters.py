"""Passes functions uninstrumented to other interpreters of the process (PEP 734).

`concurrent.interpreters` sends a function that uses no globals by its code object. Instrumented code refers to objects
of this interpreter and cannot be sent; and there is no recorder in the other one.
"""

import sys
from collections.abc import Iterable
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

NAMES = frozenset({"interpreters", "concurrent.interpreters", "_interpreters", "InterpreterPoolExecutor"})
"""Names that occur in code that sends functions to other interpreters."""
SENDS = sys.version_info >= (3, 14)


class BareFunctions:
    """Compiles the original source of recorded functions."""

    def __init__(self, recorded: dict[int, CodeType]) -> None:
        self.recorded = recorded
        self.sources: dict[str, bytes] = {}
        """The source of recorded modules, by the name of the file."""
        self._found: dict[tuple[str, str, int], CodeType] = {}
        self._call: Any = None

    def install(self) -> None:
        """Patch `_interpreters.call` (CPython 3.14 and later) to send uninstrumented functions."""
        if self._call is not None or not SENDS:
            return
        module: Any = import_module("_interpreters")  # of the standard library since 3.13
        self._call, module.call = module.call, self.call

    def call(
        self,
        id: int,  # noqa: A002 - named as in `_interpreters`
        callable: object,  # noqa: A002
        args: Iterable[object] | None = None,
        kwargs: object = None,
        **more: object,
    ) -> object:
        """Replacement of `_interpreters.call`."""
        arguments = tuple([self.bare(argument) for argument in args or ()])
        return self._call(id, self.bare(callable), arguments, kwargs, **more)

    def bare(self, function: object) -> object:
        """The uninstrumented function, if only its code would be sent; otherwise the argument itself."""
        if type(function) is not FunctionType or id(function.__code__) not in self.recorded:
            return function
        if function.__defaults__ or function.__kwdefaults__ or function.__closure__:
            return function  # it is sent by its name
        code = self._bare(function.__code__)
        if code is None or any(name in function.__globals__ for inner in _all(code) for name in inner.co_names):
            return function
        made = FunctionType(code, function.__globals__, function.__name__)
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        return made

    def _bare(self, code: CodeType) -> CodeType | None:
        """The uninstrumented version of a code object, compiled from the original source."""
        filename = code.co_filename
        source = self.sources.pop(filename, None)
        if source is not None:
            for inner in _all(compile(source, filename, "exec", dont_inherit=True)):
                self._found[filename, inner.co_name, inner.co_firstlineno] = inner
        return self._found.get((filename, code.co_name, code.co_firstlineno))


def _all(code: CodeType) -> list[CodeType]:
    """A code object and all code objects nested in it."""
    codes = [code]
    for inner in codes:  # grows while it is read
        codes.extend(constant for constant in inner.co_consts if type(constant) is CodeType)
    return codes
