import pytest

from settings.parser import parse
from settings.reader import Settings, load_server

TEXT = """
name = demo
[server]
port = 9000   # not the usual one
debug = on
hosts = alpha, beta,
[paths]
root = /srv
"""


def test_sections_are_found():
    assert Settings(TEXT).sections() == ["paths", "server"]


def test_values_before_the_first_section():
    assert parse(TEXT)[""] == {"name": "demo"}


def test_comments_are_dropped():
    assert parse("# nothing\na = 1 # one")[""] == {"a": "1"}


def test_values_have_the_type_of_the_default():
    assert load_server(TEXT) == {"port": 9000, "debug": True, "hosts": ["alpha", "beta"]}


def test_missing_values_get_the_default():
    assert load_server("") == {"port": 8080, "debug": False, "hosts": []}


def test_a_bad_number_is_reported():
    with pytest.raises(ValueError, match="90x0"):
        load_server("[server]\nport = 90x0\ndebug = off")


def test_text_stays_text():
    assert Settings(TEXT).get("paths", "root", "/") == "/srv"
