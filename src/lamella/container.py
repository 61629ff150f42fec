"""The composition root: wires each port to its adapter, and each use case to its ports.

The only module that knows dependency_injector.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import fields
from dependency_injector import containers, providers

from lamella.domain.errors import InvalidValueError
from lamella.entry_points import AUTO_EMBEDDER, NO_EMBEDDER, adapter, is_registered, registered
from lamella.ports.peers import Peer
from lamella.ports.spool import Spool
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.working_tree import WorkingTree
from lamella.settings import Settings

if TYPE_CHECKING:
    import lamella.application.access.tokens
    import lamella.application.audit.log
    import lamella.application.audit.undo
    import lamella.application.capture.drain_spool
    import lamella.application.conversations.erase_conversation
    import lamella.application.conversations.find
    import lamella.application.conversations.import_transcripts
    import lamella.application.conversations.read_conversation
    import lamella.application.conversations.show_message
    import lamella.application.conversations.summarise_session
    import lamella.application.embeddings.background_worker
    import lamella.application.embeddings.embed
    import lamella.application.embeddings.query_vector
    import lamella.application.exchange.export
    import lamella.application.exchange.import_memories
    import lamella.application.exchange.import_records
    import lamella.application.exchange.share
    import lamella.application.ledger.check_edit
    import lamella.application.ledger.file_history
    import lamella.application.ledger.find_unreported
    import lamella.application.ledger.learn_from_git
    import lamella.application.ledger.record_change
    import lamella.application.maintenance.activity
    import lamella.application.maintenance.backup
    import lamella.application.maintenance.hook_copy
    import lamella.application.maintenance.look_after
    import lamella.application.maintenance.status
    import lamella.application.memories.edit
    import lamella.application.memories.get
    import lamella.application.memories.purge_restore_erase
    import lamella.application.memories.save
    import lamella.application.memories.timeline
    import lamella.application.projects.manage
    import lamella.application.projects.resolver
    import lamella.application.projects.sizes
    import lamella.application.projects.switch
    import lamella.application.search.hybrid
    import lamella.application.search.recall
    import lamella.application.search.search
    import lamella.application.search.similar
    from lamella.ports.hook_copy import HookCopy
    from lamella.ports.shared_folder import SharedFolders


def open_spool(settings: Settings) -> Spool:
    """Return the queue of captures that hooks write."""
    spool: Spool = adapter("spool", "records")(settings.data_directory)
    return spool


def open_shared_folders(settings: Settings) -> "SharedFolders":
    """Return what this machine shares through folders."""
    folders: SharedFolders = adapter("shared_folder", "files")(settings.data_directory)
    return folders


def keeps_hook_copy(settings: Settings) -> bool:
    """Return True if hooks read a copy, because they can't read the storage itself."""
    return is_registered("hook_copy", settings.scheme)


def _adapter_of_storage(port: str, settings: Settings) -> Any:
    """Open what is registered for the storage, None if nothing is."""
    return adapter(port, settings.scheme)(settings.storage, settings.data_directory)


def _open_hook_copy(settings: Settings) -> "HookCopy | None":
    return _adapter_of_storage("hook_copy", settings) if keeps_hook_copy(settings) else None


def _choose_embedder(settings: Settings, storage: Storage) -> str | None:
    """Return the setting of the embedder in use. `auto` finds it without importing what it needs."""
    if settings.embedder == AUTO_EMBEDDER:
        found: str | None = adapter("default_embedder", "installed")() if _keeps_vectors(storage) else None
        return found
    return None if settings.embedder == NO_EMBEDDER else settings.embedder


def _lacks_embedder(settings: Settings, storage: Storage, embedder: str | None) -> bool:
    """Return True if search by meaning lacks nothing but the packages of an embedder."""
    return settings.embedder == AUTO_EMBEDDER and embedder is None and _keeps_vectors(storage)


def _keeps_vectors(storage: Storage) -> bool:
    return Capability.VECTORS in storage.capabilities


def _make_opener(embedder: str | None) -> "lamella.application.embeddings.embed.OpenEmbedder | None":
    """Return the function that opens the embedder. An unknown name is refused at once."""
    if embedder is None:
        return None
    name = embedder.partition(":")[0]
    if name in {AUTO_EMBEDDER, NO_EMBEDDER}:
        raise InvalidValueError(
            name="LAMELLA_EMBEDDER", given=repr(embedder), allowed=f"{name}, with nothing after it"
        )
    chosen = registered("embedder", name)
    return lambda: chosen.load()(embedder)


def _make_embedding(
    open_embedder: "lamella.application.embeddings.embed.OpenEmbedder | None", settings: Settings
) -> "lamella.application.embeddings.background_worker.Embedding | None":
    if open_embedder is None:
        return None
    # Imported here, because many processes have no embedder.
    from lamella.application.embeddings.background_worker import Embedding  # noqa: PLC0415

    return Embedding(open_embedder, patient=settings.patient, chosen=settings.embedder != AUTO_EMBEDDER)


def _keeps_lines(settings: Settings) -> timedelta | None:
    return timedelta(days=settings.lines_days) if settings.lines_days else None


def _make(port: str, name: str, *arguments: Any) -> Any:
    return adapter(port, name)(*arguments)


def _open_peer(name: str, path: Path | None) -> Peer:
    peer: Peer = adapter("peers", name)(path)
    return peer


class Container(containers.DeclarativeContainer):
    """The ports of a process with their adapters, under the names of the use cases' fields. Thread-safe."""

    settings: providers.Dependency[Settings] = providers.Dependency(instance_of=Settings)

    storage = providers.ThreadSafeSingleton(_adapter_of_storage, "storage", settings)
    open_empty = providers.Object(partial(_make, "storage", "memory", "memory:", None))
    tokenizer = providers.ThreadSafeSingleton(_make, "tokenizer", settings.provided.tokenizer)
    clock = providers.ThreadSafeSingleton(_make, "clock", "system")
    ids = providers.ThreadSafeSingleton(_make, "ids", "uuid4")
    machine = providers.ThreadSafeSingleton(_make, "machine", "file", settings.provided.data_directory)
    working_tree = providers.ThreadSafeSingleton(_make, "working_tree", "git")
    distant_tree = providers.ThreadSafeSingleton(_make, "working_tree", "distant")
    history = providers.ThreadSafeSingleton(_make, "history", "git")
    shows_everywhere = settings.provided.everywhere
    spool = providers.ThreadSafeSingleton(open_spool, settings)
    shared_folder = providers.ThreadSafeSingleton(open_shared_folders, settings)
    transcripts = providers.Object(partial(_make, "transcripts"))
    peers = providers.Object(_open_peer)
    embedder = providers.ThreadSafeSingleton(_choose_embedder, settings, storage)
    open_embedder = providers.ThreadSafeSingleton(_make_opener, embedder)
    embedding = providers.ThreadSafeSingleton(_make_embedding, open_embedder, settings)
    place = settings.provided.place
    lacks_embedder = providers.Callable(_lacks_embedder, settings, storage, embedder)
    hook_reads = providers.Callable(is_registered, "hook_reads", settings.provided.scheme)
    hook_copy = providers.ThreadSafeSingleton(_open_hook_copy, settings)
    keeps_backups = settings.provided.backups
    keeps_lines = providers.Callable(_keeps_lines, settings)
    keeps_conversations = providers.Callable(Settings.keeps_conversations, settings, storage.provided.capabilities)


class Lamella:
    """The use cases, to be called from any thread.

    A use case is imported and made when it is first asked for: most processes need two or three of them. Each of
    its fields is the port of that name in the container, or the use case of that name here.

    Example:
        with running(Settings(data_directory=Path("memory"))) as lamella:
            lamella.save(Call(directory=Path.cwd()), SaveRequest(text="Staging is reset every night."))
    """

    spool: Spool
    storage: Storage
    hook_copy: "HookCopy | None"
    working_tree: WorkingTree
    keeps_conversations: bool
    # Memories
    save: "lamella.application.memories.save.SaveMemory"
    edit: "lamella.application.memories.edit.EditMemory"
    get: "lamella.application.memories.get.GetObservations"
    timeline: "lamella.application.memories.timeline.ShowTimeline"
    purge: "lamella.application.memories.purge_restore_erase.PurgeMemories"
    restore: "lamella.application.memories.purge_restore_erase.RestoreMemories"
    erase: "lamella.application.memories.purge_restore_erase.EraseMemories"
    log: "lamella.application.audit.log.ShowLog"
    undo: "lamella.application.audit.undo.Undo"
    search: "lamella.application.search.search.SearchMemories"
    recall: "lamella.application.search.recall.RecallMemories"
    search_by_meaning: "lamella.application.search.similar.SearchByMeaning"
    hybrid: "lamella.application.search.hybrid.HybridSearch"
    embed: "lamella.application.embeddings.embed.EmbedMemories"
    meaning: "lamella.application.embeddings.query_vector.Meaning"
    recall_messages: "lamella.application.conversations.find.RecallMessages"
    show_message: "lamella.application.conversations.show_message.ShowMessage"
    import_transcripts: "lamella.application.conversations.import_transcripts.ImportTranscripts"
    summarise_session: "lamella.application.conversations.summarise_session.SummariseSession"
    read_conversation: "lamella.application.conversations.read_conversation.ReadConversation"
    erase_conversation: "lamella.application.conversations.erase_conversation.EraseConversation"
    record_changes: "lamella.application.ledger.record_change.RecordChanges"
    find_unreported: "lamella.application.ledger.find_unreported.FindUnreported"
    check_edit: "lamella.application.ledger.check_edit.CheckEdit"
    file_history: "lamella.application.ledger.file_history.ShowFileHistory"
    learn_history: "lamella.application.ledger.learn_from_git.LearnHistory"
    drain: "lamella.application.capture.drain_spool.DrainSpool"
    import_memories: "lamella.application.exchange.import_memories.ImportMemories"
    export: "lamella.application.exchange.export.ExportMemories"
    import_records: "lamella.application.exchange.import_records.ImportRecords"
    share: "lamella.application.exchange.share.ShareMemories"
    create_token: "lamella.application.access.tokens.CreateToken"
    list_tokens: "lamella.application.access.tokens.ListTokens"
    revoke_token: "lamella.application.access.tokens.RevokeToken"
    grant_of: "lamella.application.access.tokens.GrantOf"
    projects: "lamella.application.projects.resolver.ProjectResolver"
    merge_projects: "lamella.application.projects.manage.MergeProjects"
    split_project: "lamella.application.projects.manage.SplitProject"
    switch_project: "lamella.application.projects.switch.SwitchProject"
    measure_projects: "lamella.application.projects.sizes.MeasureProjects"
    status: "lamella.application.maintenance.status.ShowStatus"
    show_activity: "lamella.application.maintenance.activity.ShowActivity"
    back_up: "lamella.application.maintenance.backup.BackUp"
    restore_backup: "lamella.application.maintenance.backup.RestoreBackup"
    keep_hook_copy: "lamella.application.maintenance.hook_copy.KeepHookCopy"
    look_after: "lamella.application.maintenance.look_after.LookAfter"

    def __init__(self, container: Container) -> None:
        self._container = container

    def for_tenant(self, tenant: str) -> "Lamella":
        """Return the use cases for callers on other machines, who have a tenant, and no files on this one.

        They are open as long as these. A tenant that the storage lacks raises `CapabilityUnsupportedError`.
        """
        others = Lamella(self._container)
        others.storage = self.storage.of_tenant(tenant)
        others.working_tree = self._container.distant_tree()
        return others

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make the use case of that name, which is an attribute from then on."""
            provider = self._container.providers.get(name)
            made = self._use_case(name) if provider is None else provider()
            setattr(self, name, made)
            return made

    def _use_case(self, name: str) -> Any:
        """Import and make a use case.

        Raises:
            AttributeError: There is none of that name.
        """
        module, _, kind = self.__annotations__.get(name, "").rpartition(".")
        if not module:
            raise AttributeError(name)
        use_case = getattr(import_module(module), kind)
        return use_case(**{each.name: getattr(self, each.name) for each in fields(use_case) if each.init})


@contextmanager
def running(settings: Settings) -> Iterator[Lamella]:
    """Open the storage that `settings` choose, and close it at the end.

    Raises:
        InvalidValueError: No adapter has the name that is set.
        StorageError: The storage refuses to open.
    """
    container = Container(settings=settings)
    storage, embedding, copy = container.storage(), container.embedding(), container.hook_copy()
    try:
        # A wrong setting is reported now.
        container.tokenizer()
        yield Lamella(container)
    finally:
        if embedding is not None:
            embedding.close()
        if copy is not None:
            copy.close()
        storage.close()
