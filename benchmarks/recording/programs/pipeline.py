"""Chained generators: every value is yielded through several stages."""


def numbers(count):
    number = 1
    for _ in range(count):
        number = (number * 16807) % 2147483647
        yield number


def windows(values, width):
    window = []
    for value in values:
        window.append(value)
        if len(window) > width:
            window.pop(0)
        if len(window) == width:
            yield tuple(window)


def averages(groups):
    for group in groups:
        yield sum(group) / len(group)


def flatten(tree):
    if isinstance(tree, list):
        for branch in tree:
            yield from flatten(branch)
    else:
        yield tree


def running():
    total = 0
    while True:
        value = yield total
        total += int(value) % 1000


def nested(values, depth):
    if depth == 0:
        return values
    half = len(values) // 2
    return [nested(values[:half], depth - 1), nested(values[half:], depth - 1)]


def main(size):
    accumulator = running()
    next(accumulator)
    total = 0
    for value in averages(windows(numbers(size), 4)):
        total = accumulator.send(value)
    kept = list(flatten(nested(list(numbers(size // 2)), 6)))
    return total, len(kept), sum(value for value in kept if value % 3 == 0)
