"""The files of a shared folder during a sync, and their effects in storage."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.exchange.edited_files import replace_beside
from lamella.application.exchange.importing import MOST_AHEAD
from lamella.application.exchange.share_memories import FolderHistory, Now, SharedNotes, batches, unfit
from lamella.application.privacy.cleaner import Cleaner
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.edits import FileMemory
from lamella.domain.exchange.shared_file import UnfitFileError, parsed, says_the_same
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.privacy.redaction import is_emptied
from lamella.ports.shared_folder import LeftFile, SharedMemory, UnusableFileError
from lamella.ports.storage.observations import ImportResult
from lamella.ports.working_tree import WorkingTree

_STEP = 1_000
"""Number of changed files to read at a time. Texts that move between them are recognised."""

_PORTION = 100
"""Number of new memories to store at a time."""

UNKNOWN = "shared file"
"""Author of a memory from a file without one."""


@define
class SharedFiles:
    """The files of a shared folder, now and at the last sync."""

    notes: SharedNotes
    working_tree: WorkingTree
    project: str
    _files: Mapping[str, str] = field(factory=dict)
    _holders: dict[str, SharedMemory] = field(factory=dict)
    _claimed: dict[UUID, str] = field(factory=dict)
    _arrivals: list[Arrival] = field(factory=list)
    _erased: set[UUID] = field(factory=set)
    _names: Mapping[UUID, str] = field(factory=dict)
    """Names of the changed files, by the id of the memory with the text of the file."""
    _said: dict[UUID, Observation] = field(factory=dict)
    """Memories in the files assigned so far, by id."""
    _leaving: set[bytes] = field(factory=set)
    """Fingerprints of memories whose files have another text now."""
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
        # A purged memory may keep the name of its deleted file, which may belong to another memory by now.
        memories = sorted(notes.memories.values(), key=lambda each: each.stamp is not None)
        self._holders = {each.name: each for each in memories if each.name is not None}
        for name in notes.left.keys() - self._files.keys():
            del notes.left[name]
        changed = sorted(name for name, stamp in self._files.items() if not self._is_known(name, stamp))
        if changed:  # those left alone may no longer have the text of another file
            changed += [name for name, each in notes.left.items() if each.reason and name not in changed]
        unchanged = self._files.keys() - set(changed)
        self._claimed = {each.id: name for name, each in self._holders.items() if name in unchanged}
        for names in batches(changed, _STEP):
            found = [each for each in map(self._read, names) if each is not None]
            formers = notes.observations.get_all({each.said.id for each in found})
            found = [each.titled(formers.get(each.said.id)) for each in found]
            ids = {id for each in found for id in (each.said.id, each.edited, self._holder(each))}
            kept = notes.observations.get_all(ids)
            held = ((kept.get(self._holder(each)), each.said) for each in found)
            self._leaving = {
                now.fingerprint for now, said in held if now is not None and not says_the_same(now, said)
            }
            self._erased = {id for id, how in notes.observations.known(ids).items() if how is ImportResult.ERASED}
            self._names = {self._target(each, kept): each.name for each in reversed(found)}
            self._said.clear()
            # Place the file with the id in its name before an edited copy of it.
            for each in sorted(found, key=lambda each: each.said.id.hex[:SHORT_ID_CHARACTERS] not in each.name):
                self._place(each, kept)
            for arrivals in batches(self._arrivals, _PORTION):
                notes.observations.insert_new(arrivals, entry=notes.entry)
                yield
            self._arrivals.clear()
            yield

    def _holder(self, found: FileMemory) -> UUID:
        """Return the id of the memory that the file belonged to at the last sync.

        For a new file, return the id in it.
        """
        holder = self._holders.get(found.name)
        return found.said.id if holder is None or holder.stamp is None else holder.id

    def _target(self, found: FileMemory, kept: Mapping[UUID, Observation]) -> UUID:
        """Return the id of the memory with the text of a file: its own, or that of an edit."""
        former = kept.get(found.said.id)
        same = former is None or says_the_same(Cleaner().observation(former), found.said)
        return found.said.id if same else found.edited

    def _is_known(self, name: str, stamp: str) -> bool:
        holder, left = self._holders.get(name), self.notes.left.get(name)
        return (holder is not None and holder.stamp == stamp) or (left is not None and left.stamp == stamp)

    def _leave(self, name: str, stamp: str, reason: str) -> None:
        self.notes.left[name] = LeftFile(stamp, reason)

    def _read(self, name: str) -> FileMemory | None:
        """Read the memory in a changed file. If it is unusable, record the file as left alone, and return None."""
        stamp = self._files[name]
        self.notes.left.pop(name, None)
        try:
            text, stamp = self.notes.folder.read(name)
            said = parsed(text, self.project)
            if said is None:
                self._leave(name, stamp, "it has lost its front matter" if name in self._holders else "")
                return None
            said = self._cleaned(said)
        except (UnfitFileError, UnusableFileError) as error:
            self._leave(name, stamp, str(error))
            return None
        return FileMemory(name, stamp, said)

    def _cleaned(self, said: Observation) -> Observation:
        """Redact the secrets of a memory written by another machine or person.

        Raises:
            UnfitFileError: The memory couldn't be saved here, for example because it is too long.
        """
        if said.kind is not Kind.NOTE:
            raise UnfitFileError(f"it is a {said.kind}, and only notes and decisions are shared")
        if said.created_at > self.notes.clock.now() + MOST_AHEAD:
            raise UnfitFileError("it is from the future. Check the clock")
        if reason := unfit(said):
            raise UnfitFileError(reason)
        cleaner = Cleaner()
        clean = cleaner.observation(said)
        content = clean.content.strip()
        if is_emptied(content) and is_emptied(clean.title):
            raise UnfitFileError("all of its text is secret or private")
        title = clean.title.strip() or generated_title(content)
        author = cleaner.text(said.author or UNKNOWN)
        self.notes.account.redacted += cleaner.secrets
        return evolve(clean, content=content, title=title, author=author)

    def _place(self, found: FileMemory, kept: Mapping[UUID, Observation]) -> None:
        """Assign a file to its memory, and store an unknown memory."""
        former, holder = kept.get(found.said.id), self._holders.get(found.name)
        said = evolve(found.said, id=self._target(found, kept))
        if former is not None and former.kind is not Kind.NOTE:
            self._leave(found.name, found.stamp, "its id is that of another kind of memory")
            return
        first = self._said.setdefault(said.id, found.said)
        if not says_the_same(first, found.said):
            said = evolve(said, id=found.edited)
        other = self._claimed.setdefault(said.id, found.name)
        if other != found.name:
            self._leave(found.name, found.stamp, f"{other} is the same memory")
            return
        known = kept.get(said.id)
        if known is not None:
            self.notes.see(said.id, known)
        id: UUID | None = said.id
        if not self._stays_away(said.id, found.name, holder):
            before = self._former(found, said.id, former)
            if before is not None and not self.notes.is_live(before):
                if known is None:
                    self.notes.tell_conflict(found.name, said.id, before)
                before = None
            id = self._store(found, said, before) if known is None else self._keep(known, before)
        if id is None:
            return
        if holder is not None and holder.id != id and self.notes.memories[holder.id].name == found.name:
            now, live = self.notes.memories[holder.id], self.notes.is_live(holder.id)
            self.notes.memories[holder.id] = evolve(now, name=None, stamp=None, live=live)
        self.notes.hold(id, found.name, found.stamp)

    def _former(self, found: FileMemory, id: UUID, former: Observation | None) -> UUID | None:
        """Return the id of the memory that memory `id` has replaced in its file, or None."""
        # The file had another memory before, or was edited on another machine.
        for before in (self._holder(found), id if former is None else former.id):
            if self._names.get(before, found.name) == found.name and before not in self._claimed:
                return before if before != id else None
        return None

    def _stays_away(self, id: UUID, name: str, holder: SharedMemory | None) -> bool:
        """Return True if a memory stays purged or erased although its file exists."""
        notes, known = self.notes, self.notes.memories.get(id)
        if id in self._erased:
            notes.see(id, None)
            return True
        if known is None or notes.now.get(id) in (None, Now.LIVE):
            return False
        if holder is not None and holder.id != id and holder.stamp is not None:
            # The file has again the text that it had before.
            return False
        if known.by_file:
            return False
        if known.live:
            # The memory was purged here after the last sync, so this sync removes the file.
            return True
        # The file was removed, and exists again: a person has restored it, or another branch has it.
        known_here = holder is not None and holder.stamp is None
        return not (known_here and self._history.was_deleted(name))

    def _keep(self, known: Observation, before: UUID | None) -> UUID:
        """Restore a known memory, and purge the one it replaces. Return its id."""
        if known.purged:
            self.notes.restore(known.id)
            self.notes.account.restored += 1
        if before is not None:
            self.notes.purge([before], heir=known.id)
        return known.id

    def _store(self, found: FileMemory, said: Observation, before: UUID | None) -> UUID | None:
        """Store an unknown memory. Return its id, None if the file was left alone."""
        notes = self.notes
        if before is None:
            self._arrivals.append(Arrival(observation=said))
            notes.now[said.id] = Now.LIVE
            notes.account.new += 1
            return said.id
        draft = Draft.of(said, replaces=(before,))
        # A person who edits a file leaves the time in it unchanged.
        at = notes.clock.now() if said.id == found.edited else said.created_at
        if draft.fingerprint in self._leaving:
            new = draft.observed(id=said.id, project=self.project, sequence=0, now=at)
            replace_beside(notes.observations, new, before, notes.entry)
            notes.now[before], notes.now[said.id] = Now.PURGED, Now.LIVE
            notes.successors[before] = said.id
            notes.account.edited += 1
            return said.id
        try:
            saved = notes.observations.add(draft, id=said.id, now=at)
        except NotReplaceableError:
            # The memory was purged a moment ago, so leave it to the next sync.
            self._leave(found.name, "", "it was changed here at the same time")
            return None
        id = saved.observation.id
        notes.see(id, saved.observation)
        if id != before:
            notes.now[before] = Now.PURGED
            notes.account.edited += 1
        other = self._claimed.setdefault(id, found.name)
        if other != found.name:
            self._leave(found.name, found.stamp, f"{other} says the same")
            return None
        return id

    def follow_gone(self, *, sure: bool) -> bool:
        """Purge memories whose files were deleted. Keep memories whose file still exists on another branch.

        Args:
            sure: True to purge also if all files are gone, or if git can't say whether they were deleted.

        Returns:
            False if all files are gone, and nothing was purged.
        """
        notes, lost = self.notes, []
        for each in list(notes.memories.values()):
            if each.stamp is None or each.name in self._files:
                continue
            if not notes.is_live(each.id):
                notes.memories[each.id] = evolve(each, stamp=None, live=False)
            elif not each.live:
                notes.memories[each.id] = evolve(each, stamp=None)
            elif (past := self._history.past) is None and not sure:
                notes.account.undecided += 1
            elif past is None or past.lost(self._history.path(each.name)):
                lost.append(each.id)
            else:
                notes.memories[each.id] = evolve(each, stamp=None)
        if lost and not sure and self._are_all(lost):
            notes.account.waiting = len(lost)
            return False
        if lost:
            notes.purge(lost)
            notes.account.purged += len(lost)
        return True

    def _are_all(self, lost: Sequence[UUID]) -> bool:
        """Return True if all shared files are gone. Return False if there was one file, deleted by a commit."""
        former = [each for each in self.notes.share.memories.values() if each.stamp is not None]
        if any(
            each.name in self._files or (self.notes.is_live(each.id) and each.id not in lost) for each in former
        ):
            return False
        return len(lost) > 1 or not all(self._history.was_deleted(each.name) for each in former if each.id in lost)
