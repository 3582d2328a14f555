"""A water gauge read ten thousand times: levels at or above the limit drain the basin, others fill it."""

LIMIT = 5314


def read_gauge(number):
    """The level at one reading; within ten thousand readings no level comes twice."""
    return number * 7919 % 10007


def drain(volume, level):
    return volume - level // 10


def fill(volume, level):
    return volume + level // 8


def mix(checksum, volume):
    return (checksum * 31 + volume) % 1_000_003


def watch(count, limit=LIMIT):
    volume = 100_000
    drained = 0
    checksum = 17
    for number in range(1, count + 1):
        level = read_gauge(number)
        if level > limit:
            volume = drain(volume, level)
            drained += 1
        else:
            volume = fill(volume, level)
        checksum = mix(checksum, volume)
    return volume, drained, checksum


def report(count):
    volume, drained, checksum = watch(count)
    return f"after {count} readings: volume {volume}, drained {drained} times, checksum {checksum}"


if __name__ == "__main__":
    print(report(10_000))
