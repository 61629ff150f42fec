"""The composition root: which adapter is behind each port, and which ports each use case gets.

The only module that knows dependency_injector. Adapters are entry points, one group for each port, and the
built-in ones register like anyone else's; those that are not chosen are never imported.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from attrs import frozen
from dependency_injector import containers, providers

from lamella.application.backfill import LearnHistory
from lamella.application.change import EraseMemories, ForgetMemory, PurgeMemories, RestoreMemories
from lamella.application.check_edit import CheckEdit
from lamella.application.diagnose import DiagnoseStorage
from lamella.application.embed import EmbedMemories, OpenEmbedder
from lamella.application.embedding import Embedding
from lamella.application.erase_conversation import EraseConversation
from lamella.application.file_history import ShowFileHistory
from lamella.application.get import GetObservations
from lamella.application.hybrid import HybridSearch
from lamella.application.import_transcripts import ImportTranscripts
from lamella.application.meaning import Meaning
from lamella.application.projects import ListProjects, MergeProjects, ProjectResolver, SplitProject
from lamella.application.recall import RecallMemories
from lamella.application.recall_messages import RecallMessages
from lamella.application.record_change import RecordChanges
from lamella.application.remember import RememberMessage
from lamella.application.save import SaveMemory
from lamella.application.search import SearchMemories
from lamella.application.search_by_meaning import SearchByMeaning
from lamella.application.timeline import ShowTimeline
from lamella.domain.errors import InvalidValueError
from lamella.ports.embedder import Embedder
from lamella.ports.sessions import SessionIdentity
from lamella.ports.storage import Storage
from lamella.ports.tokenizer import Tokenizer
from lamella.ports.transcripts import Transcripts

NO_EMBEDDER = "none"
"""The embedder setting that leaves search by meaning out."""


@frozen(kw_only=True)
class Settings:
    """What a driver decides before anything runs.

    `storage` is a URL whose scheme names the adapter, `embedder` a name that may be followed by `:` and more, such
    as a folder. With `patient` a search by meaning waits for its embedder. `project` and `session` are set where
    the user names them; `client_session` is what the client says of itself at start.
    """

    data_directory: Path
    directory: Path
    storage: str = "sqlite:"
    tokenizer: str = "classes"
    embedder: str = NO_EMBEDDER
    patient: bool = False
    project: str | None = None
    session: str | None = None
    client_session: str | None = None


_VARIABLES = {"tokenizer": "LAMELLA_TOKENIZER", "embedder": "LAMELLA_EMBEDDER"}
"""What the user sets to choose an adapter, by its port; nobody chooses the others."""


def adapter(port: str, name: str) -> Any:
    """What is registered as `name` in the entry point group of `port`.

    Raises:
        InvalidValueError: nothing is.
    """
    return _registered(port, name).load()


def _registered(port: str, name: str) -> EntryPoint:
    known = {each.name: each for each in entry_points(group=f"lamella.{port}")}
    if name in known:
        return known[name]
    names = sorted([*known, NO_EMBEDDER] if port == "embedder" else known)
    allowed = f"one of {', '.join(names)}"
    if port == "storage":
        # Of a URL only the scheme is told: there may be a password further on.
        raise InvalidValueError(
            name="LAMELLA_STORAGE", given=repr(f"{name}:"), allowed=f"a URL whose scheme is {allowed}"
        )
    raise InvalidValueError(name=_VARIABLES.get(port, port), given=repr(name), allowed=allowed)


def _open_storage(settings: Settings) -> Storage:
    scheme = settings.storage.partition(":")[0]
    storage: Storage = adapter("storage", scheme)(settings.storage, settings.data_directory)
    return storage


def _make_tokenizer(settings: Settings) -> Tokenizer:
    tokenizer: Tokenizer = adapter("tokenizer", settings.tokenizer)()
    return tokenizer


def _choose_embedder(settings: Settings) -> OpenEmbedder | None:
    """What opens the embedder later on. Whether there is one of that name is said at once."""
    if settings.embedder == NO_EMBEDDER:
        return None
    registered = _registered("embedder", settings.embedder.partition(":")[0])

    def open_embedder() -> Embedder:
        embedder: Embedder = registered.load()(settings.embedder)
        return embedder

    return open_embedder


def _make_embedding(open_embedder: OpenEmbedder | None, settings: Settings) -> Embedding | None:
    return None if open_embedder is None else Embedding(open_embedder, patient=settings.patient)


def _make_sessions(settings: Settings) -> SessionIdentity:
    sessions: SessionIdentity = adapter("sessions", "claude_code")(
        explicit=settings.session,
        startup_id=settings.client_session,
        data_directory=settings.data_directory,
    )
    return sessions


def _read_transcripts(path: Path | None) -> Transcripts:
    transcripts: Transcripts = adapter("transcripts", "claude_code")(path)
    return transcripts


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
    open_embedder = providers.Singleton(_choose_embedder, settings)
    embedding = providers.Singleton(_make_embedding, open_embedder, settings)
    meaning = providers.Factory(Meaning, embedding=embedding)
    search = providers.Factory(
        SearchMemories,
        projects=projects,
        working_tree=working_tree,
        sessions=sessions,
        clock=clock,
        hybrid=providers.Factory(HybridSearch, meaning=meaning),
    )
    search_by_meaning = providers.Factory(
        SearchByMeaning, projects=projects, clock=clock, tokenizer=tokenizer, meaning=meaning
    )
    embed = providers.Factory(EmbedMemories, projects=projects, open_embedder=open_embedder)
    recall = providers.Factory(RecallMemories, search=search, clock=clock, tokenizer=tokenizer)
    get = providers.Factory(GetObservations, projects=projects)
    timeline = providers.Factory(ShowTimeline, projects=projects, clock=clock)
    recall_messages = providers.Factory(
        RecallMessages, projects=projects, sessions=sessions, clock=clock, tokenizer=tokenizer
    )
    remember = providers.Factory(RememberMessage, projects=projects, tokenizer=tokenizer)
    import_transcripts = providers.Factory(
        ImportTranscripts, projects=projects, transcripts=providers.Object(_read_transcripts)
    )
    purge = providers.Factory(PurgeMemories, projects=projects, clock=clock)
    forget = providers.Factory(ForgetMemory, projects=projects, clock=clock)
    restore = providers.Factory(RestoreMemories, projects=projects, clock=clock)
    erase = providers.Factory(EraseMemories, projects=projects)
    erase_conversation = providers.Factory(EraseConversation, projects=projects)
    record_changes = providers.Factory(RecordChanges, projects=projects, working_tree=working_tree, ids=ids)
    check_edit = providers.Factory(
        CheckEdit, projects=projects, working_tree=working_tree, sessions=sessions, clock=clock
    )
    file_history = providers.Factory(ShowFileHistory, projects=projects, working_tree=working_tree)
    learn_history = providers.Factory(
        LearnHistory,
        projects=projects,
        working_tree=working_tree,
        history=providers.Singleton(_make, "history", "git"),
        ids=ids,
    )
    list_projects = providers.Factory(ListProjects, storage=storage)
    merge_projects = providers.Factory(MergeProjects, storage=storage)
    split_project = providers.Factory(SplitProject, storage=storage)
    diagnose = providers.Factory(DiagnoseStorage, storage=storage)


@frozen(kw_only=True)
class Lamella:
    """The use cases, ready to be called from any thread."""

    save: SaveMemory
    search: SearchMemories
    recall: RecallMemories
    search_by_meaning: SearchByMeaning
    embed: EmbedMemories
    get: GetObservations
    timeline: ShowTimeline
    recall_messages: RecallMessages
    remember: RememberMessage
    import_transcripts: ImportTranscripts
    purge: PurgeMemories
    forget: ForgetMemory
    restore: RestoreMemories
    erase: EraseMemories
    erase_conversation: EraseConversation
    record_changes: RecordChanges
    check_edit: CheckEdit
    file_history: ShowFileHistory
    learn_history: LearnHistory
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
    storage, embedding = container.storage(), container.embedding()
    try:
        yield Lamella(
            save=container.save(),
            search=container.search(),
            recall=container.recall(),
            search_by_meaning=container.search_by_meaning(),
            embed=container.embed(),
            get=container.get(),
            timeline=container.timeline(),
            recall_messages=container.recall_messages(),
            remember=container.remember(),
            import_transcripts=container.import_transcripts(),
            purge=container.purge(),
            forget=container.forget(),
            restore=container.restore(),
            erase=container.erase(),
            erase_conversation=container.erase_conversation(),
            record_changes=container.record_changes(),
            check_edit=container.check_edit(),
            file_history=container.file_history(),
            learn_history=container.learn_history(),
            list_projects=container.list_projects(),
            merge_projects=container.merge_projects(),
            split_project=container.split_project(),
            diagnose=container.diagnose(),
        )
    finally:
        if embedding is not None:
            embedding.close()
        storage.close()
