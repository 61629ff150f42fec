"""Import memories from other programs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.application.exchange.destinations import Destination, Destinations, inside_root
from lamella.application.exchange.importing import import_entry
from lamella.application.exchange.prompts import UNSHARED, Prompts
from lamella.application.exchange.versions import Versions
from lamella.application.memories.rehearsal import Rehearsal
from lamella.application.memories.save import DEFAULT_SOURCE, MAX_PATHS, MAX_SOURCE_CHARACTERS, MAX_TEXT_CHARACTERS
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.call import Call
from lamella.domain.errors import PeerUnreadableError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.foreign import fitted, foreign_id
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Draft, Observation
from lamella.domain.text.printing import one_line
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.peers import BLANK, BROKEN, NO_TEXTS, ForeignMemory, ForeignPrompt, Peer, Skipped, Store
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock

_BATCH = 500
"""Number of memories to store in a transaction."""

CORRECTED = "changed there, but corrected here"
PURGED = "changed there, but purged here"
DELETED = "deleted there"
"""Reasons for skipping memories that were changed or deleted in the other program."""

UNPLACED_PROMPT = "asked in a project that isn't known here"
"""Reason for skipping prompts of unknown projects."""


@frozen(kw_only=True)
class ImportRequest:
    """Selection of memories to import, and of projects to import them into.

    Attributes:
        peer: Name of the other program.
        path: File or folder to read; None for the program's own folder.
        dry_run: True to only count.
        deleted: True to import memories that were deleted in the program. They are imported in the purged state.
        project: Target of memories whose project is missing or unknown here: an id, alias, name or folder, or
            `everywhere`. If None, these memories are skipped.
        projects: Projects of this storage, keyed by project names in the other program.
    """

    peer: str
    path: Path | None = None
    dry_run: bool = False
    deleted: bool = False
    project: str | None = None
    projects: Mapping[str, str] = field(factory=dict)


@define
class MemoriesImported:
    """Progress and result of an import.

    Attributes:
        stores: Stores found.
        read: Number of records already read.
        new: Numbers of new memories, keyed by project and kind. Each part of a split text counts.
        known: Number of memories that an earlier import has stored.
        purged_here: Number of such earlier memories that are purged in this storage.
        erased: Number of memories skipped because they were erased in this storage.
        replaced: Number of earlier memories purged now, because they have changed in the program.
        purged: Number of new memories imported in the purged state, because they were deleted in the program.
        prompts: Number of new prompts of conversations.
        redacted: Number of redacted secrets in new memories.
        split: Number of new memories that are parts of a longer text.
        skipped: Numbers of skipped records, keyed by reason.
        unplaced: Numbers of memories whose project is unknown here, keyed by project name in the program. For
            memories without a project, the name is empty.
        unreadable: Errors of stores that could not be read completely.
    """

    stores: tuple[Store, ...] = ()
    read: int = 0
    new: Counter[tuple[str, Kind]] = field(factory=Counter)
    known: int = 0
    purged_here: int = 0
    erased: int = 0
    replaced: int = 0
    purged: int = 0
    prompts: int = 0
    redacted: int = 0
    split: int = 0
    skipped: Counter[str] = field(factory=Counter)
    unplaced: Counter[str] = field(factory=Counter)
    unreadable: list[str] = field(factory=list)


@define
class ImportMemories:
    """Import the memories of another program. Outdated versions from earlier imports are purged."""

    projects: ProjectResolver
    clock: Clock
    peers: Callable[[str, Path | None], Peer]
    keeps_conversations: bool = True

    def __call__(self, call: Call, request: ImportRequest) -> Iterator[MemoriesImported]:
        """Import batch by batch. Yield the updated account after each batch.

        Secrets are redacted before anything is written, and long texts are split. Stored memories stay, so an
        interrupted import can be repeated.

        Args:
            call: Context of the call. If a project in the program has the name of the call's working directory,
                its memories go into the project of the call.
            request: Selection of memories.

        Raises:
            InvalidValueError: The program is unknown, or a folder doesn't exist.
            PeerUnreadableError: The program has no memories here.
            UnknownProjectError: The project doesn't exist.
            AmbiguousProjectError: Several projects have that name.
            StorageError: The storage failed.
        """
        peer = self.peers(request.peer, request.path)
        destinations = Destinations(
            call, self.projects, peer, request.projects, request.project, create=not request.dry_run
        )
        destinations.check()
        account = MemoriesImported(stores=peer.stores())
        yield account
        entry = import_entry(self.projects.signature(call))
        batch = _Batch(request, account, entry)
        prompts = Prompts(request.peer, dry_run=request.dry_run)
        for store in account.stores:
            try:
                for record in peer.read(store):
                    account.read += 1
                    if not isinstance(record, ForeignPrompt):
                        batch.take(record, destinations)
                    elif not self.keeps_conversations:
                        account.skipped[UNSHARED] += 1
                    elif (destination := destinations.of(record)) is None:
                        account.skipped[UNPLACED_PROMPT] += 1
                    elif Capability.CONVERSATIONS in self.projects.storage.capabilities:
                        prompts.take(record, destination)
                    if len(batch) + len(prompts) >= _BATCH:
                        batch.store()
                        _store_prompts(prompts, account)
                        yield account
            except PeerUnreadableError as error:
                account.unreadable.append(str(error))
            batch.store()
            _store_prompts(prompts, account)
            yield account
        batch.replace()
        unused = sorted(destinations.unused)
        account.unreadable += (f"No memory to import is of the project {each!r}." for each in unused)
        unusable = account.skipped[BROKEN.reason] + account.skipped[BLANK.reason]
        if request.path is not None and account.read == unusable and not account.unreadable:
            account.unreadable.append(
                f"No memories of {request.peer} were found there. Check that it is the right file."
            )
        yield account


def _store_prompts(prompts: Prompts, account: MemoriesImported) -> None:
    new, redacted, skipped = prompts.store()
    account.prompts += new
    account.redacted += redacted
    account.skipped += skipped


@define
class _Batch:
    """Memories collected for the next transactions."""

    request: ImportRequest
    account: MemoriesImported
    entry: AuditEntry
    _waiting: defaultdict[str, dict[UUID, Observation]] = field(factory=lambda: defaultdict(dict))
    _destinations: dict[str, Destination] = field(factory=dict)
    _secrets: dict[UUID, int] = field(factory=dict)
    _parts: set[UUID] = field(factory=set)
    _versions: dict[str, Versions] = field(factory=dict)
    _keys: defaultdict[str, dict[UUID, str]] = field(factory=lambda: defaultdict(dict))
    """The program's own keys of the memories read so far, by project and id; empty for a deleted memory."""

    def __len__(self) -> int:
        return len(self._secrets)

    def take(self, record: ForeignMemory | Skipped, destinations: Destinations) -> None:
        """Add the memories of a record, or count the record as skipped."""
        if isinstance(record, Skipped):
            self.account.skipped[record.reason] += 1
        elif record.deleted and not self.request.deleted:
            self.account.skipped[DELETED] += 1
        elif (destination := destinations.of(record)) is None:
            self.account.unplaced[one_line(record.project or "")] += 1
        else:
            self._add(record, destination)

    def _add(self, memory: ForeignMemory, destination: Destination) -> None:
        project = destination.here.id
        self._destinations[project] = destination
        if project not in self._versions:
            stored = destination.here.observations
            observed = Rehearsal(stored) if self.request.dry_run else stored
            self._versions[project] = Versions(observed, self.request.peer)
        self.account.skipped += Counter({NO_TEXTS: memory.no_texts})
        cleaner = Cleaner()
        observations = _observations(self.request.peer, memory, destination, cleaner, self.entry.by.at)
        for each in observations:
            # Records with the same key and text get the same id. Keep the first one.
            if each.id not in self._keys[project]:
                self._keys[project][each.id] = "" if memory.deleted else memory.key
                self._waiting[project][each.id] = each
                self._secrets[each.id] = cleaner.secrets
            cleaner.secrets = 0
        if len(observations) > 1:
            self._parts.update(each.id for each in observations)

    def store(self) -> None:
        """Store the collected memories, one transaction for each project. In a dry run, only count memories."""
        for project, waiting in self._waiting.items():
            destination = self._destinations[project]
            for id in self._stored(project, list(waiting.values())):
                self.account.new[destination.name, waiting[id].kind] += 1
                self.account.purged += waiting[id].purged
                self.account.redacted += self._secrets[id]
                self.account.split += id in self._parts
        self._waiting.clear()
        self._secrets.clear()
        self._parts.clear()

    def replace(self) -> None:
        """Purge outdated versions of memories from earlier imports."""
        for project, versions in self._versions.items():
            entry = self.entry.within(project)
            replaced, restored = versions.replace(entry=entry)
            self.account.replaced += replaced
            self.account.purged_here -= restored
            self.account.skipped += Counter({CORRECTED: versions.corrected, PURGED: versions.purged})

    def _stored(self, project: str, said: Sequence[Observation]) -> Sequence[UUID]:
        """Store observations. Return the ids of the new observations, as given in `said`."""
        versions, keys = self._versions[project], self._keys[project]
        observations = versions.recognised(said, keys)
        arrivals = [Arrival(observation=each) for each in observations]
        outcomes = versions.observations.insert_new(arrivals, entry=self.entry.within(project))
        counts = Counter(outcomes)
        self.account.erased += counts[ImportResult.ERASED]
        self.account.purged_here += counts[ImportResult.PURGED]
        self.account.known += counts[ImportResult.KNOWN] + counts[ImportResult.PURGED]
        for given, each, how in zip(said, observations, outcomes, strict=True):
            if how is not ImportResult.ERASED and (key := keys[given.id]):
                versions.note(key, each, known=how is ImportResult.KNOWN)
        return [each.id for each, how in zip(said, outcomes, strict=True) if how is ImportResult.NEW]


def _observations(
    peer: str, memory: ForeignMemory, destination: Destination, cleaner: Cleaner, now: datetime
) -> list[Observation]:
    """Return the observation of a memory, or several observations if its text is too long for one."""
    texts = fitted(cleaner.text(memory.title), cleaner.text(memory.content), MAX_TEXT_CHARACTERS)
    # Replace a time in the future by the present time. Otherwise, the memory would be listed before newer memories
    # until that time.
    at = min(memory.created_at or now, now)
    found = []
    for number, (title, text) in enumerate(texts, 1):
        key = memory.key if len(texts) == 1 else f"{memory.key}/{number}"
        draft = Draft(
            content=text,
            title=title,
            keywords=cleaner.text(memory.keywords),
            source=one_line(cleaner.text(memory.source))[:MAX_SOURCE_CHARACTERS] or DEFAULT_SOURCE,
            kind=memory.kind,
            actor=memory.actor,
            author=peer,
            session=memory.session,
            changes=_changes(memory.paths, destination.root, cleaner),
        )
        id = foreign_id(peer, key, text)
        observed = draft.observed(id=id, project=destination.here.id, sequence=0, now=at)
        found.append(evolve(observed, purged_at=now) if memory.deleted else observed)
    return found


def _changes(paths: Sequence[str], root: Path | None, cleaner: Cleaner) -> tuple[CodeChange, ...]:
    """Return the files of a memory that are inside of its project. They have no hunks."""
    inside = dict.fromkeys(filter(None, (inside_root(root, cleaner.text(path)) for path in paths)))
    return tuple(cleaner.change(CodeChange(path=path)) for path in list(inside)[:MAX_PATHS])
