"""A long list cut into numbered pages with a footer."""

from dataclasses import dataclass


@dataclass
class Pager:
    lines: list
    size: int

    def count(self):
        return (len(self.lines) + self.size - 1) // self.size

    def bounds(self, number):
        """Where a page starts and ends in the list, the end exclusive."""
        start = (number - 1) * self.size
        return start, min(start + self.size, len(self.lines))

    def page(self, number):
        start, end = self.bounds(number)
        return self.lines[start:end]

    def footer(self, number):
        return f"-- {number} of {self.count()} --"


def stations(count):
    return [f"stop {n}" for n in range(1, count + 1)]


def printed(pager):
    for number in range(1, pager.count() + 1):
        yield from pager.page(number)
        yield pager.footer(number)


def main():
    pager = Pager(stations(11), 4)
    text = list(printed(pager))
    print("; ".join(text))
    print(len(text))


if __name__ == "__main__":
    main()
