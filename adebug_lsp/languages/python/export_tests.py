"""Writes stored answers as pytest tests: a call whose arguments and result are literals becomes an assertion.

Answers may come from anyone, so nothing of a store is executed, and only literals get into the file.
"""

import ast
import re
from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.languages.language import ExportedTests
from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer

_HEADER = '"""What calls should give, as it was answered in adebug sessions."""\n\n'


@frozen
class Check:
    """An assertion about one call."""

    module: str
    function: str
    arguments: str
    meant: str

    def test(self, number: int) -> str:
        """The test function."""
        name = re.sub(r"\W", "_", self.function)
        call = f"{self.module}.{self.function}({self.arguments})"
        return f"def test_{name}_{number}() -> None:\n    assert {call} == {self.meant}\n"


def export_tests(answers: Sequence[SavedAnswer]) -> ExportedTests:
    """See `Language.export_tests`."""
    checks = [check for answer in answers if (check := check_of(answer))]
    imports = "".join(f"import {module}\n" for module in sorted({check.module for check in checks}))
    numbers: Counter[str] = Counter()
    tests = []
    for check in checks:
        numbers[check.function] += 1
        tests.append(check.test(numbers[check.function]))
    text = f"{_HEADER}{imports}\n\n" + "\n\n".join(tests)
    return ExportedTests(text, len(checks), len(answers) - len(checks))


def check_of(answer: SavedAnswer) -> Check | None:
    """The assertion for an answer; None if a test module cannot express it."""
    function = answer.routine.removeprefix(f"{answer.module}.")
    if not _importable(answer.module) or not function.isidentifier():
        return None
    for place in re.finditer(r" = ", answer.text):
        call, result = answer.text[: place.start()], answer.text[place.end() :]
        arguments = _literal_arguments(call)
        meant = answer.expected if answer.judgement is Judgement.NO else result
        if arguments is None or meant is None or _literal(result) is None:
            continue
        value = _literal(meant)
        if answer.judgement in (Judgement.YES, Judgement.NO) and value is not None:
            return Check(answer.module, function, arguments, value)
    return None


def _importable(module: str) -> bool:
    return module != "__main__" and all(part.isidentifier() for part in module.split("."))


def _literal_arguments(call: str) -> str | None:
    """The arguments of a call as source; None if one is no literal."""
    try:
        expression = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(expression, ast.Call) or any(keyword.arg is None for keyword in expression.keywords):
        return None
    values = [*expression.args, *(keyword.value for keyword in expression.keywords)]
    if not all(_is_literal(value) for value in values):
        return None
    positional = [ast.unparse(value) for value in expression.args]
    return ", ".join([*positional, *(f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in expression.keywords)])


def _literal(text: str) -> str | None:
    try:
        expression = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ast.unparse(expression) if _is_literal(expression) else None


def _is_literal(node: ast.expr) -> bool:
    if any(isinstance(part, ast.Constant) and part.value is ... for part in ast.walk(node)):
        return False  # `...` means that parts were elided
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True
