"""All data of one project, in dictionaries."""

from collections.abc import Collection
from typing import Any
from uuid import UUID, uuid4

from attrs import define, evolve, field

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.transactions.other_writes import LogActivity, NameInEntry, Warned
from lamella.ports.storage.activity import Activity
from lamella_adapters.memory.message_store import Archive

CHANGES = ("added", "purged", "restored")
"""Fields of `AuditEntry` with ids of memories."""


@define
class Row:
    """Observation with internal fields of the storage."""

    observation: Observation
    fingerprint: bytes
    request: str | None
    lines: tuple[LineFingerprints, ...] | None = None
    """Fingerprints of the lines that the observation's changes had before ageing."""


@define
class ProjectData:
    """All data of one project.

    Attributes:
        rows: Observations, keyed by id, in the order of saving.
        model: Model of `vectors`; None if no model was adopted.
        vectors: Vectors, keyed by observation id; None for a text without words.
        captured: Ids of the projects that recorded captures, keyed by the capture's request id.
        warned: Warnings that hooks have shown.
        activity: Log entries, keyed by name, each with the id of the project that it was added to.
        revision: Revision of the latest change noticed by the feed.
        noticed: Observations at the feed's last comparison, keyed by id, each with its revision.
        audit: Audit entries, keyed by id.
    """

    rows: dict[UUID, Row] = field(factory=dict)
    last_sequence: int = 0
    model: EmbeddingModel | None = None
    vectors: dict[UUID, Vector | None] = field(factory=dict)
    archive: Archive = field(factory=Archive)
    captured: dict[str, str] = field(factory=dict)
    warned: set[Warned] = field(factory=set)
    activity: dict[str, tuple[str, Activity]] = field(factory=dict)
    audit: dict[UUID, AuditEntry] = field(factory=dict)
    last_entry: int = 0
    revision: int = 0
    noticed: dict[UUID, tuple[Observation, int]] = field(factory=dict)

    def newest_first(self) -> list[Observation]:
        """Return all observations, the latest first, ordered by time and then by sequence number."""
        said = (row.observation for row in self.rows.values())
        return sorted(said, key=lambda each: (each.occurred_at, each.sequence), reverse=True)

    def unembedded(self) -> list[Observation]:
        """Return live observations without a vector: first the notes, and then other kinds.

        In both groups, the latest saved observation comes first.
        """
        pending = (row.observation for id, row in self.rows.items() if id not in self.vectors)
        live = (each for each in pending if not each.purged)
        return sorted(live, key=lambda each: (each.kind is not Kind.NOTE, -each.sequence))

    def log(self, write: LogActivity) -> None:
        """Add entries to the activity log, and delete old ones."""
        for each in write.entries:
            self.activity.setdefault(each.name, (write.origin, each))
        for name in [name for name, (_, each) in self.activity.items() if each.at < write.oldest]:
            del self.activity[name]

    def amend(self, said: Observation, lines: tuple[LineFingerprints, ...] | None) -> None:
        """Replace an observation by its new content `said`. Drop its vector, so that it is embedded again."""
        row = self.rows[said.id]
        row.observation, row.lines = said, lines
        self.vectors.pop(said.id, None)

    def note(self, action: Action, by: Signature, **fields: Any) -> None:
        """Add an audit entry for a change, without ids of memories. If nothing has changed, add nothing."""
        entry = AuditEntry(id=uuid4(), action=action, by=by, **fields)
        if entry.count or entry.old is not None:
            latest = max([by.at, *(each.by.at for each in self.audit.values())])
            self.append(evolve(entry, by=evolve(by, at=latest)))

    def append(self, entry: AuditEntry) -> None:
        """Add an entry to the audit trail with the next number. If an entry with its id exists, add nothing."""
        if entry.id not in self.audit:
            self.last_entry += 1
            self.audit[entry.id] = evolve(entry, number=self.last_entry)

    def name_in_entry(self, write: NameInEntry) -> None:
        """Append the memory ids of `write` to an audit entry. Add the number of new ids to the entry's count."""
        known = self.audit[write.entry]
        named: dict[str, Any] = {
            change: tuple(dict.fromkeys((*getattr(known, change), *getattr(write, change)))) for change in CHANGES
        }
        now = evolve(known, **named)
        count = known.count + len(now.memories) - len(known.memories)
        self.audit[write.entry] = evolve(now, count=count)

    def number_by_time(self) -> None:
        """Renumber entries in order of time, from the first one whose number is out of order."""
        highest, late = 0, False
        for each in reversed(self.entries()):
            late = late or each.number < highest
            highest = max(highest, each.number)
            if late:
                self.last_entry += 1
                self.audit[each.id] = evolve(each, number=self.last_entry)

    def entries(self) -> list[AuditEntry]:
        """Return the audit trail, newest first."""
        return sorted(self.audit.values(), key=lambda each: (each.by.at, each.number), reverse=True)

    def forget(self, ids: Collection[UUID]) -> None:
        """Remove erased observations from the audit trail and the log of activity."""
        keys = {id.hex for id in ids}
        for name, (project, shown) in self.activity.items():
            left = tuple(key for key in shown.memories if key not in keys)
            edit = shown.edit if left == shown.memories else ""
            self.activity[name] = (project, evolve(shown, memories=left, edit=edit))
        for id, entry in self.audit.items():
            named: dict[str, Any] = {
                change: tuple(each for each in getattr(entry, change) if each not in ids) for change in CHANGES
            }
            self.audit[id] = evolve(entry, **named)

    def erase_session(self, session: str) -> None:
        """Delete a session of conversations, and its activity."""
        self.archive.erase(session)
        for name in [name for name, (_, entry) in self.activity.items() if entry.session == session]:
            del self.activity[name]

    def place(self, row: Row, project: str) -> Observation:
        """Add `row` with the next sequence number, as an observation of `project`. Return the observation."""
        self.last_sequence += 1
        row.observation = evolve(row.observation, project=project, sequence=self.last_sequence)
        self.rows[row.observation.id] = row
        return row.observation

    def take(self, id: UUID) -> Row | None:
        """Remove a row and all data about it. Return the row, or None if it is missing."""
        self.vectors.pop(id, None)
        self.warned = {each for each in self.warned if each.observation != id}
        return self.rows.pop(id, None)

    def notice(self) -> None:
        """Find the observations that have changed since the last comparison, and give them the next revision."""
        now = {id: row.observation for id, row in self.rows.items()}
        if now == {id: seen for id, (seen, _) in self.noticed.items()}:
            return
        self.revision += 1
        before, self.noticed = self.noticed, {}
        for id, said in now.items():
            known = before.get(id)
            self.noticed[id] = known if known and known[0] == said else (said, self.revision)
