"""The composition root: which adapter is behind each port, and which ports each use case gets.

The only module that knows dependency_injector. Adapters are entry points, one group for each port, and the
built-in ones register like anyone else's; those that are not chosen are never imported.

Over 300 lines, because it lists all there is.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen
from dependency_injector import containers, providers

from lamella.domain.errors import InvalidValueError
from lamella.ports.embedder import Embedder
from lamella.ports.sessions import SessionIdentity
from lamella.ports.spool import Spool
from lamella.ports.storage.storage import Storage
from lamella.ports.tokenizer import Tokenizer
from lamella.ports.transcripts import Transcripts

if TYPE_CHECKING:
    from lamella.application.capture.drain_spool import DrainSpool
    from lamella.application.conversations.erase_conversation import EraseConversation
    from lamella.application.conversations.find import ListSessions, RecallMessages
    from lamella.application.conversations.import_transcripts import ImportTranscripts
    from lamella.application.conversations.show_message import RememberMessage
    from lamella.application.embeddings.background_worker import Embedding
    from lamella.application.embeddings.embed import EmbedMemories, OpenEmbedder
    from lamella.application.ledger.check_edit import CheckEdit
    from lamella.application.ledger.file_history import ShowFileHistory
    from lamella.application.ledger.learn_from_git import LearnHistory
    from lamella.application.ledger.record_change import RecordChanges
    from lamella.application.maintenance.status import ShowStatus
    from lamella.application.maintenance.storage import DiagnoseStorage, TidyStorage
    from lamella.application.memories.get import GetObservations
    from lamella.application.memories.purge_restore_erase import (
        EraseMemories,
        ForgetMemory,
        PurgeMemories,
        RestoreMemories,
    )
    from lamella.application.memories.save import SaveMemory
    from lamella.application.memories.timeline import ShowTimeline
    from lamella.application.projects.manage import ListProjects, MergeProjects, SplitProject
    from lamella.application.search.recall import RecallMemories
    from lamella.application.search.search import SearchMemories
    from lamella.application.search.similar import SearchByMeaning

NO_EMBEDDER = "none"
"""The embedder setting that leaves search by meaning out."""

DEFAULT_STORAGE = "sqlite:"
"""The storage setting that keeps memories in the data directory."""


@frozen(kw_only=True)
class Settings:
    """What a driver decides before anything runs.

    `storage` is a URL whose scheme names the adapter, `embedder` a name that may be followed by `:` and more, such
    as a folder. With `patient` a search by meaning waits for its embedder. `project` and `session` are set where
    the user names them; `client_session` is what the client says of itself at start.
    """

    data_directory: Path
    directory: Path
    storage: str = DEFAULT_STORAGE
    tokenizer: str = "classes"
    embedder: str = NO_EMBEDDER
    patient: bool = False
    project: str | None = None
    session: str | None = None
    client_session: str | None = None


_VARIABLES = {"tokenizer": "LAMELLA_TOKENIZER", "embedder": "LAMELLA_EMBEDDER"}
"""What the user sets to choose an adapter, by its port; nobody chooses the others."""


_every_entry_point = cache(entry_points)
"""Those of all groups: to find those of one takes as long, and a process needs several."""


def _installed(group: str) -> Iterable[EntryPoint]:
    return _every_entry_point().select(group=group)


def adapter(port: str, name: str) -> Any:
    """What is registered as `name` in the entry point group of `port`.

    Raises:
        InvalidValueError: nothing is.
    """
    return _registered(port, name).load()


def _registered(port: str, name: str) -> EntryPoint:
    known = {each.name: each for each in _installed(f"lamella.{port}")}
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


def _choose_embedder(settings: Settings) -> "OpenEmbedder | None":
    """What opens the embedder later on. Whether there is one of that name is said at once."""
    if settings.embedder == NO_EMBEDDER:
        return None
    name = settings.embedder.partition(":")[0]
    if name == NO_EMBEDDER:
        raise InvalidValueError(
            name="LAMELLA_EMBEDDER", given=repr(settings.embedder), allowed=f"{NO_EMBEDDER}, with nothing after it"
        )
    registered = _registered("embedder", name)

    def open_embedder() -> Embedder:
        embedder: Embedder = registered.load()(settings.embedder)
        return embedder

    return open_embedder


def _make_embedding(open_embedder: "OpenEmbedder | None", settings: Settings) -> "Embedding | None":
    if open_embedder is None:
        return None
    embedding: Embedding = _use_case("embeddings.background_worker", "Embedding")(
        open_embedder, patient=settings.patient
    )
    return embedding


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


def open_spool(settings: Settings) -> Spool:
    """Where hooks leave what they capture."""
    spool: Spool = adapter("spool", "claude_code")(settings.data_directory)
    return spool


def _place(settings: Settings) -> str:
    """Where memories are kept, to be shown: of a URL neither a user, a password nor a parameter."""
    if settings.storage == DEFAULT_STORAGE:
        return str(settings.data_directory)
    scheme, _, rest = settings.storage.partition(":")
    authority, slash, path = rest.removeprefix("//").partition("/")
    return f"{scheme}:{'//' * rest.startswith('//')}{authority.rpartition('@')[2]}{slash}{path.partition('?')[0]}"


def _embedder_name(settings: Settings) -> str | None:
    return None if settings.embedder == NO_EMBEDDER else settings.embedder


def _make(port: str, name: str) -> Any:
    return adapter(port, name)()


def _use_case(module: str, name: str) -> Callable[..., Any]:
    """What makes a use case, whose module is imported then: most processes need two or three of them."""

    def make(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(f"lamella.application.{module}"), name)(*arguments, **named)

    return make


class Container(containers.DeclarativeContainer):
    """Every port with its adapter, and every use case with its ports. Any thread may ask for any of them."""

    settings: providers.Dependency[Settings] = providers.Dependency(instance_of=Settings)

    storage = providers.ThreadSafeSingleton(_open_storage, settings)
    tokenizer = providers.ThreadSafeSingleton(_make_tokenizer, settings)
    clock = providers.ThreadSafeSingleton(_make, "clock", "system")
    ids = providers.ThreadSafeSingleton(_make, "ids", "uuid4")
    working_tree = providers.ThreadSafeSingleton(_make, "working_tree", "git")
    history = providers.ThreadSafeSingleton(_make, "history", "git")
    sessions = providers.ThreadSafeSingleton(_make_sessions, settings)
    spool = providers.ThreadSafeSingleton(open_spool, settings)
    projects = providers.ThreadSafeSingleton(
        _use_case("projects.resolver", "ProjectResolver"),
        storage=storage,
        working_tree=working_tree,
        clock=clock,
        directory=settings.provided.directory,
        name=settings.provided.project,
    )

    save = providers.Factory(
        _use_case("memories.save", "SaveMemory"),
        projects=projects,
        working_tree=working_tree,
        sessions=sessions,
        clock=clock,
        ids=ids,
    )
    open_embedder = providers.ThreadSafeSingleton(_choose_embedder, settings)
    embedding = providers.ThreadSafeSingleton(_make_embedding, open_embedder, settings)
    meaning = providers.Factory(_use_case("embeddings.query_vector", "Meaning"), embedding=embedding)
    search = providers.Factory(
        _use_case("search.search", "SearchMemories"),
        projects=projects,
        working_tree=working_tree,
        sessions=sessions,
        clock=clock,
        hybrid=providers.Factory(_use_case("search.hybrid", "HybridSearch"), meaning=meaning),
    )
    search_by_meaning = providers.Factory(
        _use_case("search.similar", "SearchByMeaning"),
        projects=projects,
        clock=clock,
        tokenizer=tokenizer,
        meaning=meaning,
    )
    embed = providers.Factory(
        _use_case("embeddings.embed", "EmbedMemories"), projects=projects, open_embedder=open_embedder
    )
    recall = providers.Factory(
        _use_case("search.recall", "RecallMemories"), search=search, clock=clock, tokenizer=tokenizer
    )
    get = providers.Factory(_use_case("memories.get", "GetObservations"), projects=projects)
    timeline = providers.Factory(_use_case("memories.timeline", "ShowTimeline"), projects=projects, clock=clock)
    recall_messages = providers.Factory(
        _use_case("conversations.find", "RecallMessages"),
        projects=projects,
        sessions=sessions,
        clock=clock,
        tokenizer=tokenizer,
    )
    remember = providers.Factory(
        _use_case("conversations.show_message", "RememberMessage"), projects=projects, tokenizer=tokenizer
    )
    import_transcripts = providers.Factory(
        _use_case("conversations.import_transcripts", "ImportTranscripts"),
        projects=projects,
        transcripts=providers.Object(_read_transcripts),
    )
    list_sessions = providers.Factory(_use_case("conversations.find", "ListSessions"), projects=projects)
    purge = providers.Factory(
        _use_case("memories.purge_restore_erase", "PurgeMemories"), projects=projects, clock=clock
    )
    forget = providers.Factory(
        _use_case("memories.purge_restore_erase", "ForgetMemory"), projects=projects, clock=clock
    )
    restore = providers.Factory(
        _use_case("memories.purge_restore_erase", "RestoreMemories"), projects=projects, clock=clock
    )
    erase = providers.Factory(
        _use_case("memories.purge_restore_erase", "EraseMemories"), projects=projects, spool=spool
    )
    erase_conversation = providers.Factory(
        _use_case("conversations.erase_conversation", "EraseConversation"), projects=projects, spool=spool
    )
    record_changes = providers.Factory(
        _use_case("ledger.record_change", "RecordChanges"), projects=projects, working_tree=working_tree, ids=ids
    )
    check_edit = providers.Factory(
        _use_case("ledger.check_edit", "CheckEdit"),
        projects=projects,
        working_tree=working_tree,
        sessions=sessions,
        clock=clock,
    )
    file_history = providers.Factory(
        _use_case("ledger.file_history", "ShowFileHistory"), projects=projects, working_tree=working_tree
    )
    learn_history = providers.Factory(
        _use_case("ledger.learn_from_git", "LearnHistory"),
        projects=projects,
        working_tree=working_tree,
        history=history,
        ids=ids,
    )
    drain = providers.Factory(
        _use_case("capture.drain_spool", "DrainSpool"),
        storage=storage,
        working_tree=working_tree,
        clock=clock,
        ids=ids,
        spool=spool,
        history=history,
        transcripts=providers.Object(_read_transcripts),
    )
    status = providers.Factory(
        _use_case("maintenance.status", "ShowStatus"),
        projects=projects,
        clock=clock,
        sessions=sessions,
        spool=spool,
        place=providers.Callable(_place, settings),
        embedder=providers.Callable(_embedder_name, settings),
    )
    list_projects = providers.Factory(_use_case("projects.manage", "ListProjects"), storage=storage)
    merge_projects = providers.Factory(
        _use_case("projects.manage", "MergeProjects"), storage=storage, projects=projects
    )
    split_project = providers.Factory(_use_case("projects.manage", "SplitProject"), storage=storage)
    diagnose = providers.Factory(_use_case("maintenance.storage", "DiagnoseStorage"), storage=storage)
    tidy = providers.Factory(_use_case("maintenance.storage", "TidyStorage"), storage=storage)


class Lamella:
    """The use cases, each made when it is first asked for, to be called from any thread."""

    if TYPE_CHECKING:
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
        list_sessions: ListSessions
        purge: PurgeMemories
        forget: ForgetMemory
        restore: RestoreMemories
        erase: EraseMemories
        erase_conversation: EraseConversation
        record_changes: RecordChanges
        check_edit: CheckEdit
        file_history: ShowFileHistory
        learn_history: LearnHistory
        spool: Spool
        drain: DrainSpool
        status: ShowStatus
        list_projects: ListProjects
        merge_projects: MergeProjects
        split_project: SplitProject
        diagnose: DiagnoseStorage
        tidy: TidyStorage

    def __init__(self, container: Container) -> None:
        self._container = container

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The use case of that name, which is an attribute from then on."""
            provider = self._container.providers.get(name)
            if provider is None:
                raise AttributeError(name)
            made = provider()
            setattr(self, name, made)
            return made


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
        # What is set wrongly is told now; whose session this is can be seen while those who started us live.
        container.tokenizer(), container.sessions()
        yield Lamella(container)
    finally:
        if embedding is not None:
            embedding.close()
        storage.close()
