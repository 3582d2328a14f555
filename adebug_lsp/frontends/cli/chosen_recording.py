"""The recording that a command is about: the named file, or the newest one in the workspace."""

from argparse import Namespace
from pathlib import Path

from attrs import frozen

from adebug_lsp.frontends.cli.render.escape import print_error
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.shared.open_session import RecordedTarget, open_recording
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Language
from adebug_lsp.model.errors import BadInputError


@frozen
class ChosenRecording:
    """An opened recording."""

    path: Path
    language: Language
    target: RecordedTarget


def chosen_recording(options: Namespace) -> ChosenRecording:
    """Open the recording that the options name, and print its problems."""
    path = Path(options.file) if options.file else _newest(Path(options.workspace))
    language = registry.language_of_recording(path) if path.is_file() else None
    if language is None:
        raise BadInputError(f"{path}: {'not a recording' if path.is_file() else 'does not exist'}")
    with progress_for(None) as progress:
        target = open_recording(path, language, progress)
    if target.opened.problem:
        print_error(target.opened.problem)
    return ChosenRecording(path, language, target)


def _newest(workspace: Path) -> Path:
    recordings = Recordings(workspace).newest_first()
    if not recordings:
        raise BadInputError("no recordings in this workspace; record one with `adebug run`")
    return recordings[0]
