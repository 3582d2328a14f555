"""Prices of a shop: modules that are imported when they are used, frozen dictionaries, a sentinel."""

lazy import discounts
lazy from report import line

UNKNOWN = sentinel("UNKNOWN")
PRICES = frozendict(apple=50, pear=70, plum=20)


def price(name, prices=PRICES):
    return prices.get(name, UNKNOWN)


def merged(orders):
    return {**order for order in orders}


def total(order, customer):
    found = {name: price(name) for name in order}
    known = frozendict({name: each for name, each in found.items() if each is not UNKNOWN})
    amount = sum(each * order[name] for name, each in known.items())
    return discounts.reduced(amount, customer), [name for name in order if name not in known]


def items(orders):
    return [*order for order in orders]


def main():
    orders = [{"apple": 2, "kiwi": 1}, {"plum": 10}, {"apple": 3}]
    print(items(orders))
    for customer in ("new", "old"):
        print(line(customer, *total(merged(orders), customer)))


main()
