"""`adebug diagram`: the creation tree and the messages of a run's processes, as text or as a picture."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli.chosen_recording import chosen_recording
from adebug_lsp.frontends.cli.render.escape import escape, print_lines
from adebug_lsp.frontends.shared.sequence_diagram import as_svg, as_text
from adebug_lsp.model.errors import BadInputError


def run(options: Namespace) -> int:
    """Show the diagram, or write it to a file."""
    recording = chosen_recording(options)
    target = recording.target
    diagram = target.opened.diagram(target.subject)
    if diagram is None:
        raise BadInputError(f"{recording.path}: no processes in this run interact")
    if options.svg is None:
        print_lines(*map(escape, as_text(diagram)))
        return 0
    try:
        Path(options.svg).write_text(as_svg(diagram), encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{options.svg}: cannot be written: {error.strerror}") from error
    print_lines(f"{options.svg}: {len(diagram.lanes)} processes, {len(diagram.arrows)} events")
    return 0
