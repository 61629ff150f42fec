"""Store the portions of an export."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from attrs import define, evolve, field

from lamella.application.conversations.import_transcripts import changed_messages
from lamella.application.exchange.edited_files import EditedFiles
from lamella.application.exchange.export import pages_of
from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.conversations.message import Batch, MessageDraft
from lamella.domain.exchange.arrival import Arrival, amends
from lamella.domain.ledger.ageing import ages
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import memory_mark
from lamella.domain.transactions.importing import ImportResult
from lamella.domain.transactions.status import StatusThere
from lamella.ports.storage.storage import Capability, Storage

MOST_AHEAD = timedelta(days=1)
"""Maximum time by which a memory may be in the future. Later saves are dated no earlier than this memory."""

_LATEST = datetime.max.replace(tzinfo=UTC)


def import_entry(by: Signature) -> AuditEntry:
    """Return the audit entry of an import. The storage adds the ids of imported memories to the entry."""
    return AuditEntry(id=uuid4(), action=Action.IMPORT, by=by)


@define
class ImportAccount:
    """Progress and result of an import.

    Attributes:
        new: Numbers of new memories, keyed by name of the target project and by kind.
        known: Number of memories that already existed.
        purged: Number of existing memories that are purged here. Replaced memories don't count.
        erased: Number of memories skipped because they were erased here.
        edited: Number of memories replaced because their text was edited in the export.
        left: Reasons for skipping files or lines, keyed by name.
        conflicts: Messages about edits of memories that were also corrected here, keyed by name of the file or
            line.
        followed: Number of existing memories purged now, because the source has purged them.
        restored: Number of existing memories restored now, because the source has restored them.
        amended: Number of captured edits updated, because the source has extended them.
        erased_there: Number of memories erased at the source, but kept here.
        withdrawn: Number of memories purged now, because another machine of the user has erased them.
        messages, known_messages: Numbers of new messages, and of messages that already existed.
        differing: Number of messages and session names with another text here. The text here stays.
        redacted: Number of redacted secrets; see `Portions.redacted`.
        split: Number of memories that are parts of a longer text.
        projects: Number of projects, except the project of global memories.
        everywhere: True if the export has global memories.
        off: Numbers of records skipped because memory is off, keyed by project name.
    """

    new: "Counter[tuple[str, Kind]]" = field(factory=Counter)
    known: int = 0
    purged: int = 0
    erased: int = 0
    edited: int = 0
    left: dict[str, str] = field(factory=dict)
    conflicts: dict[str, str] = field(factory=dict)
    followed: int = 0
    restored: int = 0
    amended: int = 0
    erased_there: int = 0
    withdrawn: int = 0
    messages: int = 0
    known_messages: int = 0
    differing: int = 0
    redacted: int = 0
    split: int = 0
    projects: int = 0
    everywhere: bool = False
    off: "Counter[str]" = field(factory=Counter)

    @property
    def memories(self) -> int:
        """Number of new memories."""
        return self.new.total()


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
        trails: True to store all audit entries. If False, two kinds are skipped: entries about changes after their
            memories were imported here, and entries of erasures if the trail here already has entries.
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
    _counted: set[UUID] = field(factory=set)
    """Ids of memories counted so far. Exports of several machines may have the same memory."""
    _arrived: dict[str, dict[UUID, datetime]] = field(factory=dict)
    """Times when memories were imported here, keyed by project id and then by memory id."""
    _logged: set[str] = field(factory=set)
    """Ids of projects with audit entries before the import."""

    def store(self, portion: Portion) -> Portion:
        """Store a portion, or count its new records.

        Returns:
            The records that exist here now. These records are left out: memories that were erased here, commits
            with another id here, and entries of erasures that weren't stored.

        Raises:
            StorageError: The storage failed. Some of the records may be stored.
        """
        project, known = portion.project, portion.project.id in self.known
        kept: Sequence[Arrival] = portion.arrivals
        entries: Sequence[AuditEntry] = ()
        if portion.arrivals:
            kept = self._memories(project, portion.arrivals, known=known)
        if portion.entries and known and Capability.AUDIT in self.storage.capabilities:
            entries = self._entries(project.id, portion.entries)
        if (portion.drafts or portion.names) and Capability.CONVERSATIONS in self.storage.capabilities:
            new = self._messages(project.id, portion) if known else len(portion.drafts)
            self.account.messages += new
            self.account.known_messages += len(portion.drafts) - new
        if portion.marks and known:
            self._keep_away(project.id, portion.marks)
        return evolve(portion, arrivals=list(kept), entries=list(entries))

    def _keep_away(self, project: str, marks: frozenset[bytes]) -> None:
        """Purge memories erased in the other storage. Record their marks, so that no import restores them."""
        observations = self.storage.observations(project)
        if new := marks - observations.erased():
            every = (each.observation for page in pages_of(observations) for each in page)
            live = [each.id for each in every if not each.purged and memory_mark(each.id) in new]
            self.account.withdrawn += len(live)
            if not self.dry_run:
                observations.keep_away(new)
                gone = [StatusThere(id=id, at=self.entry.by.at) for id in live]
                observations.follow(gone, entry=self.entry.within(project))

    def _memories(self, project: Project, arrivals: Sequence[Arrival], *, known: bool) -> Sequence[Arrival]:
        """Store memories, and count the outcomes. Return the memories that exist here afterwards."""
        learned = self._learned(project.id, arrivals) if known else frozenset()
        others = [each for each in arrivals if each.observation.id not in learned]
        outcomes = self._taken(project.id, others) if known else [ImportResult.NEW] * len(others)
        self.account.known += len(learned)
        replaced = self.edits.replaced if self.edits is not None else ()
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
                self.account.purged += outcome is ImportResult.PURGED and arrival.observation.id not in replaced
                self._met.add(project.id)
        pairs = zip(others, outcomes, strict=True)
        return [arrival for arrival, outcome in pairs if outcome is not ImportResult.ERASED]

    def _taken(self, project: str, arrivals: Sequence[Arrival]) -> Sequence[ImportResult]:
        observations = self.storage.observations(project)
        if self.dry_run:
            kept = observations.known([each.observation.id for each in arrivals])
            taken = [kept.get(each.observation.id, ImportResult.NEW) for each in arrivals]
        else:
            taken = list(observations.insert_new(arrivals, entry=self.entry.within(project)))
        self._follow(project, arrivals, taken)
        if self.edits is not None:
            self.edits.find(observations, self.storage.search(project), arrivals)
        return taken

    def _follow(self, project: str, arrivals: Sequence[Arrival], taken: Sequence[ImportResult]) -> None:
        """Repeat purges and restores made at the source after the last change here. Extend captured edits."""
        observations = self.storage.observations(project)
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
        self.account.restored += sum(not each.purged for each in changed)
        if self.dry_run:
            return
        if amended:
            observations.amend(amended)
        if changed:
            observations.follow(changed, entry=self.entry.within(project))

    def _entries(self, project: str, entries: Sequence[AuditEntry]) -> Sequence[AuditEntry]:
        """Store audit entries, except some; see `erasures` and `trails`. Return the entries that are stored."""
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
        """Return the ids of those commits that this storage has learned itself, with other ids."""
        commits = {each.request: each.observation.id for each in arrivals if each.observation.learned}
        requests = [each for each in commits if each is not None]
        if not requests or Capability.LEDGER not in self.storage.capabilities:
            return frozenset()
        recorded = [commits[each] for each in self.storage.ledger(project).known(requests)]
        return frozenset(recorded) - set(self.storage.observations(project).known(recorded))

    def _messages(self, project: str, portion: Portion) -> int:
        conversations = self.storage.conversations(project)
        known = conversations.names() if portion.names else {}
        other = [session for session, name in portion.names.items() if known.get(session, name) != name]
        self.account.differing += len([*other, *changed_messages(portion.drafts, conversations)])
        if self.dry_run:
            return len(portion.drafts) - len(conversations.known([each.key for each in portion.drafts]))
        names = {session: name for session, name in portion.names.items() if session not in known}
        batch = Batch(source="lamella export", position="", drafts=tuple(portion.drafts), names=names)
        return conversations.add(batch)


def _may_differ(there: Observation, outcome: ImportResult) -> bool:
    """Return True if the other storage may have purged, restored or amended a known memory."""
    purged = outcome is ImportResult.PURGED
    return purged or (outcome is ImportResult.KNOWN and (there.purged or ages(there)))


def _is_earlier(entry: AuditEntry, arrived: Mapping[UUID, datetime]) -> bool:
    """Return True if an entry is earlier than the import of one of its memories."""
    return any(entry.by.at < arrived[id] for id in entry.memories if id in arrived)
