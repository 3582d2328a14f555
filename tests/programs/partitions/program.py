"""In how many ways a number is a sum of positive numbers, with results remembered."""

MEMO = {}


def remembered(key, compute):
    if key not in MEMO:
        MEMO[key] = compute()
    return MEMO[key]


def partitions(number, largest):
    """Sums that give the number with no part above the largest."""
    if number == 0:
        return 1
    if number < 0 or largest == 0:
        return 0
    key = number
    return remembered(key, lambda: with_part(number, largest) + without_part(number, largest))


def with_part(number, largest):
    return partitions(number - largest, largest)


def without_part(number, largest):
    return partitions(number, largest - 1)


def table(last):
    result = []
    for number in range(1, last + 1):
        MEMO.clear()
        result.append(partitions(number, number))
    return result


def main():
    print(table(12))


if __name__ == "__main__":
    main()
