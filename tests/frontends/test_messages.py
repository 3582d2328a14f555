"""Every error class has a slug and a section on the page, and front ends show the slug."""

import re
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli import messages_page
from adebug_lsp.model.errors import AdebugError
from tests.frontends.cli.test_commands import adebug
from tests.support import ROOT

CLASSES = messages_page.error_classes()


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / messages_page.PAGE).read_text(encoding="utf-8") == messages_page.page(), "run make docs"


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_class_is_on_the_page_and_says_what_to_do(error: type[AdebugError]) -> None:
    page = (ROOT / messages_page.PAGE).read_text(encoding="utf-8")
    assert f"\n## `{error.slug}`\n" in page
    if error is not AdebugError:
        assert {"slug", "code", "cause", "remedy"} <= set(vars(error)), "it has texts of its own"


def test_no_module_with_slugs_is_missing() -> None:
    """Slugs are found by their text, so that those in a module that the page does not import are found as well."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "adebug_lsp").rglob("*.py"))
    declared = {slug for text in texts for slug in re.findall(r'^    slug(?:: \S+)? = "(.+)"$', text, re.MULTILINE)}
    assert declared == {error.slug for error in CLASSES}


def test_slugs_and_codes_are_unique() -> None:
    assert len({error.slug for error in CLASSES}) == len(CLASSES) == len({error.code for error in CLASSES})


def test_the_terminal_prints_the_slug(tmp_path: Path) -> None:
    done = adebug("open", "nowhere.json", cwd=tmp_path)
    assert done.stderr.endswith(" [missing-file]\n")


def test_json_lines_have_the_slug(tmp_path: Path) -> None:
    done = adebug("open", "--json", "nowhere.json", cwd=tmp_path)
    assert '"slug": "missing-file"' in done.stdout
