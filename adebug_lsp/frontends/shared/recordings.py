"""The recordings of a workspace: under `.adebug/recordings/`, the newest five, each with a note of what was run.

A recording that a user names with `-o` is his own, and is never removed.
"""

import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from adebug_lsp.languages.language import Request
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.json import from_json
from adebug_lsp.store.integrity import FOLDER_NAME

KEPT = 5
SUFFIX = ".adebug"
_NOTE = ".json"


@frozen
class Note:
    """What a recording is of, in plain data: enough to run the same again."""

    language: str
    program: str | None = None
    module: str | None = None
    tests: tuple[str, ...] | None = None
    call: str | None = None
    args: tuple[str, ...] = ()
    interpreter: str | None = None
    level: str = "full"
    timeout: float | None = None
    folder: str = ""
    """Where it was started."""
    env: Mapping[str, str | None] = {}
    """In what its environment differed from ours; None: a variable that it did not have."""
    seconds: float | None = None
    """How long the run took; None: that is not known."""
    entry: str = ""
    """The part of the run that was asked about."""
    subject: str = ""
    """The identity of what was asked about, under which its sessions are stored."""

    def request(self, workspace: Path) -> Request:
        """The same run again."""
        return Request(
            workspace,
            program=None if self.program is None else Path(self.program),
            module=self.module,
            tests=self.tests,
            call=self.call,
            args=self.args,
            interpreter=None if self.interpreter is None else Path(self.interpreter),
            level=self.level,
            timeout=self.timeout,
            environment=with_changes(self.env) if self.env else None,
        )


def with_changes(env: Mapping[str, str | None]) -> dict[str, str]:
    """Our environment with changes; a variable without a value is left out."""
    return {name: value for name, value in {**os.environ, **env}.items() if value is not None}


def note_of(language: str, request: Request, seconds: float | None = None) -> Note:
    """A note about a run that has not been asked about yet."""
    return Note(
        language,
        program=None if request.program is None else str(request.program),
        module=request.module,
        tests=request.tests,
        call=request.call,
        args=request.args,
        interpreter=None if request.interpreter is None else str(request.interpreter),
        level=request.level,
        timeout=request.timeout,
        folder=str(request.folder or Path.cwd()),
        seconds=seconds,
        env={} if request.environment is None else _changes(request.environment),
    )


def _changes(environment: Mapping[str, str]) -> dict[str, str | None]:
    names = sorted({*os.environ, *environment})
    return {name: environment.get(name) for name in names if environment.get(name) != os.environ.get(name)}


class Recordings:
    """The folder, made when it is needed."""

    def __init__(self, workspace: Path) -> None:
        self._folder = workspace / FOLDER_NAME / "recordings"
        self.problem = ""
        """Why recordings are not kept, or nothing."""

    def new(self) -> Path:
        """A file to record to. Where the workspace cannot be written, one that is gone when the computer restarts."""
        try:
            self._make_folder()
        except OSError as error:
            self.problem = f"{self._folder}: cannot be used ({error.strerror or error}); the recording is not kept"
            self._folder = Path(tempfile.mkdtemp(prefix="adebug-"))
        # Editors and terminals may begin in the same second, and the file is not there before the program runs.
        stamp = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}"
        count = 0
        while (path := self._folder / f"{stamp}-{count:03}{SUFFIX}").exists():
            count += 1
        return path

    def keep(self, recording: Path, note: Note) -> None:
        """Write the note of a recording, and remove what is too old; raises nothing."""
        with suppress(OSError):
            recording.with_suffix(_NOTE).write_text(json.dumps(asdict(note)), encoding="utf-8")
            for old in self.newest_first()[KEPT:]:
                old.unlink(missing_ok=True)
                old.with_suffix(_NOTE).unlink(missing_ok=True)

    def asked_about(self, recording: Path, entry: str, subject: str) -> None:
        """Add to the note of a kept recording which part of it is asked about, under which identity."""
        note = self.note(recording)
        if note is not None and recording.absolute().parent == self._folder.absolute():
            self.keep(recording, evolve(note, entry=entry, subject=subject))

    def newest_first(self) -> list[Path]:
        """The recordings that are kept."""
        return sorted(self._folder.glob(f"*{SUFFIX}"), reverse=True)

    def note(self, recording: Path) -> Note | None:
        """What a kept recording is of, if that is known."""
        try:
            data: Any = json.loads(recording.with_suffix(_NOTE).read_text(encoding="utf-8"))
            return from_json(data, Note) if isinstance(data, Mapping) else None
        except (OSError, ValueError, BadInputError):
            return None

    def _make_folder(self) -> None:
        above = self._folder.parent
        for folder in (above, self._folder):
            # A workspace from anywhere must not make us write outside of it, so links are not followed.
            if folder.is_symlink():
                raise OSError(f"{folder.name} is a link")
            folder.mkdir(exist_ok=True)
        with suppress(FileExistsError), (above / ".gitignore").open("x", encoding="utf-8") as ignore:
            ignore.write("*\n")
