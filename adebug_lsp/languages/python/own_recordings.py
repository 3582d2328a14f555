"""Recordings made by this user: only their programs are executed again, since a recording may come from anybody.

They are registered by SHA-256 in the user's cache folder, with the interpreter that ran the program.
"""

from contextlib import suppress
from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder
from adebug_lsp.store.digest import digest

_MADE: dict[Path, Path] = {}


def note_own(recording: Path, interpreter: Path) -> None:
    """Notes that this process is about to record a program of the user to this file."""
    _MADE[recording.absolute()] = interpreter


def keep_own(recording: Path) -> None:
    """Registers a noted recording for other processes of the user."""
    interpreter, folder = _MADE.get(recording.absolute()), user_folder("own")
    if interpreter is None or folder is None:
        return
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digest(recording)).write_text(str(interpreter), encoding="utf-8")


def own_interpreter(recording: Path) -> Path | None:
    """The interpreter that ran the program; None if this user has not recorded it."""
    if recording.absolute() in _MADE:
        keep_own(recording)
        return _MADE[recording.absolute()]
    folder = user_folder("own")
    if folder is None:
        return None
    try:
        return Path((folder / digest(recording)).read_text(encoding="utf-8"))
    except OSError:
        return None
