"""`adebug open`: asks about a hand-made tree or a recording; the file's content, not its name, says which."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli import ask
from adebug_lsp.frontends.cli.handmade_file import load_handmade
from adebug_lsp.frontends.shared.open_session import open_handmade
from adebug_lsp.languages import registry


def run(options: Namespace) -> int:
    """Ask until there is a verdict or the input ends."""
    path = Path(options.file)
    language = registry.language_of_recording(path) if path.is_file() else None
    if language is not None:
        return ask.about_recording(path, language, options)
    return ask.about_tree(open_handmade(load_handmade(options.file), path, options.file), options)
