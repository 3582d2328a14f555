"""What is in the pantry, what it weighs and what it is worth, shelf by shelf."""

STOCK = [
    {"name": "rice", "shelf": "dry", "count": 4, "weight": 500, "price": 189},
    {"name": "beans", "shelf": "cans", "count": 9, "weight": 400, "price": 99},
    {"name": "flour", "shelf": "dry", "count": 3, "weight": 1000, "price": 75},
    {"name": "peas", "shelf": "cans", "count": 6, "weight": 280, "price": 129},
    {"name": "honey", "shelf": "sweet", "count": 2, "weight": 250, "price": 549},
]


def weight(item):
    return item["weight"] * item["count"]


def value(item):
    return item["weight"] * item["count"]


def by_shelf(stock):
    shelves = {}
    for item in stock:
        shelves.setdefault(item["shelf"], []).append(item)
    return shelves


def summary(items):
    return {
        "items": sum(item["count"] for item in items),
        "grams": sum(map(weight, items)),
        "cents": sum(map(value, items)),
    }


def report(stock):
    for shelf, items in sorted(by_shelf(stock).items()):
        yield shelf, summary(items)


if __name__ == "__main__":
    for shelf, line in report(STOCK):
        print(shelf, line)
