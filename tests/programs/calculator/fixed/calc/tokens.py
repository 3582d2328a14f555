"""Text to tokens."""

import re

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z]\w*)|(.))")


def tokens(text):
    """Numbers as int, names and signs as text."""
    found = []
    for number, name, sign in TOKEN.findall(text.rstrip()):
        found.append(int(number) if number else name or sign)
    return found
