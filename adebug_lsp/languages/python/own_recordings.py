"""Which recordings this user has made: only their programs are executed again, for anybody can send a file.

They are known by their content, in the user's own cache folder, with the interpreter that ran the program.
"""

from contextlib import suppress
from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder
from adebug_lsp.store.digest import digest

_MADE: dict[Path, Path] = {}


def note_own(recording: Path, interpreter: Path) -> None:
    """A program of the user is going to be recorded to this file, by this interpreter."""
    _MADE[recording.absolute()] = interpreter


def keep_own(recording: Path) -> None:
    """What was noted is recorded now: other processes of the user may know it, too."""
    interpreter, folder = _MADE.get(recording.absolute()), user_folder("own")
    if interpreter is None or folder is None:
        return
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digest(recording)).write_text(str(interpreter), encoding="utf-8")


def own_interpreter(recording: Path) -> Path | None:
    """The interpreter that ran the program, if this user has recorded it."""
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
