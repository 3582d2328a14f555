"""One form for words that a reader takes for the same."""

import unicodedata


def without_marks(text):
    """The text without accents and other combining marks."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def fold(text):
    """The text without regard to case."""
    return text.lower()


def normal(text):
    return without_marks(fold(text))
