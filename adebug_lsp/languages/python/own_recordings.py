"""Recordings that this user has made: only their programs are executed again, because anybody can send a file.

They are listed by hash in the user's cache directory, each with the interpreter that ran the program.
"""

from contextlib import suppress
from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder
from adebug_lsp.store.digest import digest

_MADE: dict[Path, Path] = {}


def note_own(recording: Path, interpreter: Path) -> None:
    """Note, before the run, that this interpreter records a program of the user to this file."""
    _MADE[recording.absolute()] = interpreter


def keep_own(recording: Path) -> None:
    """List a finished recording in the cache, so that other processes of the user recognize it."""
    interpreter, folder = _MADE.get(recording.absolute()), user_folder("own")
    if interpreter is None or folder is None:
        return
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digest(recording)).write_text(str(interpreter), encoding="utf-8")


def own_interpreter(recording: Path) -> Path | None:
    """Return the interpreter that ran the program, or None if this user did not record it."""
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
