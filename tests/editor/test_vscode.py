"""The manifest of the VS Code extension, and how it runs adebug. `make test-editor` tests it in the editor."""

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp import __version__
from adebug_lsp.frontends.dap.live.launch import fields
from adebug_lsp.frontends.lsp import commands as of_server
from tests.support import ROOT

EXTENSION = ROOT / "editor" / "vscode"
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
OFFERED: dict[str, Any] = MANIFEST["contributes"]
COMMANDS = {offered["command"] for offered in OFFERED["commands"]}
ASKING = re.compile(r"adebug\.(asking|replay)\b")


def test_the_extension_has_the_version_of_the_package() -> None:
    assert MANIFEST["version"] == __version__


def test_every_menu_key_and_link_leads_to_a_command() -> None:
    text = json.dumps([OFFERED["viewsWelcome"], OFFERED["walkthroughs"]])
    used = {item["command"] for menu in OFFERED["menus"].values() for item in menu}
    used |= {binding["command"] for binding in OFFERED["keybindings"]}
    used |= set(re.findall(r"\(command:([\w.]+)\)", text)) | set(re.findall(r"onCommand:([\w.]+)", text))
    assert used <= COMMANDS


def test_no_command_has_the_name_of_one_of_the_server() -> None:
    """The language client registers those, and a command can be registered only once."""
    named = {value for value in vars(of_server).values() if isinstance(value, str) and value.startswith("adebug.")}
    assert of_server.FIND_BUG in named
    assert not named & COMMANDS


def test_keys_are_taken_only_while_a_session_asks() -> None:
    assert len(OFFERED["keybindings"]) >= 7
    assert [binding["key"] for binding in OFFERED["keybindings"] if not ASKING.search(binding["when"])] == []


def test_every_field_of_a_launch_configuration_is_described() -> None:
    described = set(OFFERED["debuggers"][0]["configurationAttributes"]["launch"]["properties"])
    of_editor = {"noDebug", "customEvents"}
    assert described == set(fields()) - of_editor


def test_an_untrusted_workspace_cannot_start_or_choose_programs() -> None:
    untrusted = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert untrusted["supported"] is False
    for name in ("adebug.interpreter", "adebug.importStrategy"):
        assert name in untrusted["restrictedConfigurations"]
        assert OFFERED["configuration"]["properties"][name]["scope"] == "machine-overridable"


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def run(*arguments: str, cwd: Path, options: Sequence[str] = ()) -> str:
    command = [sys.executable, *options, str(EXTENSION / "bundled" / "run.py"), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize(
    ("target", "platform", "is_for_it"),
    [
        ("linux-x64", "manylinux2014_x86_64.manylinux_2_17_x86_64", True),
        ("linux-x64", "linux_x86_64", True),
        ("linux-x64", "musllinux_1_2_x86_64", False),
        ("linux-arm64", "manylinux_2_17_x86_64", False),
        ("alpine-x64", "musllinux_1_2_x86_64", True),
        ("darwin-arm64", "macosx_11_0_arm64", True),
        ("darwin-arm64", "macosx_10_9_x86_64", False),
        ("win32-x64", "win_amd64", True),
        ("linux-x64", "any", False),
        ("universal", "any", True),
        ("universal", "linux_x86_64", False),
    ],
)
def test_an_extension_takes_the_wheel_of_its_platform(target: str, platform: str, is_for_it: bool) -> None:
    fits = runpy.run_path(str(EXTENSION / "bundle.py"))["fits"]
    assert fits(f"adebug_lsp-{__version__}-cp310-abi3-{platform}.whl", target) is is_for_it


@pytest.fixture
def libs(tmp_path: Path) -> Path:
    """A folder with adebug in it."""
    folder = tmp_path / "libs"
    folder.mkdir()
    (folder / "adebug_lsp").symlink_to(ROOT / "adebug_lsp")
    return folder


def test_the_libraries_of_the_extension_are_on_no_path_of_the_program(tmp_path: Path, libs: Path) -> None:
    program = "import os, sys\nprint(sys.path, os.environ.get('PYTHONPATH'))\n"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    printed = run(str(libs), "record", "-o", "kept", "program.py", cwd=tmp_path)
    assert str(tmp_path) in printed
    assert str(libs) not in printed
    assert str(EXTENSION) not in printed


def test_an_interpreter_reports_its_packages(tmp_path: Path, libs: Path) -> None:
    def report(folders: str) -> Any:
        return json.loads(run(folders, cwd=tmp_path, options=["-S"]))

    version = [*sys.version_info[:3]]
    assert report("") == {"version": version, "adebug_lsp": False, "numpy": False, "debugpy": False}
    (libs / "debugpy").mkdir()
    assert report(str(libs)) == {"version": version, "adebug_lsp": True, "numpy": False, "debugpy": True}
    metadata = libs / "numpy-1.dist-info" / "METADATA"
    metadata.parent.mkdir()
    for number, is_enough in (("1.25.2", False), ("1.26.0", True), ("2.4.0rc1", True)):
        metadata.write_text(f"Metadata-Version: 2.1\nName: numpy\nVersion: {number}\n", encoding="utf-8")
        assert report(str(libs))["numpy"] is is_enough
