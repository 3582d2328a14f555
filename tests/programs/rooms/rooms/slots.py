"""Times of a day as minutes, and spans of time."""

from typing import NamedTuple


class Slot(NamedTuple):
    start: int
    end: int

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end

    def minutes(self):
        return self.end - self.start


def minutes_of(text):
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def slot(text):
    start, end = text.split("-")
    return Slot(minutes_of(start), minutes_of(end))
