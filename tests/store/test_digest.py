"""A file is hashed again whenever it may have changed, and only then."""

import hashlib
import os
from pathlib import Path

from adebug_lsp.store.digest import _digest, digest


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "run.adebug"
    before = _digest.cache_info().misses
    for number, content in enumerate((b"first", b"second run", b"third time"), start=1):
        file.write_bytes(content)
        os.utime(file, ns=(number, number))
        assert digest(file) == digest(file) == hashlib.sha256(content).hexdigest()
        assert _digest.cache_info().misses == before + number


def test_another_file_in_its_place_is_read(tmp_path: Path) -> None:
    """Size and time are those of before: only the identity of the file differs."""
    file, other = tmp_path / "run.adebug", tmp_path / "other"
    for path, content in ((file, b"first"), (other, b"other")):
        path.write_bytes(content)
        os.utime(path, ns=(1, 1))
    assert digest(file) == hashlib.sha256(b"first").hexdigest()
    other.replace(file)
    assert digest(file) == hashlib.sha256(b"other").hexdigest()
