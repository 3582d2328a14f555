"""How many lines of each level a log holds, and how long the job took."""

import re

LOG = """\
[09:58:00] info: start
[09:58:07] debug: 14 files
[09:59:31] warning: file 3 is empty
[10:01:02] error: file 9 is damaged
   retried once
[10:01:40] info: file 9 restored
[10:03:5] info: odd clock
[10:04:10] info: end
"""

LINE = re.compile(r"\[(\d\d):(\d\d):(\d\d)\] (\w+): (.*)")


def parse(line):
    """Seconds since midnight, level and message; None for a line of another form."""
    match = LINE.fullmatch(line)
    if match is None:
        return None
    hours, minutes, seconds, level, message = match.groups()
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds), level, message


def entries(text):
    return [entry for entry in map(parse, text.splitlines()) if entry is not None]


def levels(found):
    counts = {}
    for _, level, _ in found:
        counts[level] = counts.get(level, 0) + 1
    return counts


def duration(found):
    return found[-1][0] - found[0][0]


def main():
    found = entries(LOG)
    print(levels(found))
    print(duration(found), "seconds")


if __name__ == "__main__":
    main()
