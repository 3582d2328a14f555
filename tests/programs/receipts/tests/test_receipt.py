import pytest

from layout import WIDTH, line
from money import to_cents, to_text
from receipt import Receipt, change


@pytest.mark.parametrize(("text", "cents"), [("0.99", 99), ("12.50", 1250), ("3", 300), ("-1.25", -125)])
def test_text_to_cents(text, cents):
    assert to_cents(text) == cents


def test_cents_to_text():
    assert to_text(1250) == "12.50"


def test_negative_amounts():
    assert to_text(-125) == "-1.25"


def test_lines_are_filled():
    assert len(line("tea", "1.00")) == WIDTH


def test_the_total():
    receipt = Receipt()
    receipt.add("tea", "1.20", 3)
    receipt.add("cake", "2.75")
    assert receipt.total() == 635


def test_change_is_given():
    receipt = Receipt()
    receipt.add("soup", "4.30")
    assert change(receipt, "10") == "5.70"


def test_small_cents_have_two_digits():
    receipt = Receipt()
    receipt.add("roll", "0.95")
    assert change(receipt, "1") == "0.05"


def test_the_whole_receipt():
    receipt = Receipt()
    receipt.add("tea", "1.20", 2)
    receipt.add("roll", "0.67")
    assert list(receipt.lines()) == [
        "2 tea...............2.40",
        "roll................0.67",
        "========================",
        "total...............3.07",
    ]
