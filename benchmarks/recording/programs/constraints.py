"""Constraint propagation and search over many small objects: Latin squares by domains."""


class Variable:
    """A cell: the values that it may still take, and the constraints that watch it."""

    __slots__ = ("domain", "name", "watchers")

    def __init__(self, name, domain):
        self.name = name
        self.domain = domain
        self.watchers = []

    def fixed(self):
        return len(self.domain) == 1


class Different:
    """Two cells must not have the same value."""

    def __init__(self, left, right):
        self.left = left
        self.right = right
        left.watchers.append(self)
        right.watchers.append(self)

    def other(self, variable):
        return self.right if variable is self.left else self.left

    def revise(self, variable, trail):
        """Take the value of a fixed cell from its neighbour; False when the neighbour has none left."""
        other = self.other(variable)
        value = variable.domain[0]
        if value not in other.domain:
            return True
        trail.append((other, other.domain))
        other.domain = tuple(item for item in other.domain if item != value)
        return bool(other.domain)


class Solver:
    """Depth-first search that tries the smallest domain first and undoes along a trail."""

    def __init__(self, variables):
        self.variables = variables
        self.steps = 0

    def propagate(self, variable, trail):
        pending = [variable]
        while pending:
            current = pending.pop()
            for constraint in current.watchers:
                other = constraint.other(current)
                before = len(other.domain)
                if not constraint.revise(current, trail):
                    return False
                if before > 1 and other.fixed():
                    pending.append(other)
        return True

    def smallest(self):
        open_cells = [variable for variable in self.variables if not variable.fixed()]
        return min(open_cells, key=lambda variable: len(variable.domain)) if open_cells else None

    def solve(self):
        variable = self.smallest()
        if variable is None:
            return True
        for value in variable.domain:
            self.steps += 1
            trail = [(variable, variable.domain)]
            variable.domain = (value,)
            if self.propagate(variable, trail) and self.solve():
                return True
            for changed, domain in reversed(trail):
                changed.domain = domain
        return False


def turned(values, steps):
    steps %= len(values)
    return values[steps:] + values[:steps]


def latin_square(order, seed):
    """An empty square; the seed says in which order each cell tries its values, so that searches differ."""
    places = [(row, column) for row in range(order) for column in range(order)]
    values = tuple(range(order))
    cells = {place: Variable(place, turned(values, seed * place[0] + place[1] ** 2)) for place in places}
    for row, column in places:
        for step in range(column + 1, order):
            Different(cells[row, column], cells[row, step])
        for step in range(row + 1, order):
            Different(cells[row, column], cells[step, column])
    return list(cells.values())


def main(size):
    total = 0
    for seed in range(size):
        solver = Solver(latin_square(6, seed))
        assert solver.solve()
        total += solver.steps
    return total
