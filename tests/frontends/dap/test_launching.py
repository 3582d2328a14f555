"""Launch configurations: those that are refused are refused with the name of the field."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.frontends.dap.live.launch import read_launch
from adebug_lsp.model.errors import BadInputError


@pytest.mark.parametrize(
    ("field", "configuration"),
    [
        ("program", {}),
        ("program", {"program": 3}),
        ("program", {"program": " "}),
        ("program", {"program": "missing.py"}),
        ("program", {"program": "."}),
        ("module", {"program": "prime.py", "module": "prime"}),
        ("recording", {"recording": "missing.adebug"}),
        ("pytest", {"pytest": {"k": 1}}),
        ("call", {"pytest": [], "call": "f()"}),
        ("args", {"program": "prime.py", "args": "3 4"}),
        ("args", {"program": "prime.py", "args": [3]}),
        ("args", {"pytest": [], "args": ["-x"]}),
        ("env", {"program": "prime.py", "env": {"A": 1}}),
        ("env", {"program": "prime.py", "env": {"A=B": "1"}}),
        ("env", {"program": "prime.py", "env": {"": "1"}}),
        ("env", {"program": "prime.py", "env": {"A": "1\0"}}),
        ("args", {"program": "prime.py", "args": ["\0"]}),
        ("module", {"module": "prime\0"}),
        ("program", {"program": "~nobody has this name/prime.py"}),
        ("program", {"program": "x" * 5000}),
        ("cwd", {"program": "prime.py", "cwd": "x" * 5000}),
        ("cwd", {"program": "prime.py", "cwd": "nowhere"}),
        ("workspace", {"program": "prime.py", "workspace": "nowhere"}),
        ("console", {"program": "prime.py", "console": "window"}),
        ("reference", {"program": "prime.py", "reference": "nowhere"}),
        ("reference", {"program": "prime.py", "reference": ["."]}),
        ("reference", {"program": "prime.py", "reference": ".."}),
        ("reference", {"program": "prime.py", "reference": "git:nothing"}),
        ("python", {"program": "prime.py", "python": 3}),
        ("python", {"program": "prime.py", "python": "no-such-python"}),
        ("python", {"program": "prime.py", "python": "prime.py"}),
        ("module", {"module": ["prime"]}),
        ("recording", {"recording": 3}),
        ("noDebug", {"program": "prime.py", "noDebug": "yes"}),
        ("strategy", {"program": "prime.py", "strategy": "guess"}),
        ("granularity", {"program": "prime.py", "granularity": "line"}),
        ("transform", {"program": "prime.py", "transform": "halving"}),
        ("transform", {"program": "prime.py", "transform": ["original"]}),
        ("timeout", {"program": "prime.py", "timeout": 0}),
        ("timeout", {"program": "prime.py", "timeout": True}),
        ("stopOnEntry", {"program": "prime.py", "stopOnEntry": "yes"}),
        ("customEvents", {"program": "prime.py", "customEvents": 1}),
    ],
)
def test_a_bad_configuration_is_refused_with_the_name_of_the_field(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, field: str, configuration: dict[str, Any]
) -> None:
    monkeypatch.chdir(workspace)
    with pytest.raises(BadInputError, match=f"^{field}: "):
        read_launch(configuration)


def test_unknown_and_null_fields_are_ignored(workspace: Path) -> None:
    launch = read_launch({"program": "prime.py", "cwd": str(workspace), "__sessionId": 1, "module": None})
    assert launch.program == workspace / "prime.py"
    assert launch.request().folder == workspace


def test_a_reference_path_is_relative_to_the_working_directory_or_the_workspace(workspace: Path) -> None:
    for name in ("right", "below"):
        (workspace / name).mkdir()
    (workspace / "right/prime.py").write_text("", encoding="utf-8")
    config = {"program": "../prime.py", "cwd": str(workspace / "below"), "workspace": "..", "reference": "right"}
    reference = read_launch(config).reference
    assert reference is not None
    assert Path(reference).samefile(workspace / "right")
    git = ["git", "-C", str(workspace), "-c", "user.name=a", "-c", "user.email=a@localhost"]
    for words in (["init", "--quiet"], ["add", "prime.py"], ["commit", "--quiet", "--message", "first"]):
        subprocess.run([*git, *words], check=True)
    assert read_launch({**config, "reference": "git:HEAD"}).reference == "git:HEAD"
    with pytest.raises(BadInputError, match=r"^reference: .* no revision HEAD~1"):
        read_launch({**config, "reference": "git:HEAD~1"})


def test_an_interpreter_is_a_command_or_a_path_relative_to_the_working_directory(workspace: Path) -> None:
    below = workspace / "env"
    below.mkdir()
    (below / "python").symlink_to(sys.executable)
    config = {"program": "prime.py", "cwd": str(workspace)}
    assert read_launch({**config, "python": "env/python"}).interpreter == str(below / "python")
    assert read_launch({**config, "python": sys.executable}).interpreter == sys.executable
    assert read_launch({**config, "python": "git"}).interpreter == "git"


def test_null_removes_a_variable_from_the_environment(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GONE", "1")
    env = {"GONE": None, "NEW": "2"}
    environment = read_launch({"program": "prime.py", "cwd": str(workspace), "env": env}).request().environment
    assert environment is not None
    assert "GONE" not in environment
    assert environment["NEW"] == "2"
