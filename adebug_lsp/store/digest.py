"""SHA-256 of a file."""

import hashlib
from functools import lru_cache
from pathlib import Path


def digest(file: Path) -> str:
    """The SHA-256 of a file in hexadecimal; a file that has not changed meanwhile is read once by this process."""
    status = file.stat()
    version = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return _digest(file.absolute(), version)


@lru_cache(maxsize=64)
def _digest(file: Path, _version: tuple[int, ...]) -> str:
    sha256 = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            sha256.update(block)
    return sha256.hexdigest()
