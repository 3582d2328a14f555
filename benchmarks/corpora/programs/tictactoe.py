"""Noughts and crosses: the best move by looking at all that can follow. A board is nine characters."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def other(player):
    """Who moves next."""
    if player == "x":
        return "o"
    return "x"


def has_line(board, player, lines):
    """Whether a player holds one of the lines."""
    if not lines:
        return False
    first, second, third = lines[0]
    if board[first] == player and board[second] == player and board[third] == player:
        return True
    return has_line(board, player, lines[1:])


def wins(board, player):
    """Whether a player has three in a row."""
    return has_line(board, player, LINES)


def moves(board, place):
    """The free places from one on."""
    if place == 9:
        return ()
    if board[place] == ".":
        return (place, *moves(board, place + 1))
    return moves(board, place + 1)


def play(board, place, player):
    """The board after a move."""
    return board[:place] + player + board[place + 1 :]


def value(board, player):
    """1 if the player who moves can win, 0 for a draw, -1 otherwise."""
    if wins(board, other(player)):
        return -1
    free = moves(board, 0)
    if not free:
        return 0
    return best(board, player, free)[0]


def after(board, place, player):
    """What a move is worth to who makes it."""
    return -value(play(board, place, player), other(player))


def best(board, player, free):
    """The value of the best move and its place, the first of equals."""
    here = after(board, free[0], player)
    if len(free) == 1:
        return here, free[0]
    rest, place = best(board, player, free[1:])
    if here >= rest:
        return here, free[0]
    return rest, place


def choose(board, player):
    """The place to move to."""
    return best(board, player, moves(board, 0))[1]


INPUTS = [
    ("wins", "xo.oxo.ox", "x"),
    ("choose", "xoxox.o..", "x"),
    ("choose", "xo.xo..x.", "o"),
    ("choose", "xo..x...o", "x"),
]
