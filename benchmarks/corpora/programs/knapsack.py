"""What to pack: items are (name, weight, value)."""


def weight(item):
    """How heavy an item is."""
    return item[1]


def value(item):
    """What an item is worth."""
    return item[2]


def total_value(items):
    """What some items are worth together."""
    if not items:
        return 0
    return value(items[0]) + total_value(items[1:])


def total_weight(items):
    """How heavy some items are together."""
    if not items:
        return 0
    return weight(items[0]) + total_weight(items[1:])


def better(left, right):
    """The more valuable selection, the first of two equal ones."""
    if total_value(left) >= total_value(right):
        return left
    return right


def pack(items, room):
    """The most valuable selection that fits."""
    if not items:
        return ()
    leave = pack(items[1:], room)
    if weight(items[0]) > room:
        return leave
    take = (items[0], *pack(items[1:], room - weight(items[0])))
    return better(take, leave)


def names(items):
    """The names of some items."""
    return tuple(item[0] for item in items)


def report(items, room):
    """What is packed, what it is worth and what room is left."""
    packed = pack(items, room)
    return names(packed), total_value(packed), room - total_weight(packed)


INPUTS = [
    ("pack", (("cup", 2, 3), ("pan", 4, 5)), 5),
    ("report", (("tent", 6, 30), ("rope", 3, 14), ("lamp", 4, 16), ("book", 2, 9)), 10),
    ("report", (("a", 5, 9), ("b", 4, 7), ("c", 3, 6), ("d", 2, 3), ("e", 1, 2), ("f", 6, 13), ("g", 2, 5)), 11),
    (
        "report",
        (("a", 5, 9), ("b", 4, 7), ("c", 3, 6), ("d", 2, 3), ("e", 1, 2), ("f", 6, 13), ("g", 2, 5), ("h", 4, 8)),
        17,
    ),
]
