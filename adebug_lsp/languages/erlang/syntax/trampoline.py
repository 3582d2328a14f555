"""Runs the parser without recursion: generators yield what they need parsed, so only memory limits the nesting."""

from collections.abc import Generator
from typing import Any

from adebug_lsp.languages.erlang.syntax.form import FormError

Parse = Generator[Any, Any, Any]
"""Yields sub-parses, and is sent their results."""


def run_parse(steps: Parse) -> None:
    """Run a parse to its end; raises `FormError` if it does."""
    running, value, error = [steps], None, None
    while running:
        value, error = _resume(running, value, error)
    if error:
        raise error


def _resume(running: list[Parse], value: object, error: FormError | None) -> tuple[object, FormError | None]:
    """Resume the innermost generator with the value that it waited for."""
    try:
        running.append(running[-1].throw(error) if error else running[-1].send(value))
    except StopIteration as end:
        running.pop()
        return end.value, None
    except FormError as problem:
        running.pop()
        return None, problem
    return None, None
