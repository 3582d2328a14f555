"""Where child processes took part, questions and verdicts say that what they did is not recorded."""

import os
import sys
from pathlib import Path
from textwrap import indent

import pytest

from adebug_lsp.languages.python.questions.describe.child_processes import NOT_RECORDED
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.languages.python.reading.marker_index import flags, places
from adebug_lsp.languages.python.recorder.contract import CHILD_STARTED
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.session.outcome import Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.languages.python.recorded import Recorded, record

PROGRAM = """\
import asyncio
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

def square(x):
    return x * x + 1

def alone(x):
    return square(x)

def put(queue, x):
    queue.put(square(x))

def with_child(x):
{body}

def main():
    assert (alone(2), with_child(2)) == (5, 4)

if __name__ == "__main__":
    main()
"""
ECHO = '[sys.executable, "-c", "print(5)"]'
WAYS = {
    "pool": "with multiprocessing.get_context('fork').Pool(1) as pool:\n    return pool.map(square, [x])[0]",
    "spawned pool": "with multiprocessing.get_context('spawn').Pool(1) as pool:\n    return pool.map(square, [x])[0]",
    "executor": "with ProcessPoolExecutor(1) as executor:\n    return executor.submit(square, x).result()",
    "process": "queue = multiprocessing.Queue()\nprocess = multiprocessing.Process(target=put, args=(queue, x))\n"
    "process.start()\nresult = queue.get()\nprocess.join()\nreturn result",
    "subprocess": f"return int(subprocess.run({ECHO}, capture_output=True, check=True).stdout)",
    "popen": f"with subprocess.Popen({ECHO}, stdout=subprocess.PIPE) as child:\n    return int(child.stdout.read())",
    "asyncio": "async def run():\n"
    f"    child = await asyncio.create_subprocess_exec(*{ECHO}, stdout=subprocess.PIPE)\n"
    "    return (await child.communicate())[0]\nreturn int(asyncio.run(run()))",
    "fork": "if (child := os.fork()) == 0:\n    os._exit(5)\nreturn os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])",
    "shell": "return os.waitstatus_to_exitcode(os.system('exit 5'))",
    "posix_spawn": "child = os.posix_spawn(sys.executable, [sys.executable, '-c', 'exit(5)'], os.environ)\n"
    "return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])",
}
needs_fork = pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")


def recorded(folder: Path, way: str) -> Recorded:
    return record(folder, PROGRAM.format(body=indent(WAYS[way], "    ")))


def notes(subject: PythonSubject) -> dict[str, bool]:
    """For every call: whether its question says that a child process took part."""
    shown = [subject.behaviour(node) for node in range(len(subject.tree))]
    return {behaviour.text: NOT_RECORDED in behaviour.coarse for behaviour in shown}


@pytest.mark.parametrize(
    "way", [pytest.param(w, marks=needs_fork) if w in ("pool", "fork", "posix_spawn") else w for w in WAYS]
)
def test_a_question_says_that_a_child_is_not_recorded(tmp_path: Path, way: str) -> None:
    said = notes(recorded(tmp_path, way).subject())
    assert said["with_child(2) = 5"]
    assert said["main() raised AssertionError()"]
    assert not said["alone(2) = 5"]
    assert not said["square(2) = 5"]


@needs_fork
def test_the_use_of_a_pool_that_another_call_started_is_said(tmp_path: Path) -> None:
    program = """
        import multiprocessing

        def square(x):
            return x * x + 1

        def started():
            return multiprocessing.get_context("fork").Pool(1)

        def used(pool, x):
            return pool.apply(square, (x,))

        def later(x):
            return x + 1

        pool = started()
        four = used(pool, 2)
        pool.terminate()
        assert later(four) == 5
        """
    said = notes(record(tmp_path, program).subject())
    assert next(note for text, note in said.items() if text.startswith("used("))
    assert not said["later(5) = 6"]


@needs_fork
def test_a_verdict_on_a_call_with_a_child_says_so(tmp_path: Path) -> None:
    subject = recorded(tmp_path, "pool").subject()
    session = Session(subject, Options("top-down", granularity=Granularity.ROUTINE))
    for node in range(len(subject.tree)):
        text = subject.behaviour(node).text
        if node and (text.startswith(("main", "with_child"))):
            session.say(Answer(node, Judgement.NO))
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.explanation.endswith(f"less exact than usual: {NOT_RECORDED}")


@needs_fork
def test_the_key_of_a_pool_is_not_recorded(tmp_path: Path) -> None:
    program = """
        import multiprocessing

        def configured(process):
            return dict(process._config)

        process = multiprocessing.get_context("fork").Process()
        multiprocessing.current_process().authkey = b"do not show this"
        process = multiprocessing.get_context("fork").Process()
        config = configured(process)
        assert bytes(config["authkey"])[:6] != b"do not"
        """
    made = record(tmp_path, program)
    texts = []
    for node in range(len(made.subject().tree)):
        behaviour = made.subject().behaviour(node)
        bound = (*behaviour.before.bindings, *behaviour.after.bindings)
        texts += [behaviour.text, *(binding.value.text for binding in bound)]
        texts += [value.text for value in (behaviour.result,) if value is not None]
    assert any("'authkey': AuthenticationString()" in text for text in texts)
    assert not any("show this" in text for text in texts)


def test_names_of_programs_are_noted_without_their_arguments(tmp_path: Path) -> None:
    program = """
        import subprocess, sys

        subprocess.run([sys.executable, "-c", "pass", "--password=secret"], check=True)
        """
    recording = record(tmp_path, program).opened.run.recording
    started = places(recording.words, flags([CHILD_STARTED])).tolist()
    assert [recording.values.atom(int(recording.words[place + 1])) for place in started] == [Path(sys.executable).name]
