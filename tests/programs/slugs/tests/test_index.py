import pytest

from slugs.index import Index
from slugs.slug import slug, words

TITLES = ["Die Straße nach Süden", "Crème brûlée für alle", "A road south", "Ein Haus am See"]


@pytest.fixture
def index():
    made = Index()
    for title in TITLES:
        made.add(title)
    return made


def test_words_are_split_at_punctuation():
    assert words("one-two, three!") == ["one", "two", "three"]


def test_a_slug_has_no_accents():
    assert slug("Crème brûlée") == "creme-brulee"


def test_a_slug_is_cut():
    assert slug("abc " * 20, longest=11) == "abc-abc-abc"


def test_equal_titles_get_numbers(index):
    assert index.add("A road south") == "a-road-south-2"


def test_accents_do_not_matter(index):
    assert index.find("creme") == ["Crème brûlée für alle"]


def test_all_words_are_needed(index):
    assert index.find("a south") == ["A road south"]
    assert index.find("house south") == []


def test_upper_case_finds_sharp_s(index):
    assert index.find("STRASSE") == ["Die Straße nach Süden"]
