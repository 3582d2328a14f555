"""SHA-256 of a file."""

import hashlib
from pathlib import Path


def digest(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal, reading it in blocks."""
    sha256 = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            sha256.update(block)
    return sha256.hexdigest()
