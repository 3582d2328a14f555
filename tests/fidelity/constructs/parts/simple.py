"""A function for others to call."""


def double(n):
    return 2 * n
