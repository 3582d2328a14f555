"""Stored answers as tests: a call whose arguments and result are plain values becomes an assertion.

They are pytest's, unless the file's language, or that of the answers, has tests of its own.

Nothing that a store contains is run here, and only literals get into the file: an answer may come from anywhere.
"""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages.language import WritesTests
from adebug_lsp.languages.registry import languages
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.store.saved_answers import SavedAnswer

PYTEST_FILE = "test_answers.py"
_HEADER = '"""What calls should give, as it was answered in adebug sessions."""\n\n'


@frozen
class Exported:
    """A file of tests, which is not written yet."""

    file: Path
    text: str
    count: int
    left_out: int
    """How many answers are not in it."""

    def write(self, *, advice: str = "") -> None:
        """Write it to a new file; raises `BadInputError`."""
        try:
            with self.file.open("x", encoding="utf-8") as stream:
                stream.write(self.text)
        except FileExistsError:
            raise BadInputError(f"{self.file}: is there already, and is not overwritten{advice}") from None
        except OSError as error:
            raise BadInputError(f"{self.file}: cannot be written: {error.strerror}") from error


def exported(answers: Sequence[SavedAnswer], folder: Path, name: str | None, workspace: Path) -> Exported:
    """The tests for a file of a folder; without a name they are of the language that has most of them."""
    others = [found for found in languages().values() if isinstance(found, WritesTests)]
    if name is not None:
        others = [found for found in others if Path(name).suffix in found.suffixes]
    made = [Exported(folder / (name or PYTEST_FILE), *as_tests(answers))] if name is None or not others else []
    for other in others:
        file = folder / (name or other.test_file)
        made.append(Exported(file, *other.as_tests(answers, file, workspace)))
    return max(made, key=lambda one: one.count)


@frozen
class Check:
    """One assertion."""

    module: str
    function: str
    arguments: str
    meant: str

    def test(self, number: int) -> str:
        """The test function."""
        name = re.sub(r"\W", "_", self.function)
        call = f"{self.module}.{self.function}({self.arguments})"
        return f"def test_{name}_{number}() -> None:\n    assert {call} == {self.meant}\n"


def as_tests(answers: Sequence[SavedAnswer]) -> tuple[str, int, int]:
    """The text of a module of pytest tests, the number of its tests, and how many answers are not in it."""
    checks = [check for answer in answers if (check := check_of(answer))]
    imports = "".join(f"import {module}\n" for module in sorted({check.module for check in checks}))
    numbers: Counter[str] = Counter()
    tests = []
    for check in checks:
        numbers[check.function] += 1
        tests.append(check.test(numbers[check.function]))
    return f"{_HEADER}{imports}\n\n" + "\n\n".join(tests), len(checks), len(answers) - len(checks)


def check_of(answer: SavedAnswer) -> Check | None:
    """The assertion that an answer stands for, if a test module can make it."""
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
    try:
        found = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(found, ast.Call) or any(keyword.arg is None for keyword in found.keywords):
        return None
    values = [*found.args, *(keyword.value for keyword in found.keywords)]
    if not all(_is_literal(value) for value in values):
        return None
    positional = [ast.unparse(value) for value in found.args]
    return ", ".join([*positional, *(f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in found.keywords)])


def _literal(text: str) -> str | None:
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ast.unparse(found) if _is_literal(found) else None


def _is_literal(node: ast.expr) -> bool:
    if any(isinstance(part, ast.Constant) and part.value is ... for part in ast.walk(node)):
        return False  # three dots stand for what was left out
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True
