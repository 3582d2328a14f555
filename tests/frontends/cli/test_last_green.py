"""A reference found in git: the newest revision where the failing test passes."""

import json
import subprocess
from pathlib import Path

import pytest

from adebug_lsp.frontends.shared.last_green import newest
from tests.frontends.cli.test_commands import adebug

VERSIONS = [
    ("x * 2", "x"),
    ("x * 2", "2 * x"),
    ("x * 3", "2 * x"),
    ("x * 3", "x + x"),
    ("x * 3", "x + x + 0"),
]
"""What two functions return in each commit; the third one brings the bug."""
PROGRAM = "def f(x):\n    return {}\n\n\ndef g(x):\n    return {}\n"
TEST = "from lib import f, g\n\n\ndef test_it():\n    g(1)\n    assert f(2) == 4\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    for number, returned in enumerate(VERSIONS):
        (tmp_path / "lib.py").write_text(PROGRAM.format(*returned), encoding="utf-8")
        subprocess.run([*git, "add", "lib.py"], check=True)
        subprocess.run([*git, "commit", "-qm", f"version {number}"], check=True)
        subprocess.run([*git, "tag", f"v{number}"], check=True)
    (tmp_path / "test_it.py").write_text(TEST, encoding="utf-8")  # it is newer than all of them
    return tmp_path


def buggy(repository: Path, *options: str) -> tuple[list[str], str]:
    done = adebug("test", "--json", *options, cwd=repository)
    last = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
    return [place["text"] for place in last.get("buggy", ())], done.stdout + done.stderr


def test_the_newest_revision_where_the_test_passes_is_the_reference(repository: Path) -> None:
    verdict, _output = buggy(repository, "--last-green")
    assert verdict == ["x * 3"]
    revision = subprocess.run(
        ["git", "-C", str(repository), "rev-parse", "v1"], capture_output=True, text=True, check=True
    ).stdout[:12]
    text = adebug("test", "--last-green", "--fresh", cwd=repository).stdout
    assert f"the test passes in {revision}, which is the reference" in text


def test_a_revision_is_named_in_short(repository: Path) -> None:
    assert buggy(repository, "--since", "v0")[0] == ["x * 3"]


def test_the_search_ends_at_the_named_revision(repository: Path) -> None:
    verdict, output = buggy(repository, "--last-green", "--since", "v2")
    assert not verdict
    assert "the test passes in no revision since v2 that was tried" in output


def test_one_reference_is_named(repository: Path) -> None:
    assert "name one reference" in buggy(repository, "--since", "v0", "--reference", "git:v1")[1]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 33])
def test_the_first_green_revision_is_found_in_few_runs(count: int) -> None:
    for first in range(count):
        tried: list[int] = []

        def is_green(index: int, tried: list[int] = tried, first: int = first) -> bool:
            tried.append(index)
            return index >= first

        assert newest(count, is_green) == first
        assert len(tried) <= 2 * count.bit_length() + 2
    assert newest(count, lambda _index: False) is None
