"""From source text to recording code: parse, rewrite, compile, put the markers in.

The compiled code and the module map depend on nothing but the text, the file name, the level and the interpreter, so
both are kept in a cache by content.
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
"""The program's, which the compiler uses."""
_MORE = accelerator.more() if accelerator is not None else None
"""Stands where a record goes on."""


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
    ast.fix_missing_locations(tree)


class Instrumenter:
    """Makes recording code, and hands out the numbers of markers."""

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
        """Stands for the code that rewrites: nothing that an older one made comes out of the cache."""
        self.next = FIRST_OF_MODULES
        self.bare_functions = BareFunctions(recorder.codes)

    def code(
        self, source: str | bytes, filename: str, path: str, module: str, *, script: bool = False
    ) -> types.CodeType:
        """The recording code of a module. The interpreter compiles a `script` whenever it runs, and warns of it."""
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
        """Rewrite a tree that the caller compiles; returns the function that makes the compiled code ready."""
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
        """Number the markers, announce the map, and put the objects in."""
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
        temporaries = Temporaries()
        named = {"recorder": self.recorder, "temporaries": temporaries, "more": _MORE, **self.recorder.kinds}

        def real(constant: object) -> object:
            if isinstance(constant, types.CodeType):
                return self._with_constants(constant, markers)
            if type(constant) is not tuple:
                return constant
            if len(constant) != 2 or constant[0] != TAG:
                return tuple(real(part) for part in constant)  # a record without values is one constant
            key = constant[1]
            if isinstance(key, str):
                return named[key]
            return markers[key].native if NATIVE else markers[key]

        if not NAMES.isdisjoint(code.co_names):
            self.bare_functions.install()
        made = code.replace(co_consts=tuple(real(constant) for constant in code.co_consts))
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
                # As the interpreter's own cache of compiled code: the folder is the user's own, and no workspace's.
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
            pass  # a cache that cannot be written is no cache


def _is_detail(marker: dict[str, Any]) -> bool:
    """Whether its records contain no write that other code could see."""
    return RECORD_KINDS[marker["kind"]].detail and not marker.get("writes") and not marker.get("outer")


def _births(facts: dict[str, Any]) -> Iterator[int]:
    """The markers of an `__init__` that begins with a record of its object."""
    routines = facts["routines"]
    for index, marker in enumerate(facts["markers"]):
        if marker["kind"] == "enter" and marker.get("stores") and routines[marker["routine"]]["name"] == "__init__":
            yield index


def _digest_of_recorder() -> str:
    """SHA-256 of the recorder's source: code that another version has rewritten is not used."""
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
    """Compile for the warnings and errors, which are the user's; since 3.15 filters can name the module."""
    named: dict[str, Any] = {"module": module} if sys.version_info >= (3, 15) else {}
    compile(data, filename, "exec", dont_inherit=True, **named)


@contextmanager
def _no_second_warning() -> Iterator[None]:
    """Suppress warnings that the compiler has given already. The filters of the program stay as they are.

    `warnings._showwarnmsg` is private, and called by `_warnings.c` (`call_show_warning`) in CPython 3.10 to 3.15.
    """
    show = _warnings._showwarnmsg
    _warnings._showwarnmsg = lambda _message: None  # type: ignore[attr-defined]
    try:
        yield
    finally:
        _warnings._showwarnmsg = show  # type: ignore[attr-defined]


def _text(data: bytes) -> str:
    """The source as text, by the rules of source files."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace", newline=None).read()
