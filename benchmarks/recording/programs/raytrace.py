"""A ray tracer with vectors as objects: operator methods, floats, short-lived instances."""

from math import inf, sqrt


class Vector:
    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def unit(self):
        return self * (1 / sqrt(self.dot(self)))


class Sphere:
    def __init__(self, centre, radius, colour, mirror):
        self.centre = centre
        self.radius = radius
        self.colour = colour
        self.mirror = mirror

    def distance(self, origin, direction):
        offset = origin - self.centre
        half = offset.dot(direction)
        inside = half * half - (offset.dot(offset) - self.radius * self.radius)
        if inside < 0:
            return inf
        nearest = -half - sqrt(inside)
        return nearest if nearest > 1e-6 else inf

    def normal(self, point):
        return (point - self.centre).unit()


class Scene:
    def __init__(self, spheres, light):
        self.spheres = spheres
        self.light = light

    def nearest(self, origin, direction):
        best, found = inf, None
        for sphere in self.spheres:
            distance = sphere.distance(origin, direction)
            if distance < best:
                best, found = distance, sphere
        return best, found

    def colour(self, origin, direction, depth):
        distance, sphere = self.nearest(origin, direction)
        if sphere is None:
            return Vector(0.2, 0.3, 0.5) * (1 - abs(direction.y))
        point = origin + direction * distance
        normal = sphere.normal(point)
        towards = (self.light - point).unit()
        shadowed = self.nearest(point, towards)[1] is not None
        brightness = 0.1 if shadowed else max(normal.dot(towards), 0.1)
        colour = sphere.colour * brightness
        if depth and sphere.mirror:
            bounced = direction - normal * (2 * direction.dot(normal))
            colour = colour * (1 - sphere.mirror) + self.colour(point, bounced, depth - 1) * sphere.mirror
        return colour


def main(size):
    scene = Scene(
        [
            Sphere(Vector(0, -100.5, -3), 100, Vector(0.6, 0.6, 0.6), 0.1),
            Sphere(Vector(0, 0, -3), 0.5, Vector(0.9, 0.2, 0.2), 0.5),
            Sphere(Vector(1, 0, -2.5), 0.5, Vector(0.2, 0.9, 0.2), 0.3),
            Sphere(Vector(-1, 0, -2.5), 0.5, Vector(0.2, 0.2, 0.9), 0.3),
        ],
        Vector(5, 5, 0),
    )
    eye, total = Vector(0, 0, 0), 0.0
    for row in range(size):
        for column in range(size):
            direction = Vector(2 * column / size - 1, 1 - 2 * row / size, -1.5).unit()
            colour = scene.colour(eye, direction, 3)
            total += colour.x + colour.y + colour.z
    return round(total, 6)
