"""The n queens with loops: most of the run are iterations, and a call for every square that is tried."""

SIZE = 10


def free(queens, column):
    row = len(queens)
    for line, other in enumerate(queens):  # noqa: SIM110 - its iterations are recorded
        if other in (column, column - (row - line), column + (row - line)):
            return False
    return True


def solutions(queens):
    if len(queens) == SIZE:
        return 1
    total = 0
    for column in range(SIZE):
        if free(queens, column):
            total += solutions((*queens, column))
    return total


def main(boards):
    total = 0
    for _ in range(boards):
        total += solutions(())
    return total
