"""Running the user's program with its output handed over, and ending it early."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adebug_lsp.languages.child_program import run_program
from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.language import Python
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.model.errors import BadInputError


def test_output_is_handed_over_piece_by_piece_with_the_name_of_its_stream(tmp_path: Path) -> None:
    said: dict[str, str] = {"stdout": "", "stderr": ""}

    def take(stream: str, text: str) -> None:
        said[stream] += text

    program = (
        "import os, sys; print('Grüße', os.getcwd(), os.environ['X']); sys.stderr.write('no' * 50000); sys.exit(3)"
    )
    environment = {"X": "y", "PYTHONIOENCODING": "utf-8"}
    request = Request(tmp_path, folder=tmp_path, environment=environment, output=take)
    assert run_program([sys.executable, "-c", program], request) == 3
    assert said["stdout"].split() == ["Grüße", str(tmp_path.resolve()), "y"]
    assert said["stderr"] == "no" * 50000


def test_a_program_with_captured_output_has_empty_input(tmp_path: Path) -> None:
    request = Request(tmp_path, output=lambda _stream, _text: None)
    assert run_program([sys.executable, "-c", "import sys; sys.exit(sys.stdin.read() != '')"], request) == 0


def test_a_run_that_is_stopped_leaves_a_recording(tmp_path: Path) -> None:
    program = tmp_path / "loop.py"
    program.write_text("print('begun', flush=True)\nn = 0\nwhile True:\n    n += 1\n", encoding="utf-8")
    stop = threading.Event()
    request = Request(tmp_path, program=program, output=lambda _stream, _text: stop.set(), stop=stop)
    ended = Python().record(request, tmp_path / "loop.adebug", lambda *_told: None)
    assert ended.how == "killed"
    assert open_recording(tmp_path / "loop.adebug").ending


def test_an_invalid_program_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be run"):
        run_program([str(tmp_path / "nothing")], Request(tmp_path))


def test_the_terminal_is_left_as_it_was(tmp_path: Path) -> None:
    assert os.get_blocking(0)
    assert run_program([sys.executable, "-c", "import os; os.set_blocking(0, False)"], Request(tmp_path)) == 0
    assert os.get_blocking(0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_adebug_ends_the_program(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "loop.py").write_text(
        "import os\nwith open('pid', 'w') as file:\n    file.write(str(os.getpid()))\nwhile True:\n    pass\n"
    )
    command = [sys.executable, "-m", "adebug_lsp", "run", "loop.py"]
    ours = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wait_until(lambda: (tmp_path / "pid").is_file() and (tmp_path / "pid").read_text() != "")
    ours.send_signal(number)
    assert ours.wait(60) == 128 + number
    wait_until(lambda: not is_running(int((tmp_path / "pid").read_text())))


def test_a_signal_while_a_program_starts_ends_the_program(tmp_path: Path) -> None:
    script = (
        "import os, signal, subprocess, sys\n"
        "from pathlib import Path\n"
        "from adebug_lsp.languages.child_program import run_program\n"
        "from adebug_lsp.languages.language import Request\n"
        "class Interrupted(subprocess.Popen):\n"
        "    def __init__(self, *arguments, **options):\n"
        "        super().__init__(*arguments, **options)\n"
        "        Path('pid').write_text(str(self.pid))\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "subprocess.Popen = Interrupted\n"
        "run_program([sys.executable, '-c', 'while True: pass'], Request(Path.cwd()))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False, timeout=60)
    pid = int((tmp_path / "pid").read_text())
    running = is_running(pid)
    if running:
        os.kill(pid, signal.SIGKILL)
    assert not running
    assert done.returncode == 128 + signal.SIGTERM


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
