"""Read and write vectors in the file of a project."""

from collections.abc import Collection, Mapping
from uuid import UUID

import apsw

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.statements import listed, statements

SQL = statements(__file__)


def adopted(connection: apsw.Connection) -> EmbeddingModel | None:
    """Return the model of the file's vectors, or None."""
    for name, dimension in fetch(connection, "SELECT name, dimension FROM embedding_model"):
        return EmbeddingModel(name, dimension)
    return None


def stored(connection: apsw.Connection, ids: Collection[UUID]) -> Mapping[UUID, Vector]:
    """Return the stored vectors of observations, keyed by id. Leave out observations without a vector."""
    rows = fetch(connection, SQL["vectors"], (listed(id.hex for id in ids),))
    return {UUID(bytes=id): Vector(components) for id, components in rows}


def adopt(connection: apsw.Connection, model: EmbeddingModel) -> None:
    """Delete all vectors, and record `model` as the model of vectors to store from now on."""
    connection.execute("DELETE FROM embedding_model")
    # Delete the blocks first, so that deleting vectors doesn't clear their codes one by one.
    connection.execute("DELETE FROM code_block")
    connection.execute("DELETE FROM vector")
    connection.execute("INSERT OR IGNORE INTO unembedded SELECT seq FROM observation")
    connection.execute("INSERT INTO embedding_model VALUES (?, ?)", (model.name, model.dimension))


def put(connection: apsw.Connection, vectors: Mapping[UUID, Vector | None]) -> None:
    """Store vectors. They are keyed by observation id, and None for a text without words."""
    values = [
        {"id": id.bytes, "code": vector and vector.code, "vector": vector and vector.components}
        for id, vector in vectors.items()
    ]
    connection.executemany(SQL["put"], values)
    connection.executemany(SQL["embedded"], values)
