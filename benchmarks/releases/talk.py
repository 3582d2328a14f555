"""A conversation with `adebug test --json` about one failing test, as a program that answers has it."""

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from benchmarks.releases.processes import started

MOST = 100
"""Maximum number of questions: a person would have given up long before."""


@frozen
class Talk:
    """What was asked, what was answered, and how it ended."""

    questions: tuple[Mapping[str, Any], ...]
    answers: tuple[str, ...]
    verdict: Mapping[str, Any] | None
    error: str
    """Why it ended without a verdict; empty at the time limit or at the maximum number of questions."""

    doing: str
    """What it last said that it was doing."""

    first: float | None
    """Seconds to the first question or verdict."""

    seconds: float


def talk(
    arguments: Sequence[str],
    workspace: Path,
    variables: Mapping[str, str],
    answer: Callable[[Mapping[str, Any]], str],
    limit: float,
) -> Talk:
    """Answers until there is a verdict, the command ends, or the time is over; no process is left."""
    # Isolated: the workspace can hold a package that adebug itself imports.
    command = [sys.executable, "-I", "-m", "adebug_lsp", "test", "--json", "--fresh", *arguments]
    with started(command, workspace, variables) as process:
        return _converse(process, answer, limit)


def _converse(process: subprocess.Popen[str], answer: Callable[[Mapping[str, Any]], str], limit: float) -> Talk:
    begun = time.monotonic()
    lines, errors = _lines(process), _errors(process)
    questions: list[Mapping[str, Any]] = []
    answers: list[str] = []
    verdict, failure, doing, first = None, "", "", None
    while verdict is None and len(answers) < MOST:
        try:
            text = lines.get(timeout=max(0.0, begun + limit - time.monotonic()))
        except queue.Empty:
            break
        if text is None:
            failure = failure or _last_line(errors, process)
            break
        line = json.loads(text)
        if line["type"] in ("question", "verdict"):
            first = time.monotonic() - begun if first is None else first
        if line["type"] == "verdict":
            verdict = line
        elif line["type"] == "progress":
            doing = line["doing"]
        elif line["type"] == "error":
            failure = f"{line['slug']}: {line['message']}"
        elif line["type"] == "question":
            questions.append(line)
            answers.append(answer(line))
            _send(process, answers[-1])
    return Talk(tuple(questions), tuple(answers), verdict, failure, doing, first, time.monotonic() - begun)


def _send(process: subprocess.Popen[str], answer: str) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps({"answer": answer}) + "\n")
        process.stdin.flush()


def _lines(process: subprocess.Popen[str]) -> "queue.Queue[str | None]":
    """Lines of the output as they come; None at its end."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        with suppress(ValueError):  # closed at the time limit
            for line in process.stdout:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _errors(process: subprocess.Popen[str]) -> list[str]:
    """The lines of standard error, growing."""
    errors: list[str] = []

    def read() -> None:
        assert process.stderr is not None
        with suppress(ValueError):
            errors.extend(line.rstrip() for line in process.stderr)

    threading.Thread(target=read, daemon=True).start()
    return errors


def _last_line(errors: Sequence[str], process: subprocess.Popen[str]) -> str:
    code = process.wait()
    time.sleep(0.1)  # for the thread that reads
    texts = [line for line in errors if line.strip()]
    return f"exit code {code}: {texts[-1] if texts else 'no message'}"
