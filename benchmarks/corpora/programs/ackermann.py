"""Ackermann's function, and the slow arithmetic that it is made of."""


def successor(number):
    """One more."""
    return number + 1


def plus(left, right):
    """Addition by counting."""
    if right == 0:
        return left
    return successor(plus(left, right - 1))


def times(left, right):
    """Multiplication by adding."""
    if right == 0:
        return 0
    return plus(times(left, right - 1), left)


def power(base, exponent):
    """Exponentiation by multiplying."""
    if exponent == 0:
        return 1
    return times(power(base, exponent - 1), base)


def ackermann(first, second):
    """The function by its three cases."""
    if first == 0:
        return successor(second)
    if second == 0:
        return ackermann(first - 1, 1)
    return ackermann(first - 1, ackermann(first, second - 1))


INPUTS = [
    ("ackermann", 1, 2),
    ("power", 2, 3),
    ("ackermann", 2, 3),
    ("times", 6, 7),
    ("power", 3, 4),
    ("ackermann", 2, 9),
    ("ackermann", 3, 3),
]
