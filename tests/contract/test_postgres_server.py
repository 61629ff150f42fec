"""Errors when the server is away, slow, newer or in use, and the round trips of calls."""

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from lamella.domain import errors
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.diagnosis import Severity
from lamella.ports.storage.waiting import one_call
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.database import database
from lamella_adapters.postgresql.database.connection import PatientConnection
from lamella_adapters.postgresql.schema.migrate import MIGRATIONS, NAMED
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_contracts.fixtures.project import START, location_named, signed
from tests import postgres
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS


@pytest.fixture
def storage() -> Iterator[PostgresStorage]:
    postgres.empty()
    opened = open_storage(postgres.location(), Path())
    opened.registry.at(location_named("project"), now=START)
    yield opened
    opened.close()


@pytest.fixture
def project(storage: PostgresStorage) -> str:
    return storage.registry.at(location_named("project"), now=START).id


def test_a_url_of_something_else_is_refused() -> None:
    with pytest.raises(errors.InvalidValueError, match="LAMELLA_STORAGE"):
        open_storage("postgresql://host/database?colour=blue", Path())


def test_a_server_that_is_away_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.2)
    away = open_storage("postgresql://nobody@127.0.0.1:1/nothing", Path())
    with pytest.raises(errors.StorageUnreachableError):
        away.registry.all()
    (finding,) = away.diagnosis.findings()
    assert finding.severity is Severity.FAULT
    assert "127.0.0.1" not in finding.message
    away.close()


@pytest.mark.usefixtures("storage")
def test_a_schema_of_a_newer_version_is_refused_if_that_says_so() -> None:
    change = f"UPDATE {postgres.SCHEMA}.version SET number = number + %s, oldest = oldest + %s"  # noqa: S608 - our own constants
    postgres.administer(change, 1, 0)
    try:
        beside = open_storage(postgres.location(), Path())
        assert len(beside.registry.all()) == 1
        beside.close()
        postgres.administer(change, 0, len(MIGRATIONS))
        with pytest.raises(errors.StorageTooNewError):
            open_storage(postgres.location(), Path()).registry.all()
        postgres.administer(change, 0, -len(MIGRATIONS))
    finally:
        postgres.administer(change, -1, 0)


@cases
def test_memories_from_before_a_column_have_nothing_in_it(
    storage: PostgresStorage, project: str, migration: str, columns: list[str], given: Draft
) -> None:
    old = storage.observations(project).add(Draft(content="zebra"), id=UUID(int=1), now=START).observation
    table = f"{postgres.SCHEMA}.observation"
    postgres.administer(f"ALTER TABLE {table} {', '.join(f'DROP COLUMN {each}' for each in columns)}")
    postgres.administer(NAMED[migration].replace("observation", table))
    observations = storage.observations(project)
    new = observations.add(given, id=UUID(int=2), now=START).observation
    assert observations.get_all([old.id, new.id]) == {old.id: old, new.id: new}
    assert not any(getattr(old, each) for each in columns)
    assert [getattr(new, each) for each in columns] == [getattr(given, each) for each in columns]


def test_who_holds_a_project_for_too_long_makes_others_busy(
    storage: PostgresStorage, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with storage.database.writing(project) as tx:
        tx.rows("SELECT 1")
        # Leaves a second connection in the pool, so that only the lock is waited for.
        storage.search(project).count()
        monkeypatch.setattr(database, "_PATIENCE", 0.2)
        with pytest.raises(errors.StorageBusyError):
            storage.observations(project).purge([], by=signed())


def test_an_exhausted_pool_advises_to_wait_instead_of_reporting_a_missing_server(
    storage: PostgresStorage, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as calls:
        for _ in range(database.CONNECTIONS):
            calls.enter_context(storage.database.reading(project))
        monkeypatch.setattr(database, "_QUEUE_SECONDS", 0.2)
        with pytest.raises(errors.StorageBusyError):
            storage.registry.all()
    monkeypatch.undo()
    assert len(storage.registry.all()) == 1


def test_waits_for_a_free_connection_are_longer_than_waits_for_the_server(
    storage: PostgresStorage, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(1) as thread:
        with ExitStack() as calls:
            for _ in range(database.CONNECTIONS):
                calls.enter_context(storage.database.reading(project))
            monkeypatch.setattr(database, "_PATIENCE", 0.0)
            waiting = thread.submit(storage.registry.all)
            with pytest.raises(TimeoutError):
                waiting.result(0.1)
        assert len(waiting.result(HANG_SECONDS)) == 1


def test_a_call_shares_what_it_waits_for_others(
    storage: PostgresStorage, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limit() -> object:
        with storage.database.reading(project) as tx:
            return tx.rows("SELECT current_setting('lock_timeout')", last=True)

    monkeypatch.setattr(database, "_PATIENCE", 0.2)
    assert limit() == [("200ms",)]
    with one_call():
        assert limit() == [("1s",)]


def test_a_statement_that_takes_too_long_is_stopped_and_the_caller_is_told_so(
    storage: PostgresStorage, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_STATEMENT_SECONDS", 1)
    with pytest.raises(errors.StorageSlowError), storage.database.reading(project) as tx:
        tx.rows("SELECT pg_sleep(%(seconds)s)", seconds=HANG_SECONDS)
    assert len(storage.registry.all()) == 1


def test_a_standby_is_read_only(storage: PostgresStorage, project: str) -> None:
    with pytest.raises(errors.StorageReadOnlyError), storage.database.writing(project) as tx:
        tx.rows("SET TRANSACTION READ ONLY; DELETE FROM observation RETURNING 1")


def test_processes_that_begin_at_once_make_the_database_once() -> None:
    made = f"at_once_{postgres.SCHEMA}"
    storages = [open_storage(postgres.location(schema=made), Path()) for _ in range(8)]
    try:
        with ThreadPoolExecutor(len(storages)) as threads:
            assert list(threads.map(lambda storage: storage.registry.all(), storages)) == [()] * len(storages)
    finally:
        for storage in storages:
            storage.close()
        postgres.administer(f"DROP SCHEMA {made} CASCADE")


@contextmanager
def frozen(storage: PostgresStorage) -> Iterator[None]:
    """Stop the server's side of a storage's connections, and continue it at the end."""
    asked = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"
    pids = [pid for (pid,) in postgres.administer(asked, storage.database.pool.application)]
    assert pids
    try:
        for pid in pids:
            postgres.send(pid, signal.SIGSTOP)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(PatientConnection, "deadline", 0.5)
            yield
    finally:
        for pid in pids:
            postgres.send(pid, signal.SIGCONT)


def save_into_frozen(storage: PostgresStorage, project: str) -> None:
    """Begin a change, and commit it after the server has stopped responding."""
    with storage.database.writing(project) as tx:
        tx.rows("SELECT 1")
        with frozen(storage):
            tx.end()


def test_a_frozen_server_is_given_up(storage: PostgresStorage, project: str) -> None:
    with frozen(storage), pytest.raises(errors.StorageUnreachableError):
        storage.search(project).count()
    with pytest.raises(errors.OutcomeUnknownError):
        save_into_frozen(storage, project)
    assert storage.search(project).count() == 0


def test_an_index_that_lacks_a_memory_is_a_finding(storage: PostgresStorage, project: str) -> None:
    storage.observations(project).add(Draft(content="zebra"), id=uuid4(), now=START)
    assert Severity.FAULT not in {finding.severity for finding in storage.diagnosis.findings()}
    postgres.administer(f"DELETE FROM {postgres.SCHEMA}.document")  # noqa: S608 - our own constants
    (fault,) = (each for each in storage.diagnosis.findings() if each.severity is Severity.FAULT)
    assert fault.subject == project
    assert project in storage.diagnosis.repair(fault)


@pytest.mark.parametrize("compression", ["off", "pglz"])
def test_settings_that_make_saves_dear_are_a_finding(compression: str) -> None:
    postgres.administer(f"ALTER ROLE postgres SET wal_compression = {compression}")
    with closing(open_storage(postgres.location(), Path())) as storage:
        (said,) = (each.message for each in storage.diagnosis.findings() if each.subject == "settings")
    postgres.administer("ALTER ROLE postgres RESET wal_compression")
    assert "autovacuum is off (better on)" in said
    # What is better depends on how the server was built.
    assert ("wal_compression is off (better " in said) == (compression == "off")


def test_without_its_packages_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lamella_adapters.postgresql.storage", None)
    with pytest.raises(errors.StorageError, match=r"Install it with: .*\[postgresql\]"):
        open_storage("postgresql://host/database", Path())
