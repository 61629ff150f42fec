"""Compare the notes of a project with its shared folder during a sync, and write their files."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import TypeVar
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.exchange.accounts import ShareAccount
from lamella.application.exchange.edited_files import replace
from lamella.application.memories.save import MAX_PATHS, MAX_SOURCE_CHARACTERS, MAX_TEXT_CHARACTERS
from lamella.application.privacy.cleaner import Cleaner
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.exchange.shared_file import LONG_ID, name_of, printed
from lamella.domain.ledger.files import Past
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella.domain.transactions.status import StatusThere
from lamella.ports.shared_folder import LeftFile, Share, SharedFolder, SharedMemory
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.system import Clock
from lamella.ports.working_tree import WorkingTree

PAGE = 500
"""Number of memories to read at a time."""

_STEP = 50
"""Number of files to write at a time."""

_T = TypeVar("_T")


class Now(Enum):
    """Present state of a memory."""

    LIVE = auto()
    PURGED = auto()
    ERASED = auto()


@define
class SharedNotes:
    """The notes of a project, now and at the last sync.

    Attributes:
        entry: Audit entry of the sync. It gets the ids of new, purged and restored memories.
        memories: The notes at the last sync, updated by the current sync.
        left: Files left alone, keyed by file name.
        now: Present state of each note, keyed by id.
        successors: Ids of replacements, keyed by the id of the replaced note.
    """

    folder: SharedFolder
    observations: ObservationStorage
    clock: Clock
    entry: AuditEntry
    user: str | None = field(kw_only=True)
    share: Share = field(kw_only=True)
    account: ShareAccount = field(init=False)
    memories: dict[UUID, SharedMemory] = field(init=False)
    left: dict[str, LeftFile] = field(init=False)
    now: dict[UUID, Now] = field(factory=dict)
    successors: dict[UUID, UUID] = field(factory=dict)
    _sequence: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.account = ShareAccount(self.share.folder)
        self.memories, self.left = dict(self.share.memories), dict(self.share.left)
        self._sequence = self.share.sequence

    def look(self) -> Iterator[None]:
        """Find new notes, and read the present state of all notes, in steps."""
        while page := self.observations.page(after=self._sequence, limit=PAGE):
            for each in page:
                said = each.observation
                if said.kind is Kind.NOTE and said.id not in self.memories:
                    self.memories[said.id] = SharedMemory(id=said.id, live=False)
            self._sequence = page[-1].observation.sequence
            yield
        for ids in batches(list(self.memories), PAGE):
            found = self.observations.get_all(ids)
            for id in ids:
                self.see(id, found.get(id))
            yield

    def see(self, id: UUID, observation: Observation | None) -> None:
        """Record the present state of a memory; `observation` is None for an erased memory."""
        if observation is None:
            self.now[id] = Now.ERASED
            return
        self.now[id] = Now.PURGED if observation.purged else Now.LIVE
        if observation.replaced_by is not None:
            self.successors[id] = observation.replaced_by

    def is_live(self, id: UUID) -> bool:
        """Return True if a memory exists and isn't purged."""
        return self.now.get(id) is Now.LIVE

    def hold(self, id: UUID, name: str, stamp: str) -> None:
        """Record the name of a memory's file, and its stamp, which changes whenever the file changes."""
        self.memories[id] = evolve(self._known(id), name=name, stamp=stamp)

    def _known(self, id: UUID) -> SharedMemory:
        return self.memories.get(id) or SharedMemory(id=id, live=self.is_live(id))

    def purge(self, ids: Sequence[UUID]) -> None:
        """Purge memories because their files are missing."""
        self.observations.follow([StatusThere(id=id, at=self.entry.by.at) for id in ids], entry=self.entry)
        for id in ids:
            self._forget(id)

    def _forget(self, id: UUID) -> None:
        self.now[id] = Now.PURGED
        self.memories[id] = evolve(self._known(id), live=False, by_file=True, stamp=None)

    def replace(self, new: Observation, former: UUID) -> bool:
        """Store or restore the memory `new`, and purge its former version; see `edited_files.replace`."""
        if not replace(self.observations, new, former, self.entry):
            return False
        self.now[new.id] = Now.LIVE
        self.successors[former] = new.id
        self._forget(former)
        return True

    def restore(self, id: UUID) -> None:
        """Restore a memory because its file has returned."""
        self.observations.follow([StatusThere(id=id, at=self.entry.by.at, purged=False)], entry=self.entry)
        self.now[id] = Now.LIVE
        self.memories[id] = evolve(self._known(id), live=True, by_file=False)

    def write(self) -> Iterator[None]:
        """Write and remove files, in steps."""
        heirs = self._remove()
        waiting = [
            each.id
            for each in self.memories.values()
            if self.is_live(each.id) and each.stamp is None and not each.live and each.name not in self.left
        ]
        for ids in batches(waiting, _STEP):
            # A memory may have been purged since `waiting` was computed. The next sync removes its file.
            for each in self.observations.get_all(ids).values():
                self._write(each, heirs.get(each.id))
            yield
        # Remove the files of replaced memories, unless the replacement was written into the same file.
        for heir in heirs.values():
            if self.memories[heir.id].stamp is not None:
                self._remove_file(heir)

    def _remove(self) -> dict[UUID, SharedMemory]:
        """Remove files of purged memories. Return replaced memories, keyed by the id of their replacement.

        The file of a returned memory isn't removed, so that the replacement can be written into it.
        """
        heirs: dict[UUID, SharedMemory] = {}
        for each in list(self.memories.values()):
            live = self.is_live(each.id)
            if each.stamp is None or each.name in self.left:
                continue
            if live or not each.live:
                self.memories[each.id] = evolve(each, live=live or each.live)
                continue
            heir = self.heir(each.id)
            if heir is not None and self.memories[heir].stamp is None and heir not in heirs:
                heirs[heir] = each
            else:
                self._remove_file(each)
        return heirs

    def heir(self, id: UUID) -> UUID | None:
        """Return the id of a memory's latest replacement; None if this replacement isn't a live note."""
        seen = {id}
        while (following := self.successors.get(id)) is not None and following not in seen:
            id = following
            seen.add(id)
        return id if self.is_live(id) and id in self.memories else None

    def tell_conflict(self, name: str, id: UUID, before: UUID) -> None:
        """Report an edited file whose memory was replaced or purged here at the same time.

        Both texts are kept.
        """
        known = self.memories.get(before)
        if known is not None and known.by_file:
            return
        heir, own = self.heir(before), id.hex[:SHORT_ID_CHARACTERS]
        state = "purged" if heir is None else f"replaced by {heir.hex[:SHORT_ID_CHARACTERS]}"
        self.account.conflicts[name] = (
            f"its memory was {state} here meanwhile, so the edited text is memory {own}."
            f" If you don't need both: lamella purge {own}"
        )

    def _remove_file(self, memory: SharedMemory) -> None:
        assert memory.name is not None  # noqa: S101 - a memory with a stamp has a name
        assert memory.stamp is not None  # noqa: S101 - callers check it
        if self.folder.remove(memory.name, memory.stamp):
            self.account.removed += 1
            self.memories[memory.id] = evolve(memory, stamp=None, live=False)

    def _write(self, said: Observation, former: SharedMemory | None) -> None:
        known = self.memories[said.id]
        clean = evolve(Cleaner().observation(said), author=said.author or self.user)
        if unfit(clean):
            return
        if former is not None and former.name is not None:
            names, over = [former.name], former.stamp
        else:
            own = [] if known.name is None or self._is_taken(known.name, said.id) else [known.name]
            names, over = [*own, name_of(clean), name_of(clean, digits=LONG_ID)], None
        for name in names:
            stamp = self.folder.write(name, printed(clean), over=over)
            if stamp is not None:
                if former is not None:
                    self.memories[former.id] = evolve(former, name=None, stamp=None, live=False)
                self.memories[said.id] = evolve(known, name=name, stamp=stamp, live=True, by_file=False)
                self.account.written += 1
                return

    def _is_taken(self, name: str, id: UUID) -> bool:
        return any(each.name == name and each.id != id for each in self.memories.values())

    def recorded(self) -> Share:
        """Complete the account. Return the state to record for the next sync."""
        # Keep the ids of erased memories. Otherwise, their files on another branch would be imported again.
        kept = {
            id: evolve(each, name=None, stamp=None)
            if self.now.get(id) is Now.ERASED and (each.stamp is None or each.name in self.left)
            else each
            for id, each in self.memories.items()
        }
        self.account.files = sum(each.stamp is not None for each in kept.values())
        self.account.left = {name: each.reason for name, each in self.left.items() if each.reason}
        self.account.ignored = len(self.left) - len(self.account.left)
        return evolve(self.share, sequence=self._sequence, memories=kept, left=self.left, waiting=0)


def unfit(said: Observation) -> str | None:
    """Return the reason why a memory is too large for a shared file; None if the memory fits."""
    for given, most in (
        (said.content, MAX_TEXT_CHARACTERS),
        (said.title, MAX_TITLE_CHARACTERS),
        (said.source, MAX_SOURCE_CHARACTERS),
        (said.actor, MAX_SOURCE_CHARACTERS),
        (said.author or "", MAX_SOURCE_CHARACTERS),
    ):
        if len(given) > most:
            return f"it has a text of {len(given):,} characters, more than {most:,}"
    if len(said.changes) > MAX_PATHS:
        return f"it names {len(said.changes):,} files, more than {MAX_PATHS}"
    return None


def batches(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Divide a sequence into consecutive batches of at most `size` items."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


@define(slots=False)
class FolderHistory:
    """History of a shared folder in git, read at most once."""

    working_tree: WorkingTree
    share: Share

    @cached_property
    def past(self) -> Past | None:
        """The history; None if version control can't tell it."""
        return self.working_tree.past(self.share.root, self.share.folder)

    def was_deleted(self, name: str | None) -> bool:
        """Return True if a commit has deleted the shared file `name`."""
        return self.past is not None and self.path(name) in self.past.deleted

    def path(self, name: str | None) -> str:
        """Return the path of the shared file `name`, relative to the root of the working tree."""
        return f"{self.share.folder}/{name}"
