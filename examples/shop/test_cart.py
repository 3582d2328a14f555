"""What a cart should cost: `adebug test` in this folder, or `pytest --adebug`."""

from cart import total


def test_one_lamp():
    """Nothing is taken off a small cart."""
    assert total([("lamp", 1)]) == 30


def test_from_a_hundred_on():
    """A tenth is taken off a cart of a hundred."""
    assert total([("lamp", 2), ("chair", 1)]) == 90
