"""Pictures of characters: turned, mirrored and joined."""

ARROW = [
    "..#..",
    ".##..",
    "#####",
    ".##..",
    "..#..",
]


def mirrored(picture):
    return [row[::-1] for row in picture]


def turned(picture):
    """The picture after a quarter turn clockwise."""
    height, width = len(picture), len(picture[0])
    result = []
    for row in range(width):
        line = ""
        for column in range(height):
            line += picture[row][height - 1 - column]
        result.append(line)
    return result


def turned_often(picture, times):
    for _ in range(times):
        picture = turned(picture)
    return picture


def beside(left, right):
    return [f"{a} {b}" for a, b in zip(left, right)]


def is_symmetric(picture):
    return picture == mirrored(picture)


def main():
    for line in beside(ARROW, turned(ARROW)):
        print(line)
    print("after four turns the same:", turned_often(ARROW, 4) == ARROW)
    print("symmetric:", is_symmetric(turned(ARROW)))


if __name__ == "__main__":
    main()
