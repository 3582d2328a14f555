# adebug run; answers: no yes no yes
"""A pool of processes squares numbers; the sum leaves out the first."""

import multiprocessing


def square(x: int) -> int:
    return x * x


def squares(numbers: list[int]) -> list[int]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.map(square, numbers)


def sum_of_squares(numbers: list[int]) -> int:
    return sum(squares(numbers)[1:])


if __name__ == "__main__":
    assert sum_of_squares([1, 2, 3]) == 14
