"""Parsing without Python's stack: generators yield what they need parsed, so that nesting has no limit but memory."""

from collections.abc import Generator
from typing import Any

from adebug_lsp.languages.erlang.syntax.form import FormError

Parse = Generator[Any, Any, Any]
"""Yields other steps, and is sent what they return."""


def run_parse(steps: Parse) -> None:
    """Take all steps; raises `NoFormError` where they do."""
    running, value, error = [steps], None, None
    while running:
        value, error = _resume(running, value, error)
    if error:
        raise error


def _resume(running: list[Parse], value: object, error: FormError | None) -> tuple[object, FormError | None]:
    """Go on with the innermost generator, which was waiting for a value."""
    try:
        running.append(running[-1].throw(error) if error else running[-1].send(value))
    except StopIteration as end:
        running.pop()
        return end.value, None
    except FormError as problem:
        running.pop()
        return None, problem
    return None, None
