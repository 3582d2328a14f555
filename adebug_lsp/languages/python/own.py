"""The recordings that this process has made: only their programs are executed again, for anybody can send a file."""

from pathlib import Path

_MADE: dict[Path, Path] = {}


def note_own(recording: Path, interpreter: Path) -> None:
    """A program of the user is going to be recorded to this file, by this interpreter."""
    _MADE[recording.absolute()] = interpreter


def own_interpreter(recording: Path) -> Path | None:
    """The interpreter that ran the program, if it was recorded here."""
    return _MADE.get(recording.absolute())
