"""Dijkstra's algorithm."""

import heapq


def relax(best, previous, place, target, length):
    """Note the way to the target over the place if it is better than what is known; tell whether it is."""
    if target not in best:
        best[target] = length
        previous[target] = place
        return True
    return False


def search(network, start):
    best = {start: 0}
    previous = {}
    heap = [(0, start)]
    while heap:
        length, place = heapq.heappop(heap)
        if length > best[place]:
            continue
        for target, road in network.from_place(place):
            if relax(best, previous, place, target, length + road):
                heapq.heappush(heap, (best[target], target))
    return best, previous
