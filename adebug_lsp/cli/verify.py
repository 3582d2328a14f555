"""`adebug verify`: after an edit, runs what the last session was about again, and says which answers hold now."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.cli.plain import complain, say
from adebug_lsp.cli.progress import progress_for
from adebug_lsp.fronts.verify import report, verify


def run(options: Namespace) -> int:
    """Run again and compare; the exit code is 0 when everything that was meant holds."""
    with progress_for(None) as progress:
        verified = verify(Path(options.workspace).absolute(), progress, complain)
    say(*report(verified))
    return 0 if verified.holds else 1
