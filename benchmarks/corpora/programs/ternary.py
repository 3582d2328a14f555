"""Logic with three values, -1 (false), 0 (unknown) and 1 (true), and numbers in balanced ternary."""


def negate(value):
    """Not."""
    return -value


def both(left, right):
    """And: the lesser."""
    if left < right:
        return left
    return right


def either(left, right):
    """Or, by De Morgan."""
    return negate(both(negate(left), negate(right)))


def implies(left, right):
    """If left then right."""
    return either(negate(left), right)


def lookup(name, names, values):
    """The value of a variable."""
    if names[0] == name:
        return values[0]
    return lookup(name, names[1:], values[1:])


def evaluate(formula, names, values):
    """The value of a formula: a name, or an operator with formulas."""
    if isinstance(formula, str):
        return lookup(formula, names, values)
    if formula[0] == "not":
        return negate(evaluate(formula[1], names, values))
    left = evaluate(formula[1], names, values)
    right = evaluate(formula[2], names, values)
    if formula[0] == "and":
        return both(left, right)
    if formula[0] == "or":
        return either(left, right)
    return implies(left, right)


def rows(count):
    """All assignments to so many variables."""
    if count == 0:
        return ((),)
    rest = rows(count - 1)
    return tuple((value, *row) for value in (-1, 0, 1) for row in rest)


def table(formula, names):
    """The value of a formula for every assignment."""
    return tuple(evaluate(formula, names, row) for row in rows(len(names)))


def digits(number):
    """Balanced ternary digits, least first."""
    if number == 0:
        return ()
    digit = (number + 1) % 3 - 1
    return (digit, *digits((number - digit) // 3))


def value_of(trits):
    """The number that digits stand for."""
    if not trits:
        return 0
    return trits[0] + 3 * value_of(trits[1:])


def add(left, right, carry):
    """The sum of two numbers by their digits."""
    if not left and not right:
        return (carry,) if carry else ()
    total = (left[0] if left else 0) + (right[0] if right else 0) + carry
    digit = (total + 1) % 3 - 1
    return (digit, *add(left[1:], right[1:], (total - digit) // 3))


def total(numbers):
    """The sum of some numbers, through balanced ternary."""
    if not numbers:
        return ()
    return add(digits(numbers[0]), total(numbers[1:]), 0)


def checked_total(numbers):
    """The sum as digits and as a number."""
    found = total(numbers)
    return found, value_of(found)


INPUTS = [
    ("evaluate", ("or", "p", ("not", "q")), ("p", "q"), (0, 1)),
    ("table", ("if", ("and", "p", "q"), "p"), ("p", "q")),
    ("checked_total", (8, -5)),
    ("checked_total", (100, -37, 64, 5, -121)),
    ("table", ("or", ("and", "a", "b"), ("if", "c", ("not", "a"))), ("a", "b", "c")),
    ("checked_total", (9841, -729, 364, -1093, 88, 243, -5000, 17)),
]
