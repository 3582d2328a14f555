"""Folders in the user's cache directory, for files that a workspace must not be able to forge.

Code in the cache is run. A workspace may come from anywhere, so the cache is not kept there.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

MOST = 2000
"""Files in a folder; when there are more, the older half is deleted."""


def user_folder(name: str) -> Path | None:
    """A folder in the user's cache directory, which need not exist yet; None if the user has no home."""
    above = _user_cache()
    if above is None:
        return None
    folder = above / "adebug" / name
    with suppress(OSError):
        _tidy(folder)
    return folder


def _user_cache() -> Path | None:
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return Path(named)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _tidy(folder: Path) -> None:
    files = [Path(entry.path) for entry in os.scandir(folder)]
    if len(files) > MOST:
        for old in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) // 2]:
            old.unlink(missing_ok=True)
