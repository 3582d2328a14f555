"""A tree to a number."""

from fractions import Fraction

from calc.parser import parse


def value(tree, names):
    match tree:
        case ("num", number):
            return Fraction(number)
        case ("name", name):
            return Fraction(names[name])
        case ("+", left, right):
            return value(left, names) + value(right, names)
        case ("-", left, right):
            return value(left, names) - value(right, names)
        case ("*", left, right):
            return value(left, names) * value(right, names)
        case ("/", left, right):
            return value(left, names) / value(right, names)
    raise TypeError(tree)


def calculate(text, **names):
    return str(value(parse(text), names))
