"""Exports stored answers as a module of EUnit tests.

A call becomes an assertion if its arguments and result can be written as literals. Answers may come from anywhere, so
nothing from a store is run, and only literals are written to the file.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages.erlang.literals import is_literal, read_call
from adebug_lsp.languages.erlang.reading.term_text import atom_text
from adebug_lsp.languages.erlang.syntax.file_syntax import parse
from adebug_lsp.languages.language import ExportedTests
from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer

_ROUTINE = re.compile(r"(?P<name>.+)/(?P<arity>\d+)\Z", re.DOTALL)
_RAISED = re.compile(r"(?P<kind>error|exit|throw):(?P<reason>.*)\Z", re.DOTALL)
_BUILT = "_build"


@frozen
class Check:
    """One assertion and the name of the function that it checks."""

    name: str
    assertion: str

    def test(self, number: int) -> str:
        """Source of the test function."""
        return f"{self.name}_{number}_test() ->\n    {self.assertion}.\n"


def export_tests(answers: Sequence[SavedAnswer], module: str, workspace: Path) -> ExportedTests:
    """Write answers as an EUnit module; see `Language.export_tests`."""
    exported = _exported({answer.module for answer in answers if _ROUTINE.match(answer.routine)}, workspace)
    checks = [check for answer in answers if (check := check_of(answer, exported))]
    numbers: Counter[str] = Counter()
    tests = []
    for check in checks:
        numbers[check.name] += 1
        tests.append(check.test(numbers[check.name]))
    header = (
        "%% What calls should give, as it was answered in adebug sessions.\n"
        f'-module({atom_text(module)}).\n-include_lib("eunit/include/eunit.hrl").\n\n'
    )
    return ExportedTests(header + "\n".join(tests), len(checks), len(answers) - len(checks))


def check_of(answer: SavedAnswer, exported: Mapping[str, set[str]]) -> Check | None:
    """Returns the assertion for an answer, or None if it cannot be written as a test."""
    function = answer.routine.removeprefix(f"{answer.module}.")
    routine = _ROUTINE.match(function)
    if routine is None or answer.judgement not in (Judgement.YES, Judgement.NO):
        return None
    if answer.module in exported and function not in exported[answer.module]:
        return None
    for place in re.finditer(r" = | raised ", answer.text):
        call, result = read_call(answer.text[: place.start()]), answer.text[place.end() :]
        if call is None:
            continue
        target = f"{atom_text(answer.module)}:{atom_text(routine['name'])}{call[1]}"
        assertion = _assertion(answer, target, result, raised=place[0] == " raised ")
        if assertion is not None:
            return Check(re.sub(r"\W", "_", routine["name"].lower(), flags=re.ASCII).strip("_") or "call", assertion)
    return None


def _assertion(answer: SavedAnswer, call: str, result: str, *, raised: bool) -> str | None:
    """Returns the assertion; for the answer "no" only if the expected value is known."""
    if answer.judgement is Judgement.NO:
        meant = answer.expected
        return f"?assertEqual({meant}, {call})" if meant is not None and is_literal(meant) else None
    if not raised:
        return f"?assertEqual({result}, {call})" if is_literal(result) else None
    exception = _RAISED.match(result)
    # a map literal is not a pattern
    if exception is None or not is_literal(exception["reason"]) or "#" in exception["reason"]:
        return None
    return f"?assertException({exception['kind']}, {exception['reason']}, {call})"


def _exported(modules: set[str], workspace: Path) -> dict[str, set[str]]:
    """Exported functions of each module whose source is in the workspace."""
    exported: dict[str, set[str]] = {}
    for file in sorted(workspace.rglob("*.erl")) if modules else ():
        if file.stem in modules and file.is_file() and _BUILT not in file.relative_to(workspace).parts:
            try:
                syntax = parse(file.read_text(encoding="utf-8", errors="replace"))
            except OSError:
                continue
            names = {
                f"{function.name.strip(chr(39))}/{function.arity}" for function in syntax.functions if function.exported
            }
            exported.setdefault(file.stem, set()).update(names)
    return exported
