"""A name for the content of a file: the same for the same bytes, and for no others."""

import hashlib
from pathlib import Path


def digest(file: Path) -> str:
    """The name, read piece by piece."""
    found = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            found.update(block)
    return found.hexdigest()
