import pytest

from calc.evaluate import calculate
from calc.parser import parse
from calc.tokens import tokens


def test_tokens_are_split():
    assert tokens(" 12+ab * (3 ) ") == [12, "+", "ab", "*", "(", 3, ")"]


def test_products_bind_tighter():
    assert parse("1 + 2 * x") == ("+", ("num", 1), ("*", ("num", 2), ("name", "x")))


def test_sums():
    assert calculate("1 + 2 + 3 + 4") == "10"


def test_fractions_are_exact():
    assert calculate("1 / 3 / 2") == "1/6"


def test_names_have_values():
    assert calculate("(a + b) * a", a=3, b=4) == "21"


def test_brackets_must_close():
    with pytest.raises(SyntaxError, match="not closed"):
        parse("(1 + 2")


def test_nothing_may_follow():
    with pytest.raises(SyntaxError, match="unexpected"):
        parse("1 2")


def test_subtraction_goes_from_left_to_right():
    assert calculate("20 - 3 * 2 - 4 - 1") == "9"


def test_division_by_zero():
    with pytest.raises(ZeroDivisionError):
        calculate("1 / (2 - 2)")
