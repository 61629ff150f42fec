"""Cosine distance of two vectors as an SQL function, by sqlite-vec or by a slower replacement."""

from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import apsw

from lamella.domain.embeddings.vector import Vector

TOLERANCE = 1e-5
"""Maximum error of a distance. sqlite-vec computes with single precision, which has about seven digits."""

_BY_SQLITE_VEC = "vec_distance_cosine(vec_int8(vector), vec_int8(:vector))"
_BY_PYTHON = "cosine_distance(vector, :vector)"


def distance(connection: apsw.Connection) -> str:
    """Return SQL for the cosine distance of the column `vector` from `:vector`, exact to `TOLERANCE`.

    The first call adds the function to the connection.
    """
    if _has_sqlite_vec(connection):
        return _BY_SQLITE_VEC
    connection.create_scalar_function("cosine_distance", _cosine, 2, deterministic=True)
    return _BY_PYTHON


@lru_cache(maxsize=1)
def library() -> Path | None:
    """Return the path of sqlite-vec's loadable library without its suffix, if installed.

    The library is found without importing its package, because the package imports numpy. If the library can't be
    loaded, later calls don't try again.
    """
    found = find_spec("sqlite_vec")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / "vec0"
        with suppress(apsw.Error):
            _load(apsw.Connection(":memory:"), path)
            return path
    return None


def _has_sqlite_vec(connection: apsw.Connection) -> bool:
    try:
        connection.execute("SELECT vec_version()").fetchall()
    except apsw.SQLError:
        path = library()
        if path is None:
            return False
        _load(connection, path)
    return True


def _load(connection: apsw.Connection, path: Path) -> None:
    connection.enable_load_extension(True)
    try:
        connection.load_extension(str(path))
    finally:
        connection.enable_load_extension(False)


def _cosine(*vectors: Any) -> float:
    one, asked = vectors
    return 1 - _asked(asked).cosine(Vector(one))


@lru_cache(maxsize=8)
def _asked(components: bytes) -> Vector:
    """Decode the query vector. Cached, so that the vector's length is computed only once for all comparisons."""
    return Vector(components)
