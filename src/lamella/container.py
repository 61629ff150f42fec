"""The composition root: wires each port to its adapter, and each use case to its ports."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

from lamella import application
from lamella.domain.errors import InvalidValueError
from lamella.entry_points import AUTO_EMBEDDER, NO_EMBEDDER, adapter, is_registered, registered
from lamella.ports.storage.storage import Capability, Storage
from lamella.settings import DEFAULT_STORAGE, DEFAULT_TOKENIZER, Settings
from lamella.singletons import Provider, injected

if TYPE_CHECKING:
    from lamella.ports.history import CodeHistory
    from lamella.ports.hook_copy import HookCopy
    from lamella.ports.remote_tools import RemoteTools
    from lamella.ports.shared_folder import SharedFolders
    from lamella.ports.spool import Spool
    from lamella.ports.tokenizer import Tokenizer
    from lamella.ports.working_tree import WorkingTree


def open_spool(settings: Settings) -> "Spool":
    """Return the queue of captures written by hooks."""
    spool: Spool = adapter("spool", "records")(settings.data_directory, settings.storage)
    return spool


def open_shared_folders(settings: Settings) -> "SharedFolders":
    """Return the folders shared by this machine."""
    folders: SharedFolders = adapter("shared_folder", "files")(settings.data_directory)
    return folders


def open_history() -> "CodeHistory":
    """Return the commits of working trees."""
    history: CodeHistory = adapter("history", "git")()
    return history


def keeps_hook_copy(settings: Settings) -> bool:
    """Return True if hooks read a copy, because they can't read the storage itself."""
    return settings.storage != DEFAULT_STORAGE and is_registered("hook_copy", settings.scheme)


def forwards_tools(settings: Settings) -> bool:
    """Return True if a local MCP server forwards calls of its tools to the storage's server."""
    return settings.storage != DEFAULT_STORAGE and is_registered("remote_tools", settings.scheme)


def _of_storage(port: str, settings: Settings) -> Any:
    return adapter(port, settings.scheme)(settings.storage, settings.data_directory)


def _choose_embedder(settings: Settings, storage: Storage) -> str | None:
    """Return the setting of the embedder in use.

    For the setting `auto`, look for an installed embedder without importing its packages.
    """
    if settings.embedder == AUTO_EMBEDDER:
        if not _keeps_vectors(storage):
            return None
        found: str | None = adapter("default_embedder", "installed")(settings.data_directory)
        return found
    return None if settings.embedder == NO_EMBEDDER else settings.embedder


def _keeps_vectors(storage: Storage) -> bool:
    return Capability.VECTORS in storage.capabilities


def _make_opener(embedder: str | None) -> "application.OpenEmbedder | None":
    """Return the function that opens the embedder. Raise immediately if the name is unknown."""
    if embedder is None:
        return None
    name = embedder.partition(":")[0]
    if name in {AUTO_EMBEDDER, NO_EMBEDDER}:
        raise InvalidValueError(
            name="LAMELLA_EMBEDDER", given=repr(embedder), allowed=f"{name} alone, without a colon"
        )
    chosen = registered("embedder", name)
    return lambda: chosen.load()(embedder)


def _make_embedding(
    open_embedder: "application.OpenEmbedder | None", settings: Settings
) -> "application.Embedding | None":
    if open_embedder is None:
        return None
    return application.Embedding(
        open_embedder, patient=settings.patient, chosen=settings.embedder != AUTO_EMBEDDER
    )


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
    "history": open_history,
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
    "remote_tools": lambda settings: _of_storage("remote_tools", settings) if forwards_tools(settings) else None,
    "keeps_backups": lambda settings: settings.backups,
    "keeps_lines": lambda settings: timedelta(days=settings.lines_days) if settings.lines_days else None,
    "keeps_conversations": lambda settings, storage: settings.keeps_conversations(storage.capabilities),
}
"""Factories of ports, and of settings for use cases. The parameters of a factory are named after ports."""


class Lamella:
    """The use cases. Any thread may call them.

    Ports and use cases are imported and created at their first use, because most processes need few of them.
    Each parameter of a use case is named after the port or use case to pass.

    Args:
        settings: Settings of the process.
        singleton: Function that creates a provider from a factory and the providers of the factory's parameters.
        given: Providers of ports, keyed by port name. They replace the ports chosen by `settings`.

    Example:
        with running(Settings(data_directory=Path("memory"))) as lamella:
            lamella.save(Call(directory=Path.cwd()), SaveRequest(text="Staging is reset every night."))
    """

    spool: "Spool"
    storage: Storage
    hook_copy: "HookCopy | None"
    remote_tools: "RemoteTools | None"
    working_tree: "WorkingTree"
    tokenizer: "Tokenizer"
    embedding: "application.Embedding | None"
    keeps_conversations: bool
    # Memories
    save: "application.SaveMemory"
    edit: "application.EditMemory"
    get: "application.GetObservations"
    timeline: "application.ShowTimeline"
    purge: "application.PurgeMemories"
    restore: "application.RestoreMemories"
    erase: "application.EraseMemories"
    log: "application.ShowLog"
    undo: "application.Undo"
    search: "application.SearchMemories"
    browse: "application.BrowseMemories"
    each: "application.EachMemory"
    find_one: "application.FindMemory"
    delete: "application.DeleteMemories"
    count_memories: "application.CountMemories"
    recall: "application.RecallMemories"
    log_recalls: "application.LogRecalls"
    review: "application.ReviewMemories"
    search_by_meaning: "application.SearchByMeaning"
    hybrid: "application.HybridSearch"
    embed: "application.EmbedMemories"
    meaning: "application.Meaning"
    recall_messages: "application.RecallMessages"
    add_messages: "application.AddMessages"
    show_message: "application.ShowMessage"
    import_transcripts: "application.ImportTranscripts"
    summarise_session: "application.SummariseSession"
    read_conversation: "application.ReadConversation"
    erase_conversation: "application.EraseConversation"
    record_changes: "application.RecordChanges"
    find_unreported: "application.FindUnreported"
    check_edit: "application.CheckEdit"
    file_history: "application.ShowFileHistory"
    learn_history: "application.LearnHistory"
    drain: "application.DrainSpool"
    serve_hooks: "application.ServeHooks"
    import_memories: "application.ImportMemories"
    export: "application.ExportMemories"
    import_records: "application.ImportRecords"
    share: "application.ShareMemories"
    share_everything: "application.ShareEverything"
    create_token: "application.CreateToken"
    revoke_token: "application.RevokeToken"
    rotate_token: "application.RotateToken"
    grant_of: "application.GrantOf"
    measure_tenant: "application.MeasureTenant"
    limit_tenant: "application.LimitTenant"
    delete_tenant: "application.DeleteTenant"
    projects: "application.ProjectResolver"
    merge_projects: "application.MergeProjects"
    split_project: "application.SplitProject"
    switch_project: "application.SwitchProject"
    measure_projects: "application.MeasureProjects"
    status: "application.ShowStatus"
    overview: "application.ShowOverview"
    show_activity: "application.ShowActivity"
    back_up: "application.BackUp"
    keep_hook_copy: "application.KeepHookCopy"
    look_after: "application.LookAfter"

    def __init__(
        self, settings: Settings, singleton: Callable[..., Provider] = injected, **given: Provider
    ) -> None:
        self._settings, self._singleton = settings, singleton
        self._providers = {"settings": singleton(lambda: settings), **given}

    def for_tenant(self, tenant: str) -> "Lamella":
        """Return the use cases for a tenant. They can't access this machine's files.

        The tenant's callers are on other machines. The use cases are closed together with this object. If the
        storage doesn't support other tenants, `CapabilityUnsupportedError` is raised.
        """
        ports = {name: self._provider(name) for name in _PORTS}
        storage = self.storage.of_tenant(tenant)
        ports["storage"] = self._singleton(lambda: storage)
        ports["working_tree"] = ports["distant_tree"]
        return Lamella(self._settings, self._singleton, **ports)

    def uses(self, name: str) -> bool:
        """Return True if a port or use case was accessed, directly or as a dependency."""
        return name in self._providers

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Create a port or use case at the first access, and store it as an attribute."""
            made = self._provider(name)()
            setattr(self, name, made)
            return made

    def _provider(self, name: str) -> Provider:
        """Return the provider of a port or use case, wired to the providers of its parameters.

        Raises:
            AttributeError: The name is unknown.
        """
        if name not in self._providers:
            make = _PORTS.get(name) or _use_case(name)
            wired = {each: self._provider(each) for each in signature(make).parameters}
            # Concurrent threads must get the same provider.
            self._providers.setdefault(name, self._singleton(make, **wired))
        return self._providers[name]


def _use_case(name: str) -> Any:
    """Import the class of a use case.

    Raises:
        AttributeError: No use case has the name.
    """
    package, _, kind = Lamella.__annotations__.get(name, "").rpartition(".")
    if package != "application":
        raise AttributeError(name)
    return getattr(application, kind)


@contextmanager
def running(settings: Settings, singleton: Callable[..., Provider] = injected) -> Iterator[Lamella]:
    """Open the storage chosen by `settings`, and close it at the end. The arguments are those of `Lamella`.

    Raises:
        InvalidValueError: No adapter has the configured name.
        StorageError: The storage can't be opened.
    """
    lamella = Lamella(settings, singleton)
    storage, copy = lamella.storage, lamella.hook_copy
    try:
        # Load chosen adapters now, to report invalid settings early.
        if settings.tokenizer != DEFAULT_TOKENIZER:
            lamella.tokenizer  # noqa: B018
        if settings.embedder not in {AUTO_EMBEDDER, NO_EMBEDDER}:
            lamella.embedding  # noqa: B018
        yield lamella
    finally:
        if lamella.uses("recall"):
            lamella.log_recalls()
        if lamella.uses("embedding") and lamella.embedding is not None:
            lamella.embedding.close()
        if copy is not None:
            copy.close()
        storage.close()
