"""Searches in a graph held in dicts and sets: breadth first, shortest paths, components."""


def grid(size):
    """A square of places with one-way walls, so that routes are not straight."""
    edges = {}
    for row in range(size):
        for column in range(size):
            steps = {}
            for there in ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1)):
                if 0 <= there[0] < size and 0 <= there[1] < size and (row * 7 + column * 13) % 11 != 3:
                    steps[there] = 1 + (there[0] * there[1]) % 4
            edges[row, column] = steps
    return edges


def reachable(edges, start):
    seen = {start}
    frontier = [start]
    while frontier:
        following = []
        for place in frontier:
            for there in edges[place]:
                if there not in seen:
                    seen.add(there)
                    following.append(there)
        frontier = following
    return seen


def shortest(edges, start):
    """Dijkstra's algorithm with buckets of equal distance in a dict."""
    distance = {start: 0}
    buckets = {0: [start]}
    current = 0
    while buckets:
        if current not in buckets:
            current += 1
            continue
        for place in buckets.pop(current):
            if distance[place] < current:
                continue
            for there, cost in edges[place].items():
                found = current + cost
                if found < distance.get(there, found + 1):
                    distance[there] = found
                    buckets.setdefault(found, []).append(there)
    return distance


def components(edges):
    left = dict.fromkeys(edges)
    found = []
    while left:
        start, _ = left.popitem()
        group = reachable(edges, start)
        for place in group:
            left.pop(place, None)
        found.append(len(group))
    return found


def main(size):
    edges = grid(size)
    distance = shortest(edges, (0, 0))
    return len(reachable(edges, (0, 0))), max(distance.values()), max(components(edges))
