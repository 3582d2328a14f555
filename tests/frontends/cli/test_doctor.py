"""The doctor finds tools on PATH and in the workspace, and survives whatever it finds."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli.commands.doctor import render, report, run
from adebug_lsp.languages import diagnosis
from adebug_lsp.languages.diagnosis import Finding, Status
from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store

needs_scripts = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in programs are shell scripts")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty PATH and an empty workspace, which is the current directory; returns the folder on PATH."""
    folder, workspace = tmp_path / "tools", tmp_path / "workspace"
    folder.mkdir()
    workspace.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.chdir(workspace)
    return folder


def script(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def finding_for(name: str) -> Finding:
    (finding,) = [finding for finding in report() if finding.name == name]
    return finding


def test_missing_tools_are_not_an_error(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(json_output=False) == 0
    text = capsys.readouterr().out
    for name in ("adebug", "workspace", "debugpy", "python3.10", "python3.15", "Erlang/OTP", "git", "Neovim", "store"):
        assert name in text
    assert list(Path.cwd().iterdir()) == [], "the doctor writes nothing"


def test_everything_missing_has_advice(tools: Path) -> None:
    findings = report()
    missing = [finding for finding in findings if finding.status is Status.MISSING]
    assert len(missing) >= 10
    assert [finding.name for finding in missing if not finding.advice] == []
    assert [finding.name for finding in findings if finding.status is Status.OK and finding.advice] == []


def test_json_is_one_object_on_one_line(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(json_output=True) == 0
    (line,) = capsys.readouterr().out.splitlines()
    report = json.loads(line)
    assert report["ok"] is True
    assert {"topic", "name", "status", "detail", "advice"} == set(report["findings"][0])


def test_a_missing_part_of_adebug_is_an_error(tools: Path) -> None:
    """In an interpreter that has our modules but not their distributions' records."""
    program = "import sys; from adebug_lsp.frontends.cli.commands import doctor; import importlib.metadata\n"
    program += "sys.meta_path = []; sys.exit(doctor.run(False))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 1, done.stderr
    assert "pip install numpy" in done.stdout


@needs_scripts
def test_programs_are_found_with_their_versions(tools: Path) -> None:
    script(tools, "git", "echo git version 2.50.1")
    script(tools, "nvim", "echo NVIM v0.11.2; echo Build type: Release")
    script(tools, "erl", "printf '27 runtime_tools eunit'")
    script(tools, "erlc", "exit 0")
    assert finding_for("git").detail.startswith("2.50.1, ")
    assert finding_for("Neovim").detail.startswith("0.11.2, ")
    assert finding_for("Erlang/OTP").detail.startswith("27, ")
    assert {finding_for(name).status for name in ("git", "Neovim", "Erlang/OTP")} == {Status.OK}


@needs_scripts
def test_missing_parts_of_erlang_are_reported_with_their_packages(tools: Path) -> None:
    script(tools, "erlc", "exit 0")
    script(tools, "erl", "printf '25 eunit none'")
    assert finding_for("Erlang/OTP").status is Status.OK
    assert finding_for("runtime_tools").status is Status.MISSING
    assert "erlang" in finding_for("runtime_tools").advice
    assert "eunit" not in [finding.name for finding in report()]
    script(tools, "erl", "printf '25 runtime_tools none'")
    assert finding_for("eunit").status is Status.MISSING
    script(tools, "erl", "printf '24 runtime_tools eunit'")
    assert finding_for("Erlang/OTP").status is Status.OLD


@needs_scripts
def test_broken_and_missing_programs_are_distinguished(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tools, "git", "exit 1")
    script(tools, "erl", "echo crash")
    assert finding_for("Erlang/OTP").status is Status.MISSING
    script(tools, "erlc", "exit 0")
    script(tools, "kate", "exit 134")
    script(tools, "python3.12", "echo '[1]'")
    script(tools / "shims", "python3.13", "exit 127")
    monkeypatch.setenv("PATH", str(tools / "shims"), prepend=os.pathsep)
    assert finding_for("git").status is Status.BROKEN
    assert finding_for("Erlang/OTP").status is Status.BROKEN
    assert finding_for("Kate") == Finding("editors", "Kate", Status.OK, str(tools / "kate"))
    assert finding_for("python3.12").status is Status.BROKEN
    assert "pyenv" not in finding_for("python3.12").advice
    assert "pyenv" in finding_for("python3.13").advice


@needs_scripts
def test_programs_that_hang_or_flood_do_not_block_the_doctor(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "TIME_LIMIT", 1.0)
    for name in ("git", "erl", "erlc", "nvim", "code", "emacs", "python3.10", "python3.11"):
        script(tools, name, "exec /bin/sleep 60" if name != "code" else "while :; do echo 1.2; done")
    begun = time.monotonic()
    findings = report()
    assert time.monotonic() - begun < 4
    assert {finding.status for finding in findings if finding.name in ("git", "python3.10")} == {Status.BROKEN}


def test_the_active_environment_comes_first(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = Path(sys.prefix)
    monkeypatch.setenv("VIRTUAL_ENV", str(environment))
    (Path.cwd() / ".venv").mkdir()
    assert finding_for("workspace").status is Status.OK
    assert finding_for("pytest").detail == pytest.__version__
    monkeypatch.delenv("VIRTUAL_ENV")
    assert finding_for("workspace").status is Status.BROKEN
    assert ".venv" in finding_for("workspace").detail


@needs_scripts
def test_an_old_interpreter_is_called_old(tools: Path) -> None:
    script(tools, "python", """echo '{"version": [3, 8, 1], "executable": "/x/python"}'""")
    assert finding_for("workspace").status is Status.OLD
    assert finding_for("workspace").detail == "3.8.1, /x/python"
    assert finding_for("pytest").status is Status.MISSING
    assert finding_for("pytest").advice == "/x/python -m pip install pytest"


@needs_scripts
def test_a_free_threaded_interpreter_is_reported(tools: Path) -> None:
    script(
        tools, "python3.14", """echo '{"version": [3, 14, 1], "executable": "/x/python3.14t", "free_threaded": true}'"""
    )
    assert finding_for("python3.14").status is Status.OK
    assert "free-threaded: programs are recorded without the accelerator" in finding_for("python3.14").detail
    script(Path.cwd(), ".venv/bin/python", "exit 1")
    (Path.cwd() / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.14.1\n")
    assert "free-threaded" not in finding_for("workspace").detail
    (Path.cwd() / ".venv/lib/python3.14t/site-packages").mkdir(parents=True)
    assert "free-threaded" in finding_for("workspace").detail


@needs_scripts
def test_the_environment_of_the_workspace_is_read_and_never_run(tools: Path) -> None:
    """A folder from anywhere may hold a `.venv` whose `python` is anything."""
    python = script(Path.cwd(), ".venv/bin/python", "touch ran")
    (Path.cwd() / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.1\n")
    (Path.cwd() / ".venv/lib/python3.12/site-packages/pytest-8.1.0.dist-info").mkdir(parents=True)
    assert finding_for("workspace").detail == f"3.12.1, {python}"
    assert finding_for("pytest").detail == "8.1.0"
    assert not Path("ran").exists()


def test_a_module_of_the_workspace_is_not_run(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -c` looks into the current directory first, where a `json.py` of the person may lie."""
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    (Path.cwd() / "json.py").write_text("open('ran', 'w').close()")
    assert finding_for("workspace").status is Status.OK
    assert not Path("ran").exists()


def test_the_store_is_described(tools: Path) -> None:
    assert finding_for("store").detail.startswith("none here yet")
    with Store.open(Path.cwd()) as store:
        store.answers.save(SavedAnswer("a", Judgement.YES))
    assert finding_for("store").status is Status.OK
    assert finding_for("store").detail.startswith("1 answers, 0 trust, 0 sessions, 0 verdicts; ")


def test_a_damaged_store_is_reported_and_left_unchanged(tools: Path) -> None:
    Store.open(Path.cwd()).close()
    file = Path(".adebug", "adebug.sqlite3")
    file.write_bytes(b"rubbish")
    assert finding_for("store").status is Status.BROKEN
    assert "not a database" in finding_for("store").detail
    assert file.read_bytes() == b"rubbish"


def test_a_newer_store_asks_for_a_newer_adebug(tools: Path) -> None:
    Store.open(Path.cwd()).close()
    with closing(sqlite3.connect(Path(".adebug", "adebug.sqlite3"))) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert finding_for("store").status is Status.OLD
    assert "upgrade" in finding_for("store").advice


def test_the_text_lines_up() -> None:
    findings = [
        Finding("adebug", "adebug", Status.OK, "1.0"),
        Finding("git", "git", Status.MISSING, "", "get it"),
        Finding("git", "other", Status.BROKEN, "why"),
    ]
    assert render(findings).splitlines() == [
        "adebug",
        "  ok       adebug  1.0",
        "",
        "git",
        "  missing  git",
        "                   -> get it",
        "  broken   other   why",
    ]
    assert render([]) == ""


def test_the_doctor_says_whether_the_c_part_is_in_use(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADEBUG_PURE", raising=False)
    assert finding_for("accelerator").status is Status.OK, "it was built for the tests"
    assert finding_for("accelerator").detail.startswith("in use: ")
    monkeypatch.setenv("ADEBUG_PURE", "1")
    finding = finding_for("accelerator")
    assert (finding.status, finding.detail) == (Status.MISSING, "not in use: switched off by ADEBUG_PURE")
    assert "takes longer" in finding.advice
