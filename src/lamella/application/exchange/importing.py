"""Store the portions of an export."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from attrs import define, evolve, field

from lamella.application.conversations.import_transcripts import changed_messages
from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.edited_files import EditedFiles
from lamella.application.exchange.export import pages_of
from lamella.application.memories.rehearsal import Rehearsal
from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.conversations.message import Batch, MessageDraft
from lamella.domain.exchange.arrival import Arrival, amends
from lamella.domain.ledger.ageing import ages
from lamella.domain.memories.observation import Observation
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.importing import ImportResult
from lamella.domain.transactions.look import Look
from lamella.domain.transactions.status import StatusThere
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.storage import Capability, Storage

MOST_AHEAD = timedelta(days=1)
"""Maximum time by which a memory may be in the future.

A memory from the far future would give later saves wrong times: they are dated no earlier than this memory.
"""

_LATEST = datetime.max.replace(tzinfo=UTC)


def import_entry(by: Signature) -> AuditEntry:
    """Return the audit entry of an import. The storage adds the ids of imported memories to the entry."""
    return AuditEntry(id=uuid4(), action=Action.IMPORT, by=by)


@define
class Portion:
    """Records of one project to store together."""

    project: Project
    arrivals: list[Arrival] = field(factory=list)
    entries: list[AuditEntry] = field(factory=list)
    drafts: list[MessageDraft] = field(factory=list)
    names: dict[str, str] = field(factory=dict)
    marks: frozenset[bytes] = frozenset()
    """Marks of data that was erased in the other storage; see `domain.text.marks`."""

    def __len__(self) -> int:
        return len(self.arrivals) + len(self.entries) + len(self.drafts) + len(self.names) + len(self.marks)

    def halved(self) -> "tuple[Portion, Portion]":
        """Return two portions of about half the size. Memories come first, because audit entries may name them."""
        half = len(self.arrivals) // 2
        if half:
            rest = evolve(self, arrivals=self.arrivals[half:])
            return Portion(self.project, arrivals=self.arrivals[:half]), rest
        entries, drafts = len(self.entries) // 2, len(self.drafts) // 2
        first = evolve(self, entries=self.entries[:entries], drafts=self.drafts[:drafts], names={})
        return first, evolve(self, arrivals=[], entries=self.entries[entries:], drafts=self.drafts[drafts:])


@define
class Importing:
    """Writer that stores the portions of an import, for `ImportRecords`.

    Attributes:
        known: Ids of projects that exist here.
        entry: Entry of the import in audit trails.
        edits: Finds edits in the export; None for an export that nobody edits.
        dry_run: See `ImportRecords`.
        new: Ids of new memories.
        erasures: True to store audit entries of erasures even if the erased memories may still exist here.
        trails: True to store all audit entries. If False, store only some: entries that are older than the import
            of one of their memories; entries of merges and splits; and, if the trail here was empty before this
            import, entries of erasures.
    """

    storage: Storage
    known: set[str]
    entry: AuditEntry
    edits: EditedFiles | None = field(default=None, kw_only=True)
    dry_run: bool = field(kw_only=True)
    erasures: bool = field(default=False, kw_only=True)
    trails: bool = field(default=False, kw_only=True)
    account: ImportAccount = field(factory=ImportAccount)
    new: set[UUID] = field(factory=set)
    _met: set[str] = field(factory=set)
    """Ids of projects that had memories here before the import."""
    _purged: set[UUID] = field(factory=set)
    """Ids of the memories that were purged before the import, and stay so."""
    _counted: set[UUID] = field(factory=set)
    """Ids of memories counted so far. Exports of several machines may have the same memory."""
    _arrived: dict[str, dict[UUID, datetime]] = field(factory=dict)
    """Times when memories were imported here, keyed by project id and then by memory id."""
    _logged: set[str] = field(factory=set)
    """Ids of projects with audit entries before the import."""
    _rehearsals: dict[str, Rehearsal] = field(factory=dict)
    _keys: defaultdict[str, set[str]] = field(factory=lambda: defaultdict(set))
    """Keys of each project's new messages in a dry run."""

    def observations(self, project: str) -> ObservationStorage:
        """Return the memories of a project. In a dry run, their changes aren't stored."""
        if self.dry_run and project not in self._rehearsals:
            stored = self.storage.observations(project) if project in self.known else None
            self._rehearsals[project] = Rehearsal(stored)
        return self._rehearsals[project] if self.dry_run else self.storage.observations(project)

    def store(self, portion: Portion) -> Portion:
        """Store a portion, or count its new records.

        Returns:
            The records that exist here now. These records are left out: memories that were erased here, commits
            with another id here, and entries of erasures that weren't stored.

        Raises:
            StorageError: The storage failed. Some of the records may be stored.
        """
        project = portion.project
        kept = self._memories(project, portion.arrivals) if portion.arrivals else ()
        entries: Sequence[AuditEntry] = ()
        if portion.entries and project.id in self.known and Capability.AUDIT in self.storage.capabilities:
            entries = self._entries(project.id, portion.entries)
        if (portion.drafts or portion.names) and Capability.CONVERSATIONS in self.storage.capabilities:
            new = self._messages(project.id, portion)
            self.account.messages += new
            self.account.known_messages += len(portion.drafts) - new
        if portion.marks:
            self._keep_away(project.id, portion.marks)
        return evolve(portion, arrivals=list(kept), entries=list(entries))

    def _keep_away(self, project: str, marks: frozenset[bytes]) -> None:
        """Purge memories erased in the other storage, and record their marks: no import will restore them."""
        observations = self.observations(project)
        if new := marks - observations.erased():
            every = (each.observation for page in pages_of(observations) for each in page)
            live = [each.id for each in every if not each.purged and memory_mark(each.id) in new]
            self.account.withdrawn += len(live)
            observations.keep_away(new)
            gone = [StatusThere(id=id, at=self.entry.by.at) for id in live]
            observations.follow(gone, entry=self.entry.within(project))

    def _memories(self, project: Project, arrivals: Sequence[Arrival]) -> Sequence[Arrival]:
        """Store memories, and count the outcomes. Return the memories that are stored afterwards."""
        learned = self._learned(project.id, arrivals)
        others = [each for each in arrivals if each.observation.id not in learned]
        outcomes = self._taken(project.id, others)
        self.account.known += len(learned)
        for arrival, outcome in zip(others, outcomes, strict=True):
            if arrival.observation.id in self._counted:
                continue
            self._counted.add(arrival.observation.id)
            if outcome is ImportResult.NEW:
                self._arrived.get(project.id, {})[arrival.observation.id] = _LATEST
                self.new.add(arrival.observation.id)
                self.account.new[project.name, arrival.observation.kind] += 1
            elif outcome is ImportResult.ERASED:
                self.account.erased += 1
            else:
                self.account.known += 1
                self._met.add(project.id)
        self.account.purged = len(self._purged - (self.edits.replaced if self.edits is not None else set()))
        pairs = zip(others, outcomes, strict=True)
        return [arrival for arrival, outcome in pairs if outcome is not ImportResult.ERASED]

    def _taken(self, project: str, arrivals: Sequence[Arrival]) -> Sequence[ImportResult]:
        observations = self.observations(project)
        taken = observations.insert_new(arrivals, entry=self.entry.within(project))
        pairs = zip(arrivals, taken, strict=True)
        purged = {each.observation.id for each, outcome in pairs if outcome is ImportResult.PURGED}
        self._purged |= purged - self._counted
        self._follow(project, arrivals, taken)
        if self.edits is not None:
            search = self.storage.search(project) if project in self.known else None
            self.edits.find(observations, search, arrivals)
        return taken

    def _follow(self, project: str, arrivals: Sequence[Arrival], taken: Sequence[ImportResult]) -> None:
        """Repeat purges and restores that another storage made after the last change of the memory here."""
        observations = self.observations(project)
        pairs = zip(arrivals, taken, strict=True)
        there = {each.observation.id: each for each, outcome in pairs if _may_differ(each.observation, outcome)}
        amended: list[Arrival] = []
        changed: list[StatusThere] = []
        for id, here in observations.get_all(list(there)).items():
            said = there[id].observation
            if amends(said, here):
                amended.append(there[id])
            elif said.purged_at is None and here.purged and here.updated_at < said.updated_at:
                changed.append(StatusThere(id=id, at=said.updated_at, purged=False))
            # Keep the time of the change at the source, so that a later change there counts as newer.
            if said.purged_at is not None and here.updated_at < said.purged_at:
                changed.append(StatusThere(id=id, at=said.purged_at, replaced_by=said.replaced_by))
                self.account.followed += (here.purged, here.replaced_by) != (True, said.replaced_by)
        self.account.amended += len(amended)
        restored = [each.id for each in changed if not each.purged]
        self.account.restored += len(restored)
        self._purged.difference_update(restored)
        if amended:
            observations.amend(amended)
        if changed:
            observations.follow(changed, entry=self.entry.within(project))

    def _entries(self, project: str, entries: Sequence[AuditEntry]) -> Sequence[AuditEntry]:
        """Store the audit entries that `erasures` and `trails` select. Return the stored entries."""
        trail = self.storage.audit(project)
        if not self.erasures and project in self._met and any(each.action is Action.ERASE for each in entries):
            known = {each.id for each in trail.all()}
            undone = [each for each in entries if each.action is Action.ERASE and each.id not in known]
            self.account.erased_there += sum(each.count for each in undone)
            entries = [each for each in entries if each not in undone]
        if not self.trails and not self.dry_run:
            arrived = self._arrived.get(project)
            if arrived is None:
                arrived, every = self._arrived.setdefault(project, {}), list(trail.all())
                self._logged |= {project for each in every if each.id != self.entry.within(project).id}
                for each in reversed([each for each in every if each.action is Action.IMPORT]):
                    # This import's own entries count as latest, because a clock elsewhere may be ahead of ours.
                    at = _LATEST if each.id == self.entry.within(project).id else each.by.at
                    arrived.update(dict.fromkeys(each.added, at))
            erase = () if project in self._logged else (Action.ERASE,)
            entries = [each for each in entries if _is_earlier(each, arrived) or each.action in erase or each.old]
        if entries and not self.dry_run:
            trail.add(entries)
        return entries

    def _learned(self, project: str, arrivals: Sequence[Arrival]) -> frozenset[UUID]:
        """Return the ids of imported commits that this storage has learned itself, under other ids."""
        learned = [each for each in arrivals if each.observation.learned]
        commits = {each.request: each.observation.id for each in learned if each.request}
        if not commits or Capability.LEDGER not in self.storage.capabilities:
            return frozenset()
        observations = self.observations(project)
        recorded = [commits[each] for each in observations.look(Look(requests=tuple(commits))).recorded]
        return frozenset(recorded) - set(observations.known(recorded))

    def _messages(self, project: str, portion: Portion) -> int:
        new = {each.key for each in portion.drafts} - self._keys[project]
        if project in self.known:
            conversations = self.storage.conversations(project)
            known = conversations.names() if portion.names else {}
            other = [session for session, name in portion.names.items() if known.get(session, name) != name]
            self.account.differing += len([*other, *changed_messages(portion.drafts, conversations)])
            if not self.dry_run:
                names = {session: name for session, name in portion.names.items() if session not in known}
                batch = Batch(source="lamella export", position="", drafts=tuple(portion.drafts), names=names)
                return conversations.add(batch)
            new -= conversations.known(new)
        self._keys[project] |= new
        return len(new)


def _may_differ(there: Observation, outcome: ImportResult) -> bool:
    """Return True if the other storage may have purged, restored or amended a known memory."""
    purged = outcome is ImportResult.PURGED
    return purged or (outcome is ImportResult.KNOWN and (there.purged or ages(there)))


def _is_earlier(entry: AuditEntry, arrived: Mapping[UUID, datetime]) -> bool:
    """Return True if an entry is earlier than the import of one of its memories."""
    return any(entry.by.at < arrived[id] for id in entry.memories if id in arrived)
