"""Running means by a generator that is fed with values, and an alarm when a value leaves the mean behind."""

STREAMS = {
    "pump": [10, 12, 11, 30, 12, 13],
    "fan": [5, 5, 6, 5, 6, 5],
    "belt": [40, 38, 41, 80, 39, 10],
}


def running_mean():
    """Send a value, get the mean of all values so far."""
    total = 0
    count = 0
    value = yield 0
    while True:
        total += value
        count += 1
        value = yield total / count


def means(values):
    averager = running_mean()
    next(averager)
    result = [averager.send(value) for value in values]
    averager.close()
    return result


def is_outlier(value, mean):
    return abs(value - mean) > 0.4 * mean


def outliers(values):
    return [value for value, mean in zip(values, means(values)) if is_outlier(value, mean)]


def main():
    for name, values in STREAMS.items():
        print(name, [round(mean, 1) for mean in means(values)], outliers(values))


if __name__ == "__main__":
    main()
