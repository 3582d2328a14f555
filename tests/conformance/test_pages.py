"""The page of gaps matches the descriptors, and the walk through the calculator quotes its file exactly."""

import re

import pytest

from adebug_lsp.languages.builtin import ERLANG, HASKELL, PYTHON
from adebug_lsp.languages.registry import descriptors
from tests.conformance.gaps_page import PAGE, all_languages, page
from tests.conformance.samples import CALCULATOR, SAMPLES
from tests.support import ROOT

WALK = (ROOT / "docs" / "adding-a-language.md").read_text(encoding="utf-8")
SOURCE = (CALCULATOR / "calculator.py").read_text(encoding="utf-8")
QUOTES = re.findall(r"```python\n(.*?)```", WALK, re.DOTALL)


def test_the_page_of_gaps_is_up_to_date() -> None:
    command = "python -m tests.conformance.gaps_page"
    assert PAGE.read_text(encoding="utf-8") == page(all_languages()), f"{command} writes it anew"


def test_every_language_that_comes_with_adebug_is_in_the_suite() -> None:
    assert [descriptor for descriptor in descriptors().values() if descriptor.code.startswith("adebug_lsp.")] == [
        PYTHON,
        ERLANG,
        HASKELL,
    ]
    assert {language.name for language in all_languages()} == {language.language for language in SAMPLES}


def test_the_calculator_stays_small() -> None:
    assert len(SOURCE.split("\n")) - 1 <= 300


@pytest.mark.parametrize("quote", QUOTES, ids=lambda text: text.split("\n")[0][:40])
def test_the_walk_quotes_the_calculator(quote: str) -> None:
    """Three dots stand for lines that are left out."""
    position = 0
    for piece in quote.split("    ...\n"):
        assert piece in SOURCE[position:], f"calculator.py does not have:\n{piece}"
        position = SOURCE.index(piece, position) + len(piece)


def test_the_walk_shows_every_part() -> None:
    parts = re.findall(r"^# (\d)\. ", SOURCE, re.MULTILINE)
    assert parts == ["1", "2", "3", "4", "5"]
    assert [number for number in parts if f"Part {number}" not in WALK] == []
    assert len(QUOTES) >= len(parts)
    assert all((ROOT / path).exists() for path in re.findall(r"`((?:adebug_lsp|tests|examples|docs)/[\w./]+)`", WALK))


def test_the_walk_names_the_entry_point_of_the_example() -> None:
    (quote,) = re.findall(r"```toml\n(.*?)```", WALK, re.DOTALL)
    assert quote in (CALCULATOR / "pyproject.toml").read_text(encoding="utf-8")
