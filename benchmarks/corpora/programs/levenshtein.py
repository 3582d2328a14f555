"""The distance between words by plain recursion, and a speller that uses it."""


def least(first, second, third):
    """The least of three numbers."""
    if first <= second and first <= third:
        return first
    if second <= third:
        return second
    return third


def change(left, right):
    """The cost of turning one letter into another."""
    if left == right:
        return 0
    return 1


def distance(left, right):
    """How many letters must be added, removed or changed."""
    if not left:
        return len(right)
    if not right:
        return len(left)
    return least(
        distance(left[1:], right) + 1,
        distance(left, right[1:]) + 1,
        distance(left[1:], right[1:]) + change(left[0], right[0]),
    )


def nearest(word, known):
    """The known word with the least distance, and that distance."""
    if len(known) == 1:
        return known[0], distance(word, known[0])
    best, least_so_far = nearest(word, known[1:])
    here = distance(word, known[0])
    if here <= least_so_far:
        return known[0], here
    return best, least_so_far


def correct(word, known):
    """The word itself if it is known, otherwise the nearest one if it is near."""
    if word in known:
        return word
    found, far = nearest(word, known)
    if far > 2:
        return word + "?"
    return found


def correct_all(words, known):
    """Every word corrected."""
    return tuple(correct(word, known) for word in words)


INPUTS = [
    ("distance", "cat", "at"),
    ("distance", "flaw", "lawn"),
    ("correct", "tre", ("to", "tree", "he")),
    ("correct_all", ("hat", "dgo", "xyzz"), ("hat", "dog", "den")),
    ("distance", "kitten", "sitin"),
]
