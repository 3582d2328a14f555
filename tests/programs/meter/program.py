"""Electricity bills from hourly meter readings, with a peak price from 17 to 20 o'clock."""

NORMAL = 31
PEAK = 44


def is_peak(hour):
    return 17 <= hour < 20


def readings(start, usage):
    """What the meter shows at each full hour."""
    shown = start
    for used in usage:
        shown += used
        yield shown


def bill(start, usage):
    """The price of a day in cents."""
    total = 0
    previous = start
    for hour, reading in enumerate(readings(start, usage)):
        used = reading - previous
        if not is_peak(hour):
            total += used * NORMAL
        else:
            total += used * PEAK
            previous = reading
    return total


def usage_of(household):
    base = 1 + household % 2
    return [base + (hour * household) % 3 + (2 if is_peak(hour) else 0) for hour in range(24)]


def main():
    for household in (1, 2, 5):
        usage = usage_of(household)
        print(household, sum(usage), "kWh", bill(1000 * household, usage), "cents")


if __name__ == "__main__":
    main()
