"""Runs the code cells of a notebook in order and in one namespace, as Jupyter does; each cell is a file of its own.

https://nbformat.readthedocs.io/en/latest/format_description.html describes the file (versions 3 to 5). Magics and shell
commands need IPython in the program's interpreter.
"""

import ast
import json
import re
import types
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..contract import CELL
from ..instrument.instrumenter import Instrumenter

SUFFIX = ".ipynb"
TOLERANT = "raises-exception"
"""The tag of a cell whose exception does not end the run: https://nbclient.readthedocs.io/en/latest/client.html"""
_PYTHON_CELLS = ("adebug", "capture", "prun", "time")
"""Cell magics whose body is executed like any other cell, so that it is recorded."""
_LEFT_OUT = re.compile(
    r"[ \t]*%%(?:" + "|".join(_PYTHON_CELLS) + r")\b.*\Z|[ \t]*%(?:adebug\b|(?:re)?load_ext +adebug_lsp\b).*\Z"
)
_linecache: Any = import_module("linecache")
"""The program's own module, where tracebacks and `inspect` find the source of a cell."""


class Cell:
    """A code cell. Not a named tuple, which would have functions of the program's `collections`."""

    __slots__ = ("name", "source", "tolerant")

    def __init__(self, name: str, source: str, tolerant: bool) -> None:
        self.name = name
        """`In[3]`: the number that the notebook shows."""
        self.source = source
        self.tolerant = tolerant
        """Whether the run goes on after an exception in it."""


def cells_of(data: bytes) -> list[Cell]:
    """The code cells of a notebook file; raises `ValueError` for anything else."""
    notebook = json.loads(data)
    if not isinstance(notebook, dict):
        raise ValueError("this is not a notebook")
    listed = notebook.get("cells") or [cell for sheet in notebook.get("worksheets", ()) for cell in sheet["cells"]]
    cells = [cell for cell in listed if cell.get("cell_type") == "code"]
    cells = [cell for cell in cells if _text(cell).strip()]
    return [
        Cell(f"{CELL}{number}]", _text(cell), TOLERANT in cell.get("metadata", {}).get("tags", ()))
        for number, cell in zip(_numbers(cells), cells, strict=True)
    ]


def _text(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return source if isinstance(source, str) else "".join(source)


def _numbers(cells: list[dict[str, Any]]) -> list[int]:
    """The numbers that the notebook shows, if it was executed in this order; otherwise the cells are counted."""
    shown = [cell.get("execution_count") or 0 for cell in cells]
    ordered = all(before < after for before, after in zip([0, *shown], shown, strict=False))
    return shown if ordered else list(range(1, len(cells) + 1))


class Notebook:
    """Executes the cells of a notebook."""

    def __init__(self, module: types.ModuleType, instrumenter: Instrumenter, report: Callable[[BaseException], None]):
        self._names, self._instrumenter, self._report = module.__dict__, instrumenter, report
        self._module = module
        self._loop: Any = None
        if find_spec("IPython") is not None:
            self._names["get_ipython"] = self._shell

    def run(self, cells: list[Cell]) -> None:
        """Execute all cells; the exception of a tolerant one is reported, any other is raised."""
        try:
            for cell in cells:
                self._try(cell)
        finally:
            if self._loop is not None:
                self._loop.close()

    def _try(self, cell: Cell) -> None:
        try:
            self._execute(cell)
        except (Exception, SystemExit) as error:
            if not cell.tolerant:
                raise
            self._report(error)

    def _execute(self, cell: Cell) -> None:
        source = python_of(cell.source)
        _linecache.cache[cell.name] = (len(source), None, [f"{line}\n" for line in source.split("\n")], cell.name)
        if _awaits(source, cell.name):
            self._await(source, cell.name)
            return
        code = self._instrumenter.code(source, cell.name, cell.name, "notebook", script=True)
        exec(code, self._names)  # noqa: S102 - runs the user's program

    def _await(self, source: str, name: str) -> None:
        """Run a cell with `await` outside functions: its own statements are not recorded, those that it calls are."""
        if self._loop is None:
            self._loop = import_module("asyncio").new_event_loop()
        code = compile(source, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        self._loop.run_until_complete(eval(code, self._names))  # noqa: S307 - runs the user's program

    def _shell(self) -> Any:
        """IPython's shell, for the magics of cells; it writes nothing to the user's history."""
        shell: Any = import_module("IPython.core.interactiveshell").InteractiveShell
        settings = import_module("traitlets.config").Config({"HistoryManager": {"enabled": False}})
        return shell.instance(config=settings, user_module=self._module, user_ns=self._names)


def python_of(source: str) -> str:
    """A cell as plain Python: adebug's own magics are left out, the others become calls of IPython."""
    text = "\n".join(_without_own(source.split("\n")))
    try:
        ast.parse(text)
    except SyntaxError:
        if find_spec("IPython") is not None:
            return str(import_module("IPython.core.inputtransformer2").TransformerManager().transform_cell(text))
    return text


def _without_own(lines: list[str]) -> Iterator[str]:
    """The lines, with our own magics commented out, so that line numbers stay."""
    for line in lines:
        yield f"# {line}" if _LEFT_OUT.match(line) else line


def _awaits(source: str, name: str) -> bool:
    """Whether a cell uses `await` outside functions."""
    if "await" not in source and "async" not in source:
        return False
    code = compile(source, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return bool(code.co_flags & _CO_COROUTINE)


_CO_COROUTINE = 0x80
"""`inspect.CO_COROUTINE`."""
