"""Search by meaning with an index of the extension `vector`, which may come and go."""

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock

import psycopg
import pytest

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import StorageError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import RecallQuery
from lamella.ports.storage.vectors import Coverage, NewVector
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.embeddings import vector_index
from lamella_adapters.postgresql.embeddings.vector_index import PostgresVectors
from lamella_adapters.postgresql.maintenance import diagnosis
from lamella_adapters.postgresql.maintenance.diagnosis import PostgresDiagnosis
from lamella_adapters.postgresql.schema import migrate
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_adapters.postgresql.tables.vector_rows import code_of
from lamella_contracts import VectorIndexContract
from lamella_contracts.fixtures.project import ProjectFixture, location_named, signed
from lamella_contracts.fixtures.vectors import index
from tests import postgres
from tests.contract.test_postgres import InPostgres

MODEL = EmbeddingModel("drawn", 64)
_EXTENSION = "DO $$ BEGIN PERFORM pg_advisory_xact_lock(7); CREATE EXTENSION IF NOT EXISTS vector; END $$"


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every project as a large one, if the server has the extension."""
    if not postgres.administer("SELECT name FROM pg_available_extensions WHERE name = 'vector'"):
        pytest.skip("the server does not have the extension")
    monkeypatch.setattr(vector_index, "CODED_FROM", 0)
    monkeypatch.setattr(diagnosis, "_INDEXED_FROM", 1)


def repaired(storage: PostgresDiagnosis) -> list[str]:
    """Create the indexes reported as missing by doctor."""
    return [storage.repair(each) for each in storage.findings() if each.repair]


def drawn(count: int) -> list[Vector]:
    """Draw clustered vectors, as those of texts are."""
    numbers = random.Random(7)  # noqa: S311 - a story, not a secret
    groups = [[numbers.gauss(0, 1) for _ in range(64)] for _ in range(8)]
    return [Vector.of(numbers.gauss(each, 0.7) for each in numbers.choice(groups)) for _ in range(count)]


def by_index(storage: PostgresStorage, project: str, vector: Vector) -> int:
    """Return the number of candidates returned by an index."""
    with storage.database.reading(project) as tx:
        return len(tx.rows("SELECT seq FROM near(%(code)s::bit varying, 100)", code=code_of(vector)))


def nearest(storage: PostgresStorage, project: str, vector: Vector) -> Sequence[str]:
    hits = storage.vectors(project, MODEL).nearest(vector, RecallQuery(limit=10)).hits
    return [hit.observation.content for hit in hits]


class TestPostgresNear(InPostgres, VectorIndexContract):
    """The contract with a vector index for each project."""

    @pytest.fixture(autouse=True)
    def _indexed(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        postgres.administer(_EXTENSION)
        put, one = PostgresVectors.put, Lock()

        def indexed(vectors: PostgresVectors, new: Sequence[NewVector]) -> None:
            put(vectors, new)
            with one:
                repaired(PostgresDiagnosis(vectors.scope.database))

        monkeypatch.setattr(PostgresVectors, "put", indexed)
        yield
        named = "SELECT indexrelid::regclass FROM pg_index WHERE indrelid = %s::regclass AND NOT indisprimary"
        for (name,) in postgres.administer(named, f"{postgres.SCHEMA}.vector"):
            postgres.administer(f"DROP INDEX {name}")

    def test_the_index_answers_as_a_scan(self, project: ProjectFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        assert isinstance(project.storage, PostgresStorage)
        asked, vectors = drawn(40), drawn(440)[40:]
        saved = project.fill([Draft(content=f"{number}") for number in range(400)])
        index(project, MODEL).put(list(map(NewVector.of, saved, vectors)))
        project.purge(*saved[:100])
        assert by_index(project.storage, project.id, asked[0]) == 100
        for number, each in enumerate(asked):
            if number == 20:
                monkeypatch.setitem(sys.modules, "numpy", None)
            near = sorted(saved[100:], key=lambda said: -each.cosine(vectors[int(said.content)]))
            assert nearest(project.storage, project.id, each) == [said.content for said in near[:10]]


def test_vectors_from_before_they_were_counted_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    postgres.make_role()
    owner = f"counts_{postgres.SCHEMA}"
    postgres.administer(f"CREATE ROLE {owner} LOGIN CREATEROLE IN ROLE lamella_app")
    postgres.administer(f"GRANT CREATE ON DATABASE postgres TO {owner}")
    here = postgres.location(user=owner, schema=owner)
    # Last of all, as this program needs the migrations after it.
    others = [made for name, made in migrate.NAMED.items() if name != "embedded"]
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "MIGRATIONS", others)
        with closing(open_storage(here, Path())) as storage:
            project = ProjectFixture(lambda: storage, storage, location_named("project"), Path())
            saved = project.fill([Draft(content=f"{number}") for number in range(4)])
            opened = storage.vectors(project.id, MODEL)
            opened.adopt()
            opened.put(list(map(NewVector.of, saved, [*drawn(2), None])))
            project.purge(saved[0])
    monkeypatch.setattr(migrate, "MIGRATIONS", [*others, migrate.NAMED["embedded"]])
    with closing(open_storage(here, Path())) as storage:
        opened = storage.vectors(project.id, MODEL)
        assert opened.coverage() == Coverage(embedded=2, total=3)
        opened.put([NewVector.of(saved[3], None)])
        storage.observations(project.id).restore([saved[0].id], by=signed())
        assert opened.coverage() == Coverage(embedded=4, total=4)
    postgres.administer(f"DROP OWNED BY {owner} CASCADE")
    postgres.administer(f"DROP ROLE {owner}")


def test_the_extension_may_come_and_go() -> None:
    postgres.make_role()
    name = f"near_{postgres.SCHEMA}"
    postgres.administer(f"CREATE DATABASE {name}")
    here, there = postgres.location().replace("/postgres?", f"/{name}?"), drawn(30)
    server = postgres.server().replace("/postgres?", f"/{name}?")
    with closing(open_storage(here, Path())) as storage, psycopg.connect(server, autocommit=True) as owner:
        project = ProjectFixture(lambda: storage, storage, location_named("project"), Path())
        saved = project.fill([Draft(content=f"{number}") for number in range(30)])
        index(project, MODEL).put(list(map(NewVector.of, saved, there)))
        expected = nearest(storage, project.id, there[0])
        assert (len(expected), repaired(storage.diagnosis)) == (10, [])
        owner.execute("CREATE EXTENSION vector")
        assert (by_index(storage, project.id, there[0]), nearest(storage, project.id, there[0])) == (0, expected)
        (finding,) = (each for each in storage.diagnosis.findings() if each.repair)
        owner.execute(f"CREATE ROLE {name} LOGIN IN ROLE lamella_app")
        login = open_storage(here.replace("user=postgres", f"user={name}"), Path())
        with closing(login) as guest, pytest.raises(StorageError, match="must be owner of table vector"):
            guest.diagnosis.repair(finding)
        assert repaired(storage.diagnosis) == [f"The vectors of {project.id} are indexed."]
        assert (by_index(storage, project.id, there[0]), nearest(storage, project.id, there[0])) == (30, expected)
        owner.execute("DROP EXTENSION vector CASCADE")
        assert (by_index(storage, project.id, there[0]), nearest(storage, project.id, there[0])) == (0, expected)
    postgres.administer(f"DROP DATABASE {name} WITH (FORCE)")
    postgres.administer(f"DROP ROLE {name}")
