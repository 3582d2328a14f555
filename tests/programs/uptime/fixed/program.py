"""Durations in words, for the uptime of a few machines."""

MINUTE = 60
HOUR = 3_600
DAY = 86_400
UNITS = [("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", 1)]


def split(seconds):
    """How often each unit fits, from the largest on."""
    parts = []
    for name, size in UNITS:
        count, seconds = divmod(seconds, size)
        parts.append((count, name))
    return parts


def plural(count, name):
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def words(seconds, most=2):
    """The largest units that are not zero."""
    parts = [plural(count, name) for count, name in split(seconds) if count]
    return " and ".join(parts[:most]) or "just started"


def report(machines):
    lines = []
    for name, seconds in sorted(machines.items()):
        lines.append(f"{name}: {words(seconds)}")
    return lines


def main():
    machines = {"alpha": 59, "beta": 7_205, "gamma": 259_200, "delta": 0, "epsilon": 90_061}
    print("\n".join(report(machines)))


if __name__ == "__main__":
    main()
