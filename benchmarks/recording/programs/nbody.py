"""Planets under gravity: float arithmetic in a few long loops with attribute writes."""

from itertools import combinations

STEP = 0.01


class Body:
    def __init__(self, name, place, speed, mass):
        self.name = name
        self.x, self.y, self.z = place
        self.vx, self.vy, self.vz = speed
        self.mass = mass


def system():
    return [
        Body("sun", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 39.5),
        Body("first", (4.8, -1.2, -0.1), (0.6, 2.8, 0.0), 0.04),
        Body("second", (8.3, 4.1, -0.4), (-1.0, 1.8, 0.0), 0.01),
        Body("third", (12.9, -15.1, -0.2), (1.1, 0.9, 0.0), 0.002),
        Body("fourth", (15.4, -25.9, 0.2), (1.0, 0.6, 0.0), 0.002),
    ]


def advance(bodies, pairs):
    for left, right in pairs:
        dx = left.x - right.x
        dy = left.y - right.y
        dz = left.z - right.z
        pull = STEP * (dx * dx + dy * dy + dz * dz) ** -1.5
        left.vx -= dx * right.mass * pull
        left.vy -= dy * right.mass * pull
        left.vz -= dz * right.mass * pull
        right.vx += dx * left.mass * pull
        right.vy += dy * left.mass * pull
        right.vz += dz * left.mass * pull
    for body in bodies:
        body.x += STEP * body.vx
        body.y += STEP * body.vy
        body.z += STEP * body.vz


def energy(bodies, pairs):
    total = sum(body.mass * (body.vx**2 + body.vy**2 + body.vz**2) / 2 for body in bodies)
    for left, right in pairs:
        apart = ((left.x - right.x) ** 2 + (left.y - right.y) ** 2 + (left.z - right.z) ** 2) ** 0.5
        total -= left.mass * right.mass / apart
    return total


def main(size):
    bodies = system()
    pairs = list(combinations(bodies, 2))
    for _ in range(size):
        advance(bodies, pairs)
    return round(energy(bodies, pairs), 9)
