"""Instruments user code when it is imported; everything else is imported as usual.

Loaders, specs and modules stay as they are: only the code that a source loader returns is replaced. Frames of this
file look like frames of the import system, which the interpreter omits from tracebacks.
"""

import ast
import importlib.machinery
import types
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ..instrument.instrumenter import Instrumenter
from .user_code import UserCode

_IMPORT_SYSTEM = "<frozen importlib._bootstrap_external>"
"""CPython removes frames of this file from tracebacks of imports (`remove_importlib_frames` in Python/import.c), and
`warnings` skips them for `stacklevel` (`_is_internal_frame` in Lib/warnings.py)."""


def install(user_code: UserCode, instrumenter: Instrumenter, before: Mapping[str, Callable[[], None]]) -> None:
    """Record modules that are imported from now on; `before` has functions to call before modules of these names."""
    loader = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> types.CodeType | None:
        filename = self.get_filename(fullname)
        path = user_code.path(filename)
        if path is None:
            if fullname in before:
                before[fullname]()
            return original(self, fullname)
        user_code.modules.add(fullname)
        try:
            return instrumenter.code(self.get_data(filename), filename, path, fullname)
        except (SyntaxError, ValueError, RecursionError):
            pass
        return original(self, fullname)  # raise the usual error, if any, without this one as its context

    get_code.__code__ = get_code.__code__.replace(co_filename=_IMPORT_SYSTEM)
    loader.get_code = get_code  # type: ignore[method-assign, assignment]


def install_for_pytest(user_code: UserCode, instrumenter: Instrumenter) -> None:
    """Instrument test files before pytest rewrites their assertions.

    `_rewrite_test`, `_read_pyc` and `_write_pyc` are private functions of `_pytest.assertion.rewrite`, pytest 7 to 9.
    """
    rewrite: Any = import_module("_pytest.assertion.rewrite")
    rewrite_test, read_pyc, write_pyc = rewrite._rewrite_test, rewrite._read_pyc, rewrite._write_pyc

    def rewritten(fn: Any, config: Any) -> Any:
        path = user_code.path(str(fn))
        if path is None:
            return rewrite_test(fn, config)
        stat, source = fn.stat(), fn.read_bytes()
        tree = ast.parse(source, filename=str(fn))
        module = path[:-3].replace("/", ".")
        user_code.modules.add(module)
        ready = instrumenter.tree(tree, source.decode("utf-8", "replace"), path, module)
        rewrite.rewrite_asserts(tree, source, str(fn), config)
        return stat, ready(compile(tree, str(fn), "exec", dont_inherit=True))

    def read(source: object, pyc: object, *rest: object) -> types.CodeType | None:
        return None if user_code.path(str(source)) is not None else read_pyc(source, pyc, *rest)

    def write(state: object, co: types.CodeType, source_stat: object, pyc: object) -> bool:
        is_user_code = user_code.path(co.co_filename) is not None
        return True if is_user_code else write_pyc(state, co, source_stat, pyc)

    rewrite._rewrite_test, rewrite._read_pyc, rewrite._write_pyc = rewritten, read, write
