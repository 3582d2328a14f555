"""A small shop: what a cart costs. A discount of a tenth is given from 100 on."""

PRICES = {"lamp": 30, "chair": 40, "table": 120}


def discount(amount):
    """What is taken off."""
    if amount > 100:
        return amount // 10
    return 0


def amount_of(items):
    """The price of everything, before discount."""
    amount = 0
    for name, count in items:
        amount += PRICES[name] * count
    return amount


def total(items):
    """What is to be paid."""
    amount = amount_of(items)
    return amount - discount(amount)
