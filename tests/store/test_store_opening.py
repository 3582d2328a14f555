"""Opening a store works whatever is in its place; nothing is lost, and problems are reported."""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from adebug_lsp.model.answers import Judgement, Scope, Source, Trust
from adebug_lsp.model.errors import StoreError
from adebug_lsp.store.integrity import Contents, DamagedError, NewerError, examine
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.saved_verdicts import SavedVerdict
from adebug_lsp.store.schema import SCHEMA_VERSION, migrate, tables_of
from adebug_lsp.store.store import Store


def answer(n: int) -> SavedAnswer:
    return SavedAnswer(f"identity {n}", Judgement.NO, text=f"f({n}) = {n * n} " * 20)


def fill(workspace: Path, count: int) -> Path:
    workspace.mkdir(exist_ok=True)
    with Store.open(workspace) as store:
        store.database.connection.execute("PRAGMA synchronous = OFF")
        for n in range(count):
            store.answers.save(answer(n))
    return workspace / ".adebug" / "adebug.sqlite3"


def works(store: Store) -> bool:
    store.answers.save(answer(-1))
    return store.answers.find("identity -1") == answer_with_time(store)


def answer_with_time(store: Store) -> SavedAnswer | None:
    return next((answer for answer in store.answers.all() if answer.identity == "identity -1"), None)


def set_aside(file: Path) -> list[Path]:
    return sorted(path for path in file.parent.iterdir() if ".damaged-" in path.name)


def test_the_folder_ignores_itself_in_git(tmp_path: Path) -> None:
    fill(tmp_path, 0)
    assert (tmp_path / ".adebug" / ".gitignore").read_text() == "*\n"


def test_a_gitignore_of_the_person_is_left_alone(tmp_path: Path) -> None:
    fill(tmp_path, 0)
    (tmp_path / ".adebug" / ".gitignore").write_text("*.trace\n")
    fill(tmp_path, 0)
    assert (tmp_path / ".adebug" / ".gitignore").read_text() == "*.trace\n"


def test_the_file_is_in_wal_mode(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.database.read("PRAGMA journal_mode") == [("wal",)]
        assert store.database.read("PRAGMA synchronous") == [(1,)]
        assert store.database.read("PRAGMA busy_timeout")[0][0] >= 1000


def overwrite(file: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(8000))


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2 + 100)


def cut_to_stub(file: Path) -> None:
    os.truncate(file, 50)


def spoil_a_page(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.seek(4096 * (file.stat().st_size // 8192))
        stream.write(random.Random(2).randbytes(4096))


def become_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    (file / "precious.txt").write_text("kept")


def become_another_database(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE cookies (host TEXT)")


def lose_a_table(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE verdicts")


def lose_a_table_of_an_old_version(file: Path) -> None:
    lose_a_table(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 1")


def empty_it_but_leave_a_log(file: Path) -> None:
    file.with_name(file.name + "-wal").write_bytes(b"frames")
    os.truncate(file, 0)


def hold_an_impossible_judgement(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE answers SET judgement = 'perhaps' WHERE identity = 'identity 7'")


@pytest.mark.parametrize(
    "damage",
    [
        overwrite,
        truncate,
        cut_to_stub,
        spoil_a_page,
        become_a_folder,
        become_another_database,
        lose_a_table,
        lose_a_table_of_an_old_version,
        empty_it_but_leave_a_log,
        hold_an_impossible_judgement,
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    file = fill(tmp_path, 200)
    damage(file)
    before = file.read_bytes() if file.is_file() else None
    if damage is not hold_an_impossible_judgement:  # SQLite sees that only if it may write
        with pytest.raises(DamagedError):
            examine(tmp_path)
    with Store.open(tmp_path) as store:
        (aside, *companions) = set_aside(file)
        assert len(store.problems) == 1
        assert str(file) in store.problems[0]
        assert aside.name in store.problems[0]
        assert len(companions) == (damage is empty_it_but_leave_a_log)
        assert not store.in_memory
        assert works(store)
        assert len(store.answers.all()) == 1
    if before is None:
        assert (aside / "precious.txt").read_text() == "kept"
    else:
        assert aside.read_bytes() == before
    with Store.open(tmp_path) as store:
        assert store.problems == []
        assert len(store.answers.all()) == 1


def test_an_earlier_damaged_file_is_not_overwritten(tmp_path: Path) -> None:
    file = fill(tmp_path, 0)
    contents = [f"rubbish {n} ".encode() * 100 for n in range(5)]
    for content in contents:
        file.write_bytes(content)
        Store.open(tmp_path).close()
    assert sorted(path.read_bytes() for path in set_aside(file)) == contents


def test_the_write_ahead_log_goes_with_the_damaged_file(tmp_path: Path) -> None:
    file = fill(tmp_path, 1)
    file.write_bytes(b"x" * 5000)
    log = file.with_name(file.name + "-wal")
    log.write_bytes(b"y" * 5000)
    Store.open(tmp_path).close()
    main, companion = set_aside(file)
    assert companion.name == main.name + "-wal"
    assert companion.read_bytes() == b"y" * 5000


def test_random_damage_never_stops_anybody(tmp_path: Path) -> None:
    """Cut or changed anywhere, the store opens, works, and answers either rightly or not at all."""
    whole = fill(tmp_path, 100).read_bytes()
    chance = random.Random(3)
    for n in range(45):
        workspace = tmp_path / str(n)
        (workspace / ".adebug").mkdir(parents=True)
        content = bytearray(whole[: chance.randrange(len(whole))] if n % 3 == 0 else whole)
        for _ in range(n % 3 * 20):
            content[chance.randrange(len(content))] = chance.randrange(256)
        (workspace / ".adebug" / "adebug.sqlite3").write_bytes(content)
        with Store.open(workspace) as store:
            store.answers.all()
            assert works(store)


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    file = fill(tmp_path, 3)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = file.read_bytes()
    with pytest.raises(NewerError):
        examine(tmp_path)
    with Store.open(tmp_path) as store:
        assert store.in_memory
        assert "newer adebug" in store.problems[0]
        assert works(store)
    assert file.read_bytes() == before
    assert set_aside(file) == []


def file_as_folder(workspace: Path) -> None:
    (workspace / ".adebug").write_text("mine")


def folder_as_log(workspace: Path) -> None:
    (workspace / ".adebug" / "adebug.sqlite3-wal" / "x").mkdir(parents=True)


def no_workspace(workspace: Path) -> None:
    workspace.rmdir()


def file_as_workspace(workspace: Path) -> None:
    workspace.rmdir()
    workspace.write_text("mine")


@pytest.mark.parametrize("obstacle", [file_as_folder, folder_as_log, no_workspace, file_as_workspace])
def test_a_store_that_cannot_be_written_works_in_memory(tmp_path: Path, obstacle: Callable[[Path], None]) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    obstacle(workspace)
    with Store.open(workspace) as store:
        assert store.in_memory
        assert len(store.problems) == 1
        assert "saves nothing" in store.problems[0]
        assert store.changes() == store.changes()
        assert works(store)


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs special rights there")
def test_links_do_not_lead_out_of_the_workspace(tmp_path: Path) -> None:
    """A workspace from anywhere may have links in place of the folder, the database, or its companions."""
    outside = tmp_path / "outside"
    outside.mkdir()
    database = ".adebug/adebug.sqlite3"
    names = (".adebug", ".adebug/.gitignore", database, f"{database}-wal", f"{database}-shm", f"{database}.lock")
    for number, name in enumerate(names):
        workspace = tmp_path / str(number)
        (workspace / name).parent.mkdir(parents=True)
        (workspace / name).symlink_to(outside if name == ".adebug" else outside / "made")
        with Store.open(workspace) as store:
            assert works(store)
            assert store.in_memory == (name in (".adebug", f"{database}.lock"))
            assert bool(store.problems) == (name != ".adebug/.gitignore")
        assert list(outside.iterdir()) == []


@contextmanager
def without_the_powers_of_root() -> Iterator[None]:
    """Drop root's permissions temporarily, because root may write anywhere."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder is made read-only the POSIX way")
def test_a_read_only_folder_means_memory() -> None:
    # Not in tmp_path, whose parents nobody but their owner may enter.
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name)
        folder = fill(workspace, 1).parent
        (folder / "adebug.sqlite3").chmod(0o444)
        folder.chmod(0o555)
        workspace.chmod(0o555)
        with without_the_powers_of_root(), Store.open(workspace) as store:
            assert store.in_memory
            assert works(store)
        folder.chmod(0o700)
        workspace.chmod(0o700)


VERSION_1 = """
    CREATE TABLE answers (
        identity TEXT PRIMARY KEY NOT NULL CHECK (identity <> ''), routine TEXT NOT NULL, module TEXT NOT NULL,
        text TEXT NOT NULL,
        judgement TEXT NOT NULL CHECK (judgement IN ('yes', 'no', 'unknown', 'inadmissible')),
        expected TEXT, code_hash TEXT NOT NULL, oracle TEXT NOT NULL, answered REAL NOT NULL
    );
    CREATE TABLE trust (scope TEXT NOT NULL, name TEXT NOT NULL, oracle TEXT NOT NULL, PRIMARY KEY (scope, name));
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY NOT NULL, subject TEXT NOT NULL, title TEXT NOT NULL, steps TEXT NOT NULL,
        state TEXT NOT NULL, updated REAL NOT NULL
    );
    CREATE TABLE verdicts (
        id TEXT PRIMARY KEY NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL, path TEXT,
        start_line INTEGER, start_column INTEGER, end_line INTEGER, end_column INTEGER,
        text TEXT NOT NULL, explanation TEXT NOT NULL, created REAL NOT NULL
    );
    INSERT INTO answers VALUES ('i', 'r', 'm', 't', 'no', '6', 'h', 'person', 5.0);
    INSERT INTO answers VALUES ('shop.f|False|x=1', 'shop.f', 'shop', 't', 'yes', NULL, 'h', 'person', 6.0);
    INSERT INTO answers VALUES ('%s', 'total/1', 'shop', 't', 'yes', NULL, 'h', 'person', 4.0);
    INSERT INTO trust VALUES ('module', 'm', 'person');
    INSERT INTO sessions VALUES ('s', 'run', 'title', '[{"step": "AskSkipped"}]', 'open', 6.0);
    INSERT INTO verdicts VALUES ('v', 's', 'bug', 'a.py', 1, 2, 3, 4, 'f() = 1', 'why', 7.0);
    PRAGMA user_version = 1;
""" % ("0af9" * 16)


def old_store(workspace: Path) -> Path:
    folder = workspace / ".adebug"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "adebug.sqlite3")) as connection:
        connection.executescript(VERSION_1)
    return folder / "adebug.sqlite3"


def test_a_store_of_version_1_is_brought_up_to_date(tmp_path: Path) -> None:
    file = old_store(tmp_path)
    assert examine(tmp_path) == Contents(answers=3, trust=1, sessions=1, verdicts=1)
    with Store.open(tmp_path) as store:
        assert store.problems == []
        assert store.answers.find("i") == SavedAnswer("i", Judgement.NO, "r", "m", "t", "6", "h", Source(), 5.0)
        assert {answer.routine: answer.language for answer in store.answers.all()} == {
            "r": "", "shop.f": "python", "total/1": "erlang",
        }  # fmt: skip
        assert [answer.answered for answer in store.answers.all()] == [4.0, 5.0, 6.0]
        for language in ("python", "erlang"):
            assert store.for_language(language).trust.of_language() == [Trust(Scope.MODULE, "m")]
        assert [len(session.steps) for session in store.sessions.all()] == [1]
        verdict = store.verdicts.find("v")
        assert isinstance(verdict, SavedVerdict)
        assert not verdict.dismissed
        assert store.verdicts.dismiss("v")
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert connection.execute("SELECT dismissed FROM verdicts").fetchall() == [(1,)]


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    """The last statement is refused: the file keeps its version, its tables and every row."""
    file = old_store(tmp_path)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        before = tables_of(connection)
        connection.set_authorizer(
            lambda action, _database, table, *_: (
                sqlite3.SQLITE_DENY
                if action == sqlite3.SQLITE_ALTER_TABLE and table == "verdicts"
                else sqlite3.SQLITE_OK
            )
        )
        with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
            migrate(connection)
    with closing(sqlite3.connect(file)) as connection:
        assert tables_of(connection) == before
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (3,)


def test_whoever_waited_for_a_repair_does_not_repeat_it(tmp_path: Path) -> None:
    """A process that waited for the lock must check again: the new store may contain answers by then."""
    good = fill(tmp_path / "good", 1)
    file = fill(tmp_path, 0)
    file.write_bytes(b"rubbish")
    with closing(sqlite3.connect(file.with_name(file.name + ".lock"), isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(1) as pool:
            opening = pool.submit(Store.open, tmp_path)
            time.sleep(0.3)
            assert file.read_bytes() == b"rubbish"
            file.write_bytes(good.read_bytes())
            lock.execute("ROLLBACK")
            with opening.result(timeout=20) as store:
                assert len(store.answers.all()) == 1
                assert store.problems == []
    assert set_aside(file) == []


def test_examining_changes_and_makes_no_files(tmp_path: Path) -> None:
    assert examine(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    file = fill(tmp_path, 2)
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    assert examine(tmp_path) == Contents(answers=2, trust=0, sessions=0, verdicts=0)
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before


def test_a_store_in_use_can_be_examined(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(answer(1))
        assert examine(tmp_path) == Contents(answers=1, trust=0, sessions=0, verdicts=0)


def test_examining_leaves_the_log_of_a_crashed_process_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(answer(1))
        shutil.copytree(tmp_path / ".adebug", tmp_path / "copy" / ".adebug")
    log = tmp_path / "copy" / ".adebug" / "adebug.sqlite3-wal"
    before = log.read_bytes()
    assert before
    assert examine(tmp_path / "copy") == Contents(answers=1, trust=0, sessions=0, verdicts=0)
    assert log.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not let anybody remove an open file")
def test_a_store_removed_while_in_use_is_begun_anew(tmp_path: Path) -> None:
    """As `git clean -fdx` does under a running editor: what is saved afterwards is not lost."""
    with Store.open(tmp_path) as store:
        store.answers.save(answer(1))
        seen = store.changes()
        for path in (tmp_path / ".adebug").iterdir():
            path.unlink()
        (tmp_path / ".adebug").rmdir()
        store.answers.save(answer(2))
        assert store.changes() != seen
        with Store.open(tmp_path) as other:
            assert [answer.identity for answer in other.answers.all()] == ["identity 2"]


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.answers.all()
    with pytest.raises(StoreError, match="closed"):
        store.answers.save(answer(1))
