"""A sheet of formulas: a cell is (name, content); content is a number, a name, or (function, operand, ...)."""

SMALL = (("A1", 4), ("A2", 6), ("A3", ("sum", "A1", "A2")), ("B1", ("mul", "A3", 2)))
INVOICE = (
    ("N1", 3), ("P1", 250), ("T1", ("mul", "N1", "P1")),
    ("N2", 1), ("P2", 1999), ("T2", ("mul", "N2", "P2")),
    ("N3", 12), ("P3", 75), ("T3", ("mul", "N3", "P3")),
    ("NET", ("sum", "T1", "T2", "T3")), ("CUT", ("if", ("over", "NET", 3000), ("per", "NET", 10), 0)),
    ("DUE", ("sub", "NET", "CUT")), ("TAX", ("per", "DUE", 19)), ("ALL", ("sum", "DUE", "TAX")),
    ("BIG", ("max", "T1", "T2", "T3")), ("AVG", ("div", "NET", ("sum", "N1", "N2", "N3"))),
)  # fmt: skip


def content(sheet, name):
    """What a cell holds."""
    if not sheet:
        raise KeyError(name)
    if sheet[0][0] == name:
        return sheet[0][1]
    return content(sheet[1:], name)


def value(sheet, formula):
    """The value of a formula."""
    if isinstance(formula, int):
        return formula
    if isinstance(formula, str):
        return value(sheet, content(sheet, formula))
    if formula[0] == "if":
        return choice(sheet, formula)
    return call(formula[0], values(sheet, formula[1:]))


def values(sheet, formulas):
    """The values of some formulas."""
    if not formulas:
        return ()
    return (value(sheet, formulas[0]), *values(sheet, formulas[1:]))


def choice(sheet, formula):
    """The value of one of two formulas."""
    _, condition, then, otherwise = formula
    if value(sheet, condition) > 0:
        return value(sheet, then)
    return value(sheet, otherwise)


def call(function, operands):
    """The value of a function."""
    if function == "sum":
        return add_up(operands)
    if function == "max":
        return largest(operands)
    left, right = operands
    if function == "mul":
        return left * right
    if function == "sub":
        return left - right
    if function == "div":
        return rounded(left, right)
    if function == "per":
        return rounded(left * right, 100)
    return 1 if left > right else 0


def add_up(numbers):
    """A sum."""
    if not numbers:
        return 0
    return numbers[0] + add_up(numbers[1:])


def largest(numbers):
    """The largest of some numbers."""
    if len(numbers) == 1:
        return numbers[0]
    rest = largest(numbers[1:])
    if numbers[0] > rest:
        return numbers[0]
    return rest


def rounded(top, bottom):
    """A quotient to the nearest whole number."""
    return (2 * top + bottom) // (2 * bottom)


def column(sheet, names):
    """The values of some cells as text."""
    if not names:
        return ""
    return names[0] + "=" + str(value(sheet, names[0])) + ";" + column(sheet, names[1:])


INPUTS = [
    ("value", SMALL, "B1"),
    ("column", SMALL, ("A3", "B1")),
    ("value", INVOICE, "TAX"),
    ("column", INVOICE, ("CUT", "DUE", "ALL", "BIG", "AVG")),
]
