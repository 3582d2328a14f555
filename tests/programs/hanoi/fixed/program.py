"""The towers of Hanoi: the moves, and a board that plays them and counts those against the rules."""


def moves(count, source, target, spare):
    """Moves that bring a tower from one peg to another, as pairs of pegs."""
    if count == 0:
        return
    yield from moves(count - 1, source, spare, target)
    yield source, target
    yield from moves(count - 1, spare, target, source)


class Board:
    def __init__(self, count):
        self.pegs = {"A": list(range(count, 0, -1)), "B": [], "C": []}
        self.refused = 0

    def fits(self, source, target):
        origin, goal = self.pegs[source], self.pegs[target]
        return bool(origin) and (not goal or goal[-1] > origin[-1])

    def move(self, source, target):
        if self.fits(source, target):
            self.pegs[target].append(self.pegs[source].pop())
        else:
            self.refused += 1


def play(count):
    board = Board(count)
    for source, target in moves(count, "A", "C", "B"):
        board.move(source, target)
    return board


def main():
    for count in (1, 3, 5):
        board = play(count)
        print(count, board.pegs, "refused", board.refused)


if __name__ == "__main__":
    main()
