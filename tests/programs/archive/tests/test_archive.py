from archive.dates import day_number, days_between
from archive.documents import Archive
from archive.search import first_at_least

ENTRIES = [
    ("1911-02-14", "letter"),
    ("1911-02-20", "reply"),
    ("1911-03-05", "map"),
    ("1911-03-28", "photo"),
    ("1911-06-01", "diary"),
    ("1911-09-17", "ticket"),
    ("1912-01-02", "card"),
    ("1912-01-29", "bill"),
]


def test_day_numbers_grow_by_one():
    assert days_between("1911-02-30", "1911-03-01") == 1


def test_a_year_has_360_days():
    assert day_number("1912-01-01") - day_number("1911-01-01") == 360


def test_nothing_in_an_empty_list():
    assert first_at_least([], 5) == 0


def test_everything_is_at_least_the_first():
    assert first_at_least([3, 6, 9], 1) == 0


def test_nothing_before_the_archive_begins():
    assert Archive(ENTRIES).between("1900-01-01", "1910-12-30") == []


def test_the_whole_archive():
    assert len(Archive(ENTRIES).between("1900-01-01", "1999-01-01")) == len(ENTRIES)


def test_documents_of_a_span():
    assert Archive(ENTRIES).between("1911-02-20", "1911-06-30") == ["reply", "map", "photo", "diary"]


def test_entries_are_sorted():
    assert [title for _, title in Archive(reversed(ENTRIES)).entries][:2] == ["letter", "reply"]
