"""Receipts of a till."""

from layout import line, rule
from money import to_cents, to_text


class Receipt:
    def __init__(self):
        self.items = []

    def add(self, name, price, count=1):
        self.items.append((name, to_cents(price), count))

    def total(self):
        return sum(price * count for _, price, count in self.items)

    def lines(self):
        for name, price, count in self.items:
            label = name if count == 1 else f"{count} {name}"
            yield line(label, to_text(price * count))
        yield rule()
        yield line("total", to_text(self.total()))


def change(receipt, given):
    """What the customer gets back."""
    return to_text(to_cents(given) - receipt.total())
