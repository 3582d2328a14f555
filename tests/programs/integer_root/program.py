"""Integer square roots by halving an interval, and the largest square tiles that pave a room."""


def integer_root(number):
    """The largest integer whose square is at most the number."""
    low, high = 0, number
    while low < high:
        middle = (low + high) // 2
        if middle * middle <= number:
            low = middle
        else:
            high = middle - 1
    return low


def is_square(number):
    root = integer_root(number)
    return root * root == number


def largest_tile(area):
    """The side of the largest square tile whose area divides the given area."""
    for side in range(integer_root(area), 0, -1):
        if area % (side * side) == 0:
            return side
    return 0


def describe(area):
    kind = "square" if is_square(area) else "not square"
    return f"{area}: {kind}, tile {largest_tile(area)}"


def main():
    for area in (1, 24, 72, 144):
        print(describe(area))


if __name__ == "__main__":
    main()
