"""Queens on a board, none of which attacks another."""


def attacks(row, other, distance):
    """Whether two queens, some columns apart, attack each other."""
    return row == other or abs(row - other) == distance


def safe(row, placed, distance):
    """Whether a queen can stand in a row beside those already placed, nearest first."""
    if not placed:
        return True
    if attacks(row, placed[0], distance):
        return False
    return safe(row, placed[1:], distance + 1)


def place(size, placed, row):
    """The first full board that extends these columns with a queen in this row or below; () if none."""
    if row == size:
        return ()
    if safe(row, placed, 1):
        found = solve(size, (row, *placed))
        if found:
            return found
    return place(size, placed, row + 1)


def solve(size, placed):
    """The first full board that extends these columns."""
    if len(placed) == size:
        return placed
    return place(size, placed, 0)


def count(size, placed, row):
    """How many full boards extend these columns with a queen in this row or below."""
    if len(placed) == size:
        return 1
    if row == size:
        return 0
    later = count(size, placed, row + 1)
    if safe(row, placed, 1):
        return count(size, (row, *placed), 0) + later
    return later


def line(size, row):
    """One line of the board."""
    if size == 0:
        return ""
    return ("Q" if row == 0 else ".") + line(size - 1, row - 1)


def board(size):
    """The first solution as text."""
    return "/".join(line(size, row) for row in solve(size, ()))


INPUTS = [
    ("board", 4),
    ("count", 4, (), 0),
    ("count", 5, (), 0),
    ("board", 6),
    ("count", 6, (), 0),
]
