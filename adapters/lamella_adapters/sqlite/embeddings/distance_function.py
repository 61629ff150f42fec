"""How far two vectors are apart, as a function of SQL: that of sqlite-vec, or a slower one where it is missing."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import apsw

from lamella.domain.embeddings.vector import Vector

TOLERANCE = 1e-5
"""sqlite-vec computes with single precision, which keeps seven digits."""

_BY_SQLITE_VEC = "vec_distance_cosine(vec_int8(vector), vec_int8(:vector))"
_BY_PYTHON = "cosine_distance(vector, :vector)"


def distance(connection: apsw.Connection) -> str:
    """SQL for 1 less the cosine of the column `vector` and of `:vector`, exact to `TOLERANCE`.

    The connection gets the function when it is first asked for it.
    """
    if _has_sqlite_vec(connection):
        return _BY_SQLITE_VEC
    connection.create_scalar_function("cosine_distance", _cosine, 2, deterministic=True)
    return _BY_PYTHON


@lru_cache(maxsize=1)
def library() -> Path | None:
    """The library of sqlite-vec, without the ending of its name, if it is installed and can be loaded.

    It is found without importing its package, which would import numpy. What can't be loaded once is not tried
    again.
    """
    found = find_spec("sqlite_vec")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / "vec0"
        try:
            _load(apsw.Connection(":memory:"), path)
        except apsw.Error:
            continue
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
    """The vector that all others are compared with, whose length need not be computed each time."""
    return Vector(components)
