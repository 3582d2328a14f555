"""Executable slices: programs that compute a value of a recorded run without the code that it does not depend on.

A program that a language proposes is run before it is shown: it counts only if the value is the same.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from attrs import evolve, frozen

from adebug_lsp.frontends.shared.recordings import Note
from adebug_lsp.frontends.shared.verify import chdir
from adebug_lsp.languages.language import Language, Opened, Progress, RecordedSubject, Request
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.slicing.call_slicer import CallSlicer
from adebug_lsp.slicing.slicer import Criterion, ReducedFile, Slicer

_LEAST_SECONDS = 10.0
_MOST_TIMES = 10
"""Time limit of a program: this many times the recorded run, but at least `_LEAST_SECONDS`."""

Files = Mapping[str, ReducedFile]
FindAgain = Callable[[Slicer, RecordedSubject, Files], Iterator[Criterion]]
"""Finds the criterion in the run of a program with these files; several if it is not known which execution it is."""


@frozen
class ExecutableSlice:
    """A program that computes a value."""

    files: Files
    program: str
    """Path of the main file."""
    criterion: Criterion
    """The value in the program's own run."""


def executable_slice(
    slicer: Slicer,
    criterion: Criterion,
    find_again: FindAgain,
    run: tuple[Language, Note, Path],
    progress: Progress,
) -> ExecutableSlice:
    """The smallest program that computes the value; `run` is what was recorded, and in which workspace.

    Raises `BadInputError` if none of them does.
    """
    language, note, workspace = run
    if note.tests is not None or note.call is not None:
        raise BadInputError("executable slices are of programs that `adebug run` has run, not of tests")
    value, problem = slicer.value(criterion), ""
    for files in slicer.programs(criterion):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            candidate = _candidate(files, note, workspace, criterion)
            write(folder, files)
            opened = _run(folder, candidate, note, language, progress)
            subject = opened.subject(opened.entries[0]) if opened.entries else None
            again = None if subject is None else opened.slicer(subject)
            if subject is None or again is None or isinstance(again, CallSlicer):
                continue
            problem = opened.ended.message
            for criterion_again in find_again(again, subject, files):
                if again.value(criterion_again) == value:
                    return evolve(candidate, criterion=criterion_again)
    ended = f" ({problem})" if problem else ""
    raise BadInputError(f"no program without the rest gives the same {criterion.text}{ended}; nothing was written")


def _candidate(files: Files, note: Note, workspace: Path, criterion: Criterion) -> ExecutableSlice:
    """A program that has to be run to know whether it computes the value."""
    if note.program is not None:
        program = _relative(Path(note.folder, note.program), workspace)
    else:
        wanted = (note.module or "").replace(".", "/")
        names = (f"{wanted}.py", f"{wanted}/__main__.py")
        program = next((path for path in files if path.endswith(names)), "")
    if program not in files:
        raise BadInputError(
            f"{note.program or note.module} is not in the recording, so it cannot be run without the rest"
        )
    return ExecutableSlice(files, program, criterion)


def _relative(path: Path, workspace: Path) -> str:
    with suppress(ValueError):
        return path.resolve().relative_to(workspace.resolve()).as_posix()
    return path.as_posix()


def write(folder: Path, files: Files) -> None:
    """Write the files of a program under a folder."""
    for path, file in files.items():
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise BadInputError(f"{path} is outside of the workspace")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.text, encoding="utf-8")


def _run(folder: Path, candidate: ExecutableSlice, note: Note, language: Language, progress: Progress) -> Opened:
    """Record a program in the folder where the whole one was run, without its input and output."""
    out = folder / "run.adebug"
    seconds = max(_LEAST_SECONDS, _MOST_TIMES * (note.seconds or 0))
    request: Request = evolve(note.request(folder), level="full", timeout=seconds, output=lambda *_: None)
    if request.program is not None:
        request = evolve(request, program=folder / candidate.program)
    else:  # modules are found from the working directory
        request = evolve(request, folder=folder)
    with chdir(note.folder or os.getcwd()):
        language.record(request, out, progress)
    return language.open(out, progress)
