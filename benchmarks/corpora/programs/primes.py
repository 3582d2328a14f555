"""The sieve of Eratosthenes, factors, and what follows from them."""


def numbers(low, high):
    """All numbers from low to high."""
    if low > high:
        return ()
    return (low, *numbers(low + 1, high))


def strike(prime, candidates):
    """The candidates that the prime does not divide."""
    if not candidates:
        return ()
    if candidates[0] % prime == 0:
        return strike(prime, candidates[1:])
    return (candidates[0], *strike(prime, candidates[1:]))


def sieve(candidates):
    """The primes among the candidates."""
    if not candidates:
        return ()
    prime = candidates[0]
    return (prime, *sieve(strike(prime, candidates[1:])))


def primes(limit):
    """The primes up to a limit."""
    return sieve(numbers(2, limit))


def factors(number, candidates):
    """The prime factors, smallest first."""
    if number == 1:
        return ()
    if number % candidates[0] == 0:
        return (candidates[0], *factors(number // candidates[0], candidates))
    return factors(number, candidates[1:])


def run(items):
    """How often the first item is repeated at the start."""
    if len(items) > 1 and items[0] == items[1]:
        return 1 + run(items[1:])
    return 1


def powers(items):
    """Equal neighbours as pairs of factor and exponent."""
    if not items:
        return ()
    length = run(items)
    return ((items[0], length), *powers(items[length:]))


def divisors(pairs):
    """How many divisors a number with these powers has."""
    if not pairs:
        return 1
    return (pairs[0][1] + 1) * divisors(pairs[1:])


def describe(number):
    """The powers of primes that make up a number, and the number of its divisors."""
    pairs = powers(factors(number, primes(number)))
    return pairs, divisors(pairs)


INPUTS = [
    ("primes", 10),
    ("describe", 12),
    ("describe", 60),
    ("primes", 50),
    ("primes", 110),
    ("describe", 84),
]
