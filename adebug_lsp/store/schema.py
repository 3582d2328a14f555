"""The tables of the store, and the migrations that create them.

A new file goes through the same migrations as an old one, so that both end up with the same tables. A released
migration is never changed; another one is added after it.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing

SCHEMA_VERSION = 4
"""The version that this adebug reads and writes, kept in the file as `PRAGMA user_version` (0: nothing in it yet).

1: answers, trust, sessions, verdicts.
2: answers and trust have a reason; a verdict can be dismissed without being deleted.
3: an answer belongs to a language; two languages may have behaviours of the same identity.
4: so does trust; two languages may have modules of the same name.
"""

_VERSION_1 = (
    """
    CREATE TABLE answers (
        identity TEXT PRIMARY KEY NOT NULL CHECK (identity <> ''),  -- of the behaviour, the same in any run
        routine TEXT NOT NULL,               -- qualified name
        module TEXT NOT NULL,
        text TEXT NOT NULL,                  -- the behaviour on one line, for people
        judgement TEXT NOT NULL CHECK (judgement IN ('yes', 'no', 'unknown', 'inadmissible')),
        expected TEXT,                       -- the value that was meant, if it was given
        code_hash TEXT NOT NULL,             -- of the routine's source when the answer was given
        oracle TEXT NOT NULL,                -- who answered
        answered REAL NOT NULL               -- when, in seconds since 1970
    )
    """,
    "CREATE INDEX answers_by_routine ON answers (routine)",
    """
    CREATE TABLE trust (
        scope TEXT NOT NULL CHECK (scope IN ('routine', 'module')),
        name TEXT NOT NULL,
        oracle TEXT NOT NULL,                -- who trusts it
        PRIMARY KEY (scope, name)
    )
    """,
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY NOT NULL,
        subject TEXT NOT NULL,               -- identity of the run that is searched
        title TEXT NOT NULL,                 -- for people
        steps TEXT NOT NULL,                 -- JSON list, one object for each step
        state TEXT NOT NULL CHECK (state IN ('open', 'ended')),
        updated REAL NOT NULL                -- seconds since 1970
    )
    """,
    "CREATE INDEX sessions_by_subject ON sessions (subject)",
    """
    CREATE TABLE verdicts (
        id TEXT PRIMARY KEY NOT NULL,
        session TEXT NOT NULL,               -- sessions.id
        kind TEXT NOT NULL CHECK (kind IN ('bug', 'inadmissible', 'candidates', 'none')),
        path TEXT,                           -- relative to the workspace; all five are NULL where there is no source
        start_line INTEGER,                  -- lines and columns count from 0, columns in code points
        start_column INTEGER,
        end_line INTEGER,
        end_column INTEGER,                  -- exclusive
        text TEXT NOT NULL,                  -- the buggy behaviour on one line
        explanation TEXT NOT NULL,
        created REAL NOT NULL,               -- seconds since 1970
        CHECK (path IS NULL OR coalesce(
            start_line >= 0 AND start_column >= 0 AND (start_line, start_column) <= (end_line, end_column), 0
        ))
    )
    """,
    "CREATE INDEX verdicts_by_session ON verdicts (session)",
)

_VERSION_2 = (
    "ALTER TABLE answers ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE trust ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE verdicts ADD COLUMN dismissed INTEGER NOT NULL DEFAULT 0 CHECK (dismissed IN (0, 1))",
)

_VERSION_3 = (
    # SQLite cannot change a primary key: the table is copied (https://www.sqlite.org/lang_altertable.html, section 7).
    """
    CREATE TABLE answers_with_language (
        language TEXT NOT NULL,              -- name of the language; empty: unknown, or a hand-made tree
        identity TEXT NOT NULL CHECK (identity <> ''),              -- of the behaviour, the same in any run
        routine TEXT NOT NULL,               -- qualified name
        module TEXT NOT NULL,
        text TEXT NOT NULL,                  -- the behaviour on one line, for people
        judgement TEXT NOT NULL CHECK (judgement IN ('yes', 'no', 'unknown', 'inadmissible')),
        expected TEXT,                       -- the value that was meant, if the answer has one
        code_hash TEXT NOT NULL,             -- of the routine's source at the time of the answer
        oracle TEXT NOT NULL,                -- who answered
        answered REAL NOT NULL,              -- seconds since 1970
        reason TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (language, identity)
    )
    """,
    # Until version 2, Erlang's identities were SHA-256 and its routines such as total/1; Python's identities had the
    # routine, whether it raised, and values between bars. Any other answer gets an empty language, which all may use.
    """
    INSERT INTO answers_with_language
    SELECT CASE
            WHEN routine GLOB '*/[0-9]*' AND length(identity) = 64 AND identity NOT GLOB '*[^0-9a-f]*' THEN 'erlang'
            WHEN identity GLOB '*|True|*' OR identity GLOB '*|False|*' THEN 'python'
            ELSE ''
        END,
        identity, routine, module, text, judgement, expected, code_hash, oracle, answered, reason
    FROM answers ORDER BY rowid
    """,
    "DROP TABLE answers",
    "ALTER TABLE answers_with_language RENAME TO answers",
    "CREATE INDEX answers_by_routine ON answers (routine)",
)

_VERSION_4 = (
    """
    CREATE TABLE trust_with_language (
        language TEXT NOT NULL,              -- name of the language; empty: unknown, or a hand-made tree
        scope TEXT NOT NULL CHECK (scope IN ('routine', 'module')),
        name TEXT NOT NULL,
        oracle TEXT NOT NULL,                -- who trusts it
        reason TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (language, scope, name)
    )
    """,
    # Neither scope nor name tells the language, so that older trust goes on to count in all of them.
    """
    INSERT INTO trust_with_language
    SELECT '', scope, name, oracle, reason FROM trust ORDER BY rowid
    """,
    "DROP TABLE trust",
    "ALTER TABLE trust_with_language RENAME TO trust",
)

MIGRATIONS = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4)
"""The statements at index n migrate version n to version n + 1."""


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the tables in a file; 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate a file to the current version in one transaction; raises if it cannot be written, even if it is current.

    Needs a connection in autocommit mode.
    """
    # Take the write lock before reading the version: two processes may be opening the same new file.
    connection.execute("BEGIN IMMEDIATE")
    try:
        pending = MIGRATIONS[version_of(connection) :]
        if pending:
            _apply(pending, connection)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def fits(connection: sqlite3.Connection, version: int) -> bool:
    """Whether a file has the tables and columns of a version, and can therefore be used or migrated."""
    tables = tables_of(connection)
    if version < 1:
        return version == 0 and not tables
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        _apply(MIGRATIONS[:version], model)
        return all(tables.get(table) == columns for table, columns in tables_of(model).items())


def tables_of(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """The names of all tables, each with the names of its columns."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    columns = "SELECT name FROM pragma_table_info(?)"
    return {name: {column for (column,) in connection.execute(columns, (name,))} for (name,) in names.fetchall()}


def _apply(migrations: Iterable[Iterable[str]], connection: sqlite3.Connection) -> None:
    for statements in migrations:
        for statement in statements:
            connection.execute(statement)
