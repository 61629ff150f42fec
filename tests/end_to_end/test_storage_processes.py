"""Several processes and threads on one data directory: the fault table's rows 1, 7, 8 and 50, and merges."""

import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from lamella.domain.errors import StorageBusyError
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.sqlite import SqliteStorage
from lamella_adapters.sqlite.file.database import Database
from tests.end_to_end.storage_worker import (
    NOW,
    PATIENCE_SECONDS,
    Memory,
    Saved,
    Worker,
    assert_sound,
    place,
    saved_into,
    unsynced_folder,
)

KILLS = "tests.end_to_end.storage_kills"
BUSY_LIMIT_SECONDS = 5.0
PROCESSES = 8


@contextmanager
def workers(folder: Path, command: str, *arguments: tuple[object, ...]) -> Iterator[list[Worker]]:
    """Processes that run `command`, one for each tuple of arguments, all begun at the same moment."""
    with ExitStack() as stack:
        running = [stack.enter_context(Worker(command, folder, *each)) for each in arguments]
        for each in running:
            assert each.said() == "ready"
        for each in running:
            each.tell()
        yield running


def acknowledged(said: list[tuple[str, str, float]]) -> Saved:
    return {UUID(hex=id): content for id, content, _ in said}


# Row 1: killed at any time.


def test_a_server_killed_while_it_saves_has_lost_nothing(tmp_path: Path) -> None:
    saved: Saved = {}
    for number in range(5):
        with workers(tmp_path, "save", (f"killed-{number}", 0)) as (worker,):
            said = [worker.said() for _ in range(10 + 7 * number)]
            worker.send(signal.SIGKILL)
            saved |= acknowledged(said + worker.rest())
        assert_sound(tmp_path, saved)


def test_servers_killed_among_others_lose_nothing_and_disturb_nobody(tmp_path: Path) -> None:
    with workers(tmp_path, "save", ("a", 0), ("b", 0), ("c", 60)) as (one, other, survivor):
        said = [each.said() for each in (one, other) for _ in range(20)]
        for each in (one, other):
            each.send(signal.SIGKILL)
        said += one.rest() + other.rest() + survivor.rest()
        assert survivor.ended_well()
    assert len(said) >= 100
    assert_sound(tmp_path, acknowledged(said))


def test_a_first_save_killed_at_any_statement_leaves_nothing_half() -> None:
    with unsynced_folder() as folder, Worker("begin", folder / "data", module=KILLS) as worker:
        statements = worker.said()
        assert worker.ended_well()
    assert statements > 30


# Row 7: many writers.


def test_eight_writers_all_save_everything(tmp_path: Path) -> None:
    each = 40
    with workers(tmp_path, "save", *((f"writer-{n}", each) for n in range(PROCESSES))) as writers:
        said = [line for writer in writers for line in writer.rest()]
        assert all(writer.ended_well() for writer in writers)
    saved = acknowledged(said)
    assert len(saved) == PROCESSES * each
    assert_sound(tmp_path, saved)


# Row 8: a writer that is stopped inside a transaction.


def test_a_stopped_writer_makes_others_busy_and_stops_no_reader(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory, Worker("hold", tmp_path, "write") as holder:
        assert holder.said() == "ready"
        holder.send(signal.SIGSTOP)
        with ThreadPoolExecutor(3) as threads:
            refused = [threads.submit(time_of_refusal, memory) for _ in range(3)]
            assert memory.find("zebra") == ["zebra"]
            assert Memory(tmp_path).find("zebra") == ["zebra"]
            assert not any(each.done() for each in refused)
            assert max(each.result() for each in refused) <= BUSY_LIMIT_SECONDS
        holder.send(signal.SIGCONT)
        holder.tell()
        assert holder.ended_well()
        saved[memory.save("afterwards").id] = "afterwards"
    assert_sound(tmp_path, saved)


def time_of_refusal(memory: Memory) -> float:
    began = time.monotonic()
    with pytest.raises(StorageBusyError):
        memory.save(f"while stopped {uuid4()}")
    return time.monotonic() - began


def test_a_stopped_reader_stops_nobody(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra")
    with Worker("hold", tmp_path, "read") as holder:
        assert holder.said() == "ready"
        holder.send(signal.SIGSTOP)
        saved |= saved_into(tmp_path, "horse")
        assert_sound(tmp_path, saved)


# Row 50: everything begins at once.


def test_eight_cold_starts_at_once_make_one_project(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "made" / "yet"
    with workers(folder, "save", *((f"start-{n}", 1) for n in range(PROCESSES))) as starting:
        said = [line for worker in starting for line in worker.rest()]
        assert all(worker.ended_well() for worker in starting)
    assert len(acknowledged(said)) == PROCESSES
    with closing(SqliteStorage(folder)) as storage:
        assert [project.id for project in storage.registry.all()] == [place("p").project_id]
    names = {path.name for path in folder.rglob("*")}
    project = place("p").project_id
    assert names == {"registry.db", "projects", f"{project}.db", f"{project}.count"}
    assert_sound(folder, acknowledged(said))


def test_a_deleted_registry_is_made_from_the_files_of_the_projects(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra one", name="old") | saved_into(tmp_path, "zebra two", name="new")
    with Memory(tmp_path, "old") as memory, Worker("save", tmp_path, "live", 1) as live:
        memory.storage.registry.merge(memory.location.project_id, place("new").project_id)
        assert live.said() == "ready"
        live.tell()
        live.said()
        before = memory.storage.registry.all()
        # Its log stays where it is, and is nobody's now.
        memory.storage.registry.path.unlink()
        assert memory.storage.registry.all() == before
        with Memory(tmp_path, "old") as other:
            assert other.storage.registry.all() == before
            assert other.find("zebra") == ["zebra one", "zebra two"]
    assert_sound(tmp_path, saved, "old")


# Merges.


@pytest.mark.parametrize("operation", ["merge", "split", "erase"])
def test_what_is_broken_off_at_any_statement_can_be_repeated(operation: str) -> None:
    with unsynced_folder() as folder, Worker(operation, folder / "data", module=KILLS) as worker:
        statements = worker.said()
        assert worker.ended_well()
    assert statements > 50


def test_a_server_that_saves_during_a_merge_loses_nothing(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, *(f"old {number}" for number in range(500)), session="s")
    saved |= saved_into(tmp_path, "new", name="new")
    ids = place("p").project_id, place("new").project_id
    with workers(tmp_path, "save", ("during", 0)) as (server,), Memory(tmp_path) as memory:
        said = [server.said() for _ in range(5)]
        assert memory.storage.registry.merge(*ids) >= 505
        # It has the old project open, and goes on in the new one.
        at_first = memory.storage.search(ids[1]).count()
        while memory.storage.search(ids[1]).count() < at_first + 20:
            said.append(server.said())
        server.send(signal.SIGKILL)
        saved |= acknowledged(said + server.rest())
        assert memory.storage.registry.merge(*ids) == 0
        assert memory.storage.search(ids[1]).count() == len(set(memory.find(limit=10_000))) >= len(saved)
        assert_sound(tmp_path, saved)
        assert memory.storage.registry.split(ids[0]) >= 505
        assert memory.storage.search(ids[1]).count() >= 21
    assert_sound(tmp_path, {id: content for id, content in saved.items() if content.startswith("old")})


# Threads.


def test_threads_of_one_process_do_not_disturb_one_another(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory, ThreadPoolExecutor(PROCESSES) as threads:
        observations = memory.storage.observations(memory.id)

        def work(thread: int) -> Saved:
            kept: Saved = {}
            for number in range(10):
                one = memory.save(f"zebra {thread} {number}", session=f"s{thread % 3}")
                kept[one.id] = one.content
                assert observations.purge([one.id], now=NOW) == (StatusChange.DONE,)
                assert one.content not in memory.find(f"zebra {thread} {number}")
                if number % 2:
                    assert observations.restore([one.id], now=NOW) == (StatusChange.DONE,)
                    assert one.content in memory.find(f"zebra {thread} {number}")
            return kept

        saved = {id: content for kept in threads.map(work, range(PROCESSES)) for id, content in kept.items()}
        assert len(memory.find("zebra")) == len(saved) / 2
    assert_sound(tmp_path, saved)


def test_closing_waits_for_no_call(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra")
    inside, leave = threading.Event(), threading.Event()
    with Memory(tmp_path) as memory:
        database: Database = memory.storage.registry.file_of(memory.id).database

        def call() -> None:
            with database.writing():
                inside.set()
                assert leave.wait(PATIENCE_SECONDS)

        with ThreadPoolExecutor(1) as threads:
            calling = threads.submit(call)
            assert inside.wait(PATIENCE_SECONDS)
            began = time.monotonic()
            memory.storage.close()
            assert time.monotonic() - began < 1
            leave.set()
            calling.result(PATIENCE_SECONDS)
        # Whoever held the connection has closed it: nobody keeps the log.
        assert not memory.file.with_name(f"{memory.file.name}-wal").exists()
    assert_sound(tmp_path, saved)
