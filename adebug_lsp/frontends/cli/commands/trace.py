"""`adebug trace`: how a lazy program computed its values, in rows `value = call`."""

import json
import os
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adebug_lsp.frontends.cli.modes.trail_screen import browse
from adebug_lsp.frontends.cli.render.escape import print_error
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.cli.render.style import Style, style_of
from adebug_lsp.frontends.cli.render.trail_view import trail_lines
from adebug_lsp.frontends.shared.open_session import open_recording
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Request
from adebug_lsp.languages.redex_trail import Traced, Trail
from adebug_lsp.model.errors import BadInputError


def run(options: Namespace) -> int:
    """Show a trail, or browse it."""
    path = Path(options.file)
    if not path.is_file():
        raise BadInputError(f"{path}: does not exist")
    with _recording(path, options) as recording, progress_for(None) as progress:
        language = registry.language_of_recording(recording)
        if language is None:
            raise BadInputError(f"{path}: not a recording")
        target = open_recording(recording, language, progress)
    if target.opened.problem:
        print_error(target.opened.problem)
    if not isinstance(target.opened, Traced):
        raise BadInputError(f"{path}: trails are for lazy programs; `adebug open` asks about {language.name}")
    tracer = target.opened.tracer(target.subject)
    if options.open is not None:
        trail = tracer.argument(options.open)
    else:
        trail = tracer.start() if options.of is None else tracer.call(options.of, options.nth)
    if options.json:
        print(json.dumps(_as_json(trail, Sources(target.subject.sources()), options.backwards), ensure_ascii=False))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        browse(tracer, trail, style_of(os.environ), options.backwards)
    else:
        print("\n".join(trail_lines(trail, Style(colour=False), options.backwards)), flush=True)
    return 0


@contextmanager
def _recording(path: Path, options: Namespace) -> Iterator[Path]:
    """The recording; for a program, a temporary one that is made now."""
    if registry.language_of_recording(path) is not None:
        yield path
        return
    output = sys.stderr

    def write(_stream: str, text: str) -> None:
        output.write(text)
        output.flush()

    with tempfile.TemporaryDirectory(prefix="adebug-") as folder, progress_for(None) as progress:
        recording = Path(folder, "run.adebug")
        request = Request(Path(options.workspace), path, timeout=options.timeout, output=write)
        ended = registry.language_of(path).record(request, recording, progress)
        if ended.how != "finished":
            print_error(ended.message or ended.how)
        yield recording


def _as_json(trail: Trail, sources: Sources, backwards: bool) -> dict[str, Any]:
    rows = [
        {
            "number": row.number,
            "value": row.value,
            "call": row.call,
            **(sources.lsp_place(row.place) if row.place is not None else {}),
            "arguments": [
                {"name": argument.name, "text": argument.text, "address": argument.address}
                for argument in row.arguments
            ],
        }
        for row in trail.rows
    ]
    return {
        "type": "trail",
        "title": trail.title,
        "rows": rows[::-1] if backwards else rows,
        "has_more": trail.has_more,
    }
