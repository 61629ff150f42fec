"""A read ends when the time of its call is over, and disturbs nobody until then."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event

import apsw
import pytest

from lamella.domain.errors import StorageBusyError, StorageError, StorageSlowError
from lamella.ports.storage.waiting import one_call
from lamella_adapters.sqlite.file import connection, database
from lamella_adapters.sqlite.file.database import Database
from tests.end_to_end.storage.worker import Memory
from tests.waiting import HANG_SECONDS, until

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path) as opened:
        opened.save("zebra")
        yield opened


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let calls read for no longer than a tick."""
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.0)
    monkeypatch.setattr(connection, "_LEAST_SECONDS", 0.0)
    monkeypatch.setattr(database, "_LEAST_READ_SECONDS", 0.0)
    return monkeypatch


def database_of(memory: Memory) -> Database:
    return memory.storage.registry.file_of(memory.id).database


def read_without_end(database: Database) -> None:
    with one_call(), database.reading() as reader:
        reader.execute(ENDLESS).fetchall()


@pytest.mark.usefixtures("hurried")
def test_a_read_of_a_call_is_stopped_at_its_limit_and_says_so(memory: Memory) -> None:
    for _ in range(2):
        with pytest.raises(StorageSlowError) as stopped:
            read_without_end(database_of(memory))
    assert str(stopped.value) == (
        "The call took too long and was stopped; nothing was changed."
        " Search for fewer or rarer words, or only in a path or in the last days."
    )
    assert memory.find("zebra") == ["zebra"]


@pytest.mark.usefixtures("hurried")
def test_the_next_transaction_begins_where_rows_of_a_stopped_read_are_still_awaited(memory: Memory) -> None:
    def read_two_at_once() -> None:
        with one_call(), database_of(memory).reading() as reader:
            rows = reader.execute("VALUES (1), (2), (3)")
            assert next(rows) == (1,)
            reader.execute(ENDLESS).fetchall()

    # The traceback keeps the rows alive.
    with pytest.raises(StorageSlowError) as stopped:
        read_two_at_once()
    assert memory.find("zebra") == ["zebra"]
    assert stopped.value.__traceback__ is not None


@pytest.mark.usefixtures("hurried")
def test_a_virtual_table_that_was_stopped_while_it_was_made_says_so_too(memory: Memory) -> None:
    with pytest.raises(StorageSlowError), one_call(), database_of(memory).reading():
        raise apsw.SQLError("vtable constructor failed: json_each")


def test_an_error_before_the_limit_is_itself(memory: Memory) -> None:
    with (
        pytest.raises(StorageError, match="no such table: absent"),
        one_call(),
        database_of(memory).reading() as reader,
    ):
        reader.execute("SELECT * FROM absent")


def test_others_save_and_a_call_of_this_process_is_told_why_it_waits(memory: Memory, tmp_path: Path) -> None:
    database, begun, readers = database_of(memory), Event(), list[apsw.Connection]()

    def read() -> None:
        with database.reading() as reader:
            readers.append(reader)
            begun.set()
            reader.execute(ENDLESS).fetchall()

    with ThreadPoolExecutor(1) as thread:
        reading = thread.submit(read)
        try:
            assert begun.wait(HANG_SECONDS)
            with Memory(tmp_path) as other:
                other.save("horse")
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(connection, "BUSY_SECONDS", 0.0)
                with pytest.raises(StorageBusyError) as refused:
                    memory.find("zebra")
        finally:
            with suppress(apsw.ConnectionClosedError):
                while not reading.done():
                    readers[0].interrupt()
        with pytest.raises(StorageSlowError):
            reading.result()
    assert str(refused.value) == (
        "Other calls were using this memory and did not finish in time; nothing was saved or changed."
        " Try again in a moment."
    )
    assert sorted(memory.find()) == ["horse", "zebra"]


def test_a_read_outside_of_a_call_has_no_limit(memory: Memory, hurried: pytest.MonkeyPatch) -> None:
    hurried.setattr(database._Interrupter, "watching", None)
    with database_of(memory).reading() as reader:
        assert reader.execute("SELECT 1").get == 1


def test_a_read_is_stopped_after_the_thread_that_does_it_has_slept(
    memory: Memory, hurried: pytest.MonkeyPatch
) -> None:
    interrupter = database._Interrupter()
    hurried.setattr(database, "_interrupter", interrupter)
    for _ in range(2):
        with pytest.raises(StorageSlowError):
            read_without_end(database_of(memory))
        until(lambda: interrupter._idle)
