"""Stored answers as a module of EUnit tests: a call that can be written in full becomes an assertion.

Nothing that a store contains is run here, and only literals get into the file: an answer may come from anywhere.
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
    """One assertion."""

    name: str
    assertion: str

    def test(self, number: int) -> str:
        """The test function."""
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
    """The assertion that an answer stands for, if a module of tests can make it."""
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
    """What must be so; of an answer "no" only where it says what should be."""
    if answer.judgement is Judgement.NO:
        meant = answer.expected
        return f"?assertEqual({meant}, {call})" if meant is not None and is_literal(meant) else None
    if not raised:
        return f"?assertEqual({result}, {call})" if is_literal(result) else None
    found = _RAISED.match(result)
    if found is None or not is_literal(found["reason"]) or "#" in found["reason"]:  # a map is no pattern
        return None
    return f"?assertException({found['kind']}, {found['reason']}, {call})"


def _exported(modules: set[str], workspace: Path) -> dict[str, set[str]]:
    """The functions of modules that others can call, of each module whose source is in the workspace."""
    found: dict[str, set[str]] = {}
    for file in sorted(workspace.rglob("*.erl")) if modules else ():
        if file.stem in modules and file.is_file() and _BUILT not in file.relative_to(workspace).parts:
            try:
                syntax = parse(file.read_text(encoding="utf-8", errors="replace"))
            except OSError:
                continue
            names = {f"{one.name.strip(chr(39))}/{one.arity}" for one in syntax.functions if one.exported}
            found.setdefault(file.stem, set()).update(names)
    return found
