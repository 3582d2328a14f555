"""The cells that an IPython session has executed, as a notebook file that runs them again."""

import json
import re
from pathlib import Path

from attrs import frozen
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.plural import counted

_OWN = re.compile(r"\s*%(?:adebug|(?:re)?load_ext +adebug_lsp)\b.*\s*\Z")
"""Matches a cell that consists of one of adebug's magics."""


class SessionCells:
    """The cells executed so far, and which of them raised."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._first_known = int(shell.execution_count)
        """The first execution whose ending is known: the one that loaded the extension."""
        self._raised: dict[int, str] = {}
        """The exceptions that ended cells, by the cell's number."""

    def note(self, result: ExecutionResult) -> None:
        """Note the ending of a cell."""
        error = result.error_before_exec or result.error_in_exec
        # A cell without a number is one that `run` executes.
        if error is not None and result.execution_count is not None:
            self._raised[int(result.execution_count)] = type(error).__name__

    def run(self, cell: str) -> None:
        """Execute a cell here, without an execution number."""
        number = int(self._shell.execution_count)
        error = self._shell.run_cell(cell, store_history=False).error_in_exec  # type: ignore[no-untyped-call]
        if error is not None:
            self._raised[number] = type(error).__name__

    def write(self, file: Path) -> "Written":
        """Write the cells to a notebook file."""
        history = self._shell.history_manager
        sources = [] if history is None else list(history.input_hist_raw)
        cells = [(number, source) for number, source in enumerate(sources) if number and _is_code(source)]
        if not cells:
            raise BadInputError("no cell has been executed yet: write %%adebug as the first line of one")
        last = cells[-1][0]
        notebook = {
            "cells": [_as_json(number, source, number != last and self._may_raise(number)) for number, source in cells],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        file.write_text(json.dumps(notebook), encoding="utf-8")
        return Written(f"{counted(len(cells), 'cell')} up to In[{last}]", self._raised.get(last, ""))

    def _may_raise(self, number: int) -> bool:
        """Whether a cell may raise: it raised before, or its ending is not known."""
        return number < self._first_known or number in self._raised


@frozen
class Written:
    """A notebook file made of cells."""

    text: str
    """A description of the cells, for people."""
    raised: str
    """The name of the exception that ended the last of them; empty if none did."""


def _is_code(source: str) -> bool:
    return bool(source.strip()) and not _OWN.match(source)


def _as_json(number: int, source: str, may_raise: bool) -> dict[str, object]:
    """A code cell: https://nbformat.readthedocs.io/en/latest/format_description.html#code-cells."""
    return {
        "cell_type": "code",
        "id": str(number),
        "execution_count": number,
        "metadata": {"tags": ["raises-exception"] if may_raise else []},
        "source": source,
        "outputs": [],
    }
