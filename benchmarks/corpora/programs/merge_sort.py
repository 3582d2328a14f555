"""Sorting tuples of numbers by merging."""


def merge(left, right):
    """Both sorted tuples as one."""
    if not left:
        return right
    if not right:
        return left
    if left[0] <= right[0]:
        return (left[0], *merge(left[1:], right))
    return (right[0], *merge(left, right[1:]))


def split(items):
    """The two halves."""
    middle = len(items) // 2
    return items[:middle], items[middle:]


def merge_sort(items):
    """The items in order."""
    if len(items) <= 1:
        return items
    left, right = split(items)
    return merge(merge_sort(left), merge_sort(right))


def ranks(items):
    """For each item, its place among the sorted ones."""
    ordered = merge_sort(items)
    return tuple(place(item, ordered) for item in items)


def place(item, ordered):
    """Where an item stands, from 1."""
    if ordered[0] == item:
        return 1
    return 1 + place(item, ordered[1:])


INPUTS = [
    ("merge_sort", (3, 1, 2)),
    ("merge_sort", (5, 2, 9, 1, 5, 6, 0, 7)),
    ("ranks", (31, 4, 15, 92, 65, 35, 8, 97, 93, 23, 84, 62)),
    ("merge_sort", (12, 7, 88, 3, 45, 9, 21, 60, 2, 71, 33, 18, 54, 90, 6, 27, 39, 80, 11, 66)),
    ("merge_sort", (79, 32, 94, 45, 88, 83, 67, 3, 59, 99, 31, 6, 20, 14, 47, 60, 48, 69)),
    ("ranks", (13, 73, 31, 1, 93, 27, 52, 35, 23, 49, 20, 9, 17, 79, 86, 56, 16, 83, 0, 81, 26, 94, 21, 77)),
]
