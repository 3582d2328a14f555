"""Folders in the user's cache directory, for files that a workspace must not be able to forge.

Code that is cached there is executed later, so write access to it is enough to run anything; a workspace may come
from anywhere.
"""

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

MOST = 2000
"""Maximum number of files in a folder; beyond it, the older half is deleted."""


def user_folder(name: str) -> Path | None:
    """Return a folder of the user's cache after deleting old files; it may not exist yet. None without a home folder.

    A relative path would lie in the workspace, which must not supply code: platformdirs returns one when `~` cannot be
    expanded.
    """
    folder = user_cache_path("adebug", appauthor=False, opinion=False) / name
    if not folder.is_absolute():
        return None
    with suppress(OSError):
        _tidy(folder)
    return folder


def _tidy(folder: Path) -> None:
    if len(os.listdir(folder)) > MOST:
        files = list(folder.iterdir())
        for old in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) // 2]:
            old.unlink(missing_ok=True)
