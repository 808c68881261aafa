"""rules/libraries/psycopg.toml, and what is said of SQL, against PostgreSQL."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress

import pytest

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.live

STORED = frozenset({"persist", "stage", "rollback"})


@pytest.fixture
def database(postgres_url: str, name: str):
    """A schema of its own; the address of a database that sees only this schema."""
    schema = name.replace("-", "_")
    with psycopg.connect(postgres_url, autocommit=True, connect_timeout=3) as admin:
        admin.execute(f"CREATE SCHEMA {schema}")
        admin.execute(f"CREATE TABLE {schema}.jobs (id int PRIMARY KEY, done bool DEFAULT false)")
        yield f"{postgres_url}?options=-csearch_path%3D{schema}"
        admin.execute(f"DROP SCHEMA {schema} CASCADE")


def rows(database: str) -> int:
    with psycopg.connect(database) as other:
        return other.execute("SELECT count(*) FROM jobs").fetchone()[0]


INSERT = 'db.execute("INSERT INTO jobs (id) VALUES (1)")'
WITH = """with psycopg.connect(DSN) as db:
        {}"""


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        pytest.param(f"db = psycopg.connect(DSN)\n    {INSERT}", False, id="execute() only stages"),
        pytest.param(
            f"db = psycopg.connect(DSN)\n    {INSERT}\n    db.commit()", True, id="commit() stores"
        ),
        pytest.param(
            f"db = psycopg.connect(DSN)\n    {INSERT}\n    db.close()",
            False,
            id="close() does not store",
        ),
        pytest.param(
            f"db = psycopg.connect(DSN, autocommit=True)\n    {INSERT}",
            True,
            id="autocommit=True: execute() stores",
        ),
        pytest.param(
            "db = psycopg.connect(DSN)\n    with db.cursor() as cursor:\n"
            "        cursor.execute('INSERT INTO jobs (id) VALUES (1)')",
            False,
            id="the end of a cursor's block does not store",
        ),
        pytest.param(WITH.format(INSERT), True, id="the end of a connection's block stores"),
        pytest.param(
            WITH.format(f"{INSERT}\n        raise ValueError"),
            False,
            id="an exception in a connection's block does not",
        ),
        pytest.param(
            f"db = psycopg.connect(DSN)\n    with db.transaction():\n        {INSERT}",
            True,
            id="the end of transaction() stores",
        ),
        pytest.param(
            f"db = psycopg.connect(DSN)\n    {INSERT}\n    db.rollback()",
            False,
            id="rollback() forgets",
        ),
    ],
)
def test_when_a_row_is_stored(database, snippet, body, stored):
    read = snippet(
        "import pika\nimport psycopg\n\n"
        f"DSN = {database!r}\n\n"
        f"def on_message(channel, method, properties, body):\n    {body}\n\n"
        "def consume(channel: pika.channel.Channel):\n"
        '    channel.basic_consume("jobs", on_message)\n'
    )
    with suppress(ValueError):
        read.names["on_message"](None, None, None, b"")
    assert bool(rows(database)) == stored
    assert ("persist" in last_events(read.graphs["on_message"])) == stored


def last_events(graphs) -> set[str]:
    """Return what the last thing can be that happens to a row before a handler ends."""
    lasts = set()
    waiting = [(graph, 0, "") for graph in graphs]
    seen = set(waiting)
    while waiting:
        graph, node, last = waiting.pop()
        event = graph.events[node]
        if event is not None and event.kind in STORED:
            last = event.kind
        if not graph.edges[node]:
            lasts.add(last)
        new = {(graph, edge.target, last) for edge in graph.edges[node]} - seen
        seen |= new
        waiting.extend(new)
    return lasts


def test_transaction_inside_a_transaction_is_only_a_savepoint(database):
    """A statement before it has begun one already, and that one is still open at the end."""
    with psycopg.connect(database) as db:
        db.execute("SELECT 1")
        with db.transaction():
            db.execute("INSERT INTO jobs (id) VALUES (1)")
        assert rows(database) == 0
    assert rows(database) == 1


def test_the_connection_of_a_pool_commits_at_the_end_of_its_block(database):
    pool = pytest.importorskip("psycopg_pool")
    with pool.ConnectionPool(database, min_size=1, max_size=1, timeout=3) as connections:
        with connections.connection() as db:
            db.execute("INSERT INTO jobs (id) VALUES (1)")
        assert rows(database) == 1
        with suppress(ValueError), connections.connection() as db:
            db.execute("INSERT INTO jobs (id) VALUES (2)")
            raise ValueError
        assert rows(database) == 1


# ---- claims ------------------------------------------------------------------------------------


def test_on_conflict_do_nothing_tells_a_repeat_by_its_rowcount(database):
    claim = "INSERT INTO jobs (id) VALUES (%s) ON CONFLICT (id) DO NOTHING"
    with psycopg.connect(database, autocommit=True) as db:
        assert [db.execute(claim, (7,)).rowcount for _ in range(3)] == [1, 0, 0]


def test_on_conflict_do_nothing_returns_a_row_only_the_first_time(database):
    claim = "INSERT INTO jobs (id) VALUES (%s) ON CONFLICT (id) DO NOTHING RETURNING id"
    with psycopg.connect(database, autocommit=True) as db:
        assert [db.execute(claim, (7,)).fetchone() for _ in range(2)] == [(7,), None]


def test_a_repeated_insert_is_a_unique_violation(database):
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("INSERT INTO jobs (id) VALUES (7)")
        with pytest.raises(psycopg.errors.UniqueViolation):
            db.execute("INSERT INTO jobs (id) VALUES (7)")


def test_a_guarded_update_tells_a_repeat_by_its_rowcount(database):
    claim = "UPDATE jobs SET done = true WHERE id = 7 AND NOT done"
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("INSERT INTO jobs (id) VALUES (7)")
        assert [db.execute(claim).rowcount for _ in range(2)] == [1, 0]


# ---- a table as a queue ------------------------------------------------------------------------

NEXT = "SELECT id FROM jobs ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"


@pytest.fixture
def jobs(database):
    """Two connections to a queue of one job."""
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("INSERT INTO jobs (id) VALUES (7)")
    with psycopg.connect(database) as one, psycopg.connect(database) as other:
        yield one, other


def take(connection):
    return connection.execute(NEXT).fetchone()


def test_a_locked_row_is_skipped_by_others(jobs):
    one, other = jobs
    assert (take(one), take(other)) == ((7,), None)


def test_a_row_comes_back_after_a_rollback(jobs):
    one, other = jobs
    take(one)
    one.rollback()
    assert take(other) == (7,)


def test_a_row_comes_back_after_a_commit_that_did_not_remove_it(jobs):
    one, other = jobs
    take(one)
    one.commit()
    assert take(other) == (7,)


def test_a_row_that_was_deleted_is_gone_at_the_commit(jobs):
    one, other = jobs
    take(one)
    one.execute("DELETE FROM jobs WHERE id = 7")
    assert take(other) is None, "locked"
    one.commit()
    assert take(other) is None, "gone"


TAKES_AND_DIES = f"""
import os, signal, sys, psycopg
db = psycopg.connect(sys.argv[1])
assert db.execute({NEXT!r}).fetchone() == (7,)
db.execute("DELETE FROM jobs WHERE id = 7")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_row_comes_back_when_its_worker_is_killed(database, jobs, until):
    _, other = jobs
    ran = subprocess.run([sys.executable, "-c", TAKES_AND_DIES, database], check=False)
    assert ran.returncode == -signal.SIGKILL
    assert until(lambda: take(other) == (7,))
