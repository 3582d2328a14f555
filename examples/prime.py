"""Is a number prime? It is if no number from 2 up to its inflection point divides it.

The example of *Algorithmic Debugging Generalized* (Insa and Silva 2018). It says that 9 is prime: why?
"""

import math


def inflection_point(x):
    """The point with a partner below it for every divisor of x above it."""
    return math.sqrt(x)


def is_divisible(x, y):
    """Whether y divides x."""
    return x % y == 0


def is_prime(number):
    """Whether a number has no divisor but 1 and itself."""
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
    """Say whether 9 is prime."""
    print("9 is prime:", is_prime(9))


if __name__ == "__main__":
    main()
