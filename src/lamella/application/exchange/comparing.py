"""Compare the records copied from a source with the records at the target."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.application.exchange.export import messages_of, pages_of
from lamella.application.exchange.importing import Portion
from lamella.domain.audit.entry import AuditEntry
from lamella.domain.conversations.message import MessageDraft
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Audited, Said, record_fields
from lamella.domain.ledger.ageing import aged, ages
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.storage.storage import Capability, Storage

_DIGEST_CHARACTERS = 12
_STATUS = ("updated_at", "purged_at", "replaced_by")
"""Fields of a memory that may have changed at the target since the copy, and are therefore compared separately."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@define
class Tally:
    """Number and digest of the records of one kind.

    Records are in groups. The digest depends on the order of records within each group, but not on the order of
    groups.
    """

    _groups: dict[str, tuple[int, Any]] = field(factory=dict)

    def add(self, group: str, fields: Mapping[str, Any]) -> None:
        """Add the next record of a group. `fields` has the same fields as the record's line in an export."""
        count, chain = self._groups.get(group) or (0, hashlib.sha256())
        chain.update(_encode(fields).encode(errors="surrogatepass"))
        self._groups[group] = count + 1, chain

    def drop(self, group: str) -> None:
        """Forget all records of a group."""
        del self._groups[group]

    @property
    def groups(self) -> Collection[str]:
        """Names of all groups with a record."""
        return self._groups.keys()

    @property
    def count(self) -> int:
        """Number of records."""
        return sum(count for count, _ in self._groups.values())

    @property
    def digest(self) -> str:
        """Digest of all records, in hexadecimal digits."""
        chains = sorted(f"{group}\n{chain.hexdigest()}" for group, (_, chain) in self._groups.items())
        return hashlib.sha256("\n".join(chains).encode()).hexdigest()[:_DIGEST_CHARACTERS]


@define
class Tallies:
    """Tallies of all records on one side of a copy: at the source or at the target."""

    memories: Tally = field(factory=Tally)
    changes: Tally = field(factory=Tally)
    entries: Tally = field(factory=Tally)
    messages: Tally = field(factory=Tally)

    def add_memory(self, arrival: Arrival) -> None:
        """Add a memory without its status.

        The lines of a captured edit are left out, because one side may have dropped them from old edits already.
        """
        if ages(arrival.observation):
            said = aged(arrival.observation) or arrival.observation
            arrival = evolve(arrival, observation=said, lines=arrival.fingerprints)
        fields = record_fields(arrival)
        for name in _STATUS:
            fields.pop(name, None)
        group = arrival.observation.origin
        for change in fields.pop("changes", ()):
            self.changes.add(group, change)
        self.memories.add(group, fields)

    def add_entry(self, project: str, entry: AuditEntry) -> None:
        """Add an entry of an audit trail. Leave out its memories, because they may have been erased since."""
        plain = evolve(entry, number=0, added=(), purged=(), restored=())
        self.entries.add(f"{project} {entry.id}", record_fields(Audited(project, plain)))

    def add_message(self, project: str, draft: MessageDraft) -> None:
        """Add a message."""
        self.messages.add(f"{project} {draft.session}", record_fields(Said(project, draft)))


@frozen(kw_only=True)
class Compared:
    """Records of one kind at the source and at the target.

    Attributes:
        kind: The kind.
        source: Number of records at the source.
        target: Number of records at the target. Records that it has from elsewhere don't count.
        digests: Digests of both sides; None for records that were compared one by one or only counted.
        equal: True if both sides are equal.
    """

    kind: str
    source: int
    target: int
    digests: tuple[str, str] | None = None
    equal: bool

    @classmethod
    def of(cls, kind: str, source: Tally, target: Tally) -> "Compared":
        """Compare two tallies."""
        digests = source.digest, target.digest
        return cls(
            kind=kind, source=source.count, target=target.count, digests=digests, equal=digests[0] == digests[1]
        )


@define
class Comparison:
    """Comparison of the projects of a source with their counterparts at a target.

    Attributes:
        source: Storage that was read.
        target: Storage that was filled.
        conversations: True if messages were copied.
        kept: Memories that were purged, restored or replaced at the target after their latest change at the
            source.
        still_there: Memories at the target that were copied earlier, and erased at the source since. Keyed by
            the id of the project at the target.
        sessions_there: Conversations at the target that were copied earlier, and erased at the source since, keyed
            in the same way.
        erased_there: Number of conversations at the source that were erased at the target.
    """

    source: Storage
    target: Storage
    conversations: bool
    kept: list[UUID] = field(factory=list)
    still_there: "defaultdict[str, list[UUID]]" = field(factory=lambda: defaultdict(list))
    sessions_there: "defaultdict[str, list[str]]" = field(factory=lambda: defaultdict(list))
    erased_there: int = 0
    _read: Tallies = field(factory=Tallies)
    _found: Tallies = field(factory=Tallies)
    _entries: "defaultdict[str, set[UUID]]" = field(factory=lambda: defaultdict(set))
    _keys: dict[str, tuple[str, str]] = field(factory=dict)
    _purged: list[int] = field(factory=lambda: [0, 0])
    _differing: int = 0
    _marks: list[int] = field(factory=lambda: [0, 0])

    def add(self, portion: Portion) -> None:
        """Add the records of a portion that was just stored at the target."""
        home = portion.project.id
        for arrival in portion.arrivals:
            self._read.add_memory(arrival)
        for entry in portion.entries:
            self._read.add_entry(home, entry)
            self._entries[home].add(entry.id)
        for draft in portion.drafts:
            self._read.add_message(home, draft)
            self._keys.setdefault(f"{home} {draft.session}", (home, draft.key))

    def keep_away(self, home: str, sources: Sequence[str]) -> None:
        """Copy the marks of erased data (see `domain.text.marks`) from source projects to `home`.

        From then on, `home` never imports this data.
        """
        marks = frozenset[bytes]().union(*(self.source.observations(each).erased() for each in sources))
        observations = self.target.observations(home)
        if marks:
            observations.keep_away(marks)
        self._marks[0] += len(marks)
        self._marks[1] += len(marks & observations.erased())

    def look(self, home: str, sources: Sequence[str]) -> Iterator[int]:
        """Read the records that a project of the target has from `sources`. Yield the size of each page.

        Args:
            home: Id of the project at the target.
            sources: Ids of the source projects that were copied into `home`.
        """
        for page in pages_of(self.target.observations(home)):
            self._memories(home, page, sources)
            yield len(page)
        if self._entries[home]:
            for entry in self.target.audit(home).all(names=0):
                if entry.id in self._entries[home]:
                    self._found.add_entry(home, entry)
        if self.conversations:
            yield from self._messages(home, sources)

    def rows(self) -> Iterator[Compared]:
        """Yield the rows of the table that compares both sides. Call `look` for all projects before."""
        for group in set(self._read.messages.groups) - set(self._found.messages.groups):
            home, key = self._keys[group]
            if self.target.conversations(home).known([key]):
                self._read.messages.drop(group)
                self.erased_there += 1
        yield Compared.of("memories", self._read.memories, self._found.memories)
        yield Compared.of("code changes", self._read.changes, self._found.changes)
        yield Compared(kind="purged", source=self._purged[0], target=self._purged[1], equal=not self._differing)
        there, here = self._marks
        here -= sum(map(len, self.still_there.values())) + sum(map(len, self.sessions_there.values()))
        yield Compared(kind="erased", source=there, target=here, equal=there == here)
        yield Compared.of("log entries", self._read.entries, self._found.entries)
        yield Compared.of("messages", self._read.messages, self._found.messages)

    def _memories(self, home: str, page: Sequence[Arrival], sources: Sequence[str]) -> None:
        missing = [each.observation.id for each in page]
        there: dict[UUID, Observation] = {}
        erased: set[UUID] = set()
        for source in sources:
            there |= self.source.observations(source).get_all(missing)
            missing = [id for id in missing if id not in there]
        for source in sources if missing else ():
            known = self.source.observations(source).known(missing)
            erased |= {id for id, outcome in known.items() if outcome is ImportResult.ERASED}
        for arrival in page:
            here = arrival.observation
            if here.id in there:
                self._found.add_memory(arrival)
                self._status(there[here.id], here)
            elif here.id in erased:
                self.still_there[home].append(here.id)

    def _status(self, there: Observation, here: Observation) -> None:
        # If a replacement was erased at the source, the target may lack the link to it.
        same_link = there.replaced_by in (here.replaced_by, None)
        if there.purged_at != here.purged_at or not same_link:
            if there.updated_at < here.updated_at:
                self.kept.append(here.id)
                return
            self._differing += 1
        self._purged[0] += there.purged
        self._purged[1] += here.purged

    def _messages(self, home: str, sources: Sequence[str]) -> Iterator[int]:
        there = [self.source.conversations(each) for each in sources]
        for page in messages_of(self.target.conversations(home)):
            keys = [draft.key for draft in page]
            known = frozenset[str]().union(*(each.known(keys) for each in there))
            for draft in page:
                if draft.key not in known:
                    continue
                if f"{home} {draft.session}" in self._keys:
                    self._found.add_message(home, draft)
                elif draft.session not in self.sessions_there[home]:
                    self.sessions_there[home].append(draft.session)
            yield len(page)


def keeps_conversations(*storages: Storage) -> bool:
    """Return True if all of `storages` keep conversations."""
    return all(Capability.CONVERSATIONS in each.capabilities for each in storages)
