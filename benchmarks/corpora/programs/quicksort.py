"""Quicksort on tuples, and statistics that need sorted data."""


def smaller(pivot, items):
    """The items below the pivot."""
    if not items:
        return ()
    if items[0] < pivot:
        return (items[0], *smaller(pivot, items[1:]))
    return smaller(pivot, items[1:])


def others(pivot, items):
    """The items that are not below the pivot."""
    if not items:
        return ()
    if items[0] >= pivot:
        return (items[0], *others(pivot, items[1:]))
    return others(pivot, items[1:])


def quicksort(items):
    """The items in order."""
    if not items:
        return ()
    pivot, rest = items[0], items[1:]
    return (*quicksort(smaller(pivot, rest)), pivot, *quicksort(others(pivot, rest)))


def nth(items, place):
    """The item at a place that counts from 0."""
    if place == 0:
        return items[0]
    return nth(items[1:], place - 1)


def median(items):
    """The middle item, or the rounded mean of the two middle ones."""
    ordered = quicksort(items)
    half = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return nth(ordered, half)
    return (nth(ordered, half - 1) + nth(ordered, half)) // 2


def spread(items):
    """How far the largest is from the smallest."""
    ordered = quicksort(items)
    return nth(ordered, len(ordered) - 1) - nth(ordered, 0)


INPUTS = [
    ("quicksort", (4, 2, 7, 1)),
    ("median", (9, 3, 5, 8, 1, 7)),
    ("median", (21, 4, 33, 8, 15, 27, 2, 19, 11, 30, 6)),
    ("spread", (14, 3, 8, 22, 17, 5, 9, 31, 2, 26, 12, 19, 7)),
    ("quicksort", (37, 40, 25, 69, 86, 80, 26, 23, 88, 97, 49, 38, 2, 46, 53, 21, 18, 33, 8, 42, 91, 77)),
    ("median", (75, 0, 76, 86, 90, 43, 8, 39, 45, 92, 61, 40, 23, 89, 60, 22, 7, 32, 2, 91, 51, 81, 70, 53, 46, 48)),
]
