"""A registry of the recordings that this user made: only their programs are executed again, others may be malicious.

The registry is a folder in the user's cache: the SHA-256 of a recording names a file with the interpreter that ran it.
"""

from contextlib import suppress
from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder
from adebug_lsp.store.digest import digest

_INTERPRETERS: dict[Path, Path] = {}
"""Interpreters of the programs that this process records, by recording."""
_REGISTERED: set[Path] = set()
"""Files of the registry that this process has written."""


def note_recording(recording: Path, interpreter: Path) -> None:
    """Note that this process is about to record a program with this interpreter."""
    _INTERPRETERS[recording.absolute()] = interpreter


def register_recording(recording: Path) -> None:
    """Register a noted recording for the user's other processes."""
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
    """The interpreter that ran the program; None if this user did not record it."""
    if recording.absolute() in _INTERPRETERS:
        register_recording(recording)
        return _INTERPRETERS[recording.absolute()]
    folder = user_folder("own")
    if folder is None:
        return None
    try:
        return Path((folder / digest(recording)).read_text(encoding="utf-8"))
    except OSError:
        return None
