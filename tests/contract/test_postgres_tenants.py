"""Tenants of one PostgreSQL schema see nothing of one another, whatever goes wrong on a connection."""

import math
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from lamella.domain.access.grant import Scope
from lamella.domain.access.quota import Quota
from lamella.domain.access.token import AccessToken
from lamella.domain.audit.entry import Signature
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import QuotaExceededError, StorageError, UnknownProjectError
from lamella.domain.memories.observation import CodeChange, Draft, Observation
from lamella.domain.memories.query import ByText, RecallQuery
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.database.tenant_sizes import OWN
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.postgresql.schema.tables import FIRST_TABLES, TABLES
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_contracts.fixtures.project import START, location_named
from tests import postgres
from tests.unit.support.tables import cases

MODEL = EmbeddingModel(name="model-1", dimension=2)


def opened(tenant: str) -> PostgresStorage:
    return open_storage(postgres.location(tenant), Path())


def saved(storage: PostgresStorage, content: str) -> Observation:
    project = storage.registry.at(location_named("shared"), now=START)
    change = CodeChange(path="a.py", hunks="@@\n+a line that is long enough")
    draft = Draft(content=content, session="s", changes=(change,), request=content)
    return storage.observations(project.id).add(draft, id=uuid4(), now=START).observation


def filled(storage: PostgresStorage) -> None:
    """Save something of each kind, and create a token."""
    mine = saved(storage, "zebra of ours")
    said = MessageDraft(key="m", session="s", role=Role.HUMAN, text="said by us", at=START)
    storage.conversations(mine.project).add(Batch(source="t", position="1", drafts=(said,), names={"s": "ours"}))
    vectors = storage.vectors(mine.project, MODEL)
    vectors.adopt()
    vectors.put([NewVector.of(mine, Vector(b"\x01\x7f"))])
    storage.observations(mine.project).purge([mine.id], by=Signature(at=START, actor="user"))
    token = AccessToken(id=uuid4(), tenant=storage.tenant, name="laptop", scopes=Scope.READ.held, created_at=START)
    storage.access_tokens.add(token, uuid4().bytes * 2)
    storage.limit_tenant(storage.tenant, Quota(memories=9))


def held_by(tenant: str) -> dict[str, list[tuple[object, ...]]]:
    """Return the number of a tenant's rows in each table."""
    tables = postgres.administer(
        "SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'"
        " WHERE c.relkind = 'r' AND c.relnamespace = %s::regnamespace",
        postgres.SCHEMA,
    )
    counting = f"SELECT count(*) FROM {postgres.SCHEMA}.{{}} WHERE tenant = %s"  # noqa: S608 - our own constants
    return {str(name): postgres.administer(counting.format(name), tenant) for (name,) in tables}


@pytest.fixture
def ours() -> Iterator[PostgresStorage]:
    postgres.empty()
    storage = opened("ours")
    yield storage
    storage.close()


@pytest.fixture
def theirs() -> Iterator[PostgresStorage]:
    storage = opened("theirs")
    yield storage
    storage.close()


def rows_of(tables: Iterable[str]) -> dict[str, list[tuple[object, ...]]]:
    """Return the number of rows of all tenants in each table."""
    counting = f"SELECT count(*) FROM {postgres.SCHEMA}.{{}}"  # noqa: S608 - our own constants
    return {table: postgres.administer(counting.format(table)) for table in tables}


def as_application(
    *statements: str, tenant: str | None = "theirs", user: str = "postgres"
) -> list[tuple[object, ...]]:
    """Run statements in one transaction as the application's role, and return the rows of the last one."""
    with psycopg.connect(postgres.server(), user=user) as connection:
        connection.execute("SET LOCAL ROLE lamella_app")
        connection.execute(f"SET LOCAL search_path TO {postgres.SCHEMA}")
        if tenant is not None:
            connection.execute("SELECT set_config('lamella.tenant', %s, true)", (tenant,))
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def test_one_repository_is_a_project_of_each_tenant(ours: PostgresStorage, theirs: PostgresStorage) -> None:
    mine, other = saved(ours, "zebra of ours"), saved(theirs, "zebra of theirs")
    assert mine.project == other.project
    for storage, expected in ((ours, mine), (theirs, other)):
        hits = storage.search(mine.project).find(RecallQuery(selector=ByText("zebra")))
        assert [hit.observation for hit in hits] == [expected]
        assert storage.observations(mine.project).get_all([mine.id, other.id]) == {expected.id: expected}


@pytest.mark.usefixtures("ours")
def test_every_table_is_secured_and_the_application_owns_none() -> None:
    opened("ours").registry.all()
    found = postgres.administer(
        "SELECT relname, relrowsecurity, pg_get_userbyid(relowner) FROM pg_class"
        " WHERE relkind IN ('r', 'p') AND relnamespace = %s::regnamespace",
        postgres.SCHEMA,
    )
    assert {name for name, *_ in found} == {*TABLES, "version"}
    assert all(secured and owner != "lamella_app" for _, secured, owner in found)
    assert postgres.administer(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'lamella_app'"
    ) == [(False, False, False, False)]


def test_no_statement_by_hand_reads_or_changes_the_rows_of_another(ours: PostgresStorage) -> None:
    filled(ours)
    before = rows_of(FIRST_TABLES)
    full = [table for table, count in before.items() if count != [(0,)]]
    assert {"observation", "posting", "document", "message", "vector", "audit", "code_change"} <= set(full)
    for table in full:
        assert as_application(f"SELECT * FROM {table}") == []  # noqa: S608 - our own constants
        assert as_application(f"SELECT * FROM {table}", tenant=None) == []  # noqa: S608 - same
        assert as_application(f"DELETE FROM {table} RETURNING 1") == []  # noqa: S608 - same
        assert as_application(f"UPDATE {table} SET tenant = 'theirs' RETURNING 1") == []  # noqa: S608 - same
    assert rows_of(FIRST_TABLES) == before


def test_a_deleted_tenant_leaves_no_row_in_any_table(ours: PostgresStorage, theirs: PostgresStorage) -> None:
    for storage in (ours, theirs):
        filled(storage)
    before, kept = held_by("ours"), held_by("theirs")
    full = {table for table, count in before.items() if count != [(0,)]}
    assert {"observation", "posting", "message", "vector", "audit", "access_token", "access_event"} <= full
    (size,) = (each for each in theirs.tenants() if each.name == "ours")
    assert (size.projects, size.memories, size.tokens, size.bytes > 0) == (1, 1, 1, True)
    theirs.delete_tenant("ours")
    assert held_by("ours") == {table: [(0,)] for table in TABLES}
    assert held_by("theirs") == {**kept, "access_event": [(2,)]}
    with pytest.raises(UnknownProjectError):
        ours.search(saved(theirs, "again").project).count()


@pytest.mark.usefixtures("ours")
def test_only_an_administrator_lists_and_deletes_tenants() -> None:
    postgres.make_role()
    login = f"member_{postgres.SCHEMA}"
    postgres.administer(f"CREATE ROLE {login} LOGIN IN ROLE lamella_app")
    with closing(open_storage(postgres.location("theirs", user=login), Path())) as member:
        for refused in (
            member.tenants,
            lambda: member.limit_tenant("theirs", Quota()),
            lambda: member.delete_tenant("ours"),
        ):
            with pytest.raises(StorageError, match="the role lamella_admin"):
                refused()
    assert as_application("SELECT * FROM tenant_sizes()", user=login) == []
    for statement in ("SELECT delete_tenant('ours')", "INSERT INTO quota (saves) VALUES (9)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            as_application(statement, user=login)
    postgres.administer(f"DROP ROLE {login}")


def test_a_quota_costs_no_message_and_is_known_for_some_seconds(
    ours: PostgresStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(ours, "the first")
    sent: list[str] = []
    exchanged = Transaction._exchanged

    def noted(tx: Transaction, message: str) -> list[list[Row]]:
        sent.append(message)
        return exchanged(tx, message)

    monkeypatch.setattr(Transaction, "_exchanged", noted)
    for content, known in (("the second", 0.0), ("the third", math.inf)):
        ours.database.size.until = known
        sent.clear()
        saved(ours, content)
        assert [OWN in each for each in sent] == [not known, False, False]
    ours.limit_tenant("ours", Quota(bytes=1))
    ours.database.size.until = 0.0
    with pytest.raises(QuotaExceededError):
        saved(ours, "the fourth")


@cases
def test_the_application_cannot_leave_its_tenant(theirs: PostgresStorage, statement: str) -> None:
    saved(theirs, "theirs")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_application(statement)


@pytest.mark.usefixtures("ours")
def test_without_a_tenant_nothing_is_written() -> None:
    with pytest.raises(psycopg.Error):
        as_application("INSERT INTO alias (alias, project) VALUES ('a', 'p')", tenant=None)
    with pytest.raises(psycopg.errors.CheckViolation):
        as_application("INSERT INTO alias (alias, project) VALUES ('a', 'p')", tenant="")


def test_a_pooled_connection_does_not_carry_a_tenant_over(ours: PostgresStorage) -> None:
    theirs = ours.of_tenant("theirs")
    assert theirs.database.pool is ours.database.pool
    mine = saved(ours, "zebra of ours")
    assert theirs.registry.all() == ()
    with pytest.raises(UnknownProjectError):
        theirs.search(mine.project)
    # A project that is known by mistake, as another tenant's process knows it, is not found either.
    theirs.database.known.add(mine.project)
    with pytest.raises(UnknownProjectError):
        theirs.search(mine.project).count()
    connection = ours.database.pool.getconn()
    left = connection.execute(
        "SELECT current_setting('lamella.tenant', true), current_setting('lamella.project', true), current_user"
    ).fetchone()
    ours.database.pool.putconn(connection)
    assert left == ("", "", "postgres")


def broken_off(storage: PostgresStorage, project: str, statement: str) -> None:
    """Delete all data of a project, run a statement, and roll back."""
    with storage.database.writing(project) as turn:
        turn.rows("DELETE FROM observation WHERE project = here() RETURNING 1")
        turn.rows(statement)
        raise KeyError


def test_an_error_in_a_transaction_leaves_nothing_behind(ours: PostgresStorage) -> None:
    mine = saved(ours, "zebra of ours")
    for failing in ("SELECT 1 / 0", "SELECT seq FROM nowhere"):
        with pytest.raises(StorageError):
            broken_off(ours, mine.project, failing)
    with pytest.raises(KeyError):
        broken_off(ours, mine.project, "SELECT 1")
    assert ours.observations(mine.project).get_all([mine.id]) == {mine.id: mine}


def test_a_tenant_cannot_be_named_in_sql(ours: PostgresStorage) -> None:
    saved(ours, "zebra of ours")
    hostile = opened("x', true); SET lamella.tenant = 'ours")
    assert hostile.registry.all() == ()
    hostile.close()


def test_a_login_needs_nothing_but_the_role(theirs: PostgresStorage) -> None:
    mine = saved(theirs, "zebra of theirs")
    login = f"login_{postgres.SCHEMA}"
    postgres.administer(f"CREATE ROLE {login} LOGIN IN ROLE lamella_app")
    storage = open_storage(postgres.location("theirs", user=login), Path())
    assert saved(storage, "zebra of a login").sequence > mine.sequence
    assert len(storage.search(mine.project).find(RecallQuery(selector=ByText("zebra")))) == 2
    storage.close()
    postgres.administer(f"DROP ROLE {login}")
