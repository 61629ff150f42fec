"""Fill projects in SQLite quickly: write one file for each size, and copy it for all projects of that size."""

import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import apsw

from bench.support.workload import fill
from bench.team.population import BEGINNING, SEED, Home, places, seconds_since
from lamella.domain.projects.key import key_to_bytes
from lamella.domain.projects.project import Location
from lamella_adapters.sqlite.storage import SqliteStorage

_PROCESSES = 2


def in_sqlite(folder: Path, sizes: Sequence[int]) -> Home:
    """Create a data directory with projects of these sizes."""
    begun = time.perf_counter()
    different = sorted(set(sizes), reverse=True)
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("spawn")) as pool:
        made = pool.map(_made, [folder / f"of-{size}" for size in different], different)
        files = dict(zip(different, made, strict=True))
    filled = time.perf_counter()
    data = folder / "data"
    projects = SqliteStorage(data).registry.projects_folder
    projects.mkdir(mode=0o700, parents=True)
    locations = places(len(sizes))
    for size, location in zip(sizes, locations, strict=True):
        path = projects / f"{location.project_id}.db"
        shutil.copyfile(files[size], path)
        path.chmod(0o600)
        _rename(path, location)
    for file in files.values():
        shutil.rmtree(file.parents[1])
    with closing(SqliteStorage(data)) as storage:
        # Rebuild the registry from the projects' files.
        storage.registry.ensure_database()
    return Home(
        name="SQLite",
        location=None,
        folder=data,
        projects=[location.project_id for location in locations],
        sizes=sizes,
        built_in=(filled - begun, seconds_since(filled)),
    )


def _made(folder: Path, size: int) -> Path:
    """Return the file of a project with a number of memories."""
    with closing(SqliteStorage(folder)) as storage:
        project = storage.registry.at(places(1)[0], now=BEGINNING).id
        fill(storage, project, size, SEED)
        return storage.registry.path_of(project)


def _rename(path: Path, location: Location) -> None:
    """Turn a copy of a project's file into the file of another project."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            connection.execute("UPDATE project SET id = ?, name = ?", (location.project_id, location.name))
            connection.execute("UPDATE alias SET alias = ?", (key_to_bytes(location.key),))
            connection.execute("UPDATE observation SET origin = ?", (location.project_id,))
