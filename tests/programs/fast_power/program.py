"""Powers by repeated squaring, used to value a savings plan in whole cents."""


def square(value):
    return value * value


def power(base, exponent):
    if exponent == 0:
        return 1
    if exponent % 2 == 0:
        return square(power(base, exponent // 2))
    return base * power(base, exponent)


def grown(cents, percent, years):
    """What an amount is worth after some years, rounded down to whole cents."""
    return cents * power(100 + percent, years) // power(100, years)


def plan(yearly, percent, years):
    """The same amount paid in at the start of each year."""
    return sum(grown(yearly, percent, left) for left in range(years, 0, -1))


def main():
    print("2**10 =", power(2, 10))
    print("3**13 =", power(3, 13))
    print("plan:", plan(1000_00, 3, 6))


if __name__ == "__main__":
    main()
