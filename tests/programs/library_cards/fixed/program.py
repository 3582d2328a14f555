"""Loans of a library: how many titles a reader knows, and which title is wanted most."""

from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Book:
    """A copy on the shelf; copies of one title are equal."""

    author: str
    title: str
    copy: int = field(default=1, compare=False)


LOANS = [
    ("Ron", "Verne;Nemo;1"),
    ("Sue", "Verne;Nemo;2"),
    ("Ron", "Woolf;Waves;1"),
    ("Tim", "Verne;Nemo;3"),
    ("Ron", "Verne;Nemo;3"),
    ("Sue", "Woolf;Waves;1"),
    ("Tim", "Eco;Island;1"),
]


def parse(text):
    author, title, copy = text.split(";")
    return Book(author, title, int(copy))


def titles_of(reader, loans):
    return {parse(text) for name, text in loans if name == reader}


def demand(loans):
    counts = {}
    for _, text in loans:
        book = parse(text)
        counts[book] = counts.get(book, 0) + 1
    return counts


def most_wanted(loans):
    counts = demand(loans)
    return max(sorted(counts), key=counts.get)


def main():
    for reader in ("Ron", "Sue", "Tim"):
        print(reader, len(titles_of(reader, LOANS)))
    book = most_wanted(LOANS)
    print("most wanted:", book.title, demand(LOANS)[book])


if __name__ == "__main__":
    main()
