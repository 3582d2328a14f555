"""Latency of the language server after a keystroke in a 5,000-line file: an edit, then a request for lenses.

The server runs in its own process, as in an editor. `python -m benchmarks lsp`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

LINES = 5000
KEYSTROKES = 50
BUDGET = 50.0
"""Milliseconds."""
ROUTINE = '''
def routine_{0}(items, limit=3):
    """Total of the items, up to a limit."""
    total = 0
    for name, count in items:
        if count > limit and name.startswith("x"):
            total += len(name) * count + {0}
        elif count < 0:
            raise ValueError(f"{{name}} has {{count}}")
    return total
'''
METHOD = '''
    def method_{0}(self, items):
        """Total of the items."""
        total = 0
        for name, count in items:
            total += len(name) * count + {0}
        return total
'''


def main(arguments: Sequence[str]) -> None:
    """Prints one row per kind of file."""
    parser = argparse.ArgumentParser(prog="benchmarks lsp", description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES, help="length of the file (default: %(default)s)")
    options = parser.parse_args(arguments)
    files = {
        "functions": _file("", ROUTINE, options.lines),
        "one class": _file("class Everything:\n", METHOD, options.lines),
    }
    print(f"keystroke to lenses in {options.lines} lines, {KEYSTROKES} times; the budget is {BUDGET:.0f} ms\n")
    print("| file | opened (ms) | median (ms) | slowest (ms) | with a syntax error, slowest (ms) |")
    print("|---|---|---|---|---|")
    for name, text in files.items():
        opened, times, broken = measure(text)
        print(f"| {name} | {opened:.0f} | {median(times):.1f} | {max(times):.1f} | {max(broken):.1f} |")


def _file(head: str, part: str, lines: int) -> str:
    count = lines // (part.count("\n"))
    return head + "".join(part.format(number) for number in range(count))


def measure(text: str) -> tuple[float, list[float], list[float]]:
    """Milliseconds to open, per keystroke in a number, and per keystroke that breaks or repairs the syntax."""
    with tempfile.TemporaryDirectory() as folder, _Client(Path(folder)) as client:
        file = Path(folder, "long.py")
        begin = perf_counter()
        item = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        client.lenses(file)
        opened = 1000 * (perf_counter() - begin)
        lines = text.split("\n")
        line = next(i for i in range(len(lines) // 2, len(lines)) if "total += " in lines[i])
        times = [client.type(file, line, len(lines[line]), "1") for _ in range(KEYSTROKES)]
        broken = [client.type(file, line, 0, "(") for _ in range(KEYSTROKES // 2)]
    return opened, times, broken


class _Client:
    """A minimal LSP client."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "adebug_lsp", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._last = 0
        self.request("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.notify("initialized", {})

    def type(self, file: Path, line: int, character: int, text: str) -> float:
        """Sends one keystroke and a request; returns the milliseconds until the response."""
        place = {"line": line, "character": character}
        begin = perf_counter()
        document = {"uri": file.as_uri(), "version": self._last + 2}
        change = {"range": {"start": place, "end": place}, "text": text}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.lenses(file)
        return 1000 * (perf_counter() - begin)

    def lenses(self, file: Path) -> None:
        self.request("textDocument/codeLens", {"textDocument": {"uri": file.as_uri()}})

    def request(self, method: str, params: Any) -> Any:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._last and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while (header := stream.readline().strip()) or not length:
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message: dict[str, Any] = json.loads(stream.read(length))
        return message

    def __enter__(self) -> "_Client":
        return self

    def __exit__(self, *_error: object) -> None:
        self.request("shutdown", None)
        self.notify("exit", None)
        self._process.communicate()
