"""A number together with what it counts."""


def counted(count: int, noun: str) -> str:
    """As in `1 answer` and `2 answers`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
