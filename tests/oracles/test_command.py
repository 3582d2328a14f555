"""The command oracle with real programs, most of them misbehaving. After each test, none of their processes is left."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve

from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour, NodeFacts, Question
from adebug_lsp.model.errors import BadInputError, OracleError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.model.values import Binding, Environment, Value
from adebug_lsp.oracles.external_command import LONGEST_LINE, CommandOracle
from adebug_lsp.oracles.oracle import Opinion, Oracle

Start = Callable[..., CommandOracle]


def question(text: str = "sum2(3) = 2", result: Value | None = None, raised: Value | None = None) -> Question:
    facts = NodeFacts(
        node=1,
        parent=0,
        kind=NodeKind.ROUTINE,
        site=Site("sum2", "mod.sum2", "mod"),
        descendants=0,
        raised=False,
        cost=11,
        first=0,
        last=1,
    )
    before = Environment((Binding("n", Value("3")),))
    after = Environment((Binding("total", Value("[1]")),))
    return Question(facts, Behaviour(text, before, (), after, result, raised))


ANSWERING = """
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps({"id": q["id"], "answer": "yes", "reason": line}), flush=True)
"""


def open_files() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


def running_children() -> list[int]:
    """Processes that we started and have not waited for, zombies among them."""
    if sys.platform != "linux":
        return []
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    return [int(word) for word in children.read_text().split()] if children.exists() else []


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Makes oracles from Python programs, and checks that none of their processes is left."""
    files, threads, children = open_files(), threading.active_count(), running_children()
    made: list[CommandOracle] = []

    def start(program: str, time_limit: float = 10.0) -> CommandOracle:
        file = tmp_path / "program.py"
        file.write_text(program, encoding="utf-8")
        made.append(CommandOracle([sys.executable, str(file)], time_limit, tmp_path))
        return made[-1]

    yield start
    for oracle in made:
        oracle.close()
    assert threading.active_count() == threads
    assert open_files() == files
    assert running_children() == children


def answering(answer: str) -> str:
    """A program that gives one answer to everything; `id` stands for the id of the question."""
    return f"""
import json, sys
for line in sys.stdin:
    id = json.loads(line)["id"]
    print(json.dumps({answer}), flush=True)
"""


def test_the_program_sees_the_whole_question_and_is_started_once(start: Start) -> None:
    oracle: Oracle = start(ANSWERING)
    first = oracle.opinion(question("f('\ud800é') = 2", result=Value("2")))
    second = oracle.opinion(question(raised=Value("ValueError()")))
    assert first is not None
    assert second is not None
    assert json.loads(first.reason) == {
        "type": "question",
        "id": 1,
        "kind": "routine",
        "routine": "mod.sum2",
        "module": "mod",
        "text": "f('\ud800é') = 2",
        "before": {"n": "3"},
        "after": {"total": "[1]"},
        "result": "2",
        "raised": None,
    }
    assert json.loads(second.reason)["id"] == 2
    assert json.loads(second.reason)["raised"] == "ValueError()"


@pytest.mark.parametrize(
    ("answer", "opinion"),
    [
        ('{"id": id, "answer": "yes"}', Opinion(Judgement.YES)),
        (
            '{"id": id, "answer": "no", "reason": "r", "expected": "6"}',
            Opinion(Judgement.NO, "r", expected="6"),
        ),
        (
            '{"id": id, "answer": "no", "mark": {"of": "result", "path": ["a", 0]}, "extra": 1}',
            Opinion(Judgement.NO, mark=Mark(MarkOf.RESULT, ("a", 0))),
        ),
        (
            '{"id": id, "answer": "inadmissible", "mark": {"of": "argument", "path": ["n"]}, "reason": None}',
            Opinion(Judgement.INADMISSIBLE, mark=Mark(MarkOf.ARGUMENT, ("n",))),
        ),
        ('{"id": id, "answer": "unknown"}', None),
        ('{"id": id, "answer": "abstain"}', None),
    ],
)
def test_answers_become_opinions(start: Start, answer: str, opinion: Opinion | None) -> None:
    oracle = start(answering(answer))
    assert oracle.opinion(question()) == opinion
    assert oracle.problems == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ('{"id": id}', "gave the answer None"),
        ('{"id": id, "answer": "maybe"}', "gave the answer 'maybe', which is none of yes, no"),
        ('{"id": id, "answer": ["yes"]}', r"gave the answer \['yes'\]"),
        ('{"id": id, "answer": "no", "expected": 6}', "'expected' is not a text"),
        ('{"id": id, "answer": "no", "mark": {"of": "luck"}}', "'mark' is not a Mark"),
        ('{"id": id, "answer": "no", "mark": 0}', "'mark' is not a Mark"),
    ],
)
def test_an_answer_that_makes_no_sense_is_an_error(start: Start, answer: str, words: str) -> None:
    with pytest.raises(OracleError, match=words):
        start(answering(answer)).opinion(question())


def test_stray_lines_are_skipped_and_reported_once(start: Start) -> None:
    oracle = start("""
import json, sys
print("loading\\n[1]\\n\\n" + "[" * 50_000, flush=True)
sys.stdout.buffer.write(b"\\xff\\xfe\\n")
for line in sys.stdin:
    q = json.loads(line)
    print("thinking")
    print(json.dumps({"id": 99, "answer": "no"}))
    print(json.dumps({"id": True, "answer": "no"}))
    print("\\ufeff" + json.dumps({"id": q["id"], "answer": "yes"}) + "\\r", flush=True)
""")
    assert oracle.opinion(question()) == Opinion(Judgement.YES)
    assert oracle.opinion(question()) == Opinion(Judgement.YES)
    assert len(oracle.problems) == 1
    assert "program.py" in oracle.problems[0]
    assert "loading" in oracle.problems[0]


def test_true_is_not_the_id_one(start: Start) -> None:
    with pytest.raises(OracleError, match="no answer within"):
        start(answering('{"id": True, "answer": "no"}'), 0.5).opinion(question())


ILL_BEHAVED = {
    "hangs": (1, "import time; time.sleep(60)", "gave no answer within 1 s"),
    "exits": (9, "import sys; sys.exit(3)", r"ended without answering \(exit code 3\)"),
    "exits after reading": (9, "import sys; sys.stdin.readline(); sys.exit(0)", r"\(exit code 0\)"),
    "crashes": (9, "raise RuntimeError('no database')", "standard error: RuntimeError: no database"),
    "closes stdout": (9, "import os, time; os.close(1); time.sleep(60)", "closed its standard output"),
    "only stderr": (
        2,
        "import sys, time; print('waiting for x', file=sys.stderr, flush=True); time.sleep(60)",
        "within 2 s; it last wrote to standard error: waiting for x",
    ),
    "floods stderr": (
        2,
        "import sys\nwhile True: sys.stderr.write('e' * 10000)",
        "within 2 s; it last wrote to standard error: eee",
    ),
    "floods stdout": (9, "while True: print('x')", "more than 100 lines that are not answers"),
    "answers others": (1, "while True: print('{\"id\": 0}')", "gave no answer within 1 s"),
    "huge line": (9, "import sys\nwhile True: sys.stdout.write('y' * 100_000)", f"a line of more than {LONGEST_LINE}"),
}


@pytest.mark.parametrize("program", ILL_BEHAVED)
def test_an_ill_behaved_program_is_an_error_and_is_ended(start: Start, program: str) -> None:
    time_limit, source, words = ILL_BEHAVED[program]
    oracle = start(source, time_limit)
    begun = time.monotonic()
    with pytest.raises(OracleError, match=words) as caught:
        oracle.opinion(question())
    assert "program.py" in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert time.monotonic() - begun < 6


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals that can be refused")
def test_a_program_that_refuses_to_end_is_killed(start: Start) -> None:
    oracle = start(
        """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    time.sleep(1)
""",
        1,
    )
    with pytest.raises(OracleError, match="no answer within"):
        oracle.opinion(question())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_program_ended_by_a_signal_says_which(start: Start) -> None:
    with pytest.raises(OracleError, match="ended by signal 9"):
        start("import os; os.kill(os.getpid(), 9)").opinion(question())


def test_a_program_that_does_not_read_cannot_block_us(start: Start) -> None:
    oracle = start("import time; time.sleep(60)", 0.5)
    with pytest.raises(OracleError, match="no answer within"):
        oracle.opinion(question("x" * 10_000_000))


def test_a_long_question_arrives_whole(start: Start) -> None:
    oracle = start(answering('{"id": id, "answer": "no", "reason": str(len(line))}'))
    opinion = oracle.opinion(question("x" * 10_000_000))
    assert opinion is not None
    assert int(opinion.reason) > 10_000_000


def test_after_an_error_the_program_is_started_anew(start: Start, tmp_path: Path) -> None:
    oracle = start(f"""
import json, pathlib, sys
mark = pathlib.Path({str(tmp_path / "been here")!r})
q = json.loads(sys.stdin.readline())
if not mark.exists():
    mark.touch()
    sys.exit("not yet")
print(json.dumps({{"id": q["id"], "answer": "no"}}), flush=True)
sys.stdin.readline()
""")
    with pytest.raises(OracleError, match="not yet"):
        oracle.opinion(question())
    assert oracle.opinion(question()) == Opinion(Judgement.NO)


def test_after_three_errors_it_is_silent(start: Start, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    oracle = start(f"import sys\nwith open({str(starts)!r}, 'a') as f: f.write('x')\nsys.exit(1)")
    for n in range(3):
        with pytest.raises(OracleError) as caught:
            oracle.opinion(question())
        assert ("not asked again" in str(caught.value)) == (n == 2)
    assert oracle.opinion(question()) is None
    assert oracle.opinion(question()) is None
    assert starts.read_text() == "xxx"


def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    for command in (["no-such-program-anywhere"], [str(tmp_path)], ["a\0b"]):
        with CommandOracle(command) as oracle, pytest.raises(OracleError, match="cannot be started: "):
            oracle.opinion(question())


def test_an_empty_command_is_refused() -> None:
    with pytest.raises(BadInputError, match="empty"):
        CommandOracle([])


def test_nothing_passes_through_a_shell(start: Start, tmp_path: Path) -> None:
    echo = tmp_path / "echo.py"
    echo.write_text(answering('{"id": id, "answer": "no", "reason": sys.argv[1]}'))
    with CommandOracle([sys.executable, str(echo), "$HOME; ls | cat"]) as oracle:
        assert oracle.opinion(question()) == Opinion(Judgement.NO, "$HOME; ls | cat")


def test_closing_lets_the_program_end_by_itself(start: Start, tmp_path: Path) -> None:
    """It sees the end of its input and may still tidy up."""
    farewell = tmp_path / "farewell"
    oracle = start(ANSWERING + f"\nopen({str(farewell)!r}, 'w').close()")
    oracle.opinion(question())
    oracle.close()
    assert farewell.exists()
    oracle.close()


def test_it_runs_in_the_folder_it_is_given(start: Start, tmp_path: Path) -> None:
    oracle = start("import os\n" + answering('{"id": id, "answer": "no", "reason": os.getcwd()}'))
    opinion = oracle.opinion(question())
    assert opinion is not None
    assert Path(opinion.reason).samefile(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a program that starts another in the background")
def test_a_child_process_that_keeps_the_streams_open_does_not_block(start: Start) -> None:
    """It may outlive its parent, whose streams it has; we end no process but our own, and wait for none either."""
    oracle = start("import subprocess, time\nsubprocess.Popen(['sleep', '3'])\ntime.sleep(60)", 0.5)
    begun = time.monotonic()
    with pytest.raises(OracleError, match="no answer within"):
        oracle.opinion(question())
    assert time.monotonic() - begun < 2.9
    while threading.active_count() > 1 and time.monotonic() - begun < 6:
        time.sleep(0.05)


def test_the_program_of_the_reference_page_works(start: Start) -> None:
    page = Path(__file__).parents[2].joinpath("docs", "reference", "oracle-command.md").read_text(encoding="utf-8")
    oracle = start(page.split("```python\n")[1].split("```")[0])
    assert oracle.opinion(question()) is None
    for result, judgement, expected in (("7", Judgement.YES, None), ("6", Judgement.NO, "7")):
        asked = question(result=Value(result))
        asked = evolve(asked, facts=evolve(asked.facts, site=Site("total", "shop.total", "shop")))
        before = Environment((Binding("prices", Value("[3, 4]")),))
        opinion = oracle.opinion(evolve(asked, behaviour=evolve(asked.behaviour, before=before)))
        assert opinion == Opinion(judgement, expected=expected)


def test_closing_a_program_that_was_never_asked_starts_nothing(tmp_path: Path) -> None:
    with CommandOracle([sys.executable, "-c", f"open({str(tmp_path / 'x')!r}, 'w')"]):
        pass
    assert not (tmp_path / "x").exists()


def test_the_checks_of_this_file_detect_leftovers(tmp_path: Path) -> None:
    """A leftover process is seen, so that the other tests can fail."""
    if sys.platform != "linux":
        pytest.skip("reads /proc")
    files, children = open_files(), running_children()
    with subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE) as process:
        time.sleep(0.3)
        assert running_children() == [*children, process.pid]
        assert open_files() == files + 1
