"""Executes notebooks and statements in real kernels, in a folder of the test."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

SHOP = '''def price(item, count):
    """The price of some pieces of an item."""
    rate = {"pen": 2, "book": 12}[item]
    return rate * count - 1
'''
RAISES = "# raises"
"""The first line of a cell that may raise."""


def executed(folder: Path, cells: Sequence[str]) -> list[NotebookNode]:
    """The code cells of a notebook after its execution."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in cells])  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        if cell.source.startswith(RAISES):
            cell.metadata["tags"] = ["raises-exception"]
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(folder)}}).execute()
    return list(notebook.cells)


def shown(cell: NotebookNode) -> str:
    """The outputs of a cell as a person without HTML sees them; buttons and handles are left out."""
    lines = []
    for output in cell.outputs:
        if output.output_type == "stream":
            lines.append(output.text.rstrip("\n"))
        elif output.output_type == "error":
            lines.append(f"{output.ename}: {output.evalue}")
        elif "application/vnd.jupyter.widget-view+json" not in output.data:
            lines.append(output.data["text/plain"])
    return "\n".join(lines)


def html_of(cell: NotebookNode) -> list[str]:
    """The HTML that a cell shows."""
    return [output.data["text/html"] for output in cell.outputs if "text/html" in output.get("data", {})]


def typed_into_kernel(folder: Path, cells: Sequence[str], answers: Sequence[str]) -> str:
    """The text that cells show in a kernel whose front end answers prompts."""
    lines: list[str] = []
    waiting = list(answers)
    manager, client = start_new_kernel(cwd=str(folder))

    def answer(message: dict[str, Any]) -> None:
        typed = waiting.pop(0) if waiting else "q"
        lines.append(message["content"]["prompt"] + typed)
        client.input(typed)

    def listen(message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] == "stream":
            lines.append(content["text"].rstrip("\n"))
        elif message["msg_type"] in ("display_data", "update_display_data"):
            lines.append(content["data"]["text/plain"])

    try:
        for cell in cells:
            client.execute_interactive(cell, timeout=60, allow_stdin=True, stdin_hook=answer, output_hook=listen)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return "\n".join(lines)


def ipython(folder: Path, lines: Sequence[str]) -> str:
    """The output of plain IPython for typed lines."""
    command = [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor"]
    environment = {**os.environ, "IPYTHONDIR": str(folder / "ipython")}
    return run(command, folder, "\n".join([*lines, ""]), environment)


def run(command: Sequence[str], folder: Path, text: str = "", environment: Mapping[str, str] | None = None) -> str:
    """The output of a command, whatever its exit code is."""
    done = subprocess.run(
        command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


def notebook_file(path: Path, cells: Sequence[str], **keys: Callable[[int], Any]) -> Path:
    """A notebook file; further keys of each cell are computed from its index."""
    made = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": source, **{k: f(i) for k, f in keys.items()}}
        for i, source in enumerate(cells)
    ]
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    return path
