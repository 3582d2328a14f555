"""The n queens by backtracking: recursion over sets held in tuples and generator expressions."""


def safe(queens, column):
    row = len(queens)
    return all(other not in (column, column - (row - line), column + (row - line)) for line, other in enumerate(queens))


def solutions(size, queens=()):
    if len(queens) == size:
        return 1
    return sum(solutions(size, (*queens, column)) for column in range(size) if safe(queens, column))


def main(size):
    return solutions(size)
