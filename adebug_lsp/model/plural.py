"""Counts with a noun in the singular or plural."""


def counted(count: int, noun: str) -> str:
    """A count with its noun: `1 answer`, `2 answers`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
