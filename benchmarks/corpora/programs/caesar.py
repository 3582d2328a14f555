"""The cipher that moves every letter by the same number of places, and how to break it."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
COMMON = "etaoin"


def index_of(letter, alphabet):
    """The place of a letter, from 0; -1 if it is none."""
    if not alphabet:
        return -1
    if alphabet[0] == letter:
        return 0
    rest = index_of(letter, alphabet[1:])
    if rest == -1:
        return -1
    return rest + 1


def shift(letter, key):
    """One letter moved; everything else stays."""
    if letter not in ALPHABET:
        return letter
    return ALPHABET[(index_of(letter, ALPHABET) + key) % 26]


def encipher(text, key):
    """The text with every letter moved."""
    if not text:
        return ""
    return shift(text[0], key) + encipher(text[1:], key)


def decipher(text, key):
    """The text before it was enciphered."""
    return encipher(text, 26 - key)


def score(text):
    """How many of the letters are common ones."""
    if not text:
        return 0
    if text[0] in COMMON:
        return 1 + score(text[1:])
    return score(text[1:])


def best_key(text, key, best, most):
    """The key from `key` on whose decipherment scores most."""
    if key == 26:
        return best
    here = score(decipher(text, key))
    if here > most:
        return best_key(text, key + 1, key, here)
    return best_key(text, key + 1, best, most)


def crack(text):
    """The key that was probably used, and the text."""
    key = best_key(text, 0, 0, -1)
    return key, decipher(text, key)


INPUTS = [
    ("encipher", "hi, bob", 3),
    ("decipher", "wkh txlfn ira", 3),
    ("crack", "phhw dw qrrq"),
    ("encipher", "Sphinx of black quartz, judge my vow.", 11),
]
