"""Trips in words."""

from routes.dijkstra import search


def way(previous, start, end):
    places = [end]
    while places[-1] != start:
        places.append(previous[places[-1]])
    return places[::-1]


def trip(network, start, end):
    best, previous = search(network, start)
    if end not in best:
        return None
    return best[end], way(previous, start, end)


def describe(network, start, end):
    found = trip(network, start, end)
    if found is None:
        return f"no way from {start} to {end}"
    length, places = found
    return f"{' - '.join(places)}: {length} km"
