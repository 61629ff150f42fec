"""A quick look at a project's memories, only to read, which gives up rather than wait.

Hooks use this module: it imports no more than it must, makes no file, keeps nobody from writing, and answers from
one state of the database or not at all.
"""

# ruff: noqa: PTH118 - importing pathlib costs a hook more than the rest

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from lamella_adapters.sqlite.file import read_only
from lamella_adapters.sqlite.schema.migrations import APPLICATION_ID, PROJECT, REGISTRY

PATIENCE = 50
"""How many milliseconds a look waits for a lock."""

LONGEST = 0.1
"""How many seconds it may take altogether: who waits for it is about to say or do something else."""

_STEPS = 2_000
"""After so many instructions of SQLite's virtual machine the time is looked at: some 50 microseconds."""

_MOST_MERGES = 100
_NAMED = "name:"
_WITH_ID = "SELECT id FROM project WHERE id = ?"
_CALLED = "SELECT id FROM project WHERE name = ?"
_LIVING_AT = "SELECT project FROM alias WHERE alias = ?"
_MOVED_TO = "SELECT moved_to FROM project WHERE id = ?"


class Unseen(Exception):  # noqa: N818 - it is no error: there is nothing to be seen
    """There is nothing to look at, or it can't be had in time."""


class Deadline:
    """The moment until which all looks of a hook may take together."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self.moment = time.monotonic() + seconds

    def passed(self) -> bool:
        """Whether it is later."""
        return time.monotonic() > self.moment


@contextmanager
def project_at(folder: str, key: str, name: str, deadline: Deadline) -> Iterator[apsw.Connection]:
    """One state of the memories of the project that is called `name`, else of the one that lives at `key`.

    `folder` is where the storage is, `key` that of a `Location` as it was found.

    Raises:
        Unseen: there is no such project, or several, it can't be read in time, another version of lamella has
            written it, or somebody changed it meanwhile.
    """
    try:
        with _opened(os.path.join(folder, "registry.db"), len(REGISTRY), deadline) as registry:
            project: str | None = _found(registry, key, name)
        for _ in range(_MOST_MERGES):
            if project is None or os.sep in project:
                raise Unseen
            with _opened(os.path.join(folder, "projects", f"{project}.db"), len(PROJECT), deadline) as connection:
                project = connection.execute("SELECT moved_to FROM project").get
                if project is None:
                    yield connection
                    return
    except (apsw.Error, OSError, ValueError) as error:
        raise Unseen from error
    raise Unseen


def knows_file(connection: apsw.Connection, path: str) -> bool:
    """Whether any change of the file is known, so that it is worth while to look at an edit of it."""
    known = "SELECT 1 FROM code_change WHERE path = ? LIMIT 1"
    return connection.execute(known, (path,)).get is not None


@contextmanager
def _opened(path: str, version: int, deadline: Deadline) -> Iterator[apsw.Connection]:
    """One state of the database at `path`, if it has seen so many migrations."""
    before = read_only.state(path)
    connection, locked = read_only.connect(path)
    try:
        connection.set_busy_timeout(PATIENCE)
        connection.set_progress_handler(deadline.passed, _STEPS)
        connection.execute("BEGIN")
        seen = (connection.execute("PRAGMA application_id").get, connection.execute("PRAGMA user_version").get)
        if seen != (APPLICATION_ID, version):
            raise Unseen
        yield connection
    finally:
        connection.close()
    if not locked and read_only.state(path) != before:
        raise Unseen


def _found(registry: apsw.Connection, key: str, name: str) -> str | None:
    """The id of the project that has the memories."""
    if name:
        # The rule of `ProjectResolver`: an id, an alias or a name, else the place that such a name stands for.
        named = (
            _ids(registry, _WITH_ID, name)
            or _ids(registry, _LIVING_AT, _stored(name))
            or _ids(registry, _CALLED, name)
        )
        homes = {_home(registry, each) for each in named}
        if homes:
            return homes.pop() if len(homes) == 1 else None
        key = _NAMED + name
    for each in _ids(registry, _LIVING_AT, _stored(key.encode(errors="backslashreplace").decode())):
        return _home(registry, each)
    return None


def _ids(registry: apsw.Connection, statement: str, value: str | bytes) -> list[str]:
    return [str(id) for (id,) in registry.execute(statement, (value,))]


def _home(registry: apsw.Connection, project: str) -> str | None:
    """Where the memories of a project are, as far as the registry knows."""
    for _ in range(_MOST_MERGES):
        moved_to = registry.execute(_MOVED_TO, (project,)).get
        if moved_to is None:
            return project
        project = moved_to
    return None


def _stored(key: str) -> bytes:
    """As the catalogue stores it: a path need not be UTF-8, and SQLite's text must be."""
    return key.encode(errors="surrogatepass")
