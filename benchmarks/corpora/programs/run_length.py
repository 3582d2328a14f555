"""Run-length encoding of text, and back."""


def head_run(text):
    """How often the first character is repeated at the start."""
    if len(text) == 1 or text[0] != text[1]:
        return 1
    return 1 + head_run(text[1:])


def encode_run(letter, count):
    """One run: the count is left out where it is 1."""
    if count == 1:
        return letter
    return str(count) + letter


def encode(text):
    """The runs of a text, one after the other."""
    if not text:
        return ""
    count = head_run(text)
    return encode_run(text[0], count) + encode(text[count:])


def leading_digits(text):
    """The digits at the start."""
    if not text or text[0] not in "0123456789":
        return ""
    return text[0] + leading_digits(text[1:])


def repeat(letter, count):
    """A letter, so many times."""
    if count <= 0:
        return ""
    return letter + repeat(letter, count - 1)


def decode(text):
    """The text that was encoded."""
    if not text:
        return ""
    digits = leading_digits(text)
    count = int(digits) if digits else 1
    letter = text[len(digits)]
    return repeat(letter, count) + decode(text[len(digits) + 1 :])


def saved(text):
    """How many characters the encoding saves, after a check that it can be undone."""
    short = encode(text)
    if decode(short) != text:
        return -1
    return len(text) - len(short)


INPUTS = [
    ("encode", "aaab"),
    ("decode", "3a2bc"),
    ("encode", "wwwwbbbwwwwwwwwwwwwbwww"),
    ("saved", "zzzzzyyxxxxxxxxxxxxwvvvuuuuu"),
    ("saved", "aabbbbbbccccddddddddddddddddeeeefffffffghhhhhhhhhhhhhhiiijjklmnnnnooooooooooooppqqqqrrs"),
]
