"""A set of integers as sorted, disjoint spans [low, high), such as the slices cut from an area."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator


class Spans:
    """A set of integers; adjacent spans are merged."""

    def __init__(self) -> None:
        self._lows: list[int] = []
        self._highs: list[int] = []

    def add(self, low: int, high: int) -> None:
        """Add the integers low, ..., high - 1."""
        first = bisect_left(self._highs, low)
        last = bisect_right(self._lows, high)
        if first < last:
            low = min(low, self._lows[first])
            high = max(high, self._highs[last - 1])
        self._lows[first:last] = [low]
        self._highs[first:last] = [high]

    def covers(self, number: int) -> bool:
        """Whether a number is in the set."""
        index = bisect_right(self._lows, number) - 1
        return index >= 0 and number < self._highs[index]

    def within(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """The spans within start, ..., stop - 1, clipped."""
        for index in range(bisect_right(self._highs, start), len(self._lows)):
            if self._lows[index] >= stop:
                return
            yield max(start, self._lows[index]), min(stop, self._highs[index])
