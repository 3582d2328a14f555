"""A phone book as a binary search tree."""

PHONES = [("Kai", 4711), ("Bea", 1234), ("Zoe", 9876), ("Ali", 5550), ("Mo", 3141), ("Pia", 2718), ("Eva", 1618)]


class Node:
    def __init__(self, name, number):
        self.name = name
        self.number = number
        self.left = None
        self.right = None


def insert(node, name, number):
    if node is None:
        return Node(name, number)
    if name < node.name:
        node.left = insert(node.left, name, number)
    else:
        node.right = insert(node.right, name, number)
    return node


def find(node, name):
    """The number of that name, or None."""
    if node is None:
        return None
    if name == node.name:
        return node.number
    if name < node.name:
        return find(node.left, name)
    return find(node.right, name)


def build(entries):
    root = None
    for name, number in entries:
        root = insert(root, name, number)
    return root


def lookup(entries, name):
    return find(build(entries), name)


if __name__ == "__main__":
    root = build(PHONES)
    for name in ("Ali", "Eva", "Kai", "Mo", "Zoe", "Ute"):
        print(name, find(root, name))
