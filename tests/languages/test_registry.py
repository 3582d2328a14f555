"""Languages are chosen by their descriptors; the code of one is imported only when it is used."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adebug_lsp.languages import registry
from adebug_lsp.languages.builtin import ERLANG, PYTHON
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.languages.erlang.reading import recording_file as erlang_file
from adebug_lsp.languages.python.reading import recording_file as python_file
from adebug_lsp.model.errors import BadInputError, UnknownNameError
from tests.languages.erlang.beam import needs_erlang
from tests.support import ROOT

LISTED = """
import json, sys
from adebug_lsp.frontends.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("\\n" + json.dumps([name for name in sys.modules if name.startswith("adebug_lsp.languages.")]))
"""
WRONG_PYTHON = "def double(x):\n    return x * x\n\n\nprint(double(3) + double(2))\n"
WRONG_ERLANG = "-module(twice).\n-export([main/0]).\ndouble(X) -> X * X.\nmain() -> double(3) + double(2).\n"


def imported(*arguments: str, cwd: Path) -> set[str]:
    """The folders of languages that a run of `adebug` imported something of."""
    done = subprocess.run(
        [sys.executable, "-c", LISTED, *arguments],
        cwd=cwd, capture_output=True, text=True, timeout=120, check=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    names = json.loads(done.stdout.splitlines()[-1])
    folders = {path.name for path in (ROOT / "adebug_lsp/languages").iterdir() if path.is_dir()}
    return {name.split(".")[2] for name in names} & folders


def test_the_version_needs_no_language(tmp_path: Path) -> None:
    assert imported("--version", cwd=tmp_path) == set()


@pytest.mark.parametrize("answers", ["", "no\nno\n"], ids=["nobody answers", "answers"])
def test_a_python_run_imports_nothing_of_another_language(tmp_path: Path, answers: str) -> None:
    (tmp_path / "twice.py").write_text(WRONG_PYTHON, encoding="utf-8")
    (tmp_path / "said").write_text(answers, encoding="utf-8")
    chosen = ["--answers", "said"] if answers else []
    assert imported("run", *chosen, "--python", sys.executable, "twice.py", cwd=tmp_path) == {"python"}
    (recording,) = (tmp_path / ".adebug/recordings").glob("*.adebug")
    assert imported("open", str(recording), cwd=tmp_path) == {"python"}


@needs_erlang
@pytest.mark.parametrize("answers", ["", "no\nno\n"], ids=["nobody answers", "answers"])
def test_an_erlang_run_imports_nothing_of_another_language(tmp_path: Path, answers: str) -> None:
    (tmp_path / "twice.erl").write_text(WRONG_ERLANG, encoding="utf-8")
    (tmp_path / "said").write_text(answers, encoding="utf-8")
    chosen = ["--answers", "said"] if answers else []
    assert imported("run", *chosen, "twice.erl", cwd=tmp_path) == {"erlang"}
    (recording,) = (tmp_path / ".adebug/recordings").glob("*.adebug")
    assert imported("open", str(recording), cwd=tmp_path) == {"erlang"}


def test_a_hand_made_tree_needs_no_language(tmp_path: Path) -> None:
    assert imported("open", str(ROOT / "examples/sort.json"), cwd=tmp_path) == set()


def test_descriptors_know_the_first_bytes_of_recordings() -> None:
    assert PYTHON.recording_magic == python_file.FRAME.magic
    assert ERLANG.recording_magic == erlang_file.FRAME.magic


def test_the_default_language_comes_first() -> None:
    assert next(iter(registry.descriptors())) == registry.DEFAULT_LANGUAGE
    assert [language.name for language in registry.languages()] == list(registry.descriptors())


def test_every_language_has_the_name_of_its_descriptor() -> None:
    for name, descriptor in registry.descriptors().items():
        assert descriptor.name == name == descriptor.load().name


def test_files_of_an_unknown_language_are_refused_with_a_list(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"a\.cobol: no language .* \.beam, \.erl, \.hs, \.ipynb, \.py, \.pyw"):
        registry.language_of(Path("a.cobol"))
    with pytest.raises(UnknownNameError, match="'cobol'; there is erlang, haskell, python"):
        registry.language("cobol")
    (tmp_path / "x").write_bytes(b"something else")
    assert registry.language_of_recording(tmp_path / "x") is None
    assert registry.language_of_recording(tmp_path / "nothing") is None


def test_an_entry_point_that_is_no_descriptor_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    information = tmp_path / "wrong-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[{registry.GROUP}]\nwrong = json:loads\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadInputError, match=r"language wrong: its entry point is .*, not a LanguageDescriptor"):
        registry.descriptors.__wrapped__()


@pytest.mark.parametrize(
    ("gaps", "message"), [({"telepathy": "no"}, "unknown capability 'telepathy'"), ({"marks": " "}, "has no reason")]
)
def test_a_gap_is_a_known_capability_with_a_reason(gaps: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LanguageDescriptor(name="x", code="x:X", suffixes=(".x",), recording_magic=b"x", gaps=gaps)
