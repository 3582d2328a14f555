"""To the limit of recursion again and again: every time it is at the same depth, whatever the recorder does there."""

import sys
from collections import Counter


def down(n):
    try:
        return down(n + 1)
    except RecursionError:
        return n


def many(times):
    return Counter([down(0) for _ in range(times)])


sys.setrecursionlimit(150)
print(many(4000))
