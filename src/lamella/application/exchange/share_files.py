"""Read the files of a shared folder during a sync, and apply their changes to the storage."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.exchange.importing import MOST_AHEAD
from lamella.application.exchange.share_memories import PAGE, FolderHistory, Now, SharedNotes, batches, unfit
from lamella.application.privacy.cleaner import Cleaner
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.edits import Assignment, FileMemory, assigned, originals_first
from lamella.domain.exchange.shared_file import UnfitFileError, parsed
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.privacy.redaction import is_emptied
from lamella.domain.text.printing import trimmed
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.shared_folder import LeftFile, SharedMemory, UnusableFileError
from lamella.ports.working_tree import WorkingTree

_STEP = 1_000
"""Number of changed files to read at a time."""

_PORTION = 100
"""Number of new memories to store at a time."""

UNKNOWN = "shared file"
"""Author of a memory whose file names no author."""


@define
class SharedFiles:
    """The files of a shared folder, now and at the last sync."""

    notes: SharedNotes
    working_tree: WorkingTree
    project: str
    _files: Mapping[str, str] = field(factory=dict)
    _holders: dict[str, SharedMemory] = field(factory=dict)
    _arrivals: list[Arrival] = field(factory=list)
    _erased: set[UUID] = field(factory=set)
    _history: FolderHistory = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._history = FolderHistory(self.working_tree, self.notes.share)

    def read_changed(self) -> Iterator[None]:
        """Read the changed files, and store their memories, in steps.

        Raises:
            SharedFolderError: The files are too many, or too large in total.
        """
        notes = self.notes
        self._files = notes.folder.files()
        # A purged memory may keep the name of its deleted file. By now, another memory may have a file of this
        # name.
        memories = sorted(notes.memories.values(), key=lambda each: each.stamp is not None)
        self._holders = {each.name: each for each in memories if each.name is not None}
        for name in notes.left.keys() - self._files.keys():
            del notes.left[name]
        changed = sorted(name for name, stamp in self._files.items() if not self._is_known(name, stamp))
        found: list[FileMemory] = []
        for names in batches(changed, _STEP):
            found += filter(None, map(self._read, names))
            yield
        found = list(originals_first(found, self._stored({each.said.id for each in found})))
        holders = {name: each.id for name, each in self._holders.items() if each.stamp is not None}
        ids = {id for each in found for id in (each.said.id, each.edited)}
        kept = self._stored(ids)
        known = notes.observations.known(list(ids - kept.keys()))
        self._erased = {id for id, how in known.items() if how is ImportResult.ERASED}
        clean = {id: Cleaner().observation(each) for id, each in kept.items()}
        owners = {holders[name]: name for name in holders.keys() & (self._files.keys() - set(changed))}
        for each in assigned(found, clean, holders, owners):
            self._place(each, kept)
        for arrivals in batches(self._arrivals, _PORTION):
            notes.observations.insert_new(arrivals, entry=notes.entry)
            yield

    def _stored(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        pages = map(self.notes.observations.get_all, batches(list(ids), PAGE))
        return {id: each for page in pages for id, each in page.items()}

    def _is_known(self, name: str, stamp: str) -> bool:
        holder, left = self._holders.get(name), self.notes.left.get(name)
        if left is not None:
            # Read a skipped file again even if it is unchanged, because the reason may no longer hold.
            return left.stamp == stamp and not left.reason
        return holder is not None and holder.stamp == stamp

    def _leave(self, name: str, stamp: str, reason: str) -> None:
        self.notes.left[name] = LeftFile(stamp, reason)

    def _read(self, name: str) -> FileMemory | None:
        """Return the memory in a changed file. If the file is unusable, leave it alone, and return None."""
        stamp = self._files[name]
        left = self.notes.left.pop(name, None)
        try:
            text, stamp = self.notes.folder.read(name)
            said = parsed(text, self.project)
            if said is None:
                self._leave(name, stamp, "it has lost its front matter" if name in self._holders else "")
                return None
            said, secrets = self._cleaned(said)
            # Skipped files are read again by each sync, so count their secrets only once.
            self.notes.account.redacted += secrets if left is None or left.stamp != stamp else 0
        except (UnfitFileError, UnusableFileError) as error:
            self._leave(name, stamp, str(error))
            return None
        return FileMemory(name, stamp, said)

    def _cleaned(self, said: Observation) -> tuple[Observation, int]:
        """Redact a memory written by another machine or person. Also return the number of redacted secrets.

        Raises:
            UnfitFileError: The memory couldn't be saved here, for example because it is too long.
        """
        if said.kind is not Kind.NOTE:
            raise UnfitFileError(f"it is a {said.kind}, and only notes and decisions are shared")
        if said.created_at > self.notes.clock.now() + MOST_AHEAD:
            raise UnfitFileError("the time in it is in the future. Check the clock of this machine")
        if reason := unfit(said):
            raise UnfitFileError(reason)
        cleaner = Cleaner()
        clean = cleaner.observation(said)
        content = trimmed(clean.content)
        if is_emptied(content) and is_emptied(clean.title):
            raise UnfitFileError("all of its text is secret or private")
        title = clean.title.strip() or generated_title(content)
        author = cleaner.text(said.author or UNKNOWN)
        return evolve(clean, content=content, title=title, author=author), cleaner.secrets

    def _place(self, file: Assignment, kept: Mapping[UUID, Observation]) -> None:
        """Store, restore or replace the memory of a file. If that isn't possible, leave the file alone."""
        notes, name, holder = self.notes, file.file.name, self._holders.get(file.file.name)
        known, own = kept.get(file.id), kept.get(file.file.said.id)
        if file.owner != name:
            reason: str | None = f"{file.owner} is the same memory"
        else:
            if known is not None or file.id in self._erased:
                notes.see(file.id, known)
            reason = self._absence(file, holder)
        if own is not None and own.kind is not Kind.NOTE:
            reason = "its id is that of another kind of memory"
        if reason is None and not self._store(file, known):
            reason = "its memory was changed here at the same time"
        if reason:
            self._leave(name, file.file.stamp, reason)
            return
        if holder is not None and holder.id != file.id and notes.memories[holder.id].name == name:
            now, live = notes.memories[holder.id], notes.is_live(holder.id)
            notes.memories[holder.id] = evolve(now, name=None, stamp=None, live=live)
        notes.hold(file.id, name, file.file.stamp)

    def _absence(self, file: Assignment, holder: SharedMemory | None) -> str | None:
        """Return the reason to skip a file because its memory must stay purged or erased.

        Returns:
            The reason; empty if this sync also removes the file. None if the memory may come back.
        """
        notes, known = self.notes, self.notes.memories.get(file.id)
        if file.id in self._erased:
            # If the erase couldn't remove the file, remove it now. Leave a changed file, because its text can't be
            # compared with the erased text any more.
            same = known is not None and known.live and known.stamp == file.file.stamp
            return "" if same else "its memory was erased here"
        if known is None or notes.now.get(file.id) is not Now.PURGED or known.by_file:
            return None
        mine = holder is not None and holder.id == file.id
        if known.live and mine:
            # The memory was purged here after the last sync, so remove the file, too.
            return ""
        if holder is not None and holder.stamp is not None and not mine:
            # Meanwhile, the file held another memory. Now it has the text of this memory again.
            return None
        short = file.id.hex[:SHORT_ID_CHARACTERS]
        # The memory was replaced here and restored on another machine, which has written this new file.
        restored = holder is None and file.id in notes.successors and short in file.file.name
        # The file was removed and exists again, because a person has restored it, or because another branch has
        # it.
        if restored or (not known.live and holder is not None and self._history.was_deleted(file.file.name)):
            return None
        return f"its memory was purged here; to restore it: lamella restore {short}"

    def _store(self, file: Assignment, known: Observation | None) -> bool:
        """Store or restore the memory of a file, and purge the former version `file.former`.

        Returns:
            False if the former version was changed at the same time.
        """
        notes, said, before = self.notes, file.file.said, file.former
        if before is not None and not notes.is_live(before):
            if known is None:
                notes.tell_conflict(file.file.name, file.id, before)
            before = None
        if before is not None:
            # If a person has edited the file, its time is too old, because people don't update it. Use the present
            # time.
            at = said.created_at if file.id == said.id else notes.entry.by.at
            new = Draft.of(said).observed(id=file.id, project=self.project, sequence=0, now=at)
            if not notes.replace(known or new, before):
                return False
            notes.account.edited += known is None
        elif known is None:
            self._arrivals.append(Arrival(observation=evolve(said, id=file.id)))
            notes.now[file.id] = Now.LIVE
            notes.account.new += 1
        elif known.purged:
            notes.restore(file.id)
        notes.account.restored += known is not None and known.purged
        return True

    def follow_gone(self, *, sure: bool) -> bool:
        """Purge memories whose files were deleted. Keep a memory if its file is only missing on this branch.

        Args:
            sure: True to purge memories even if all files are gone, or if git can't say whether files were
                deleted.

        Returns:
            False if nothing was purged because all files are gone, or because most of them are in another folder.
        """
        notes, lost = self.notes, []
        for each in list(notes.memories.values()):
            if each.stamp is None or each.name in self._files:
                continue
            if not notes.is_live(each.id):
                notes.memories[each.id] = evolve(each, stamp=None, live=False)
            elif (past := self._history.past) is None and not sure:
                notes.account.undecided += 1
            elif past is None or past.lost(self._history.path(each.name)):
                lost.append(each.id)
            else:
                notes.memories[each.id] = evolve(each, stamp=None)
        notes.account.moved_to = self._new_folder(lost) if lost else ""
        if lost and (notes.account.moved_to or (not sure and self._needs_confirmation(lost))):
            notes.account.waiting = len(lost)
            past = self._history.past
            names = (self._history.path(notes.memories[id].name) for id in lost)
            notes.account.restorable = past is not None and not past.missing.isdisjoint(names)
            return False
        if notes.share.waiting and not sure:
            # The user has restored the committed files instead of purging all memories.
            uncommitted = [id for id in lost if self._is_uncommitted(id)]
            for id in uncommitted:  # `write` writes their files again
                notes.memories[id] = evolve(notes.memories[id], stamp=None, live=False)
            lost = [id for id in lost if id not in uncommitted]
        if lost:
            notes.purge(lost)
            notes.account.purged += len(lost)
        return True

    def _new_folder(self, lost: Sequence[UUID]) -> str:
        """Return the folder that now has most files of the last sync; empty if there is none."""
        share, places = self.notes.share, Counter[str]()
        names = {self.notes.memories[id].name for id in lost}
        for path in self.working_tree.files(share.root, ".md"):
            folder, _, name = path.rpartition("/")
            if name in names and folder not in ("", share.folder) and self._is_memory(path):
                places[folder] += 1
        former = sum(each.stamp is not None for each in share.memories.values())
        return next((folder for folder, files in places.most_common(1) if 2 * files > former), "")

    def _is_memory(self, path: str) -> bool:
        try:
            return parsed(self.working_tree.text(self.notes.share.root, path), self.project) is not None
        except UnfitFileError:
            return False

    def _is_uncommitted(self, id: UUID) -> bool:
        """Return True if the file of a memory was never committed."""
        past = self._history.past
        return past is not None and self._history.path(self.notes.memories[id].name) not in past.ever

    def _needs_confirmation(self, lost: Sequence[UUID]) -> bool:
        """Return True if a person may have deleted the shared folder by mistake.

        This is possible if no file of the last sync is left. But no confirmation is needed if commits have deleted
        all missing files, and either only one file is missing, or the folder still has other files.
        """
        notes, history = self.notes, self._history
        former = [each for each in notes.share.memories.values() if each.stamp is not None]
        others = any(each.stamp is not None and each.name in self._files for each in notes.memories.values())
        deleted = all(history.was_deleted(each.name) for each in former if each.id in lost)
        if deleted and (others or len(lost) == 1):
            return False
        if notes.share.waiting:
            return len(lost) >= notes.share.waiting
        return not any(
            each.name in self._files or (notes.is_live(each.id) and each.id not in lost) for each in former
        )
