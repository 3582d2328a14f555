"""However a program ends, what it did until then is recorded, and the recording says how it ended."""

import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from adebug_lsp.languages.python.language import RECORDER_FOLDER, OpenedPython, Python
from adebug_lsp.languages.python.reading.heap.writes import heap_writes
from adebug_lsp.languages.python.recorder.contract import FIRST_VALUE
from adebug_lsp.languages.python.recorder.run import recording_process
from adebug_lsp.languages.python.recorder.run.program import without_own_frames
from adebug_lsp.model.answers import Judgement
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session
from tests.languages.python.recorded import Recorded, dump, node_of, record, silent

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")


def last_call(recorded: Recorded) -> str:
    return dump(recorded.subject()).splitlines()[-1].strip()


def test_the_end_of_the_program(tmp_path: Path) -> None:
    recorded = record(tmp_path, "def f(x):\n    return x\n\nf(3)\n")
    assert (recorded.ended.how, recorded.ended.exit_code, recorded.ended.message) == ("finished", 0, "")
    assert recorded.opened.ended == recorded.ended
    assert last_call(recorded) == "f(3) = 3"


def test_an_exception(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recorded = record(tmp_path, "def f(x):\n    return 1 // x\n\nf(0)\n")
    assert (recorded.ended.how, recorded.ended.exit_code) == ("raised", 1)
    assert "ZeroDivisionError" in recorded.ended.message
    assert recorded.opened.ended.how == "raised"
    assert recorded.opened.entries[0].failed
    assert last_call(recorded).startswith("f(0) raised ZeroDivisionError(")
    assert "ZeroDivisionError" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("leaving", "code"),
    [
        ("sys.exit(3)", 3),
        ("sys.exit()", 0),
        ("sys.exit('a message')", 1),
        ("raise SystemExit(4)", 4),
        ("os._exit(5)", 5),
        ("os._exit(0)", 0),
    ],
)
def test_leaving_by_an_exit(tmp_path: Path, leaving: str, code: int) -> None:
    program = f"import os\nimport sys\n\ndef f(x):\n    return x\n\ndef leave(x):\n    {leaving}\n\nf(1)\nleave(f(2))\n"
    recorded = record(tmp_path, program)
    assert (recorded.ended.how, recorded.ended.exit_code) == ("exited", code)
    assert recorded.opened.problem == ""
    tree = dump(recorded.subject())
    assert "  f(1) = 1\n  f(2) = 2\n  leave(2)" in tree


WAITING = """
    import time

    def f(x):
        return x

    def wait(name):
        f(1)
        open(name, "w").close()
        while True:
            time.sleep(0.01)

    wait("ready")
    """


def started(folder: Path, program: str) -> "subprocess.Popen[str]":
    """A recorder on its own, as `adebug record` starts it, that has got as far as writing the file `ready`."""
    (folder / "program.py").write_text(dedent(program), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(RECORDER_FOLDER), "--out", "run.adebug", "--workspace", str(folder), "program.py"],
        cwd=folder, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + 30
    while not (folder / "ready").exists():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    return process


def opened(folder: Path) -> OpenedPython:
    return Python().open(folder / "run.adebug", silent)


@posix
@pytest.mark.parametrize(("number", "how"), [(signal.SIGTERM, "killed"), (signal.SIGINT, "interrupted")])
def test_a_signal_that_ends_the_program(tmp_path: Path, number: signal.Signals, how: str) -> None:
    with started(tmp_path, WAITING) as process:
        process.send_signal(number)
        process.communicate(timeout=30)
    assert process.returncode == -number
    recording = opened(tmp_path)
    assert (recording.ended.how, recording.problem) == (how, "")
    tree = dump(recording.subject(recording.entries[0]))
    assert "f(1) = 1" in tree
    assert "wait('ready')" in tree


@posix
def test_a_killed_program_loses_the_last_segment_only(tmp_path: Path) -> None:
    program = """
        def f(a, b, c, d, e, g, h, i, j, k):
            return a + b + c + d

        open("ready", "w").close()
        while True:
            f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        """
    with started(tmp_path, program) as process:
        until = time.monotonic() + 60
        while (tmp_path / "run.adebug").stat().st_size < 50_000:
            assert time.monotonic() < until
            time.sleep(0.01)
        process.kill()
        process.communicate(timeout=30)
    recording = opened(tmp_path)
    assert (recording.ended.how, recording.ended.exit_code) == ("killed", 1)
    assert recording.problem
    subject = recording.subject(recording.entries[0])
    assert len(subject.tree.size) > 10_000
    assert subject.behaviour(node_of(subject, "f(")).text == "f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) = 10"


SEARCH = """
    import time

    def search(wanted):
        low, high = 0, 10
        while low < high:
            time.sleep(0.002)
            middle = (low + high) // 2
            if middle < wanted:
                low = middle
            else:
                high = middle
        return low

    search(7)
    """


def test_an_endless_loop_is_a_question_about_the_loop(tmp_path: Path) -> None:
    recorded = record(tmp_path, SEARCH, timeout=0.5)
    assert (recorded.ended.how, recorded.ended.exit_code) == ("timeout", 1)
    assert recorded.ended.message == "the program was stopped after 0.5 seconds"
    session = Session(recorded.subject())
    asked = []
    while isinstance(session.outcome, Ask):
        question = session.outcome.question
        asked.append(question.behaviour.text)
        wrong = question.behaviour.text.startswith(("search(", "the loop", "low = middle"))
        session.answer(Judgement.NO if wrong else Judgement.YES)
    loop = "the loop `while low < high` (line 6) did not end: low: 0 -> 6, "
    assert [text for text in asked if text.startswith(loop)]
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.code[0].range.start.line in range(5, 13)


def test_a_finished_loop_is_not_reported_as_unfinished(tmp_path: Path) -> None:
    program = f"def before():\n    for i in range(2):\n        pass\n\nbefore()\n{dedent(SEARCH)}"
    tree = dump(record(tmp_path, program, timeout=0.3).subject())
    assert "the loop `for i in range(2)` (line 2): i = 1" in tree
    assert tree.count("did not end") == 2  # the endless one and its last iteration


def test_runaway_recursion(tmp_path: Path) -> None:
    recorded = record(tmp_path, "def down(n):\n    return down(n + 1)\n\ndown(0)\n")
    assert recorded.ended.how == "raised"
    assert "RecursionError" in recorded.ended.message
    lines = dump(recorded.subject()).splitlines()
    assert lines[1].startswith("  down(0) raised RecursionError(")
    assert 900 < len(lines) < 1100


def test_runaway_recursion_that_is_stopped(tmp_path: Path) -> None:
    program = """
        import time

        def down(n):
            time.sleep(0.002)
            return down(n + 1)

        down(0)
        """
    recorded = record(tmp_path, program, timeout=0.5)
    assert recorded.ended.how == "timeout"
    lines = dump(recorded.subject()).splitlines()
    assert lines[1].strip().startswith("down(0) raised KeyboardInterrupt(")
    assert len(lines) > 20


def test_a_program_that_ignores_signals_is_ended(tmp_path: Path) -> None:
    program = """
        import time

        def deaf():
            while True:
                try:
                    time.sleep(0.01)
                except KeyboardInterrupt:
                    pass

        deaf()
        """
    recorded = record(tmp_path, program, timeout=0.3)
    assert (recorded.ended.how, recorded.ended.exit_code) == ("timeout", 1)
    assert "the loop `while True` (line 5) did not end" in dump(recorded.subject())


def test_a_daemon_thread_is_left_running(tmp_path: Path) -> None:
    program = """
        import threading
        import time

        def work(n):
            return n

        def again():
            while True:
                work(1)
                time.sleep(0.005)

        threading.Thread(target=again, daemon=True).start()
        time.sleep(0.05)
        work(2)
        """
    recorded = record(tmp_path, program)
    assert (recorded.ended.how, recorded.opened.problem) == ("finished", "")
    tree = dump(recorded.subject())
    assert tree.startswith("module program\n  again() did not end\n")
    assert tree.endswith("\n  work(2) = 2")
    assert "work(1) = 1" in tree


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("leaving", ["os._exit(7)", "sys.exit(7)", "raise SystemExit(7)"])
def test_a_forked_child_is_not_recorded(tmp_path: Path, leaving: str, capfd: pytest.CaptureFixture[str]) -> None:
    program = f"""
        import os
        import sys

        def f(x):
            return x

        f(1)
        child = os.fork()
        if child == 0:
            f(2)
            {leaving}
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        f(3)
        """
    recorded = record(tmp_path, program)
    assert (recorded.ended.how, recorded.opened.problem) == ("finished", "")
    assert dump(recorded.subject()).splitlines()[1:] == ["  f(1) = 1", "  f(3) = 3"]
    assert capfd.readouterr().out == "7\n"


def test_a_class_named_like_a_library_class_is_not_asked_for_its_attributes(tmp_path: Path) -> None:
    module = """
        class Fraction:
            __slots__ = ("_denominator", "_numerator")

        def unfinished(fraction):
            return fraction
        """
    main = "import fractions\n\nfractions.unfinished(fractions.Fraction())\nprint('the end')\n"
    recorded = record(tmp_path, {"program.py": main, "fractions.py": module})
    assert (recorded.ended.how, recorded.opened.problem) == ("finished", "")
    assert "unfinished(" in dump(recorded.subject())


def test_a_record_cut_by_an_interruption_is_not_written(tmp_path: Path) -> None:
    program = """
        class Box:
            def __init__(self, n):
                self.n = n

        def fill(xs):
            xs.append(4)
            xs[0] = Box(5)
            del xs[1]

        fill([1, 2, 3])
        """
    run = record(tmp_path, program).opened.run
    words, values = run.recording.words, run.recording.values

    def writes(words: Any) -> set[tuple[int, ...]]:
        writes = heap_writes(run.program, words, values)
        return set(zip(*(column.tolist() for column in (writes.kind, writes.object, writes.key)), strict=True))

    whole = writes(words)
    assert len(whole) == 5
    (markers,) = np.nonzero(words < FIRST_VALUE)
    for end in range(1, len(words)):
        assert writes(words[:end]) <= whole
        for later in markers[markers > end][:3]:
            assert writes(np.concatenate([words[:end], words[later:]])) <= whole


INTERRUPTED_WHILE_WRITING = """
    import os
    import signal
    import time
    import traceback

    from adebug_lsp.languages.python.recorder.native.loader import accelerator
    from adebug_lsp.languages.python.recorder.observe.images import Marker
    from adebug_lsp.languages.python.recorder.run.recording_process import FullRecorder, Recording

    recording = Recording("run.adebug", {}, lambda name: True)
    write = recording.writer.write_tape

    def interrupted(*words):
        signal.raise_signal(number)
        write(*words)
        written.append(number)

    def stop(number, frame):
        raise InterruptedError(frame.f_code.co_name)

    def write_away():
        if accelerator is None:
            recording.recorder.__class__ = FullRecorder
            recording.recorder.tape.append(1)
        else:
            accelerator.when_full(recording._write_away)
            recording.recorder.tape.extend([1] * 70_000)
            Marker(64, safe=True).native[1]

    def program():
        write_away()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            pass

    recording.writer.write_tape = interrupted
    written = []
    signal.signal(signal.SIGALRM, stop)
    for number in (signal.SIGINT, signal.SIGALRM):
        try:
            program()
        except (KeyboardInterrupt, InterruptedError) as error:
            found = traceback.extract_tb(error.__traceback__)
            print(type(error).__name__, {os.path.basename(frame.filename) for frame in found}, len(written))
    """


@posix
def test_an_interruption_of_the_writer_is_raised_in_the_program(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(dedent(INTERRUPTED_WHILE_WRITING), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["KeyboardInterrupt {'script.py'} 1", "InterruptedError {'script.py'} 2"]


def test_frames_of_the_recorder_are_in_no_traceback() -> None:
    def interrupted(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    of_the_recorder: dict[str, Any] = {}
    exec(compile("def call(function): function(2, None)", recording_process.__file__, "exec"), of_the_recorder)
    try:
        try:
            of_the_recorder["call"](interrupted)
        except KeyboardInterrupt as first:
            raise ValueError from first
    except ValueError as error:
        without_own_frames(error)
        cause = error.__cause__
    assert cause is not None
    assert [frame.name for frame in traceback.extract_tb(cause.__traceback__)] == [
        "test_frames_of_the_recorder_are_in_no_traceback",
        "interrupted",
    ]


@posix
def test_endless_recursion_is_stopped_without_a_crash(tmp_path: Path) -> None:
    """It catches every RecursionError, so that nothing but the end of its time stops it."""
    program = """
        def f(n):
            try:
                f(n + 1)
            except BaseException:
                f(n + 1)

        f(0)
        """
    (tmp_path / "program.py").write_text(dedent(program), encoding="utf-8")
    command = [
        sys.executable,
        str(RECORDER_FOLDER),
        "--out",
        "run.adebug",
        "--workspace",
        str(tmp_path),
        "--timeout",
        "0.5",
    ]
    done = subprocess.run([*command, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Fatal" not in done.stderr
    assert opened(tmp_path).ended.how == "timeout"


AT_THE_LIMIT = """
    import sys

    from adebug_lsp.languages.python.recorder.run.recording_process import FullRecorder, Recording

    recording = Recording("run.adebug", {}, lambda name: True)
    recording.recorder.tape.extend([1] * 400_000)

    def frames():
        frame, depth = sys._getframe(), 0
        while frame is not None:
            frame, depth = frame.f_back, depth + 1
        return depth

    def down():
        try:
            down()
        except RecursionError:
            pass
        if type(recording.recorder) is not FullRecorder:
            recording._look()
            depths.append(frames())

    depths = []
    sys.setrecursionlimit(300)
    try:
        down()
    except RecursionError:
        pass
    print(max(depths) - min(depths))
    """


@posix
def test_the_tape_is_written_only_where_the_stack_has_room(tmp_path: Path) -> None:
    """The property that writes it would otherwise fail in the program's frame, and show in its traceback."""
    script = tmp_path / "script.py"
    script.write_text(dedent(AT_THE_LIMIT), encoding="utf-8")
    variables = {**os.environ, "ADEBUG_PURE": "1"}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=variables, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) >= 10, "frames between the end of the stack and the first that begins to write"
