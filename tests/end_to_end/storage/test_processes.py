"""Several processes and threads on one data directory: the fault table's rows 7, 8 and 50."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest

from lamella.domain.errors import StorageBusyError
from lamella.ports.storage import waiting
from lamella_adapters.sqlite.file import connection, shared_connection
from lamella_adapters.sqlite.file.database import Database
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.worker import Memory, Worker, acknowledged, assert_sound, place, saved_into, workers
from tests.waiting import HANG_SECONDS

BUSY_SECONDS = connection.BUSY_SECONDS  # the product's own, before a test sets another


def next_saves(worker: Worker, count: int) -> list[tuple[str, str]]:
    """Return the next saves of a worker that saves without end."""
    said = [worker.said() for _ in range(count)]
    assert None not in said
    return said


# Row 8: a writer that is stopped inside a transaction.


@contextmanager
def stopped(folder: Path, statement: str) -> Iterator[None]:
    """A process is stopped inside a transaction, until the block ends."""
    with Worker("hold", folder, statement) as holder:
        assert holder.said() == "ready"
        holder.send(signal.SIGSTOP)
        yield
        holder.send(signal.SIGCONT)
        holder.tell()
        assert holder.ended_well()


def test_a_stopped_writer_makes_others_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory:
        # Each of them is refused before the writer goes on, also those that wait for their turn in this process.
        with stopped(tmp_path, "write"), monkeypatch.context() as hurried, ThreadPoolExecutor(3) as threads:
            hurried.setattr(connection, "BUSY_SECONDS", 0.2)
            refused = [threads.submit(memory.save, f"while stopped {uuid4()}") for _ in range(3)]
            assert [type(each.exception(HANG_SECONDS)) for each in refused] == [StorageBusyError] * 3
        saved[memory.save("afterwards").id] = "afterwards"
        assert memory.storage.search(memory.id).count() == 2
    assert_sound(tmp_path, saved)


def test_all_that_a_call_waits_for_shares_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that has waited for its turn in this process has only the rest of its time for another process."""
    now = [100.0]

    class Turn:
        """Comes after three seconds of waiting."""

        def acquire(self, *, timeout: float) -> bool:
            assert timeout == 4
            now[0] += 3
            return True

        def release(self) -> None:
            pass

    saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory:
        memory.save("horse")
        writer = memory.storage.registry.file_of(memory.id).database._writer
        with monkeypatch.context() as patch:
            patch.setattr(connection, "BUSY_SECONDS", 4)
            patch.setattr(writer, "lock", Turn())
            for module in (connection, shared_connection):
                patch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
            with writer.taken(writable=True):
                assert writer.patience.deadline == 104
                now[0] = 104.1
                assert not writer.patience(1)


def test_the_transactions_of_a_call_wait_no_longer_together_than_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]

    def pause() -> None:
        now[0] += 0.1

    saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory:
        memory.save("horse")
        with stopped(tmp_path, "write"), monkeypatch.context() as patch:
            patch.setattr(connection, "BUSY_SECONDS", BUSY_SECONDS)
            patch.setattr(connection, "pause", pause)
            for module in (connection, shared_connection, waiting):
                patch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
            with waiting.one_call():
                for _ in range(2):
                    with pytest.raises(StorageBusyError):
                        memory.save("while stopped")
    assert BUSY_SECONDS < now[0] - 100 < 5


def test_a_stopped_writer_stops_no_reader(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory, ThreadPoolExecutor(1) as threads:
        with stopped(tmp_path, "write"):
            saving = threads.submit(memory.save, "when it goes on")
            assert memory.find("zebra") == ["zebra"]
            with Memory(tmp_path) as another:
                assert another.find("zebra") == ["zebra"]
            assert not saving.done()
        saved[saving.result(HANG_SECONDS).id] = "when it goes on"
    assert_sound(tmp_path, saved)


# A registry that is lost.


def test_a_deleted_registry_is_made_from_the_files_of_the_projects(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra one", name="old") | saved_into(tmp_path, "zebra two", name="new")
    with Memory(tmp_path, "old") as memory, Worker("hold", tmp_path, "read") as live:
        memory.storage.registry.merge(memory.location.project_id, place("new").project_id, by=signed())
        assert live.said() == "ready"
        before = memory.storage.registry.all()
        # Its log stays where it is, and is nobody's now.
        memory.storage.registry.path.unlink()
        assert memory.storage.registry.all() == before
        with Memory(tmp_path, "old") as other:
            assert other.storage.registry.all() == before
            assert other.find("zebra") == ["zebra one", "zebra two"]
    assert_sound(tmp_path, saved, "old")


# Merges.


def test_a_server_that_saves_during_a_merge_loses_nothing(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, *(f"old {number}" for number in range(200)), session="s")
    saved |= saved_into(tmp_path, "new", name="new")
    ids = place("p").project_id, place("new").project_id
    with workers(tmp_path, "save", ("during", 0)) as (server,), Memory(tmp_path) as memory:
        said = next_saves(server, 5)
        assert memory.storage.registry.merge(*ids, by=signed()) >= 205
        # It has the old project open, and goes on in the new one.
        at_first = memory.storage.search(ids[1]).count()
        while memory.storage.search(ids[1]).count() < at_first + 20:
            said += next_saves(server, 1)
        server.send(signal.SIGKILL)
        saved |= acknowledged(said + server.rest())
        assert memory.storage.registry.merge(*ids, by=signed()) == 0
        assert memory.storage.search(ids[1]).count() == len(set(memory.find(limit=10_000))) >= len(saved)
        assert_sound(tmp_path, saved)
        assert memory.storage.registry.split(ids[0], by=signed()) >= 205
        assert memory.storage.search(ids[1]).count() >= 21
    assert_sound(tmp_path, {id: content for id, content in saved.items() if content.startswith("old")})


def test_closing_waits_for_no_call(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra")
    inside, leave = threading.Event(), threading.Event()
    with Memory(tmp_path) as memory:
        database: Database = memory.storage.registry.file_of(memory.id).database

        def call() -> None:
            with database.writing():
                inside.set()
                assert leave.wait(HANG_SECONDS)

        with ThreadPoolExecutor(1) as threads:
            calling = threads.submit(call)
            assert inside.wait(HANG_SECONDS)
            memory.storage.close()
            assert not calling.done()
            leave.set()
            calling.result(HANG_SECONDS)
        # Whoever held the connection has closed it: nobody keeps the log.
        assert not memory.file.with_name(f"{memory.file.name}-wal").exists()
    assert_sound(tmp_path, saved)
