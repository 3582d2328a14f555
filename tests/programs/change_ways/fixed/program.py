"""In how many ways coins pay an amount, for a small table of amounts."""

EURO = (1, 2, 5, 10, 20, 50)
OLD = (1, 3, 4, 6, 12)


def ways(amount, coins):
    """Ways to pay the amount with any number of each coin."""
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return with_first(amount, coins) + without_first(amount, coins)


def with_first(amount, coins):
    return ways(amount - coins[0], coins)


def without_first(amount, coins):
    return ways(amount, coins[1:])


def table(amounts, coins):
    return [(amount, ways(amount, coins)) for amount in amounts]


def main():
    for name, coins in (("euro", EURO), ("old", OLD)):
        print(name, table((1, 2, 5, 10), coins))


if __name__ == "__main__":
    main()
