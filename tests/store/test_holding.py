"""Several connections of one process to one store do not release each other's locks."""

import os
import subprocess
import sys
from pathlib import Path

from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store
from tests.support import ROOT

ELSEWHERE = """
import sys
from pathlib import Path
from adebug_lsp.store.store import Store
Store.open(Path(sys.argv[1])).close()
"""


def visit(workspace: Path) -> None:
    """Another process opens the store, and closes it."""
    command = [sys.executable, "-c", ELSEWHERE, str(workspace)]
    subprocess.run(command, check=True, timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_a_second_connection_leaves_the_log_of_the_first_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path) as first:
        first.answers.save(SavedAnswer("one", Judgement.YES))
        with Store.open(tmp_path) as second:
            assert second.answers.find("one")
        visit(tmp_path)
        assert (tmp_path / ".adebug/adebug.sqlite3-wal").exists(), "the visitor took itself for the last"
        first.answers.save(SavedAnswer("two", Judgement.NO))
        visit(tmp_path)
        with Store.open(tmp_path) as third:
            assert [answer.identity for answer in third.answers.all()] == ["one", "two"]
            assert not third.problems
