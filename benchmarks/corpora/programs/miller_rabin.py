"""A test for primes with fixed witnesses, and the search for the next prime."""

WITNESSES = (2, 3, 5, 7)


def power(base, exponent, modulus):
    """Modular exponentiation by squaring."""
    if exponent == 0:
        return 1 % modulus
    half = power(base, exponent // 2, modulus)
    if exponent % 2 == 0:
        return half * half % modulus
    return half * half * base % modulus


def twos(number):
    """How often a number can be halved."""
    if number % 2 == 1:
        return 0
    return 1 + twos(number // 2)


def odd_part(number):
    """What is left after all halvings."""
    if number % 2 == 1:
        return number
    return odd_part(number // 2)


def reaches(value, rounds, modulus):
    """Whether squaring so many times meets modulus - 1."""
    if rounds == 0:
        return False
    if value == modulus - 1:
        return True
    return reaches(value * value % modulus, rounds - 1, modulus)


def passes(number, witness):
    """Whether a witness cannot show that the number is composite."""
    start = power(witness, odd_part(number - 1), number)
    if start == 1:
        return True
    return reaches(start, twos(number - 1), number)


def all_pass(number, witnesses):
    """Whether no witness shows that the number is composite."""
    if not witnesses:
        return True
    if witnesses[0] >= number:
        return all_pass(number, witnesses[1:])
    return passes(number, witnesses[0]) and all_pass(number, witnesses[1:])


def is_prime(number):
    """Whether a number is prime."""
    if number < 2:
        return False
    if number % 2 == 0:
        return number == 2
    return all_pass(number, WITNESSES)


def next_prime(number):
    """The first prime above a number."""
    if is_prime(number + 1):
        return number + 1
    return next_prime(number + 1)


def some_primes(start, count):
    """So many primes above a number."""
    if count == 0:
        return ()
    found = next_prime(start)
    return (found, *some_primes(found, count - 1))


INPUTS = [
    ("is_prime", 13),
    ("is_prime", 561),
    ("is_prime", 7919),
    ("some_primes", 90, 4),
    ("some_primes", 2040, 6),
]
