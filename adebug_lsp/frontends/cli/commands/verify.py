"""`adebug verify`: after an edit, runs the program of the last session again, and reports which answers hold now."""

import signal
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from adebug_lsp.frontends.cli.render.escape import print_error, print_lines
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.shared.verify import report, verify
from adebug_lsp.model.errors import BadInputError


def run(options: Namespace) -> int:
    """Run again and compare; the exit code is 0 if all intended results hold."""
    with progress_for(None) as progress, _interruptible() as stop:
        try:
            verified = verify(Path(options.workspace).absolute(), progress, print_error, stop=stop)
        except BadInputError:
            if stop.is_set():
                raise KeyboardInterrupt from None
            raise
    print_lines(*report(verified))
    return 0 if verified.holds else 1


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, which ends the new run even if the program ignores Ctrl-C.

    Otherwise Ctrl-C would only reach the program, and its recording so far would be compared.
    """
    stop = threading.Event()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
