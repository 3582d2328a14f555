"""Statistics of sensor readings, after dropping impossible ones."""


def readings(seed, count):
    for _ in range(count):
        seed = (seed * 75 + 74) % 65537
        yield seed % 140 - 50


def is_valid(value):
    return -30 <= value <= 60


def valid(values):
    """The plausible readings, in order."""
    return (value for value in values if is_valid(value))


def mean(values):
    total = count = 0
    for value in values:
        total += value
        count += 1
    return total / count if count else None


def span(values):
    lowest = min(values, default=None)
    highest = max(values, default=None)
    return lowest, highest


def summary(seed, count):
    kept = valid(readings(seed, count))
    return {"mean": round(mean(kept), 2), "span": span(kept)}


def main():
    for seed in (3, 17, 99):
        print(seed, summary(seed, 120))


if __name__ == "__main__":
    main()
