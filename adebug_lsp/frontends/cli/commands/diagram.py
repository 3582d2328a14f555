"""`adebug diagram`: the creation tree and the messages of a run's processes, as text or as a picture."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli.render.escape import escape, print_error, print_lines
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.shared.open_session import open_recording
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.frontends.shared.sequence_diagram import as_svg, as_text
from adebug_lsp.languages import registry
from adebug_lsp.model.errors import BadInputError


def run(options: Namespace) -> int:
    """Show the diagram, or write it to a file."""
    path = Path(options.file) if options.file else _newest(Path(options.workspace))
    language = registry.language_of_recording(path) if path.is_file() else None
    if language is None:
        raise BadInputError(f"{path}: {'not a recording' if path.is_file() else 'does not exist'}")
    with progress_for(None) as progress:
        target = open_recording(path, language, progress)
    if target.opened.problem:
        print_error(target.opened.problem)
    diagram = target.opened.diagram(target.subject)
    if diagram is None:
        raise BadInputError(f"{path}: no processes in this run interact")
    if options.svg is None:
        print_lines(*map(escape, as_text(diagram)))
        return 0
    try:
        Path(options.svg).write_text(as_svg(diagram), encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{options.svg}: cannot be written: {error.strerror}") from error
    print_lines(f"{options.svg}: {len(diagram.lanes)} processes, {len(diagram.arrows)} events")
    return 0


def _newest(workspace: Path) -> Path:
    recordings = Recordings(workspace).newest_first()
    if not recordings:
        raise BadInputError("no recordings in this workspace; record one with `adebug run`")
    return recordings[0]
