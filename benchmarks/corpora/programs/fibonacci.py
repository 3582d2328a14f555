"""Numbers that add up the two before them, in several ways, and sums written with them."""


def fib(number):
    """By the definition: 0, 1, 1, 2, 3, 5, ..."""
    if number == 0:
        return 0
    if number == 1:
        return 1
    return fib(number - 1) + fib(number - 2)


def pair(number):
    """The number at a place and the next one, by doubling."""
    if number == 0:
        return 0, 1
    here, after = pair(number // 2)
    even = here * (2 * after - here)
    odd = here * here + after * after
    if number % 2 == 0:
        return even, odd
    return odd, even + odd


def largest(limit, place):
    """The place of the largest number that is not above a limit."""
    if fib(place + 1) > limit:
        return place
    return largest(limit, place + 1)


def as_sum(number):
    """A number as a sum of numbers of the sequence that are no neighbours."""
    if number == 0:
        return ()
    part = fib(largest(number, 2))
    return (part, *as_sum(number - part))


def agree(number):
    """Whether both ways give the same up to a place."""
    if number < 0:
        return True
    return fib(number) == pair(number)[0] and agree(number - 1)


INPUTS = [
    ("fib", 5),
    ("as_sum", 12),
    ("agree", 7),
    ("fib", 12),
    ("as_sum", 100),
    ("fib", 16),
]
