"""The documentation is tested: code blocks run, links resolve, and names exist."""

import keyword
import re
from pathlib import Path

import pytest
from attrs import fields

from adebug_lsp.frontends.dap.live import launch
from adebug_lsp.frontends.dap.protocol import generate
from adebug_lsp.frontends.lsp import commands, settings
from adebug_lsp.languages.python.sandbox import fragment
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.search.strategies import names
from tests.languages.python import recorded
from tests.support import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_the_library_page_runs() -> None:
    text = (ROOT / "docs/reference/library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    exec("\n".join(blocks), {"__name__": "library_page"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]


def test_every_picture_is_shown_somewhere_and_is_small() -> None:
    shown = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    pictures = set((ROOT / "docs/images").iterdir())
    assert shown == pictures
    assert not [picture.name for picture in pictures if picture.stat().st_size > 200_000]


def test_every_strategy_is_described() -> None:
    text = (ROOT / "docs/reference/strategies.md").read_text(encoding="utf-8")
    assert not [name for name in names() if f"| `{name}`" not in text]


@pytest.mark.parametrize("page", ["tree-json", "oracle-command"])
def test_every_kind_is_listed(page: str) -> None:
    text = (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8")
    assert not [kind.label for kind in NodeKind if f"`{kind.label}`" not in text]


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "docs/DEPENDENCIES.md").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    packages = re.findall(r'^    "([a-z]+)>=', project, re.MULTILINE)
    assert len(packages) >= 7
    assert not [package for package in packages if f"| {package} |" not in text]


SCHEMA = generate.load()["definitions"]


def documented(page: str, section: str) -> set[str]:
    """The names in the first column of the first table of a section."""
    text = (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8")
    table = text.partition(f"\n## {section}\n")[2].partition("|---|")[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[1:]]
    return {name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)}


FIELDS = {
    ("json-protocol", "`question`"): {*SCHEMA["Question"]["properties"], "why", "transformations"} - {"type", "node"},
    ("json-protocol", "`verdict`"): {*SCHEMA["Verdict"]["properties"]} - {"type"},
    ("json-protocol", "An answer"): {*SCHEMA["AnswerArguments"]["properties"]} - {"node", "frameId"},
    ("dap", "The launch configuration"): {*launch.fields()},
    ("lsp", "Commands"): {value for value in vars(commands).values() if re.match(r"adebug\.\w+$", str(value))},
    ("lsp", "Settings"): {field.name for field in fields(settings.Settings)},
}
"""Existing names by the page and section that describe them; JSON lines also have a type, DAP requests a node."""


@pytest.mark.parametrize("where", FIELDS, ids=" ".join)
def test_documented_fields_are_those_that_exist(where: tuple[str, str]) -> None:
    assert documented(*where) == FIELDS[where]


def test_fields_that_a_fragment_is_described_with_exist() -> None:
    """The docstring of `Fragment` refers to its fields by name."""
    text = Path(fragment.__file__).read_text(encoding="utf-8")
    names = set(re.findall(r"`([a-z_]+)`", text))
    words = {"routine", "loop", "iteration", "range", "statement", "expression", "ast", "__main__"}
    assert names - words - set(keyword.kwlist) <= {field.name for field in fields(fragment.Fragment)}


RECORDING = (ROOT / "docs/reference/recording.md").read_text(encoding="utf-8")


def test_the_recipe_for_recordings_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a real recording, in which a list is filled by recorded code."""
    program = "def fill(xs):\n    xs.append(1)\n    xs.append(2)\n    return xs\n\n\nfill([])\n"
    recorded.record(tmp_path, program)
    monkeypatch.chdir(tmp_path)
    (recipe,) = re.findall(r"```python\n(.*?)```", RECORDING, re.DOTALL)
    exec(recipe, {"__name__": "recipe"})
    assert "program.fill xs = [1, 2]" in capsys.readouterr().out.splitlines()
