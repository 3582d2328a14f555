"""A machine with a tape: left part reversed, head, right part. Rules are (state, read, write, move, next)."""

INCREMENT = (
    ("right", "0", "0", "R", "right"),
    ("right", "1", "1", "R", "right"),
    ("right", "_", "_", "L", "carry"),
    ("carry", "1", "0", "L", "carry"),
    ("carry", "0", "1", "L", "done"),
    ("carry", "_", "1", "L", "done"),
)
PALINDROME = (
    ("start", "a", "_", "R", "see a"),
    ("start", "b", "_", "R", "see b"),
    ("start", "_", "_", "R", "done"),
    ("see a", "a", "a", "R", "see a"),
    ("see a", "b", "b", "R", "see a"),
    ("see a", "_", "_", "L", "want a"),
    ("see b", "a", "a", "R", "see b"),
    ("see b", "b", "b", "R", "see b"),
    ("see b", "_", "_", "L", "want b"),
    ("want a", "a", "_", "L", "back"),
    ("want b", "b", "_", "L", "back"),
    ("want a", "_", "_", "R", "done"),
    ("want b", "_", "_", "R", "done"),
    ("back", "a", "a", "L", "back"),
    ("back", "b", "b", "L", "back"),
    ("back", "_", "_", "R", "start"),
)


def find(rules, state, symbol):
    """The rule for a state and a symbol; () if there is none."""
    for rule in rules:
        if rule[0] == state and rule[1] == symbol:
            return rule
    return ()


def head(part):
    """The first symbol of a part of the tape."""
    if not part:
        return "_"
    return part[0]


def tail(part):
    """What is left of a part of the tape without its first symbol."""
    return part[1:]


def move(left, symbol, right, direction):
    """The tape after the head has moved."""
    if direction == "L":
        return tail(left), head(left), symbol + right
    return symbol + left, head(right), tail(right)


def step(rule, tape):
    """The tape after one step."""
    left, _, right = tape
    return move(left, rule[2], right, rule[3])


def run(machine, state, tape):
    """The last state and tape."""
    rule = find(rules_of(machine), state, tape[1])
    if not rule:
        return state, tape
    return run(machine, rule[4], step(rule, tape))


def rules_of(machine):
    """The rules of a machine by its name."""
    if machine == "increment":
        return INCREMENT
    return PALINDROME


def tape_of(text):
    """A tape with the head on the first symbol."""
    return "", head(text), tail(text)


def written(tape):
    """What stands on the tape, without blanks at its ends."""
    left, symbol, right = tape
    return (left[::-1] + symbol + right).strip("_")


def increment(text):
    """A binary number plus 1."""
    return written(run("increment", "right", tape_of(text))[1])


def is_palindrome(text):
    """Whether a text reads the same from both ends."""
    return run("palindrome", "start", tape_of(text))[0] == "done"


INPUTS = [
    ("increment", "1011"),
    ("is_palindrome", "aba"),
    ("is_palindrome", "abbbab"),
    ("increment", "111111"),
    ("is_palindrome", "abbaabba"),
    ("is_palindrome", "abbabaababba"),
    ("increment", "101101111111"),
]
