"""Text to values."""

WORDS = {"yes": True, "on": True, "no": False, "off": False}


def to_bool(text):
    if text.lower() not in WORDS:
        raise ValueError(f"not yes or no: {text}")
    return WORDS[text.lower()]


def to_list(text):
    return [part.strip() for part in text.split(",") if part.strip()]


CONVERTERS = {bool: to_bool, list: to_list, int: int, str: str}


def convert(text, kind):
    return CONVERTERS[kind](text)
