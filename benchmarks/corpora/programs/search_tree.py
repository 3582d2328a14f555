"""Binary search trees: (left, key, right), or () for none."""


def insert(tree, key):
    """The tree with one more key."""
    if not tree:
        return (), key, ()
    left, here, right = tree
    if key < here:
        return insert(left, key), here, right
    if key > here:
        return left, here, insert(right, key)
    return tree


def build(keys, tree):
    """The tree with all keys inserted in order."""
    if not keys:
        return tree
    return build(keys[1:], insert(tree, keys[0]))


def smallest(tree):
    """The least key."""
    left, here, _ = tree
    if not left:
        return here
    return smallest(left)


def delete(tree, key):
    """The tree without a key."""
    if not tree:
        return ()
    left, here, right = tree
    if key < here:
        return delete(left, key), here, right
    if key > here:
        return left, here, delete(right, key)
    return join(left, right)


def join(left, right):
    """One tree of two, where all keys of the first are less."""
    if not left:
        return right
    if not right:
        return left
    least = smallest(right)
    return left, least, delete(right, least)


def inorder(tree):
    """The keys in order."""
    if not tree:
        return ()
    left, here, right = tree
    return (*inorder(left), here, *inorder(right))


def height(tree):
    """The number of levels."""
    if not tree:
        return 0
    return 1 + max(height(tree[0]), height(tree[2]))


def contains(tree, key):
    """Whether a key is in the tree."""
    if not tree:
        return False
    left, here, right = tree
    if key == here:
        return True
    return contains(left if key < here else right, key)


def between(tree, low, high):
    """The keys from low to high, in order."""
    if not tree:
        return ()
    left, here, right = tree
    below = between(left, low, high) if here > low else ()
    above = between(right, low, high) if here < high else ()
    if low <= here <= high:
        return (*below, here, *above)
    return below + above


def delete_all(tree, keys):
    """The tree without any of the keys."""
    if not keys:
        return tree
    return delete_all(delete(tree, keys[0]), keys[1:])


def summary(keys, gone, low, high):
    """What is left after insertions and deletions."""
    tree = delete_all(build(keys, ()), gone)
    return inorder(tree), height(tree), between(tree, low, high), contains(tree, low)


INPUTS = [
    ("build", (5, 2, 8), ()),
    ("delete", (((), 1, ()), 3, (((), 4, ()), 6, ((), 9, ()))), 3),
    ("summary", (50, 30, 70, 20, 40, 60, 80), (30, 50), 40, 70),
    ("summary", (14, 8, 21, 3, 11, 17, 26, 1, 5, 9, 12, 19), (8, 14, 26, 2), 9, 19),
    (
        "summary",
        (
            74,
            1,
            57,
            5,
            90,
            23,
            79,
            25,
            15,
            31,
            59,
            44,
            65,
            45,
            67,
            32,
            89,
            13,
            75,
            47,
            37,
            4,
            55,
            11,
            26,
            43,
            87,
            46,
            18,
            99,
        ),
        (20, 55, 3, 71, 90),
        20,
        70,
    ),
]
