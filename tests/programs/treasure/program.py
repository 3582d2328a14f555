"""A breadth-first search through a cave, with the number of steps to every treasure."""

from collections import deque

CAVE = [
    "S..#....",
    ".#.#.##.",
    ".#...#T.",
    "...#.#..",
    "T#.....T",
]


def find(cave, mark):
    return [(r, c) for r, row in enumerate(cave) for c, cell in enumerate(row) if cell == mark]


def neighbours(cave, spot):
    row, column = spot
    for r, c in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
        if 0 <= r < len(cave) and 0 <= c < len(cave[0]):
            yield r, c


def is_wall(cave, spot):
    return cave[spot[0]][spot[1]] == "#"


def free(cave, place):
    spots = []
    for spot in neighbours(cave, place):
        if is_wall(cave, spot):
            break
        spots.append(spot)
    return spots


def distances(cave, start):
    steps = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        for spot in free(cave, place):
            if spot not in steps:
                steps[spot] = steps[place] + 1
                queue.append(spot)
    return steps


def main():
    (start,) = find(CAVE, "S")
    steps = distances(CAVE, start)
    for treasure in find(CAVE, "T"):
        print(treasure, steps.get(treasure, "not reached"))


if __name__ == "__main__":
    main()
