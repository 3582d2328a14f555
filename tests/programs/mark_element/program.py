"""Order totals with a discount by quantity: from 10 pieces 5 percent, from 50 pieces 12, from 200 pieces 20."""

ORDERS = [
    (3, 250),
    (10, 120),
    (12, 99),
    (49, 310),
    (51, 75),
    (50, 180),
    (9, 1000),
    (200, 15),
    (260, 20),
    (75, 64),
    (1, 999),
    (199, 8),
]


def discount(quantity):
    if quantity >= 200:
        return 20
    if quantity > 50:
        return 12
    if quantity >= 10:
        return 5
    return 0


def gross(quantity, price):
    return quantity * price


def total(quantity, price):
    amount = gross(quantity, price)
    return amount - amount * discount(quantity) // 100


def totals(orders):
    result = []
    for quantity, price in orders:
        result.append(total(quantity, price))
    return result


if __name__ == "__main__":
    print(totals(ORDERS))
