"""A program starts as it does bare: it takes its own modules, misses what nobody imported, sees its command line."""

from pathlib import Path

import pytest

from tests.fidelity.compare import differences
from tests.fidelity.interpreters import interpreters
from tests.fidelity.running import CALLS, FULL, How, Program, run_both

OWN = ("argparse", "ast", "json", "shutil", "signal", "struct", "token")
MAIN = """
import argparse, ast, json, shutil, struct, token

print(*(module.WHO for module in (argparse, ast, json, shutil, struct, token)))
import importlib

try:
    print(importlib.util)
except AttributeError as error:
    print(error)
import sys

print(sys.orig_argv[1:], sys.argv)
from importlib.machinery import SourceFileLoader

print(type(__loader__) is SourceFileLoader)
"""


def fill(workspace: Path) -> None:
    for name in OWN:
        (workspace / f"{name}.py").write_text("WHO = 'mine'\n", encoding="utf-8")
    (workspace / "main.py").write_text(MAIN, encoding="utf-8")


@pytest.mark.parametrize("pure", ["0", "1"])
@pytest.mark.parametrize("how", [FULL, CALLS], ids=lambda how: how.name)
def test_a_program_takes_its_own_modules(how: How, pure: str) -> None:
    python = next(iter(interpreters().values()))
    program = Program(fill, ("main.py", "first"), python, settings={"ADEBUG_PURE": pure})
    bare, recorded = run_both(program, how)
    assert not differences(bare, recorded, whole_output=True)
    assert bare.code == 0, bare.errors
    assert bare.output.startswith("mine mine mine mine mine mine\n")
    assert recorded.recording > 0
