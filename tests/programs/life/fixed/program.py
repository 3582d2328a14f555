"""Conway's game of life on a small board without edges."""

GLIDER = ["........", "..#.....", "...#....", ".###....", "........", "........", "........", "........"]


def parse(rows):
    return [[mark == "#" for mark in row] for row in rows]


def neighbours(board, row, column):
    height, width = len(board), len(board[0])
    count = 0
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) != (0, 0):
                count += board[(row + down) % height][(column + right) % width]
    return count


def lives(alive, count):
    return count == 3 or (alive and count == 2)


def step(board):
    """The next generation, on a board of its own."""
    fresh = [list(row) for row in board]
    for row, cells in enumerate(board):
        for column, alive in enumerate(cells):
            fresh[row][column] = lives(alive, neighbours(board, row, column))
    return fresh


def evolve(board, generations):
    for _ in range(generations):
        board = step(board)
    return board


def show(board):
    return ["".join("#" if cell else "." for cell in row) for row in board]


def main():
    board = evolve(parse(GLIDER), 4)
    print("\n".join(show(board)))
    print(sum(map(sum, board)), "alive")


if __name__ == "__main__":
    main()
