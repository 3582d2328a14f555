"""Roman numerals, both ways."""

SYMBOLS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def to_roman(number):
    """The numeral of a positive number."""
    return build(number, SYMBOLS)


def build(number, symbols):
    """The numeral, made of the symbols from the largest down."""
    if number == 0 or not symbols:
        return ""
    value, letters = symbols[0]
    if number >= value:
        return letters + build(number - value, symbols)
    return build(number, symbols[1:])


def digit(letter):
    """What one letter stands for."""
    return find(letter, SYMBOLS)


def find(letters, symbols):
    """The value of a symbol in the table."""
    if not symbols:
        raise ValueError(letters)
    value, known = symbols[0]
    if known == letters:
        return value
    return find(letters, symbols[1:])


def from_roman(text):
    """The number that a numeral stands for."""
    if text == "":
        return 0
    if len(text) > 1 and digit(text[0]) < digit(text[1]):
        return from_roman(text[1:]) - digit(text[0])
    return digit(text[0]) + from_roman(text[1:])


def add_roman(left, right):
    """The sum of two numerals, as a numeral."""
    return to_roman(from_roman(left) + from_roman(right))


INPUTS = [
    ("to_roman", 9),
    ("to_roman", 1994),
    ("from_roman", "XLIV"),
    ("add_roman", "CDXCIX", "MCMXLIV"),
    ("add_roman", "MMDCCCLXXXVIII", "CMXCIX"),
]
