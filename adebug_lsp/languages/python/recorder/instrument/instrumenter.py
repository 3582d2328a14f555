"""Turns source text into recording code: parse, rewrite, compile, insert the markers.

The compiled code and the module map depend only on the text, the file name, the level and the interpreter, so both are
cached by content.
"""

import ast
import hashlib
import io
import json
import marshal
import os
import sys
import tokenize
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ..analysis.call_effects import Imports
from ..analysis.static_map import ModuleMap
from ..analysis.syntax_walk import fix_locations
from ..contract import FIRST_OF_MODULES, FIRST_VALUE, RECORD_KINDS
from ..native.loader import accelerator
from ..observe import attribute_reader
from ..observe.images import Birth, Marker
from ..run.subinterpreters import NAMES, BareFunctions
from ..tape.tape import Recorder
from .emit import NATIVE
from .functions import Rewriter
from .syntax_builder import TAG

_warnings = import_module("warnings")
"""The `warnings` module of the program, which the compiler uses."""
_MORE = accelerator.more() if accelerator is not None else None
"""The native marker that continues a record."""


class Temporaries:
    """Holds the temporaries of one module or class body."""


def rewritten(
    tree: ast.Module, module: ModuleMap, *, full: bool, keep_asserts: bool, is_user_code: Callable[[str], bool]
) -> None:
    """Rewrite a parsed module in place."""
    imports = Imports()
    imports.visit(tree)
    module.number_nodes(tree)
    Rewriter(module, full=full, keep_asserts=keep_asserts, is_user_code=is_user_code, imports=imports).module(tree)
    fix_locations(tree)


class Instrumenter:
    """Compiles recording code, and assigns the numbers of markers."""

    def __init__(
        self,
        recorder: Recorder,
        *,
        full: bool,
        is_user_code: Callable[[str], bool],
        announce: Callable[[dict[str, Any]], None],
        cache: str | None,
    ) -> None:
        self.recorder, self.full, self.is_user_code, self.announce, self.cache = (
            recorder,
            full,
            is_user_code,
            announce,
            cache,
        )
        self._rewriter = "" if cache is None else _digest_of_recorder()
        """The recorder's own hash, part of the cache key: code that another version rewrote is not used."""
        self.next = FIRST_OF_MODULES
        self.bare_functions = BareFunctions(recorder.codes)

    def code(
        self, source: str | bytes, filename: str, path: str, module: str, *, script: bool = False
    ) -> types.CodeType:
        """The recording code of a module. For a `script`, the compiler's warnings are shown, as on every bare run."""
        data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
        key = self._key(data, filename, module)
        compiled = self._cached(key)
        if compiled is None or script:
            _warn(data, filename, "__main__" if script else module)
        if compiled is None:
            compiled = self._compile(data, filename, path, module)
            self._keep(key, *compiled)
        code, facts = compiled
        self.bare_functions.sources[filename] = data
        return self._ready(code, facts)

    def tree(self, tree: ast.Module, source: str, path: str, module: str) -> Callable[[types.CodeType], types.CodeType]:
        """Rewrite a tree that the caller compiles; returns a function that inserts the markers into the result."""
        made = ModuleMap(path, module, source, 0)
        rewritten(tree, made, full=self.full, keep_asserts=True, is_user_code=self.is_user_code)
        return lambda code: self._ready(code, made.as_json())

    def _compile(self, data: bytes, filename: str, path: str, module: str) -> tuple[types.CodeType, dict[str, Any]]:
        with _no_second_warning():
            tree = ast.parse(data, filename)
            made = ModuleMap(path, module, _text(data), 0)
            rewritten(tree, made, full=self.full, keep_asserts=False, is_user_code=self.is_user_code)
            return compile(tree, filename, "exec", dont_inherit=True), made.as_json()

    def _ready(self, code: types.CodeType, facts: dict[str, Any]) -> types.CodeType:
        """Number the markers, announce the module map, and insert markers and other objects of the recorder."""
        first = facts["first"] = self.next
        self.next += len(facts["markers"])
        if self.next >= FIRST_VALUE:
            raise RuntimeError("too many instrumented modules")
        self.announce(facts)
        attribute_reader.learn(facts)
        births = set(_births(facts))
        markers = [
            (Birth if index in births else Marker)(
                first + index, safe=RECORD_KINDS[marker["kind"]].safe, detail=_is_detail(marker)
            )
            for index, marker in enumerate(facts["markers"])
        ]
        return self._with_constants(code, markers)

    def _with_constants(self, code: types.CodeType, markers: list[Marker]) -> types.CodeType:
        """Replace the placeholder constants of `syntax_builder` by markers and objects of the recorder."""
        temporaries = Temporaries()
        named = {"recorder": self.recorder, "temporaries": temporaries, "more": _MORE, **self.recorder.kinds}

        def resolved(constant: object) -> object:
            """The object that a constant stands for; placeholders may be nested in tuples and code objects."""
            if isinstance(constant, types.CodeType):
                return self._with_constants(constant, markers)
            if type(constant) is not tuple:
                return constant
            if len(constant) != 2 or constant[0] != TAG:
                return tuple(resolved(part) for part in constant)  # the compiler folds an empty record
            key = constant[1]
            if isinstance(key, str):
                return named[key]
            return markers[key].native if NATIVE else markers[key]

        if not NAMES.isdisjoint(code.co_names):
            self.bare_functions.install()
        made = code.replace(co_consts=tuple(resolved(constant) for constant in code.co_consts))
        self.recorder.codes[id(made)] = made
        return made

    # The cache

    def _key(self, data: bytes, filename: str, module: str) -> str:
        parts = (self._rewriter, sys.version, self.full, NATIVE, filename, module)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass") + data).hexdigest()

    def _cached(self, key: str) -> tuple[types.CodeType, dict[str, Any]] | None:
        if self.cache is None:
            return None
        try:
            with open(os.path.join(self.cache, key), "rb") as file:
                size = int.from_bytes(file.read(8), "little")
                facts = json.loads(file.read(size))
                # Safe like the interpreter's own `__pycache__`: the folder belongs to the user, not to a workspace.
                return marshal.loads(file.read()), facts  # noqa: S302
        except (OSError, ValueError, EOFError, TypeError):
            return None

    def _keep(self, key: str, code: types.CodeType, facts: dict[str, Any]) -> None:
        if self.cache is None:
            return
        text = json.dumps(facts).encode("utf-8", "surrogatepass")
        unfinished = os.path.join(self.cache, f"{key}.{os.getpid()}")
        try:
            os.makedirs(self.cache, exist_ok=True)
            with open(unfinished, "wb") as file:
                file.write(len(text).to_bytes(8, "little") + text + marshal.dumps(code))
            os.replace(unfinished, os.path.join(self.cache, key))
        except OSError:
            pass  # without a writable cache, the code is compiled every time


def _is_detail(marker: dict[str, Any]) -> bool:
    """Whether a marker's records contain no write that other code could see."""
    return RECORD_KINDS[marker["kind"]].detail and not marker.get("writes") and not marker.get("outer")


def _births(facts: dict[str, Any]) -> Iterator[int]:
    """The markers of an `__init__` that begins with a record of its object."""
    routines = facts["routines"]
    for index, marker in enumerate(facts["markers"]):
        if marker["kind"] == "enter" and marker.get("stores") and routines[marker["routine"]]["name"] == "__init__":
            yield index


def _digest_of_recorder() -> str:
    """SHA-256 of the recorder's source."""
    digest = hashlib.sha256()
    recorder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder, rooms, names in os.walk(recorder):
        rooms.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()


def _warn(data: bytes, filename: str, module: str) -> None:
    """Compile the original for the user's warnings and errors; since 3.15, warning filters can name the module."""
    named: dict[str, Any] = {"module": module} if sys.version_info >= (3, 15) else {}
    compile(data, filename, "exec", dont_inherit=True, **named)


@contextmanager
def _no_second_warning() -> Iterator[None]:
    """Suppress warnings that the compiler has already issued, without changing the program's filters.

    `warnings._showwarnmsg` is private, and called by `_warnings.c` (`call_show_warning`) in CPython 3.10 to 3.15.
    """
    show = _warnings._showwarnmsg
    _warnings._showwarnmsg = lambda _message: None  # type: ignore[attr-defined]
    try:
        yield
    finally:
        _warnings._showwarnmsg = show  # type: ignore[attr-defined]


def _text(data: bytes) -> str:
    """Decode the source, according to its encoding declaration."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace", newline=None).read()
