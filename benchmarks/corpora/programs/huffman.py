"""Codes with short words for frequent letters. A tree is (weight, letter) or (weight, left, right)."""


def count(letter, text):
    """How often a letter occurs."""
    if not text:
        return 0
    if text[0] == letter:
        return 1 + count(letter, text[1:])
    return count(letter, text[1:])


def leaves(text, rest):
    """A leaf for each letter of the rest, in order of first occurrence."""
    if not rest:
        return ()
    others = without(rest[0], rest[1:])
    return ((count(rest[0], text), rest[0]), *leaves(text, others))


def without(letter, text):
    """The text without a letter."""
    if not text:
        return ""
    if text[0] == letter:
        return without(letter, text[1:])
    return text[0] + without(letter, text[1:])


def weight(tree):
    """How often the letters of a tree occur."""
    return tree[0]


def insert(tree, forest):
    """A forest in order of weight with one more tree, after those of the same weight."""
    if not forest:
        return (tree,)
    if weight(tree) < weight(forest[0]):
        return (tree, *forest)
    return (forest[0], *insert(tree, forest[1:]))


def ordered(forest):
    """A forest in order of weight."""
    if not forest:
        return ()
    return insert(forest[0], ordered(forest[1:]))


def merge(forest):
    """One tree of a forest in order of weight."""
    if len(forest) == 1:
        return forest[0]
    first, second = forest[0], forest[1]
    both = (weight(first) + weight(second), first, second)
    return merge(insert(both, forest[2:]))


def words(tree, path):
    """The code word of each letter."""
    if len(tree) == 2:
        return ((tree[1], path),)
    return words(tree[1], path + "0") + words(tree[2], path + "1")


def word(letter, table):
    """The code word of one letter."""
    if table[0][0] == letter:
        return table[0][1]
    return word(letter, table[1:])


def encode(text, table):
    """The code words of a text."""
    if not text:
        return ""
    return word(text[0], table) + encode(text[1:], table)


def decode(bits, here, tree):
    """The text that bits stand for; `here` is the part of the tree that was reached."""
    if len(here) == 2:
        return here[1] + decode(bits, tree, tree)
    if not bits:
        return ""
    if bits[0] == "0":
        return decode(bits[1:], here[1], tree)
    return decode(bits[1:], here[2], tree)


def code(text):
    """The tree for a text."""
    return merge(ordered(leaves(text, text)))


def squeeze(text):
    """The bits of a text, and whether they can be read back."""
    tree = code(text)
    bits = encode(text, words(tree, ""))
    return bits, decode(bits, tree, tree) == text


INPUTS = [
    ("code", "abac"),
    ("squeeze", "noon"),
    ("squeeze", "mississippi"),
    ("squeeze", "she sells sea shells"),
]
