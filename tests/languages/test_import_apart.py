"""A language is loaded alone: importing one imports no module of another."""

import json
import subprocess
import sys


def modules_after_import(module: str) -> list[str]:
    """Names of all modules that a fresh interpreter has loaded after an import."""
    program = f"import json, sys; import {module}; print(json.dumps(sorted(sys.modules)))"
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    names: list[str] = json.loads(finished.stdout)
    return names


def test_erlang_imports_nothing_of_python() -> None:
    loaded = modules_after_import("adebug_lsp.languages.erlang.language")
    assert "adebug_lsp.languages.erlang.questions.subject" in loaded
    assert not [name for name in loaded if name.startswith("adebug_lsp.languages.python")]


def test_python_imports_nothing_of_erlang() -> None:
    loaded = modules_after_import("adebug_lsp.languages.python.language")
    assert "adebug_lsp.languages.python.questions.subject" in loaded
    assert not [name for name in loaded if name.startswith("adebug_lsp.languages.erlang")]
