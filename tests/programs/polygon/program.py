"""Area, circumference and centre of polygons given by their corners."""

from math import hypot


def edges(corners):
    return zip(corners, corners[1:] + corners[:1])


def cross(a, b):
    ax, ay = a
    bx, by = b
    return ax * by - bx * by


def area(corners):
    return abs(sum(cross(a, b) for a, b in edges(corners))) / 2


def length(a, b):
    return hypot(a[0] - b[0], a[1] - b[1])


def circumference(corners):
    return sum(length(a, b) for a, b in edges(corners))


def centre(corners):
    xs, ys = zip(*corners)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def summary(name, corners):
    x, y = centre(corners)
    return f"{name}: area {area(corners):.1f}, around {circumference(corners):.2f}, centre ({x:.1f}, {y:.1f})"


SHAPES = {
    "square": [(1, 1), (5, 1), (5, 5), (1, 5)],
    "triangle": [(0, 0), (6, 0), (2, 3)],
    "house": [(0, 0), (4, 0), (4, 3), (2, 5), (0, 3)],
}

if __name__ == "__main__":
    for name, corners in SHAPES.items():
        print(summary(name, corners))
