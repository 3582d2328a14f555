"""What the documentation says is run: code blocks, links, and names."""

import re
from pathlib import Path

import pytest

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.search.registry import names
from tests.support import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


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
