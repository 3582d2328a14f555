"""Postage in cents. A letter has up to 50 g and 5 mm, a large letter up to 500 g and 20 mm, the rest are parcels."""

LETTER = 95
LARGE_LETTER = 180
PARCEL_BASE = 399
PARCEL_PER_KILO = 50


def kilos(grams):
    return -(-grams // 1000)


def parcel(grams):
    return PARCEL_BASE + PARCEL_PER_KILO * kilos(grams)


def postage(grams, thickness):
    if grams <= 50 and thickness <= 5:
        return LETTER
    return parcel(grams)


def surcharge(country):
    return {"domestic": 0, "europe": 80}.get(country, 150)


def price(item):
    grams, thickness, country = item
    return postage(grams, thickness) + surcharge(country)


def price_list(items):
    return {item: price(item) for item in items}


def main():
    items = [(20, 2, "domestic"), (300, 15, "europe"), (480, 40, "domestic"), (2300, 120, "overseas")]
    prices = price_list(items)
    for item, cents in prices.items():
        print(item, cents)
    print("sum", sum(prices.values()))


if __name__ == "__main__":
    main()
