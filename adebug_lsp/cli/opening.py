"""`adebug open`: asks about a hand-made tree or a recording. The file's content says which it is, not its name."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.cli import asking
from adebug_lsp.cli.trees import load_handmade
from adebug_lsp.fronts.recordings import Recordings
from adebug_lsp.fronts.talk import Case
from adebug_lsp.languages import registry
from adebug_lsp.session.handmade import HandmadeSubject
from adebug_lsp.store.digest import digest


def run(options: Namespace) -> int:
    """Ask until there is a verdict or nobody answers any more."""
    path = Path(options.file)
    language = registry.language_of_recording(path) if path.is_file() else None
    if language is not None:
        return asking.about_recording(path, language, Recordings(Path(options.workspace)), options)
    handmade = load_handmade(options.file)
    case = Case(HandmadeSubject(handmade), digest(path), options.file, ids=handmade.ids)
    return asking.about_tree(case, options)
