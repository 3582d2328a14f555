"""Searching text for patterns with ".", "*", "+", "?", "^", "$" and sets such as "[a-f]"."""


def unit(pattern):
    """How many characters the first thing to match takes up in the pattern."""
    if pattern[0] == "[":
        return pattern.index("]") + 1
    return 1


def in_set(members, character):
    """Whether a character belongs to a set or one of its ranges."""
    if not members:
        return False
    if len(members) >= 3 and members[1] == "-":
        if members[0] <= character <= members[2]:
            return True
        return in_set(members[3:], character)
    return members[0] == character or in_set(members[1:], character)


def matches_one(single, character):
    """Whether a character is what a single pattern stands for."""
    if single == ".":
        return True
    if single[0] == "[":
        return in_set(single[1:-1], character)
    return single == character


def match(pattern, text):
    """The length of the match at the start of a text; -1 if there is none."""
    if not pattern:
        return 0
    if pattern == "$":
        return 0 if not text else -1
    width = unit(pattern)
    single, rest = pattern[:width], pattern[width:]
    if rest and rest[0] == "*":
        return many(single, rest[1:], text, 0)
    if rest and rest[0] == "+":
        return many(single, rest[1:], text, 1)
    if rest and rest[0] == "?":
        return perhaps(single, rest[1:], text)
    return then(single, rest, text)


def then(single, rest, text):
    """One character, then the rest."""
    if not text or not matches_one(single, text[0]):
        return -1
    return longer(match(rest, text[1:]), 1)


def longer(length, more):
    """A match with characters before it."""
    if length < 0:
        return -1
    return length + more


def many(single, rest, text, least):
    """As many characters as possible, at least so many, then the rest."""
    return backtrack(rest, text, span(single, text), least)


def span(single, text):
    """How many characters at the start match."""
    if not text or not matches_one(single, text[0]):
        return 0
    return 1 + span(single, text[1:])


def backtrack(rest, text, count, least):
    """The rest after count characters, or after fewer."""
    if count < least:
        return -1
    found = match(rest, text[count:])
    if found >= 0:
        return found + count
    return backtrack(rest, text, count - 1, least)


def perhaps(single, rest, text):
    """One character or none, then the rest."""
    found = then(single, rest, text)
    if found >= 0:
        return found
    return match(rest, text)


def search(pattern, text, start):
    """Where the first match from a place on begins and ends; () if there is none."""
    if pattern[:1] == "^":
        length = match(pattern[1:], text)
        return (0, length) if length >= 0 else ()
    if start > len(text):
        return ()
    length = match(pattern, text[start:])
    if length >= 0:
        return start, start + length
    return search(pattern, text, start + 1)


def replace(pattern, new, text):
    """The text with every match replaced."""
    found = search(pattern, text, 0)
    if not found or found[0] == found[1]:
        return text
    return text[: found[0]] + new + replace(pattern, new, text[found[1] :])


INPUTS = [
    ("search", "b+c", "abbbc", 0),
    ("search", "[0-9]+$", "room 101", 0),
    ("search", "colou?r", "my favorite color", 0),
    ("replace", "[aeiou]+", "*", "the queue is a beautiful thing"),
    ("search", "^a.*b.*c$", "axxbxxbyyc", 0),
]
