"""A registry of the user's own recordings: only their programs are executed again, because others may be malicious.

They are registered by SHA-256 in the user's cache folder, with the interpreter that ran the program.
"""

from contextlib import suppress
from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder
from adebug_lsp.store.digest import digest

_INTERPRETERS: dict[Path, Path] = {}
"""Interpreters of the programs that this process records, by recording."""
_REGISTERED: set[Path] = set()
"""Files of the registry that this process has written."""


def note_own(recording: Path, interpreter: Path) -> None:
    """Notes that this process is about to record a program of the user to this file."""
    _INTERPRETERS[recording.absolute()] = interpreter


def keep_own(recording: Path) -> None:
    """Registers a noted recording for other processes of the user."""
    path, folder = recording.absolute(), user_folder("own")
    if path not in _INTERPRETERS or folder is None:
        return
    with suppress(OSError):
        entry = folder / digest(path)
        if entry not in _REGISTERED:
            folder.mkdir(parents=True, exist_ok=True)
            entry.write_text(str(_INTERPRETERS[path]), encoding="utf-8")
            _REGISTERED.add(entry)


def own_interpreter(recording: Path) -> Path | None:
    """The interpreter that ran the program; None if this user has not recorded it."""
    if recording.absolute() in _INTERPRETERS:
        keep_own(recording)
        return _INTERPRETERS[recording.absolute()]
    folder = user_folder("own")
    if folder is None:
        return None
    try:
        return Path((folder / digest(recording)).read_text(encoding="utf-8"))
    except OSError:
        return None
