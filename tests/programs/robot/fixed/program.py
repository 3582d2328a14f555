"""A robot on a grid that obeys a list of commands."""

HEADINGS = [(0, 1), (1, 0), (0, -1), (-1, 0)]

COMMANDS = """\
go 3
right
go 2
pen down
go
left
go 4
beep
home
left
go 5
"""


def moved(place, heading, steps):
    x, y = place
    right, up = HEADINGS[heading]
    return x + right * steps, y + up * steps


def obey(state, words):
    """The state after one command; unknown commands are counted."""
    place, heading, unknown = state
    match words:
        case ["go"]:
            place = moved(place, heading, 1)
        case ["go", steps]:
            place = moved(place, heading, int(steps))
        case ["right"]:
            heading = (heading + 1) % 4
        case ["left"]:
            heading = (heading - 1) % 4
        case ["home"]:
            place = (0, 0)
        case ["pen", "up" | "down"]:
            pass
        case _:
            unknown += 1
    return place, heading, unknown


def run(text):
    states = [((0, 0), 0, 0)]
    for line in text.splitlines():
        states.append(obey(states[-1], line.split()))
    return states


def farthest(states):
    return max(abs(x) + abs(y) for (x, y), _, _ in states)


def main():
    states = run(COMMANDS)
    print(states[-1])
    print("farthest", farthest(states))


if __name__ == "__main__":
    main()
