"""Facts that hold for every language, tested through the front ends.

A capability that a language lacks is declared in its descriptor with a reason; the tests then check that it is refused
with a clear message. Nothing is skipped for a gap.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from adebug_lsp.languages.descriptor import CAPABILITIES, LanguageDescriptor
from adebug_lsp.languages.language import Language
from adebug_lsp.languages.registry import DEFAULT_LANGUAGE
from tests.conformance.samples import SAMPLES, Sample, descriptor_of, install_calculator
from tests.frontends.dap.client import Client
from tests.frontends.lsp.editor import PROFILES, editor, text_at, until
from tests.languages.erlang.beam import needs_erlang
from tests.support import ROOT
from tests.warm_start import COMMAND

Line = dict[str, Any]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on the path with the calculator installed in it."""
    folder = install_calculator(tmp_path_factory.mktemp("installed"))
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("calculator", None)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(sample, id=sample.language, marks=needs_erlang if sample.language == "erlang" else ())
        for sample in SAMPLES
    ],
)
def sample(request: pytest.FixtureRequest) -> Sample:
    chosen: Sample = request.param
    return chosen


@pytest.fixture(scope="module")
def descriptor(sample: Sample, installed: Path) -> LanguageDescriptor:
    return descriptor_of(sample.language)


@pytest.fixture(scope="module")
def language(descriptor: LanguageDescriptor) -> Language:
    return descriptor.load()


@pytest.fixture(scope="module")
def recording(sample: Sample, installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of the wrong program, made once."""
    folder = tmp_path_factory.mktemp(f"recorded-{sample.language}")
    (folder / sample.file).write_text(sample.wrong, encoding="utf-8")
    done = adebug("record", *interpreter(sample), "-o", "run.rec", sample.file, cwd=folder, installed=installed)
    assert done.returncode == 0, done.stderr
    return folder / "run.rec"


@pytest.fixture
def workspace(sample: Sample, tmp_path: Path, recording: Path) -> Path:
    """A workspace with the program and a copy of its recording."""
    (tmp_path / sample.file).write_text(sample.wrong, encoding="utf-8")
    shutil.copy(recording, tmp_path)
    return tmp_path


def interpreter(sample: Sample) -> list[str]:
    return ["--python", sys.executable] if sample.language == "python" else []


def environment(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(installed), str(ROOT))), "PYTHONIOENCODING": "utf-8"}


def adebug(*arguments: str, cwd: Path, installed: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd, input=stdin, capture_output=True, text=True, timeout=120, check=False, encoding="utf-8",
        env=environment(installed),
    )  # fmt: skip


class Dialogue:
    """A conversation with `adebug --json` about a recording."""

    def __init__(self, folder: Path, installed: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [*COMMAND, "open", "--json", *options, "run.rec"],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
            env=environment(installed),
        )  # fmt: skip
        self.line = self._next()

    def say(self, word: str, **more: Any) -> Line:
        """Answer; returns the next question, verdict or error."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"answer": word, **more}) + "\n")
        self._process.stdin.flush()
        self.line = self._next()
        return self.line

    def finish(self, sample: Sample) -> list[str]:
        """Answer correctly up to the verdict; returns the questions."""
        asked = []
        while self.line["type"] == "question":
            asked.append(self.line["text"])
            assert len(asked) < 20, asked
            self.say(sample.meant(self.line["text"]))
        return asked

    def until(self, routine: str, sample: Sample) -> Line:
        """Answer up to a question about a routine."""
        while self.line["type"] == "question" and self.line["callable"] != routine:
            self.say(sample.meant(self.line["text"]))
        assert self.line["type"] == "question", self.line
        return self.line

    def close(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait(60)

    def _next(self) -> Line:
        assert self._process.stdout is not None
        while True:
            line: Line = json.loads(self._process.stdout.readline())
            if line["type"] != "progress":
                return line

    def __enter__(self) -> "Dialogue":
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process.poll() is None:
            self.close()


# Asking


def test_a_question_has_everything_that_a_front_end_shows(sample: Sample, workspace: Path, installed: Path) -> None:
    with Dialogue(workspace, installed, "--strategy", "top-down") as dialogue:
        question = dialogue.until(sample.buggy, sample)
        assert question["kind"] == "routine"
        assert question["text"].endswith(" = 9")
        assert list(question["before"].values()) == ["3"]
        assert question["result"] == "9"
        assert question["path"] == sample.file
        assert question["projection"]
        assert question["range"]["start"]["line"] <= sample.line - 1 <= question["range"]["end"]["line"]


def test_answers_lead_to_the_buggy_expression(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    with Dialogue(workspace, installed) as dialogue:
        dialogue.finish(sample)
        verdict = dialogue.line
        assert (verdict["type"], verdict["callable"]) == ("verdict", sample.buggy)
        if "zoom" in descriptor.gaps:
            assert verdict["kind"] == "routine"
        else:
            assert (verdict["kind"], verdict["buggy"][0]["text"]) == ("expression", sample.code)
        assert verdict["buggy"][0]["path"] == sample.file
        assert dialogue.close() == 0


def test_the_same_recording_and_answers_give_the_same_questions(
    sample: Sample, workspace: Path, installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    asked = []
    for number in range(2):
        folder = shutil.copytree(workspace, tmp_path_factory.mktemp("again") / str(number))
        with Dialogue(folder, installed) as dialogue:
            asked.append(dialogue.finish(sample))
    assert asked[0] == asked[1]
    assert asked[0]


def test_undo_repeats_the_question_and_redo_moves_on(sample: Sample, workspace: Path, installed: Path) -> None:
    with Dialogue(workspace, installed, "--strategy", "top-down") as dialogue:
        first = dialogue.line["text"]
        second = dialogue.say("no")["text"]
        assert second != first
        assert dialogue.say("undo")["text"] == first
        assert dialogue.say("redo")["text"] == second


def test_a_stopped_session_resumes_where_it_was(sample: Sample, workspace: Path, installed: Path) -> None:
    with Dialogue(workspace, installed, "--strategy", "top-down") as dialogue:
        second = dialogue.say("no")["text"]
    with Dialogue(workspace, installed) as dialogue:
        assert dialogue.line["text"] == second


def test_the_answers_of_one_session_are_known_in_the_next(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    with Dialogue(workspace, installed) as dialogue:
        assert dialogue.finish(sample)
    with Dialogue(workspace, installed, "--fresh", "--granularity", "routine") as dialogue:
        assert (dialogue.line["type"], dialogue.line["callable"]) == ("verdict", sample.buggy)
        assert dialogue.line["asked"] == 0
    with Dialogue(workspace, installed, "--fresh") as dialogue:
        assert (dialogue.line["type"] == "question") == ("stored-expressions" in descriptor.gaps)


def test_dont_know_never_loses_the_bug(sample: Sample, workspace: Path, installed: Path) -> None:
    with Dialogue(workspace, installed, "--granularity", "routine") as dialogue:
        for _ in range(20):
            if dialogue.line["type"] == "verdict":
                break
            dialogue.say("unknown")
        assert dialogue.line["kind"] == "candidates"
        places = [place["range"]["start"]["line"] for place in dialogue.line["buggy"]]
        assert any(abs(line - (sample.line - 1)) <= 1 for line in places)


def test_an_answer_that_cannot_be_understood_changes_nothing(sample: Sample, workspace: Path, installed: Path) -> None:
    with Dialogue(workspace, installed) as dialogue:
        question = dialogue.line
        error = dialogue.say("perhaps")
        assert (error["type"], error["id"]) == ("error", question["id"])
        assert dialogue.say("why")["text"] == question["text"]


def test_bad_input_blames_the_caller(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    assert "bad-input" not in descriptor.gaps, "the session does this by itself; no language needs the gap"
    with Dialogue(workspace, installed, "--granularity", "routine", "--strategy", "top-down") as dialogue:
        dialogue.until(sample.buggy, sample)
        dialogue.say("inadmissible")
        while dialogue.line["type"] == "question":
            dialogue.say(sample.meant(dialogue.line["text"]))
        assert (dialogue.line["kind"], dialogue.line["callable"]) == ("inadmissible", sample.caller)


def test_a_mark_leads_to_where_the_value_came_from(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path, tmp_path: Path
) -> None:
    if "marks" in descriptor.gaps:
        with Dialogue(workspace, installed, "--strategy", "top-down") as dialogue:
            question = dialogue.say("no", mark={"of": "result", "path": []})
            assert question["type"] == "question", "the answer counts, without the mark"
        return
    (tmp_path / sample.file).write_text(sample.marked, encoding="utf-8")
    assert (
        adebug(
            "record", *interpreter(sample), "-o", "run.rec", sample.file, cwd=tmp_path, installed=installed
        ).returncode
        == 0
    )
    with Dialogue(tmp_path, installed, "--strategy", "subterm-tracking") as dialogue:
        while not dialogue.line["text"].startswith(("pair", "shop:pair")):
            dialogue.say("no")
        following = dialogue.say("no", mark={"of": "result", "path": [1]})
        assert following["callable"] == sample.buggy, "the other element is not asked about"


def test_a_rule_answers_for_the_person(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    with Dialogue(workspace, installed, "--granularity", "routine", "--strategy", "top-down") as dialogue:
        dialogue.until(sample.buggy, sample)
        line = dialogue.say("rule", rule=sample.rule or "result == 6")
        if "rules" in descriptor.gaps:
            assert line["type"] in ("question", "error")
            assert line.get("text", "").startswith("double") or line["type"] == "error", "the question stays open"
        else:
            assert (line["type"], line["callable"]) == ("verdict", sample.buggy)


def test_a_reference_answers_for_the_person(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    (workspace / "fixed").mkdir()
    fixed = workspace / "fixed" / sample.file
    fixed.write_text(sample.fixed, encoding="utf-8")
    reference = str(fixed) if sample.language == "calculator" else "fixed"
    options = ["--reference", reference, "--granularity", "routine"]
    assert "reference" not in descriptor.gaps
    with Dialogue(workspace, installed, *options) as dialogue:
        assert (dialogue.line["type"], dialogue.line.get("callable")) == ("verdict", sample.buggy)
        assert dialogue.line["asked"] == 0


# Running


def test_arguments_are_passed_or_refused(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    done = adebug(
        "record", *interpreter(sample), "-o", "other.rec", sample.file, "3", cwd=workspace, installed=installed
    )
    if "arguments" in descriptor.gaps:
        assert (done.returncode, done.stderr.startswith("adebug: 3: ")) == (2, True), done.stderr
    else:
        assert done.returncode == 0


def test_only_the_default_language_runs_modules(descriptor: LanguageDescriptor) -> None:
    assert ("modules" in descriptor.gaps) == (descriptor.name != DEFAULT_LANGUAGE)


def test_a_failing_test_is_asked_about(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    assert ("tests" in descriptor.gaps) == (descriptor.test_runner is None)
    if "tests" in descriptor.gaps:
        refused = adebug("test", sample.file, cwd=workspace, installed=installed)
        assert refused.returncode == 2, refused.stderr
        assert "Traceback" not in refused.stderr
        return
    name, text = sample.tests
    (workspace / name).write_text(text, encoding="utf-8")
    for project in descriptor.project_files:
        (workspace / project).touch()
    chosen = [] if sample.language == "calculator" else [name]
    done = adebug("test", "--json", *interpreter(sample), *chosen, cwd=workspace, installed=installed)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["type"] for line in lines if line["type"] != "progress"] == ["question"], done.stdout + done.stderr
    assert sample.buggy.removesuffix("/1").rpartition(".")[2] in done.stdout or "total" in done.stdout


def test_the_runner_remembers_failing_tests_or_says_that_it_does_not(
    descriptor: LanguageDescriptor, language: Language, tmp_path: Path
) -> None:
    cache = tmp_path / ".pytest_cache/v/cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text('{"test_shop.py::test_total": true}')
    assert (not language.failing(tmp_path)) == ("failing-tests" in descriptor.gaps)


def test_answers_are_exported_or_refused(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    assert ("test-export" in descriptor.gaps) == (descriptor.test_file is None)
    with Dialogue(workspace, installed, "--strategy", "top-down") as dialogue:
        dialogue.until(sample.caller, sample)
        dialogue.say("no", expected="15")
    done = adebug("answers", "export", cwd=workspace, installed=installed)
    if "test-export" in descriptor.gaps:
        assert done.returncode == 2
        assert "so there is no test to write" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert descriptor.test_file is not None
        assert "15" in (workspace / descriptor.test_file).read_text(encoding="utf-8")


def test_a_truncated_file_does_not_crash(sample: Sample, recording: Path, tmp_path: Path, installed: Path) -> None:
    whole = recording.read_bytes()
    (tmp_path / "cut.rec").write_bytes(whole[: len(whole) // 2])
    done = adebug("open", "cut.rec", cwd=tmp_path, installed=installed)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert "cut.rec" in done.stderr


def test_processes_are_drawn_or_reported_as_absent(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    if "diagram" in descriptor.gaps:
        done = adebug("diagram", "run.rec", cwd=workspace, installed=installed)
        assert done.returncode == 2
        assert "no processes" in done.stderr
        return
    (workspace / sample.file).write_text(sample.uses_processes, encoding="utf-8")
    assert adebug("record", "-o", "two.rec", sample.file, cwd=workspace, installed=installed).returncode == 0
    assert adebug("diagram", "two.rec", cwd=workspace, installed=installed).returncode == 0


def test_costs_are_counted_or_refused_with_the_reason(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    done = adebug("profile", "--json", sample.file, cwd=workspace, installed=installed)
    if "profile" in descriptor.gaps:
        assert done.returncode == 2
        assert descriptor.gaps["profile"] in done.stderr
        return
    assert done.returncode == 0
    assert "double" in json.loads(done.stdout)["centres"]


def test_time_equations_are_shown_or_refused_with_the_reason(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    done = adebug("time-equations", "--json", sample.file, cwd=workspace, installed=installed)
    if "time-equations" in descriptor.gaps:
        assert done.returncode == 2
        assert descriptor.gaps["time-equations"] in done.stderr
        return
    assert done.returncode == 0
    assert "double" in {equation["name"] for equation in json.loads(done.stdout)["equations"]}


def test_what_a_value_depends_on_is_shown(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    done = adebug("slice", "--of", sample.buggy, "run.rec", cwd=workspace, installed=installed)
    if "slices" in descriptor.gaps:
        assert done.returncode == 2
        assert descriptor.gaps["slices"] in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert sample.code in done.stdout


def test_the_doctor_examines_its_tools(descriptor: LanguageDescriptor, tmp_path: Path) -> None:
    probes = descriptor.probes(tmp_path)
    assert (not probes) == ("diagnosis" in descriptor.gaps)
    assert {finding.topic for finding in probes[0]()} == {descriptor.name} if probes else True


# Editors


@pytest.mark.asyncio
async def test_an_editor_sees_its_routines(
    sample: Sample, descriptor: LanguageDescriptor, tmp_path: Path, installed: Path
) -> None:
    assert "outline" not in descriptor.gaps
    lines = sample.wrong.split("\n")
    async with editor(tmp_path, PROFILES[2], installed, ask="lens") as person:
        person.open(sample.file, sample.wrong, language=descriptor.editor_languages[0])
        symbols = await person.symbols(sample.file)
        assert {symbol.name for symbol in symbols} >= (set() if descriptor.has_other_servers else set(sample.pieces))
        assert bool(symbols) != descriptor.has_other_servers
        for symbol in symbols:
            assert symbol.range.start <= symbol.selection_range.start <= symbol.range.end
            assert symbol.range.end.line < len(lines)
        (lens,) = await person.lenses(sample.file)
        assert lens.command is not None
        assert lens.command.title == "Find the bug"
        assert lines[lens.range.start.line].strip()
        last = lines[-2] + "\n"
        person.change(sample.file, last, last + sample.broken, sample.wrong)
        assert await person.titles(sample.file) == ["Find the bug"], "a text with errors keeps its outline"
        assert {symbol.name for symbol in await person.symbols(sample.file)} >= {symbol.name for symbol in symbols}


@pytest.mark.asyncio
async def test_a_language_server_leads_to_the_wrong_expression(
    sample: Sample, descriptor: LanguageDescriptor, tmp_path: Path, installed: Path
) -> None:
    (tmp_path / sample.file).write_text(sample.wrong, encoding="utf-8")
    async with editor(tmp_path, PROFILES[2], installed, ask="lens", strategy="top-down") as person:
        person.open(sample.file, language=descriptor.editor_languages[0])
        line = await person.click(sample.file, "Find the bug")
        asked = []
        while line["type"] == "question":
            asked.append(line["text"])
            assert len(asked) < 20, asked
            shown = [lens for lens in await person.lenses(sample.file) if asked[-1] in str(lens.command)]
            assert [lens.range.start.line for lens in shown] == [line["range"]["start"]["line"]]
            line = await person.command("adebug.answer", sample.meant(line["text"]))
        (error,) = await until(lambda: person.errors(sample.file))
        assert text_at(sample.wrong, error.range) == sample.code
        assert error.range.start.line == sample.line - 1


def test_a_debug_adapter_replays_the_recording(
    sample: Sample, descriptor: LanguageDescriptor, workspace: Path, installed: Path
) -> None:
    with Client(workspace, path=installed) as client:
        client.launch(recording="run.rec", strategy="top-down")
        text = client.question()
        while not text.startswith("Bug found"):
            text = client.answer(sample.meant(text))
        assert sample.buggy in text
        assert client.top()["line"] == sample.line
        source = {"path": str(workspace / sample.file)}
        (point,) = client.do("setBreakpoints", source=source, breakpoints=[{"line": sample.line}])["breakpoints"]
        assert point["verified"]
        _check_conditions(client, sample, descriptor, source)
        client.do("stepBack", threadId=1)
        client.event("stopped")
        assert client.close() == 0


def _check_conditions(client: Client, sample: Sample, descriptor: LanguageDescriptor, source: dict[str, str]) -> None:
    true, runs_code = (text or "x == 3" for text in sample.condition)
    wanted = [{"line": sample.line, "condition": true}, {"line": sample.line, "condition": runs_code}]
    decided, refused = client.do("setBreakpoints", source=source, breakpoints=wanted)["breakpoints"]
    assert decided["verified"] == ("conditions" not in descriptor.gaps), decided
    assert not refused["verified"]
    assert refused["message"]


def test_the_live_debugger_is_declared(descriptor: LanguageDescriptor) -> None:
    assert (descriptor.debugger is None) == ("live-debugger" in descriptor.gaps)


def test_gaps_are_of_the_known_capabilities(descriptor: LanguageDescriptor) -> None:
    assert descriptor.gaps.keys() <= CAPABILITIES.keys()
    with pytest.raises(ValueError, match="unknown capability"):
        evolve(descriptor, gaps={"everything": "never"})


@pytest.mark.asyncio
async def test_a_text_is_checked_while_it_is_edited(
    sample: Sample, descriptor: LanguageDescriptor, language: Language, tmp_path: Path, installed: Path
) -> None:
    assert (language.check(tmp_path / sample.file, sample.wrong) is None) == ("checks" in descriptor.gaps)
    if "checks" in descriptor.gaps:
        return
    async with editor(tmp_path, PROFILES[2], installed) as person:
        person.open(sample.file, sample.broken, language=descriptor.editor_languages[0])
        (error,) = await until(lambda: person.errors(sample.file))
        assert error.range.start < error.range.end
        person.change(sample.file, sample.broken, sample.wrong, sample.broken)
        await until(lambda: not person.errors(sample.file))
