"""The Dutch flag: colours in order by swaps, and sums of digits in the same style of small steps."""


def rank(colour):
    """Where a colour belongs."""
    if colour == "r":
        return 0
    if colour == "w":
        return 1
    return 2


def swap(row, first, second):
    """The row with two places exchanged."""
    low, high = min(first, second), max(first, second)
    if low == high:
        return row
    return row[:low] + row[high] + row[low + 1 : high] + row[low] + row[high + 1 :]


def arrange(row, low, here, high):
    """The row in order; before low all is red, from high on all is blue."""
    if here >= high:
        return row
    place = rank(row[here])
    if place == 0:
        return arrange(swap(row, low, here), low + 1, here + 1, high)
    if place == 1:
        return arrange(row, low, here + 1, high)
    return arrange(swap(row, here, high - 1), low, here, high - 1)


def flag(row):
    """The colours in the order of the flag."""
    return arrange(row, 0, 0, len(row))


def count(row, colour):
    """How often a colour occurs."""
    if not row:
        return 0
    if row[0] == colour:
        return 1 + count(row[1:], colour)
    return count(row[1:], colour)


def digit_sum(number):
    """The sum of the digits."""
    if number < 10:
        return number
    return number % 10 + digit_sum(number // 10)


def root(number):
    """The sum of the digits until it is one digit."""
    if number < 10:
        return number
    return root(digit_sum(number))


def emblem(row):
    """The flag and the digit that stands for its colours."""
    ordered = flag(row)
    return ordered, root(100 * count(ordered, "r") + 10 * count(ordered, "w") + count(ordered, "b"))


INPUTS = [
    ("flag", "bwr"),
    ("root", 987654),
    ("emblem", "wbrrbwwb"),
    ("emblem", "brwbwrrbbwrwbrwwrb"),
    ("emblem", "wbbrwbwwrrbrbbwwrbrrbbwrrbbwwwbwrrbrwwrrbbrbwrrw"),
]
