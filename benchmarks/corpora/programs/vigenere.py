"""The cipher whose key is a word."""


def code(letter):
    """The number of a capital letter, from 0."""
    return ord(letter) - ord("A")


def letter_of(number):
    """The capital letter of a number."""
    return chr(number % 26 + ord("A"))


def is_letter(character):
    """Whether it is a letter of the plain alphabet."""
    return "a" <= character <= "z" or "A" <= character <= "Z"


def clean(text):
    """The letters of a text, as capitals."""
    if not text:
        return ""
    if is_letter(text[0]):
        return text[0].upper() + clean(text[1:])
    return clean(text[1:])


def stretch(key, length):
    """The key repeated to a length."""
    if length <= len(key):
        return key[:length]
    return key + stretch(key, length - len(key))


def add(letter, key):
    """Encipher one letter."""
    return letter_of(code(letter) + code(key))


def subtract(letter, key):
    """Decipher one letter."""
    return letter_of(code(letter) - code(key))


def encipher_all(text, key):
    """Encipher letter by letter."""
    if not text:
        return ""
    return add(text[0], key[0]) + encipher_all(text[1:], key[1:])


def decipher_all(text, key):
    """Decipher letter by letter."""
    if not text:
        return ""
    return subtract(text[0], key[0]) + decipher_all(text[1:], key[1:])


def encipher(text, key):
    """The letters of the text, enciphered."""
    plain = clean(text)
    return encipher_all(plain, stretch(clean(key), len(plain)))


def decipher(text, key):
    """The letters that were enciphered."""
    return decipher_all(text, stretch(clean(key), len(text)))


def groups(text, size):
    """The text in groups, with blanks between them."""
    if len(text) <= size:
        return text
    return text[:size] + " " + groups(text[size:], size)


def message(text, key):
    """What is sent: enciphered and in groups, followed by a check."""
    secret = encipher(text, key)
    kept = decipher(secret, key) == clean(text)
    return groups(secret, 5), kept


INPUTS = [
    ("encipher", "Attack!", "Lemon"),
    ("decipher", "LXFOPV", "Lemon"),
    ("message", "Beware the Jabberwock, my son!", "vigenere cipher"),
    ("message", "It was the best of times, it was the worst of times, it was the age of wisdom", "Tale"),
]
