"""Read access to a project's memories for hooks, which give up instead of waiting.

This access imports little, creates no file and blocks no writer. It reads a single state of the database, or
raises an error.
"""

# ruff: noqa: PTH118 - importing pathlib would take longer than the rest of a hook

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import apsw

from lamella.domain.projects.key import key_from_bytes, key_of_name, key_to_bytes
from lamella.domain.text.printing import storable
from lamella_adapters.sqlite.file import read_only
from lamella_adapters.sqlite.schema.migrations import APPLICATION_ID, NAMED, PROJECT, REGISTRY, reads_alike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lamella.domain.projects.moved import ListedProject

PATIENCE = 50
"""Maximum wait for a lock, in milliseconds."""

LONGEST = 0.1
"""Time limit, in seconds, for all reads of a hook. The user or the model is waiting for the hook."""

_STEPS = 2_000
"""Number of instructions of SQLite's virtual machine, some 50 microseconds, between two checks of the time."""

_MOST_MERGES = 100
_CHECKOUTS = PROJECT.index(NAMED["checkout"]) + 1
_WITHOUT_CHECKOUTS = """
CREATE TEMP VIEW observation AS SELECT *, NULL AS branch, NULL AS head FROM main.observation
"""
"""View that adds missing columns to a file of an earlier version, until a server or command migrates the file."""

_WITH_ID = "SELECT id FROM project WHERE id = ?"
_CALLED = "SELECT id FROM project WHERE name = ?"
_LIVING_AT = "SELECT project FROM alias WHERE alias = ?"
_MOVED_TO = "SELECT moved_to FROM project WHERE id = ?"


class Unavailable(Exception):  # noqa: N818 - not an error: the hook then prints nothing
    """The hook can't read memories, for example because the storage is empty."""


class Deadline:
    """Time limit for several reads together."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self.ends_at = time.monotonic() + seconds

    def passed(self) -> bool:
        """Return True if no time is left."""
        return time.monotonic() > self.ends_at


@contextmanager
def project_at(folder: str, key: str, name: str, deadline: Deadline) -> Iterator[apsw.Connection]:
    """Open a snapshot of a project: the project `name` or, if `name` is empty, the project at `key`.

    Args:
        folder: The folder of the storage.
        key: Key of the hook's `Location`.
        name: Id, alias or name of the project in the settings; empty if none is set.
        deadline: Time limit for this and all other reads of the hook.

    Raises:
        Unavailable: No project matches, or several projects match. Another version of lamella has written its
            file. Another process has changed its file concurrently.
        TimeoutError: The project can't be read in time.
    """
    with _reading():
        with _opened(os.path.join(folder, "registry.db"), REGISTRY, deadline) as registry:
            project: str | None = _find(registry, key, name)
        for _ in range(_MOST_MERGES):
            if project is None or os.sep in project:
                raise Unavailable
            with _opened(os.path.join(folder, "projects", f"{project}.db"), PROJECT, deadline) as connection:
                project = connection.execute("SELECT moved_to FROM project").get
                if project is None:
                    if connection.execute("PRAGMA user_version").get < _CHECKOUTS:
                        connection.execute(_WITHOUT_CHECKOUTS)
                    yield connection
                    return
    raise Unavailable


def begin_anew(connection: apsw.Connection) -> None:
    """Restart the time limit after slow work between reads, such as redacting a large file."""
    connection.set_progress_handler(Deadline().passed, _STEPS)


def listed(folder: str, deadline: Deadline) -> "list[ListedProject]":
    """Return the unmerged projects. Each also has the aliases of the projects merged into it.

    Raises:
        Unavailable: The registry is missing, unreadable, or written by another version of lamella.
        TimeoutError: The registry can't be read in time.
    """
    from lamella.domain.projects.moved import ListedProject  # noqa: PLC0415 - few hooks need it

    with _reading(), _opened(os.path.join(folder, "registry.db"), REGISTRY, deadline) as registry:
        found: dict[str, list[str]] = {}
        for alias, project in registry.execute("SELECT alias, project FROM alias"):
            home = _home(registry, project)
            if home is not None:
                found.setdefault(home, []).append(key_from_bytes(alias))
        names = {str(id): str(name) for id, name in registry.execute("SELECT id, name FROM project")}
        return [ListedProject(id, names[id], tuple(aliases)) for id, aliases in found.items() if id in names]


@contextmanager
def _reading() -> Iterator[None]:
    """Turn errors of reading into `TimeoutError` or `Unavailable`."""
    try:
        yield
    except (apsw.InterruptError, apsw.BusyError) as error:
        raise TimeoutError from error
    except (apsw.Error, OSError, ValueError) as error:
        raise Unavailable from error


@contextmanager
def _opened(path: str, migrations: Sequence[str], deadline: Deadline) -> Iterator[apsw.Connection]:
    """Open a snapshot of the database at `path`.

    Its schema may lack some of `migrations`, but none that matters for hooks.
    """
    before = read_only.state(path)
    connection, locked = read_only.connect(path)
    with closing(connection):
        connection.set_busy_timeout(PATIENCE)
        connection.set_progress_handler(deadline.passed, _STEPS)
        connection.execute("BEGIN")
        ours = connection.execute("PRAGMA application_id").get == APPLICATION_ID
        if not ours or not reads_alike(migrations, connection.execute("PRAGMA user_version").get, hooks=True):
            raise Unavailable
        yield connection
    if not locked and read_only.state(path) != before:
        raise Unavailable


def _find(registry: apsw.Connection, key: str, name: str) -> str | None:
    """Return the id of the project called `name` or, if `name` is empty, of the project at `key`.

    Merges are followed. Return None if no project matches, or if several projects have the name. As in
    `ProjectResolver`, an unknown name stands for the project with the key `key_of_name(name)`.
    """
    if name:
        found = (
            _ids(registry, _WITH_ID, name)
            or _ids(registry, _LIVING_AT, key_to_bytes(name))
            or _ids(registry, _CALLED, name)
        )
        living = {_home(registry, each) for each in found}
        if living:
            return living.pop() if len(living) == 1 else None
        key = key_of_name(name)
    for each in _ids(registry, _LIVING_AT, key_to_bytes(storable(key))):
        return _home(registry, each)
    return None


def _ids(registry: apsw.Connection, statement: str, value: str | bytes) -> list[str]:
    return [str(id) for (id,) in registry.execute(statement, (value,))]


def _home(registry: apsw.Connection, project: str) -> str | None:
    """Return the id of the project that `project` was merged into, or of `project` itself.

    Return None if merges form a cycle.
    """
    for _ in range(_MOST_MERGES):
        moved_to = registry.execute(_MOVED_TO, (project,)).get
        if moved_to is None:
            return project
        project = moved_to
    return None
