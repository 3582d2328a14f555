"""Programs, files and settings that are wrong get a clear message, and never a traceback of adebug itself."""

import os
import struct
import zlib
from pathlib import Path
from textwrap import dedent

import pytest

from adebug_lsp.languages.python.language import OpenedPython
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.languages.python.reading.run import read_run
from adebug_lsp.model.errors import BadInputError
from tests.frontends.cli.test_commands import adebug

PROGRAM = """
    def price(item, count):
        return item * count + 1

    def bill(items):
        return sum(price(*item) for item in items)

    print(bill([(3, 2), (5, 1)]))
    """
HEADER = struct.Struct("<8sI")
SEGMENT = struct.Struct("<4sIQQ")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A whole recording."""
    folder = tmp_path_factory.mktemp("recording")
    (folder / "shop.py").write_text(dedent(PROGRAM), encoding="utf-8")
    assert adebug("record", "-o", "run.rec", "shop.py", cwd=folder).returncode == 0
    return (folder / "run.rec").read_bytes()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(dedent(PROGRAM), encoding="utf-8")
    return tmp_path


def said(*arguments: str, cwd: Path, code: int = 2, stdin: str = "") -> str:
    """The message that adebug prints for bad input."""
    shown = adebug(*arguments, cwd=cwd, stdin=stdin)
    assert shown.returncode == code, shown.stderr
    assert "adebug_lsp" not in shown.stdout + shown.stderr
    return shown.stdout + shown.stderr


# Programs


def test_a_syntax_error_is_reported_as_by_python(workspace: Path) -> None:
    (workspace / "broken.py").write_text("x = 1\ndef f(:\n    pass\n", encoding="utf-8")
    text = said("run", "broken.py", cwd=workspace)
    assert 'broken.py", line 2' in text
    assert "SyntaxError: invalid syntax" in text
    assert "the program raised SyntaxError" in text
    assert text.endswith("the program did not run: fix its syntax error first [bad-input]\n")
    assert "Traceback" not in text


def test_a_file_that_does_not_exist(workspace: Path) -> None:
    assert said("run", "no.py", cwd=workspace) == "adebug: no.py: there is no such file [missing-file]\n"


def test_a_folder_in_place_of_a_program(workspace: Path) -> None:
    assert said("run", ".", cwd=workspace) == "adebug: .: is not a file [missing-file]\n"


def test_a_module_that_does_not_exist(workspace: Path) -> None:
    text = said("run", "-m", "no_such_module", cwd=workspace)
    assert "No module named no_such_module" in text
    assert "no code of the program was recorded" in text


def test_a_program_outside_of_the_workspace(workspace: Path) -> None:
    (workspace / "inner").mkdir()
    text = said("run", "--workspace", "inner", "shop.py", cwd=workspace)
    assert "no code of the program was recorded: is it in the workspace?" in text
    assert "13\n" in text


@pytest.mark.parametrize("closing", ["sys.stdin.close()", "os.close(0)"])
def test_a_program_that_closes_its_input(workspace: Path, closing: str) -> None:
    text = f"import os\nimport sys\n\ndef f(x):\n    return x\n\n{closing}\nf(1)\n"
    (workspace / "closes.py").write_text(text, encoding="utf-8")
    shown = said("run", "closes.py", cwd=workspace, code=0, stdin="no\n" * 5)
    assert "f(1) = 1" in shown
    assert "Bug found" in shown


def test_fifty_megabytes_of_output_pass_through(workspace: Path) -> None:
    text = """
        import sys

        def write(block, times):
            for _ in range(times):
                sys.stdout.write(block)

        write("x" * 1_048_575 + "\\n", 200)
        """
    (workspace / "loud.py").write_text(dedent(text), encoding="utf-8")
    shown = adebug("record", "-o", "run.rec", "loud.py", cwd=workspace)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("\n") == 201
    assert len(shown.stdout) > 200 * 1_048_576
    assert (workspace / "run.rec").stat().st_size < 1_000_000


# Interpreters and settings


def test_an_interpreter_that_does_not_exist(workspace: Path) -> None:
    text = said("run", "--python", "/no/such/python", "shop.py", cwd=workspace)
    assert text == f"adebug: --python {Path('/no/such/python')}: not found [bad-input]\n"


@pytest.mark.skipif(os.name != "posix", reason="a script is no program on Windows")
def test_an_interpreter_in_this_folder_is_not_looked_for_elsewhere(workspace: Path) -> None:
    (workspace / "python").write_text("#!/bin/sh\necho 3 8\n", encoding="utf-8")
    (workspace / "python").chmod(0o755)
    text = said("run", "--python", "./python", "shop.py", cwd=workspace)
    assert text.startswith(f"adebug: --python {workspace / 'python'}: is Python 3.8")
    assert "Python 3.8" not in adebug("run", "--python", "python3", "shop.py", cwd=workspace).stderr


@pytest.mark.skipif(os.name != "posix", reason="a script is no program on Windows")
@pytest.mark.parametrize("script", ["exit 0", "exit 3", "echo 3 8"])
def test_a_file_that_is_not_an_interpreter(workspace: Path, script: str) -> None:
    (workspace / "python").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (workspace / "python").chmod(0o755)
    text = said("run", "--python", str(workspace / "python"), "shop.py", cwd=workspace)
    old = "is Python 3.8; adebug needs 3.10 or later"
    expected = old if "3 8" in script else "not a Python interpreter"
    assert text.startswith(f"adebug: --python {workspace / 'python'}: ")
    assert expected in text
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[tool.adebug]\nnonsense = 3\n", "[tool.adebug] has no setting 'nonsense'; it has include, exclude, trust"),
        ("[tool.adebug]\ninclude = 3\n", "[tool.adebug] include must be a list of strings"),
        ("[tool.adebug]\ndetailed = -1\n", "[tool.adebug] detailed must be a non-negative integer"),
        ("[tool.adebug]\ndetailed = true\n", "[tool.adebug] detailed must be a non-negative integer"),
        ("[tool.adebug]\ntrust = [1]\n", "[tool.adebug] trust must be a list of strings"),
        ("[tool]\nadebug = 3\n", "adebug must be a table"),
        ("tool = 3\n", "tool must be a table"),
        ("[tool.adebug\n", "cannot be read: "),
    ],
)
def test_wrong_settings(workspace: Path, settings: str, message: str) -> None:
    (workspace / "pyproject.toml").write_text(settings, encoding="utf-8")
    text = said("run", "shop.py", cwd=workspace)
    assert text.startswith("adebug: ")
    assert f"pyproject.toml: {message}" in text
    assert text.count("\n") == 1


# Recordings


def opened(folder: Path, data: bytes, code: int = 2) -> str:
    (folder / "some.rec").write_bytes(data)
    return said("open", "some.rec", cwd=folder, code=code)


def test_a_recording_that_is_cut_in_half(tmp_path: Path, recording: bytes) -> None:
    text = opened(tmp_path, recording[: len(recording) // 2])
    assert "it is cut short" in text
    assert f"of {len(recording) // 2}" in text
    assert "workspace" not in text


def test_a_recording_without_its_end_can_be_asked_about(tmp_path: Path, recording: bytes) -> None:
    text = opened(tmp_path, recording[:-1], code=1)
    assert "it is cut short" in text
    assert text.count("some.rec: ") == 1
    assert "bill([(3, 2), (5, 1)])" in text


def test_a_recording_of_another_version(tmp_path: Path, recording: bytes) -> None:
    magic, version = HEADER.unpack_from(recording)
    text = opened(tmp_path, HEADER.pack(magic, 99) + recording[HEADER.size :])
    message = f"the recording was written as version 99; this adebug reads version {version}"
    assert f"some.rec: {message} [bad-input]\n" in text


@pytest.mark.parametrize("forged", [10**12, 1 << 24, 3, -5, "x", 64.5, None])
def test_a_forged_number_of_a_marker(tmp_path: Path, recording: bytes, forged: object) -> None:
    (tmp_path / "some.rec").write_bytes(recording)
    opened = open_recording(tmp_path / "some.rec")
    opened.modules[0]["first"] = forged
    with pytest.raises(BadInputError, match=r"some\.rec: the recording contradicts itself"):
        read_run(opened)


@pytest.mark.parametrize("forged", [5, "x", {"a": 1}, []])
def test_a_forged_word_of_pytest(tmp_path: Path, recording: bytes, forged: object) -> None:
    (tmp_path / "some.rec").write_bytes(recording)
    opened = open_recording(tmp_path / "some.rec")
    assert opened.ending is not None
    opened.ending["pytest"] = forged
    assert [entry.name for entry in OpenedPython(read_run(opened)).entries] == [""]


@pytest.mark.parametrize("forged", [2**63, 10**9])
def test_a_forged_length(tmp_path: Path, recording: bytes, forged: int) -> None:
    tag, _checksum, raw, stored = SEGMENT.unpack_from(recording, HEADER.size)
    data = recording[HEADER.size + SEGMENT.size :][:stored]
    for lengths in ((raw, forged), (forged, stored)):
        head = struct.pack("<4sQQ", tag, *lengths)
        checksum = zlib.crc32(data, zlib.crc32(head))
        segment = SEGMENT.pack(tag, checksum, *lengths) + data
        text = opened(tmp_path, recording[: HEADER.size] + segment)
        assert "the recording holds nothing" in text


def test_a_damaged_byte(tmp_path: Path, recording: bytes) -> None:
    middle = len(recording) // 2
    text = opened(tmp_path, recording[:middle] + bytes([recording[middle] ^ 255]) + recording[middle + 1 :])
    assert "the checksum differs" in text


@pytest.mark.parametrize("data", [b"", bytes(range(256)) * 20, b"ADEBUGRC\1\0\0"])
def test_a_file_that_is_no_recording(tmp_path: Path, data: bytes) -> None:
    text = opened(tmp_path, data)
    assert text.startswith(("adebug: some.rec: ", "adebug: some.rec:1:1: "))
    assert text.count("\n") == 1


def test_a_recording_that_does_not_exist(tmp_path: Path) -> None:
    assert "no.rec" in said("open", "no.rec", cwd=tmp_path)
