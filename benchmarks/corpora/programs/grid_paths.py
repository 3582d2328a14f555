"""Ways through a grid of costs: how many, the cheapest, and a map of it. Rows are tuples; 9 is a wall."""


def cost(grid, line, column):
    """What a cell costs."""
    return grid[line][column]


def inside(grid, line, column):
    """Whether there is such a cell."""
    return 0 <= line < len(grid) and 0 <= column < len(grid[0])


def is_free(grid, line, column):
    """Whether a cell can be entered."""
    return inside(grid, line, column) and cost(grid, line, column) < 9


def is_goal(grid, line, column):
    """Whether a cell is the last one."""
    return line == len(grid) - 1 and column == len(grid[0]) - 1


def ways(grid, line, column):
    """How many ways lead right and down from a cell to the last one."""
    if not is_free(grid, line, column):
        return 0
    if is_goal(grid, line, column):
        return 1
    return ways(grid, line + 1, column) + ways(grid, line, column + 1)


def cheaper(left, right):
    """The cheaper of two ways, each a pair of cost and moves; () is none."""
    if not left:
        return right
    if not right:
        return left
    if left[0] <= right[0]:
        return left
    return right


def extend(price, letter, way):
    """A way with one move before it."""
    if not way:
        return ()
    return way[0] + price, letter + way[1]


def cheapest(grid, line, column):
    """The cheapest way from a cell to the last one."""
    if not is_free(grid, line, column):
        return ()
    price = cost(grid, line, column)
    if is_goal(grid, line, column):
        return price, ""
    down = extend(price, "d", cheapest(grid, line + 1, column))
    right = extend(price, "r", cheapest(grid, line, column + 1))
    return cheaper(down, right)


def cells(moves, line, column):
    """The cells that moves lead through."""
    if not moves:
        return ((line, column),)
    if moves[0] == "d":
        return ((line, column), *cells(moves[1:], line + 1, column))
    return ((line, column), *cells(moves[1:], line, column + 1))


def draw(grid, line, visited):
    """The map from a line on."""
    if line == len(grid):
        return ()
    text = "".join(sign(grid, line, column, visited) for column in range(len(grid[0])))
    return (text, *draw(grid, line + 1, visited))


def sign(grid, line, column, visited):
    """How one cell is drawn."""
    if (line, column) in visited:
        return "*"
    if cost(grid, line, column) == 9:
        return "#"
    return "."


def survey(grid):
    """The number of ways, the price of the cheapest one and its map."""
    way = cheapest(grid, 0, 0)
    if not way:
        return 0, 0, draw(grid, 0, ())
    return ways(grid, 0, 0), way[0], draw(grid, 0, cells(way[1], 0, 0))


INPUTS = [
    ("ways", ((1, 1), (1, 1)), 0, 0),
    ("cheapest", ((1, 3, 1), (1, 5, 1), (4, 2, 1)), 0, 0),
    ("survey", ((1, 9, 2), (1, 1, 9), (3, 1, 1))),
    ("survey", ((1, 2, 3, 1), (9, 1, 4, 2), (1, 1, 9, 1), (2, 6, 1, 1))),
    ("ways", ((1, 1, 1, 1, 1), (1, 1, 1, 1, 1), (1, 1, 9, 1, 1), (1, 1, 1, 1, 1), (1, 1, 1, 1, 1)), 0, 0),
]
