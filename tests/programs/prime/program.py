"""Is a number prime? It is if nothing from 2 up to its inflection point divides it."""

import math


def inflection_point(x):
    """The point with a partner below it for every divisor of x above it."""
    return math.sqrt(x)


def is_divisible(x, y):
    return x % y == 0


def is_prime(number):
    if number <= 1:
        return False
    lim = inflection_point(number)
    i = 2
    while i < lim:
        if is_divisible(number, i):
            return False
        i += 1
    return True


def main():
    print(is_prime(9))


if __name__ == "__main__":
    main()
