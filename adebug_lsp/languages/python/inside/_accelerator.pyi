"""What `accelerator.c` gives; `spill_sort.py` says what it means."""

from typing import Any

CONTRACT: int

def sort(
    words: list[Any], start: int, stop: int, types: list[type], codes: bytes, /
) -> tuple[bytes, bytes, bytes, list[Any], list[Any]]: ...
def number(values: list[Any], known: dict[int, int], first: int, /) -> tuple[bytes, list[int], list[Any]]: ...
def planes(raw: bytes, width: int, /) -> bytes: ...
