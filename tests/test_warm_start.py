"""A command in a fork does what `python -m adebug_lsp` does: streams, exit codes, signals, environment."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.warm_start import CAN_FORK, COMMAND, REAL, serving

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="tests start the real command there")
TREE = ROOT / "examples" / "sqrtest.json"


@pytest.fixture(scope="module", autouse=True)
def server(request: pytest.FixtureRequest, warm_server: bool) -> Iterator[None]:
    """A server even if only few tests run."""
    if warm_server:
        yield
    else:
        with serving():
            yield


def run(
    command: list[str], *arguments: str, cwd: Path, stdin: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*command, *arguments], cwd=cwd, input=stdin, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("--version",), ""),
        (("nothing",), ""),
        (("open", "missing.json"), ""),
        (("open", str(TREE)), "yes\nno\n"),
        (("open", "--json", str(TREE)), json.dumps({"answer": "no"}) + "\n"),
    ],
)
def test_a_fork_shows_the_same(
    arguments: tuple[str, ...], stdin: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    forked, real = (
        run(command, *arguments, cwd=tmp_path_factory.mktemp("workspace"), stdin=stdin) for command in (COMMAND, REAL)
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (real.returncode, real.stdout, real.stderr)


def test_the_environment_and_the_folder_are_those_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import os\nprint(os.environ['SEEN'], os.getcwd())\n", encoding="utf-8")
    done = run(COMMAND, "record", "-o", "run.adebug", "program.py", cwd=tmp_path, SEEN="yes")
    assert done.stdout.splitlines()[0] == f"yes {tmp_path.resolve()}"


def test_what_only_a_new_interpreter_honours_is_honoured(tmp_path: Path) -> None:
    done = run(COMMAND, "--version", cwd=tmp_path, PYTHONHASHSEED="no number")
    assert "PYTHONHASHSEED must be" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_the_fork(number: signal.Signals) -> None:
    process = subprocess.Popen([*COMMAND, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    body = json.dumps({"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "a"}}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"Content-Length")
    process.send_signal(number)
    with process:
        process.stdout.read()  # ends when the fork has ended
