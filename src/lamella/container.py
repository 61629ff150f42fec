"""The composition root: wires each port to its adapter, and each use case to its ports.

The only module that knows dependency_injector.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

# `containers` is left out: it imports every web framework that is installed.
from dependency_injector import providers

from lamella.domain.errors import InvalidValueError
from lamella.entry_points import AUTO_EMBEDDER, NO_EMBEDDER, adapter, is_registered, registered
from lamella.ports.storage.storage import Capability, Storage
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
    from lamella.ports.spool import Spool
    from lamella.ports.tokenizer import Tokenizer
    from lamella.ports.working_tree import WorkingTree


def open_spool(settings: Settings) -> "Spool":
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


def _of_storage(port: str, settings: Settings) -> Any:
    return adapter(port, settings.scheme)(settings.storage, settings.data_directory)


def _choose_embedder(settings: Settings, storage: Storage) -> str | None:
    """Return the setting of the embedder in use. `auto` finds it without importing what it needs."""
    if settings.embedder == AUTO_EMBEDDER:
        found: str | None = adapter("default_embedder", "installed")() if _keeps_vectors(storage) else None
        return found
    return None if settings.embedder == NO_EMBEDDER else settings.embedder


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


def _make(port: str, name: str, *arguments: Any) -> Any:
    return adapter(port, name)(*arguments)


_PORTS: dict[str, Callable[..., Any]] = {
    "storage": partial(_of_storage, "storage"),
    "open_empty": lambda: partial(_make, "storage", "memory", "memory:", None),
    "tokenizer": lambda settings: _make("tokenizer", settings.tokenizer),
    "clock": lambda: _make("clock", "system"),
    "ids": lambda: _make("ids", "uuid4"),
    "machine": lambda settings: _make("machine", "file", settings.data_directory),
    "working_tree": lambda: _make("working_tree", "git"),
    "distant_tree": lambda: _make("working_tree", "distant"),
    "history": lambda: _make("history", "git"),
    "shows_everywhere": lambda settings: settings.everywhere,
    "spool": open_spool,
    "shared_folder": open_shared_folders,
    "transcripts": lambda: partial(_make, "transcripts"),
    "peers": lambda: partial(_make, "peers"),
    "embedder": _choose_embedder,
    "open_embedder": _make_opener,
    "embedding": _make_embedding,
    "place": lambda settings: settings.place,
    "lacks_embedder": lambda settings, storage, embedder: (
        settings.embedder == AUTO_EMBEDDER and embedder is None and _keeps_vectors(storage)
    ),
    "hook_reads": lambda settings: is_registered("hook_reads", settings.scheme),
    "hook_copy": lambda settings: _of_storage("hook_copy", settings) if keeps_hook_copy(settings) else None,
    "keeps_backups": lambda settings: settings.backups,
    "keeps_lines": lambda settings: timedelta(days=settings.lines_days) if settings.lines_days else None,
    "keeps_conversations": lambda settings, storage: settings.keeps_conversations(storage.capabilities),
}
"""What makes each port and setting that use cases need. A parameter is the port of its name."""


class Lamella:
    """The use cases, to be called from any thread.

    Ports and use cases are imported and made once, when they are first asked for: most processes need few of them.
    Each parameter of a use case is the port or the use case of its name.

    Args:
        settings: Choices of the process.
        given: Providers of ports instead of those that `settings` choose, by the names of ports.

    Example:
        with running(Settings(data_directory=Path("memory"))) as lamella:
            lamella.save(Call(directory=Path.cwd()), SaveRequest(text="Staging is reset every night."))
    """

    spool: "Spool"
    storage: Storage
    hook_copy: "HookCopy | None"
    working_tree: "WorkingTree"
    tokenizer: "Tokenizer"
    embedding: "lamella.application.embeddings.background_worker.Embedding | None"
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

    def __init__(self, settings: Settings, **given: providers.Provider[Any]) -> None:
        self._settings = settings
        self._providers = {"settings": providers.Object(settings), **given}

    def for_tenant(self, tenant: str) -> "Lamella":
        """Return the use cases for callers on other machines, who have a tenant, and no files on this one.

        They are open as long as these. A tenant that the storage lacks raises `CapabilityUnsupportedError`.
        """
        ports = {name: self._provider(name) for name in _PORTS}
        ports["storage"] = providers.Object(self.storage.of_tenant(tenant))
        ports["working_tree"] = ports["distant_tree"]
        return Lamella(self._settings, **ports)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make what has that name, which is an attribute from then on."""
            made = self._provider(name)()
            setattr(self, name, made)
            return made

    def _provider(self, name: str) -> providers.Provider[Any]:
        """Return the provider of a port or use case, wired to those of its parameters.

        Raises:
            AttributeError: There is none of that name.
        """
        if name not in self._providers:
            make = _PORTS.get(name) or _use_case(name)
            wired = {each: self._provider(each) for each in signature(make).parameters}
            # Of two threads that come here, both get the provider of one.
            self._providers.setdefault(name, providers.ThreadSafeSingleton(make, **wired))
        return self._providers[name]


def _use_case(name: str) -> Any:
    """Import the class of a use case.

    Raises:
        AttributeError: There is none of that name.
    """
    module, _, kind = Lamella.__annotations__.get(name, "").rpartition(".")
    if not module:
        raise AttributeError(name)
    return getattr(import_module(module), kind)


@contextmanager
def running(settings: Settings) -> Iterator[Lamella]:
    """Open the storage that `settings` choose, and close it at the end.

    Raises:
        InvalidValueError: No adapter has the name that is set.
        StorageError: The storage refuses to open.
    """
    lamella = Lamella(settings)
    storage, embedding, copy = lamella.storage, lamella.embedding, lamella.hook_copy
    try:
        # A wrong setting is reported now.
        lamella.tokenizer  # noqa: B018
        yield lamella
    finally:
        if embedding is not None:
            embedding.close()
        if copy is not None:
            copy.close()
        storage.close()
