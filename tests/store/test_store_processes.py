"""Several processes share a store: no answer is lost, locks cause no errors, and a full disk does no harm."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import StoreError
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store

WRITER = """
import sys
from pathlib import Path
from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store

workspace, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Store.open(workspace) as store:
    for n in range(count):
        store.answers.save(SavedAnswer(f"{name} {n}", Judgement.YES))
        assert store.answers.find(f"{name} {n}") is not None
    print(*store.problems, sep="\\n", flush=True)
"""

UNDER_A_LIMIT = """
import resource, sys
from pathlib import Path
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import StoreError
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store

with Store.open(Path(sys.argv[1])) as store:
    store.answers.save(SavedAnswer("before", Judgement.YES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    try:
        store.answers.save(SavedAnswer("large", Judgement.YES, text="x" * 1_000_000))
    except StoreError as error:
        print("refused:", error)
    print([answer.identity for answer in store.answers.all()])
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.answers.save(SavedAnswer("after", Judgement.YES))
    print([answer.identity for answer in store.answers.all()])
"""


class Writers:
    """Processes that all begin to write at the same moment."""

    def __init__(self, workspace: Path, processes: int, count: int) -> None:
        self._running = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(workspace), f"writer {n}", str(count)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for n in range(processes)
        ]

    def run(self) -> list[str]:
        """Let them write; returns their output."""
        for process in self._running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in self._running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        said = [process.communicate(timeout=60) for process in self._running]
        assert [process.returncode for process in self._running] == [0] * len(said), said
        return [line for out, err in said for line in (out + err).splitlines() if line]


def test_no_answer_is_lost_between_processes(tmp_path: Path) -> None:
    said = Writers(tmp_path, processes=4, count=250).run()
    assert said == []
    with Store.open(tmp_path) as store:
        expected = {f"writer {n} {m}" for n in range(4) for m in range(250)}
        assert {answer.identity for answer in store.answers.all()} == expected


def test_processes_that_find_the_same_damage_repair_it_once(tmp_path: Path) -> None:
    """Whoever comes second must not set the first one's new store aside."""
    for trial in range(2):
        workspace = tmp_path / str(trial)
        (workspace / ".adebug").mkdir(parents=True)
        (workspace / ".adebug" / "adebug.sqlite3").write_bytes(b"rubbish" * 1000)
        said = Writers(workspace, processes=4, count=20).run()
        assert len(said) == 1
        assert "renamed" in said[0]
        with Store.open(workspace) as store:
            assert len(store.answers.all()) == 80


def test_news_reach_another_process_within_a_second(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(SavedAnswer("mine", Judgement.YES))
        seen = store.changes()
        assert store.changes() == seen
        Writers(tmp_path, processes=1, count=1).run()
        deadline = time.monotonic() + 1
        while store.changes() == seen and time.monotonic() < deadline:
            time.sleep(0.01)
        assert store.changes() != seen
        assert len(store.answers.all()) == 2


def test_asking_for_news_is_cheap(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        start = time.perf_counter()
        for _ in range(1000):
            store.changes()
        assert time.perf_counter() - start < 1.0


def test_opening_a_store_is_not_a_change(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        seen = store.changes()
        with Store.open(tmp_path):
            pass
        assert store.changes() == seen


def test_a_full_disk_loses_only_what_did_not_fit(tmp_path: Path) -> None:
    large = SavedAnswer("large", Judgement.YES, text="x" * 1_000_000)
    with Store.open(tmp_path) as store:
        store.answers.save(SavedAnswer("before", Judgement.YES))
        ((pages,),) = store.database.read("PRAGMA page_count")
        store.database.read(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match=r"adebug\.sqlite3: nothing was saved: .*full"):
            store.answers.save(large)
        assert [answer.identity for answer in store.answers.all()] == ["before"]
        with Store.open(tmp_path) as other:
            other.answers.save(SavedAnswer("other", Judgement.YES))
        store.database.read("PRAGMA max_page_count = 1000000")
        store.answers.save(large)
    with Store.open(tmp_path) as store:
        assert store.problems == []
        assert {answer.identity for answer in store.answers.all()} == {"before", "other", "large"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of a file")
def test_a_file_that_may_not_grow_loses_only_what_did_not_fit(tmp_path: Path) -> None:
    """The operating system itself refuses the bytes, in the middle of the write-ahead log."""
    done = subprocess.run(
        [sys.executable, "-c", UNDER_A_LIMIT, str(tmp_path)], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stderr
    refused, during, after = done.stdout.splitlines()
    assert refused.startswith("refused:")
    assert during == "['before']"
    assert after == "['before', 'after']"


def test_a_lock_that_is_never_released_is_reported_as_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adebug_lsp.store.lock_wait.PATIENCE", 0.2)
    with Store.open(tmp_path) as store, Store.open(tmp_path) as other:
        other.database.connection.execute("BEGIN IMMEDIATE")
        store.database.connection.execute("PRAGMA busy_timeout = 50")
        with pytest.raises(StoreError, match="nothing was saved"):
            store.answers.save(SavedAnswer("a", Judgement.YES))
        other.database.connection.execute("ROLLBACK")
        store.answers.save(SavedAnswer("a", Judgement.YES))


def test_a_lock_is_waited_for_even_when_sqlite_does_not(tmp_path: Path) -> None:
    """SQLite gives up at once in some cases, whatever its own time limit."""
    with Store.open(tmp_path) as store, Store.open(tmp_path) as other, ThreadPoolExecutor(1) as pool:
        store.database.connection.execute("PRAGMA busy_timeout = 0")
        other.database.connection.execute("BEGIN IMMEDIATE")
        saving = pool.submit(store.answers.save, SavedAnswer("a", Judgement.YES))
        time.sleep(0.2)
        assert not saving.done()
        other.database.connection.execute("COMMIT")
        saving.result(timeout=10)
        assert other.answers.find("a") is not None


def test_a_transaction_that_fails_halfway_changes_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        with pytest.raises(StoreError, match="nothing was saved"):
            store.database.write(
                ("INSERT INTO trust (scope, name, oracle) VALUES (?, ?, ?)", ("module", "m", "person")),
                ("INSERT INTO trust (scope, name, oracle) VALUES (?, ?, ?)", ("planet", "m", "person")),
            )
        assert store.trust.all() == []
        store.answers.save(SavedAnswer("a", Judgement.YES))
        with Store.open(tmp_path) as other:
            assert other.trust.all() == []
            assert len(other.answers.all()) == 1


def test_threads_can_share_a_store(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.answers.save(SavedAnswer(f"{n}", Judgement.NO)), range(200)))
        assert len(store.answers.all()) == 200
