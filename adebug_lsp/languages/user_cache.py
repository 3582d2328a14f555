"""Folders of the user's own cache, for what a workspace must not be able to forge.

Code that is kept there is run when it is found again, so whoever could put it there could run anything; a workspace may
come from anywhere.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

MOST = 2000
"""Files that are kept in a folder; when there are more, the older half goes."""


def user_folder(name: str) -> Path | None:
    """A folder of the user's cache, tidied, perhaps not there yet; None where the user has no place for such files."""
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
