"""Addresses made of titles."""

from slugs.normal import normal


def words(text):
    spaced = "".join(char if char.isalnum() else " " for char in text)
    return spaced.split()


def slug(title, longest=40):
    result = "-".join(normal(word) for word in words(title))
    return result[:longest].rstrip("-")


def unique_slug(title, taken):
    base = slug(title)
    candidate, number = base, 2
    while candidate in taken:
        candidate = f"{base}-{number}"
        number += 1
    return candidate
