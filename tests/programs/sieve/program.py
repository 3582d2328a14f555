"""The sieve of Eratosthenes, and what can be read off it: twins and gaps."""

from math import isqrt


def strike(flags, step):
    for multiple in range(step * step, len(flags), step):
        flags[multiple] = False


def sieve(limit):
    flags = [False, False] + [True] * (limit - 1)
    for number in range(2, isqrt(limit)):
        if flags[number]:
            strike(flags, number)
    return flags


def primes(limit):
    return [number for number, flag in enumerate(sieve(limit)) if flag]


def gaps(numbers):
    return [b - a for a, b in zip(numbers, numbers[1:])]


def twins(numbers):
    return [(a, b) for a, b in zip(numbers, numbers[1:]) if b - a == 2]


def main():
    numbers = primes(170)
    print(len(numbers), "primes, the last", numbers[-3:])
    print("widest gap", max(gaps(numbers)))
    print(len(twins(numbers)), "pairs of twins")


if __name__ == "__main__":
    main()
