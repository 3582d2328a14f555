"""Fractions as pairs in lowest terms, sums of series, and continued fractions."""


def gcd(left, right):
    """The greatest common divisor."""
    if right == 0:
        return left
    return gcd(right, left % right)


def lowest(top, bottom):
    """A fraction in lowest terms, with the sign on top."""
    if bottom < 0:
        return lowest(-top, -bottom)
    common = gcd(abs(top), bottom)
    return top // common, bottom // common


def plus(left, right):
    """The sum."""
    return lowest(left[0] * right[1] + right[0] * left[1], left[1] * right[1])


def minus(left, right):
    """The difference."""
    return plus(left, (-right[0], right[1]))


def times(left, right):
    """The product."""
    return lowest(left[0] * right[0], left[1] * right[1])


def inverse(value):
    """One divided by a fraction."""
    return lowest(value[1], value[0])


def power(value, exponent):
    """A fraction to an exponent, which may be negative."""
    if exponent < 0:
        return inverse(power(value, -exponent))
    if exponent == 0:
        return 1, 1
    if exponent % 2 == 0:
        return power(times(value, value), exponent // 2)
    return times(value, power(value, exponent - 1))


def harmonic(count):
    """The sum of 1/1 to 1/count."""
    if count == 0:
        return 0, 1
    return plus(harmonic(count - 1), (1, count))


def polynomial(coefficients, value):
    """The value of a polynomial, constant first."""
    if not coefficients:
        return 0, 1
    return plus((coefficients[0], 1), times(value, polynomial(coefficients[1:], value)))


def expansion(value):
    """The continued fraction of a value."""
    whole = value[0] // value[1]
    rest = minus(value, (whole, 1))
    if rest[0] == 0:
        return (whole,)
    return (whole, *expansion(inverse(rest)))


INPUTS = [
    ("plus", (1, 6), (3, 10)),
    ("power", (2, 3), -5),
    ("harmonic", 8),
    ("polynomial", (3, -2, 0, 5, 1), (2, 7)),
    ("expansion", (649, 200)),
    ("harmonic", 24),
    ("expansion", (31415926, 10000000)),
    ("polynomial", (1, -1, 2, -3, 5, -8, 13, -21), (-3, 4)),
]
