"""The composition root: which adapter is behind each port, and which ports each use case gets.

The only module that knows dependency_injector. Adapters are entry points, one group for each port, and the
built-in ones register like anyone else's; those that are not chosen are never imported.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from attrs import frozen
from dependency_injector import containers, providers

from lamella.application.change import EraseMemories, PurgeMemories, RestoreMemories
from lamella.application.diagnose import DiagnoseStorage
from lamella.application.projects import ListProjects, MergeProjects, ProjectResolver, SplitProject
from lamella.application.recall import RecallMemories
from lamella.application.save import SaveMemory
from lamella.domain.errors import InvalidValueError
from lamella.ports.sessions import SessionIdentity
from lamella.ports.storage import Storage
from lamella.ports.tokenizer import Tokenizer


@frozen(kw_only=True)
class Settings:
    """What a driver decides before anything runs.

    `storage` is a URL whose scheme names the adapter. `project` and `session` are set where the user names them;
    `client_session` is what the client says of itself at start.
    """

    data_directory: Path
    directory: Path
    storage: str = "sqlite:"
    tokenizer: str = "classes"
    project: str | None = None
    session: str | None = None
    client_session: str | None = None


_VARIABLES = {"tokenizer": "LAMELLA_TOKENIZER"}
"""What the user sets to choose an adapter, by its port; nobody chooses the others."""


def adapter(port: str, name: str) -> Any:
    """What is registered as `name` in the entry point group of `port`.

    Raises:
        InvalidValueError: nothing is.
    """
    registered = {each.name: each for each in entry_points(group=f"lamella.{port}")}
    if name not in registered:
        known = f"one of {', '.join(sorted(registered))}"
        if port == "storage":
            # Of a URL only the scheme is told: there may be a password further on.
            raise InvalidValueError(
                name="LAMELLA_STORAGE", given=repr(f"{name}:"), allowed=f"a URL whose scheme is {known}"
            )
        raise InvalidValueError(name=_VARIABLES.get(port, port), given=repr(name), allowed=known)
    return registered[name].load()


def _open_storage(settings: Settings) -> Storage:
    scheme = settings.storage.partition(":")[0]
    storage: Storage = adapter("storage", scheme)(settings.storage, settings.data_directory)
    return storage


def _make_tokenizer(settings: Settings) -> Tokenizer:
    tokenizer: Tokenizer = adapter("tokenizer", settings.tokenizer)()
    return tokenizer


def _make_sessions(settings: Settings) -> SessionIdentity:
    sessions: SessionIdentity = adapter("sessions", "claude_code")(
        explicit=settings.session,
        startup_id=settings.client_session,
        data_directory=settings.data_directory,
    )
    return sessions


def _make(port: str, name: str) -> Any:
    return adapter(port, name)()


class Container(containers.DeclarativeContainer):
    """Every port with its adapter, and every use case with its ports. Resolve before serving from threads."""

    settings: providers.Dependency[Settings] = providers.Dependency(instance_of=Settings)

    storage = providers.Singleton(_open_storage, settings)
    tokenizer = providers.Singleton(_make_tokenizer, settings)
    clock = providers.Singleton(_make, "clock", "system")
    ids = providers.Singleton(_make, "ids", "uuid4")
    working_tree = providers.Singleton(_make, "working_tree", "git")
    sessions = providers.Singleton(_make_sessions, settings)
    projects = providers.Singleton(
        ProjectResolver,
        storage=storage,
        working_tree=working_tree,
        clock=clock,
        directory=settings.provided.directory,
        name=settings.provided.project,
    )

    save = providers.Factory(
        SaveMemory, projects=projects, working_tree=working_tree, sessions=sessions, clock=clock, ids=ids
    )
    recall = providers.Factory(
        RecallMemories,
        projects=projects,
        working_tree=working_tree,
        sessions=sessions,
        clock=clock,
        tokenizer=tokenizer,
    )
    purge = providers.Factory(PurgeMemories, projects=projects, clock=clock)
    restore = providers.Factory(RestoreMemories, projects=projects, clock=clock)
    erase = providers.Factory(EraseMemories, projects=projects)
    list_projects = providers.Factory(ListProjects, storage=storage)
    merge_projects = providers.Factory(MergeProjects, storage=storage)
    split_project = providers.Factory(SplitProject, storage=storage)
    diagnose = providers.Factory(DiagnoseStorage, storage=storage)


@frozen(kw_only=True)
class Lamella:
    """The use cases, ready to be called from any thread."""

    save: SaveMemory
    recall: RecallMemories
    purge: PurgeMemories
    restore: RestoreMemories
    erase: EraseMemories
    list_projects: ListProjects
    merge_projects: MergeProjects
    split_project: SplitProject
    diagnose: DiagnoseStorage


@contextmanager
def running(settings: Settings) -> Iterator[Lamella]:
    """The use cases over the storage that `settings` choose, which is closed at the end.

    Raises:
        InvalidValueError: no adapter has the name that is set.
        StorageError: the storage refuses to open.
    """
    container = Container(settings=settings)
    storage = container.storage()
    try:
        yield Lamella(
            save=container.save(),
            recall=container.recall(),
            purge=container.purge(),
            restore=container.restore(),
            erase=container.erase(),
            list_projects=container.list_projects(),
            merge_projects=container.merge_projects(),
            split_project=container.split_project(),
            diagnose=container.diagnose(),
        )
    finally:
        storage.close()
