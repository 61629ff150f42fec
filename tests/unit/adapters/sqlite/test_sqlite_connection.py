"""Connections to SQLite files, as all of lamella's storage opens them."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lamella_adapters.sqlite.file.connection import connect


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with closing(apsw.Connection(str(tmp_path / "some.db"))) as connection:
        connection.execute("CREATE TABLE word (word TEXT, gone INTEGER); CREATE INDEX left_over ON word (gone)")
        connection.execute('INSERT INTO word SELECT value, 0 FROM json_each(\'["a", "b", "c"]\')').fetchall()
    return tmp_path / "some.db"


@pytest.mark.parametrize("writable", [True, False])
def test_a_query_is_planned_once_whatever_it_is_asked_with(path: Path, *, writable: bool) -> None:
    plans: list[int] = []

    def note(operation: int, *_: str | None) -> int:
        plans.append(operation)
        return apsw.SQLITE_OK

    with closing(connect(path, writable=writable)) as connection:
        connection.authorizer = note
        for limit in (1, 2, 3):
            query = "SELECT word FROM word WHERE gone = ? ORDER BY rowid LIMIT ?"
            assert len(connection.execute(query, (0, limit)).fetchall()) == limit
    assert plans.count(apsw.SQLITE_SELECT) == 1
