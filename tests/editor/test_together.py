"""Two debuggers and a terminal at work in one workspace at the same time."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from adebug_lsp.store.store import Store
from tests.frontends.dap.client import Client
from tests.support import ROOT
from tests.warm_start import COMMAND

CALLS = 12
OPTIONS: dict[str, Any] = {"strategy": "top-down", "granularity": "routine"}


def program(folder: Path, name: str) -> str:
    """Write a module whose functions no other program has."""
    functions = [f"def {name}_{call}(x):\n    return x + {call}\n\n\n" for call in range(CALLS)]
    calls = ", ".join(f"{name}_{call}(1)" for call in range(CALLS))
    (folder / f"{name}.py").write_text(
        f"{''.join(functions)}def {name}():\n    return [{calls}]\n\n\n{name}()\n", encoding="utf-8"
    )
    return f"{name}.py"


def answer(question: dict[str, str]) -> str:
    """The right answer: the functions are right, their caller is wrong."""
    return "yes" if "_" in question["callable"].rpartition(".")[2] else "no"


def in_a_debugger(folder: Path, name: str) -> str:
    with Client(folder) as client:
        client.launch(program=program(folder, name), python=sys.executable, customEvents=True, **OPTIONS)
        state: dict[str, Any] = {"question": client.event("adebug/question"), "verdict": None}
        while state["question"]:
            state = client.do("adebug/answer", answer=answer(state["question"]), id=state["question"]["id"])
        assert client.close() == 0
        assert "lock" not in client.output().lower()
        return str(state["verdict"]["callable"])


def in_a_terminal(folder: Path, name: str) -> str:
    options = [part for option, value in OPTIONS.items() for part in (f"--{option}", value)]
    command = [*COMMAND, "run", "--json", "--python", sys.executable, *options]
    with subprocess.Popen(
        [*command, program(folder, name)], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for line in process.stdout:
            message = json.loads(line)
            assert message["type"] != "error", message
            if message["type"] == "verdict":
                break
            if message["type"] == "question":
                process.stdin.write(json.dumps({"answer": answer(message)}) + "\n")
                process.stdin.flush()
        process.stdin.close()
        assert "lock" not in process.stderr.read().lower()
    assert process.returncode == 0
    return str(message["callable"])


def test_two_debuggers_and_a_terminal_at_once_lose_no_answer(tmp_path: Path) -> None:
    fronts: dict[str, Callable[[Path, str], str]] = {"one": in_a_debugger, "two": in_a_debugger, "three": in_a_terminal}
    with ThreadPoolExecutor(len(fronts)) as pool:
        ends = {name: pool.submit(front, tmp_path, name) for name, front in fronts.items()}
        verdicts = {name: end.result() for name, end in ends.items()}
    assert verdicts == {name: f"{name}.{name}" for name in fronts}
    with Store.open(tmp_path) as store:
        judged = [(kept.text.partition("(")[0], kept.judgement.value) for kept in store.answers.all()]
        assert sorted(judged) == sorted(
            [(f"{name}_{call}", "yes") for name in fronts for call in range(CALLS)] + [(name, "no") for name in fronts]
        )
        assert len(store.sessions.all()) == len(fronts)
