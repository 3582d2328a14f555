"""The recordings of a workspace: under `.adebug/recordings/`, the newest five, each with a note of its request.

Recordings written with `-o` belong to the user and are never removed.
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

from adebug_lsp.languages.language import Language, Progress, RecordedTest, Request
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.json import from_json
from adebug_lsp.store.integrity import FOLDER_NAME

KEPT = 5
SUFFIX = ".adebug"
_NOTE = ".json"
NOTEBOOK = ".ipynb"
"""Name of the file with the recorded cells of an IPython session."""


@frozen
class Note:
    """The run behind a recording, as plain data: enough to repeat it."""

    language: str
    program: str | None = None
    module: str | None = None
    script: str | None = None
    tests: tuple[str, ...] | None = None
    selected: tuple[str, ...] = ()
    call: str | None = None
    args: tuple[str, ...] = ()
    interpreter: str | None = None
    level: str = "full"
    timeout: float | None = None
    folder: str = ""
    """The working directory."""
    env: Mapping[str, str | None] = {}
    """Changes to our environment; None: a variable that was removed."""
    seconds: float | None = None
    """Duration of the run; None: unknown."""
    entry: str = ""
    """The test that is asked about; empty: the whole run."""
    other_failures: tuple[str, ...] = ()
    """Names of tests that failed too, and are not in the recording."""
    remarks: tuple[str, ...] = ()
    """On how it was recorded, for people."""
    subject: str = ""
    """The identity under which its sessions are stored."""

    def request(self, workspace: Path) -> Request:
        """The request that repeats the run."""
        return Request(
            workspace,
            program=None if self.program is None else Path(self.program),
            module=self.module,
            script=self.script,
            tests=self.tests,
            selected=self.selected,
            call=self.call,
            args=self.args,
            interpreter=None if self.interpreter is None else Path(self.interpreter),
            level=self.level,
            timeout=self.timeout,
            environment=with_changes(self.env) if self.env else None,
        )


def with_changes(env: Mapping[str, str | None]) -> dict[str, str]:
    """Our environment with changes; None removes a variable."""
    return {name: value for name, value in {**os.environ, **env}.items() if value is not None}


def note_of(language: str, request: Request, seconds: float | None = None) -> Note:
    """The note of a run that has not been asked about yet."""
    return Note(
        language,
        program=None if request.program is None else str(request.program),
        module=request.module,
        script=request.script,
        tests=request.tests,
        selected=request.selected,
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


def record(
    recordings: "Recordings",
    out: Path,
    language: Language,
    request: Request,
    progress: Progress,
    *,
    test: str | None = None,
    whole: bool = False,
) -> RecordedTest:
    """Record a run, or one failing test of a suite unless all of it is to be recorded, and keep the recording."""
    began = time.monotonic()
    if request.tests is None or whole:
        recorded = RecordedTest(language.record(request, out, progress), request, test)
    else:
        recorded = language.record_failing_test(request, out, progress, test)
    recordings.keep(out, note_of_test(language.name, recorded, time.monotonic() - began))
    return recorded


def note_of_test(language: str, recorded: RecordedTest, seconds: float) -> Note:
    """The note of a recorded test, or of any recorded run."""
    note = note_of(language, recorded.request, seconds)
    others, remarks = recorded.other_failures, recorded.notes
    return evolve(note, entry=recorded.entry or "", other_failures=others, remarks=remarks)


def read_note(recording: Path) -> Note | None:
    """The note of a recording, or None where there is none."""
    try:
        data: Any = json.loads(recording.with_suffix(_NOTE).read_text(encoding="utf-8"))
        return from_json(data, Note) if isinstance(data, Mapping) else None
    except (OSError, ValueError, BadInputError):
        return None


class Recordings:
    """The folder of recordings, created on first use."""

    def __init__(self, workspace: Path) -> None:
        self._folder = workspace / FOLDER_NAME / "recordings"
        self.problem = ""
        """Why recordings are not kept; empty if they are."""

    def new(self) -> Path:
        """A new path to record to, in a temporary folder if the workspace is not writable."""
        try:
            self._make_folder()
        except OSError as error:
            self.problem = f"{self._folder}: cannot be used ({error.strerror or error}); the recording is not kept"
            self._folder = Path(tempfile.mkdtemp(prefix="adebug-"))
        # Two front ends may start within a second, and the file does not exist before the program runs.
        stamp = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}"
        count = 0
        while (path := self._folder / f"{stamp}-{count:03}{SUFFIX}").exists():
            count += 1
        return path

    def keep(self, recording: Path, note: Note) -> None:
        """Write the note of a recording and remove the oldest recordings; never raises."""
        with suppress(OSError):
            recording.with_suffix(_NOTE).write_text(json.dumps(asdict(note)), encoding="utf-8")
            for old in self.newest_first()[KEPT:]:
                for suffix in (SUFFIX, _NOTE, NOTEBOOK):
                    old.with_suffix(suffix).unlink(missing_ok=True)

    def asked_about(self, recording: Path, entry: str, subject: str) -> None:
        """Add the entry that is asked about, and its identity, to the note of a kept recording."""
        note = self.note(recording)
        if note is not None and recording.absolute().parent == self._folder.absolute():
            self.keep(recording, evolve(note, entry=entry, subject=subject))

    def newest_first(self) -> list[Path]:
        """The recordings that are kept."""
        return sorted(self._folder.glob(f"*{SUFFIX}"), reverse=True)

    def note(self, recording: Path) -> Note | None:
        """The note of a recording, or None."""
        return read_note(recording)

    def _make_folder(self) -> None:
        parent = self._folder.parent
        for folder in (parent, self._folder):
            # Symbolic links are not followed: a hostile workspace must not make us write outside of it.
            if folder.is_symlink():
                raise OSError(f"{folder.name} is a link")
            folder.mkdir(exist_ok=True)
        with suppress(FileExistsError), (parent / ".gitignore").open("x", encoding="utf-8") as ignore:
            ignore.write("*\n")
