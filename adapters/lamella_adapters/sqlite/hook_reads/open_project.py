"""Read access to a project's memories for hooks, giving up instead of waiting.

Such access imports little, creates no file and blocks no writer. It reads a single state of the database, or
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
"""Time limit, in seconds, for a series of reads by a hook. The user or the model is waiting."""

_STEPS = 2_000
"""Instructions of SQLite's virtual machine between two checks of the time: some 50 microseconds."""

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
    """Hooks can't read memories, for example because the storage is empty."""


class Deadline:
    """A time limit for several reads together."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self.ends_at = time.monotonic() + seconds

    def passed(self) -> bool:
        """Return True if the time is over."""
        return time.monotonic() > self.ends_at


@contextmanager
def project_at(folder: str, key: str, name: str, deadline: Deadline) -> Iterator[apsw.Connection]:
    """Open a snapshot of the project called `name` or, if `name` is empty, of the project at `key`.

    Args:
        folder: The folder of the storage.
        key: Key of the hook's `Location`.
        name: Id, alias or name of the project in the settings; empty if none is set.
        deadline: The limit for this and all other reads of the hook.

    Raises:
        Unavailable: No project matches, or several do; another version of lamella has written it; or another
            process changed it concurrently.
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
    """Return all projects with memories, with the aliases of projects merged into them.

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
    """Translate the errors of reading."""
    try:
        yield
    except (apsw.InterruptError, apsw.BusyError) as error:
        raise TimeoutError from error
    except (apsw.Error, OSError, ValueError) as error:
        raise Unavailable from error


@contextmanager
def _opened(path: str, migrations: Sequence[str], deadline: Deadline) -> Iterator[apsw.Connection]:
    """Open a snapshot of the database at `path`, if hooks can read its schema like one with all `migrations`."""
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
    """Return the id of the project that has the memories.

    Return None if no project matches, or if several have the name.

    As in `ProjectResolver`, an unknown name means the project with the key `key_of_name(name)`.
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
    """Return the project that `project` was merged into, or `project` itself, according to the registry."""
    for _ in range(_MOST_MERGES):
        moved_to = registry.execute(_MOVED_TO, (project,)).get
        if moved_to is None:
            return project
        project = moved_to
    return None
