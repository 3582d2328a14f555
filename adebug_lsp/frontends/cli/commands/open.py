"""`adebug open`: asks about a hand-made tree or a recording. The file's content says which it is, not its name."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli import ask
from adebug_lsp.frontends.cli.handmade_file import load_handmade
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.frontends.shared.talk import Case
from adebug_lsp.languages import registry
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.store.digest import digest


def run(options: Namespace) -> int:
    """Ask until there is a verdict or nobody answers any more."""
    path = Path(options.file)
    language = registry.language_of_recording(path) if path.is_file() else None
    if language is not None:
        return ask.about_recording(path, language, Recordings(Path(options.workspace)), options)
    handmade = load_handmade(options.file)
    case = Case(HandmadeSubject(handmade), digest(path), options.file, ids=handmade.ids)
    return ask.about_tree(case, options)
