"""Front ends take from descriptors what they know of a language: launch fields, documents, probes, exported tests."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from adebug_lsp.frontends.cli.commands.doctor import report
from adebug_lsp.frontends.dap.live.launch import fields, read_launch
from adebug_lsp.frontends.shared import manifest
from adebug_lsp.frontends.shared.export import exported
from adebug_lsp.languages import registry
from adebug_lsp.languages.builtin import ERLANG, PYTHON
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.languages.diagnosis import Status
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.store.saved_answers import SavedAnswer
from tests.support import ROOT

EXTENSION = ROOT / "editor" / "vscode"
OTHER = LanguageDescriptor(
    name="other",
    code="no_such_package:Other",
    suffixes=(".other",),
    recording_magic=b"other",
    test_runner="otherTests",
    interpreter_field="otherProgram",
    diagnosis="no_such_package:probes",
)


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> LanguageDescriptor:
    """A third language, whose code cannot be imported."""
    languages = {"python": PYTHON, "erlang": ERLANG, "other": OTHER}
    monkeypatch.setattr(registry, "descriptors", lambda: languages)
    return OTHER


# Launch configurations


def test_a_language_adds_fields_to_launch_configurations(other: LanguageDescriptor, tmp_path: Path) -> None:
    assert {"pytest", "python", "eunit", "otherTests", "otherProgram"} <= set(fields())
    config = {"cwd": str(tmp_path), "otherTests": ["one"], "otherProgram": "git"}
    launch = read_launch(config)
    assert (launch.runner, launch.tests, launch.interpreter) == ("otherTests", ("one",), "git")
    with pytest.raises(BadInputError, match="otherTests: must be a string or a list of strings, not 3"):
        read_launch({**config, "otherTests": 3})
    with pytest.raises(BadInputError, match="otherProgram: no-such cannot be run"):
        read_launch({**config, "otherProgram": "no-such"})


# The extension for VS Code


def test_the_extension_is_generated_for_the_languages() -> None:
    text = (ROOT / manifest.MANIFEST).read_text(encoding="utf-8")
    assert manifest.with_languages(text) == text, "run make docs"
    assert manifest.documents() == (ROOT / manifest.DOCUMENTS).read_text(encoding="utf-8"), "run make docs"


def test_the_extension_gets_the_documents_of_another_language() -> None:
    text = (ROOT / manifest.MANIFEST).read_text(encoding="utf-8")
    other = evolve(OTHER, editor_languages=("other",), editor_suffixes=(".other",))
    made = json.loads(manifest.with_languages(text, (PYTHON, other)))
    contributed = made["contributes"]
    assert made["activationEvents"][:3] == ["onLanguage:python", "onLanguage:other", "onDebugResolve:adebug"]
    assert contributed["languages"] == [{"id": "other", "aliases": ["Other"], "extensions": [".other"]}]
    assert contributed["breakpoints"] == [{"language": "python"}, {"language": "other"}]
    assert contributed["debuggers"][0]["languages"] == ["python", "other"]
    in_menus = {entry["when"] for menu in contributed["menus"].values() for entry in menu if "LangId" in entry["when"]}
    assert in_menus
    assert all("editorLangId == python || editorLangId == other" in when for when in in_menus)
    assert "erlang" not in json.dumps([contributed["menus"], contributed["viewsWelcome"]])
    documents = manifest.documents((PYTHON, other))
    assert "LANGUAGES = ['python', 'other'];" in documents
    assert "{ scheme: 'file', language: 'python' },\n  { scheme: 'file', pattern: '**/*.{other}' }," in documents


def test_the_extension_uses_the_generated_documents() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (EXTENSION / "src").glob("*.ts")]
    assert any("documentSelector: DOCUMENTS" in text for text in sources)
    assert any("LANGUAGES.includes(" in text for text in sources)


def test_file_patterns_are_those_of_source_files() -> None:
    assert PYTHON.file_patterns == ("**/*.py", "**/*.pyw")
    assert ERLANG.file_patterns == ("**/*.erl",)


# The doctor


def test_a_language_that_cannot_be_loaded_is_a_finding(
    other: LanguageDescriptor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    findings = report()
    (broken,) = [finding for finding in findings if finding.topic == "other"]
    assert (broken.status, broken.advice) == (Status.BROKEN, "reinstall the package that provides it")
    assert "ModuleNotFoundError: No module named 'no_such_package'" in broken.detail
    assert {"python", "erlang"} <= {finding.topic for finding in findings}


# Exported tests


def saved(text: str, routine: str, language: str) -> SavedAnswer:
    return SavedAnswer(text, Judgement.YES, f"shop.{routine}", "shop", text, language=language)


PYTHON_ANSWERS = [saved("f(1) = 2", "f", "python"), saved("f(2) = 3", "f", "python")]
ERLANG_ANSWER = saved("g(1) = 2", "g/1", "erlang")


def test_answers_become_tests_of_the_language_that_has_most(tmp_path: Path) -> None:
    made = exported([*PYTHON_ANSWERS, ERLANG_ANSWER], tmp_path, None, tmp_path)
    assert (made.file.name, made.count, made.left_out) == ("test_answers.py", 2, 1)
    made = exported([ERLANG_ANSWER], tmp_path, None, tmp_path)
    assert (made.file.name, made.count, made.left_out) == ("answers_tests.erl", 1, 0)


def test_a_file_name_determines_the_language(tmp_path: Path) -> None:
    made = exported([*PYTHON_ANSWERS, ERLANG_ANSWER], tmp_path, "more_tests.erl", tmp_path)
    assert (made.count, made.left_out) == (1, 2)
    assert "?assertEqual(2, shop:g(1))" in made.text


def test_an_answer_of_another_language_is_never_written(tmp_path: Path) -> None:
    """By its text alone, each of these could be a call in Python."""
    foreign = [evolve(answer, language="other") for answer in PYTHON_ANSWERS]
    assert exported(foreign, tmp_path, "test_more.py", tmp_path).count == 0
    assert exported(foreign, tmp_path, None, tmp_path).count == 0
    unknown = [evolve(answer, language="") for answer in PYTHON_ANSWERS]
    assert exported(unknown, tmp_path, None, tmp_path).count == 2
