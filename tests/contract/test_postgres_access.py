"""Access tokens on PostgreSQL: who knows no secret learns of no token, whatever they send as the application."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from lamella.application.access.tokens import CreateToken, GrantOf, NewToken, TokenRequest
from lamella.domain.access.errors import TokenInvalidError
from lamella.domain.access.grant import Scope
from lamella.domain.access.token import digest_of
from lamella.domain.errors import StorageError
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.schema import migrate
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_adapters.process.system import SystemClock, Uuid4Source
from tests import postgres
from tests.contract.test_postgres_tenants import as_application
from tests.unit.support.tables import cases

BY_HAND = (
    # A view of the caller that says otherwise does not help.
    "CREATE TEMP VIEW pg_roles AS SELECT usesysid oid,'lamella_admin'::name rolname,true rolcanlogin FROM pg_user",
    f"SET LOCAL search_path = pg_temp, {postgres.SCHEMA}, pg_catalog",
    """INSERT INTO access_token (id, digest, name, scopes, created_at)
    VALUES (gen_random_uuid(), sha256('x'), 'x', '{memory:admin}', 1)""",
)


@pytest.fixture
def storage() -> Iterator[PostgresStorage]:
    postgres.empty()
    opened = open_storage(postgres.location("theirs"), Path())
    yield opened
    opened.close()


@pytest.fixture
def ours(storage: PostgresStorage) -> NewToken:
    return CreateToken(storage, SystemClock(), Uuid4Source())(TokenRequest(name="ours", tenant="ours"))


def test_a_token_leads_to_its_tenant_on_a_storage_of_another(storage: PostgresStorage, ours: NewToken) -> None:
    assert GrantOf(storage, SystemClock())(ours.secret).tenant == "ours"
    (noted,) = storage.access_tokens.all("ours")
    assert noted.used_at is not None
    assert storage.access_tokens.all("theirs") == ()


def test_a_token_that_another_process_revokes_is_refused_by_the_next_call(
    storage: PostgresStorage, ours: NewToken
) -> None:
    other = open_storage(postgres.location("ours"), Path())
    grant_of = GrantOf(storage, SystemClock())
    grant_of(ours.secret)
    other.access_tokens.revoke(ours.token.id, tenant="ours", now=SystemClock().now())
    other.close()
    with pytest.raises(TokenInvalidError):
        grant_of(ours.secret)


@pytest.mark.usefixtures("ours")
def test_the_application_sees_tokens_of_its_tenant_only(storage: PostgresStorage) -> None:
    seen = "SELECT name FROM access_token"
    assert as_application(seen) == as_application(seen, tenant=None) == []
    assert as_application(seen, tenant="ours") == [("ours",)]
    for changing in (
        "UPDATE access_token SET revoked_at = 1 RETURNING 1",
        "UPDATE access_token SET used_at = 1 RETURNING 1",
    ):
        assert as_application(changing) == []
    (token,) = storage.access_tokens.all("ours")
    assert token.revoked_at is None


@pytest.mark.usefixtures("ours")
@cases
def test_the_application_cannot_read_a_digest_or_change_what_a_token_may_do(statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_application(statement, tenant="ours")


def test_the_look_up_answers_to_a_whole_digest_alone(ours: NewToken) -> None:
    digest = digest_of(ours.secret)
    assert digest is not None
    asked = "SELECT tenant FROM access_token_with({})"
    assert as_application(asked.format(f"'\\x{digest.hex()}'")) == [("ours",)]
    for other in (f"'\\x{digest[:-1].hex()}'", "''", "NULL", "'%'", "'\\x' || '00'::bytea"):
        assert as_application(asked.format(other)) == []


@pytest.fixture
def login() -> Iterator[str]:
    """Return a login that may use memories, and has the role of the tenant with its name."""
    postgres.make_role()
    name = f"ours_{postgres.SCHEMA}"
    postgres.administer(f'CREATE ROLE {name} LOGIN IN ROLE lamella_app; CREATE ROLE "lamella:{name}"')
    yield name
    postgres.administer(f'DROP ROLE IF EXISTS {name}; DROP ROLE "lamella:{name}"')


@cases
def test_a_login_makes_tokens_that_its_roles_allow_and_that_end_with_it(
    storage: PostgresStorage, login: str, *, role: str, tenant: str, scope: Scope, allowed: bool
) -> None:
    role, tenant = role.format(login), tenant.format(login)
    if role:
        postgres.administer(f'GRANT "{role}" TO {login}')
    with closing(open_storage(postgres.location(user=login), Path())) as theirs:
        create = CreateToken(theirs, SystemClock(), Uuid4Source())
        request = TokenRequest(name="laptop", tenant=tenant, scope=scope)
        if not allowed:
            with pytest.raises(StorageError, match="the role lamella_admin"):
                create(request)
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                as_application(*BY_HAND, tenant=tenant, user=login)
            assert storage.access_tokens.all(tenant) == ()
            return
        new, grant_of = create(request), GrantOf(storage, SystemClock())
    (event,) = storage.access_tokens.events(tenant, limit=9)
    assert (event.by, event.origin, event.about) == (login, "local", new.token.label)
    for end, again in (
        (f'REVOKE "{role}" FROM {login}', f'GRANT "{role}" TO {login}'),
        (f"ALTER ROLE {login} NOLOGIN", f"ALTER ROLE {login} LOGIN"),
        (f"DROP ROLE {login}", "SELECT 1"),
    ):
        assert grant_of(new.secret).tenant == tenant
        postgres.administer(end)
        with pytest.raises(TokenInvalidError):
            grant_of(new.secret)
        postgres.administer(again)


def test_nobody_revives_a_token(storage: PostgresStorage, ours: NewToken) -> None:
    storage.access_tokens.revoke(ours.token.id, tenant="ours", now=SystemClock().now())
    as_application("UPDATE access_token SET revoked_at = NULL", tenant="ours")
    with pytest.raises(TokenInvalidError):
        GrantOf(storage, SystemClock())(ours.secret)


@pytest.mark.usefixtures("ours")
def test_a_table_of_the_caller_takes_no_place_of_ours() -> None:
    made = "CREATE TEMP TABLE access_token AS SELECT 'ours' AS tenant, sha256('mine') AS digest, 'x' AS name"
    path = "SET LOCAL search_path = pg_temp, public"
    asked = f"SELECT tenant FROM {postgres.SCHEMA}.access_token_with(sha256('mine'))"  # noqa: S608 - our own constants
    assert as_application(made, path, asked) == []


def test_nobody_but_the_application_may_look_up() -> None:
    stranger = f"stranger_{postgres.SCHEMA}"
    postgres.administer(f"CREATE ROLE {stranger}")
    postgres.administer(f"GRANT USAGE ON SCHEMA {postgres.SCHEMA} TO {stranger}")
    try:
        with psycopg.connect(postgres.server()) as connection:
            connection.execute(f"SET ROLE {stranger}".encode())
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT {postgres.SCHEMA}.access_tokens_exist()".encode())
    finally:
        postgres.administer(f"DROP OWNED BY {stranger}")
        postgres.administer(f"DROP ROLE {stranger}")


def test_a_schema_of_an_earlier_version_gets_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = f"earlier_{postgres.SCHEMA}"
    location = postgres.location(schema=schema)
    with monkeypatch.context() as earlier:
        earlier.setattr(
            migrate, "MIGRATIONS", migrate.MIGRATIONS[: migrate.MIGRATIONS.index(migrate.NAMED["access_tokens"])]
        )
        old = open_storage(location, Path())
        # The schema is made before anything is asked that this version may know and that one did not.
        with suppress(StorageError):
            old.registry.all()
        old.close()
    assert postgres.administer("SELECT to_regclass(%s)", f"{schema}.access_token") == [(None,)]
    now = open_storage(location, Path())
    new = CreateToken(now, SystemClock(), Uuid4Source())(TokenRequest(name="laptop"))
    assert GrantOf(now, SystemClock())(new.secret).tenant == "default"
    now.close()
    postgres.administer(f"DROP SCHEMA {schema} CASCADE")


def test_an_owner_without_superuser_rights_finds_tokens_of_every_tenant() -> None:
    postgres.make_role()
    made = f"owns_{postgres.SCHEMA}"
    postgres.administer(f"CREATE ROLE {made} LOGIN CREATEROLE")
    postgres.administer(f"GRANT CREATE ON DATABASE postgres TO {made}")
    postgres.administer(f"GRANT lamella_app TO {made}")
    storage = open_storage(postgres.location("theirs", user=made, schema=made), Path())
    try:
        new = CreateToken(storage, SystemClock(), Uuid4Source())(TokenRequest(name="ours", tenant="ours"))
        assert GrantOf(storage, SystemClock())(new.secret).tenant == "ours"
        assert storage.access_tokens.all("theirs") == ()
    finally:
        storage.close()
        postgres.administer(f"DROP OWNED BY {made} CASCADE")
        postgres.administer(f"DROP ROLE {made}")
