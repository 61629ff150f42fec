"""Messages, session names and import positions of one project."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from attrs import define, evolve, field, frozen

from lamella.domain.conversations.message import Message, MessageDraft, Role, record_of, session_name
from lamella.domain.conversations.summary import Summary
from lamella.domain.search import indexing
from lamella.domain.text.marks import record_mark, session_mark, text_mark
from lamella.domain.transactions import conversation_writes, plan
from lamella.domain.transactions.adding import ConversationFacts, ConversationLook, settle_titles

_SAID = ("session", "role", "text", "at", "client")


@frozen(kw_only=True)
class MessageRow:
    """Message with internal fields of the storage. `before` has the texts of earlier messages in its session."""

    message: Message
    key: str
    origin: str
    before: tuple[str, ...]

    @property
    def draft(self) -> MessageDraft:
        """Return the draft that was added as this message."""
        said = self.message
        fields = {name: getattr(said, name) for name in _SAID}
        return MessageDraft(key=self.key, **fields)

    @property
    def indexed(self) -> indexing.IndexedText:
        """Return the indexed text of the message."""
        return indexing.indexed_message(self.message.text, self.message.role, self.message.at, self.before)


@define
class Archive:
    """The conversations of one project.

    Positions, waiting titles and ends are stored with the id of the project that they were imported into. With
    this id, a split finds the data to move back.

    Attributes:
        rows: Messages, keyed by number.
        names: Names of sessions, keyed by session id.
        titled: Ids of sessions whose name is a title.
        waiting: Titles of conversations whose last record isn't stored yet, keyed by the id of this record.
        ends: Session ids, keyed by the id of the last record of an imported conversation.
        positions: Import positions (how far each source was read), keyed by source.
        summaries: Summaries, keyed by session and level of groups, and then by the number of the first message.
            Each has the fingerprint of the summarised messages.
        marks: Hashes of all data erased in this project, or in another storage. Data with these hashes isn't
            imported.
    """

    rows: dict[int, MessageRow] = field(factory=dict)
    last_number: int = 0
    names: dict[str, str] = field(factory=dict)
    titled: set[str] = field(factory=set)
    waiting: dict[str, tuple[str, str]] = field(factory=dict)
    ends: dict[str, tuple[str, str]] = field(factory=dict)
    positions: dict[str, tuple[str, str]] = field(factory=dict)
    summaries: dict[tuple[str, int], dict[int, tuple[str, Summary]]] = field(factory=dict)
    marks: set[bytes] = field(factory=set)

    def known(self, keys: Iterable[str]) -> set[str]:
        """Return the subset of `keys` that belong to stored or erased messages."""
        there = {row.key for row in self.rows.values()}
        return {key for key in keys if key in there or text_mark(key) in self.marks}

    def place(self, row: MessageRow) -> bool:
        """Add `row` with the next number. If its key is stored or erased, add nothing, and return False."""
        if self.known([row.key]):
            return False
        self.last_number += 1
        self.rows[self.last_number] = evolve(row, message=evolve(row.message, number=self.last_number))
        return True

    def of(self, session: str) -> list[MessageRow]:
        """Return the rows of a session, in order of number."""
        return [row for row in self.rows.values() if row.message.session == session]

    def name_of(self, session: str) -> str:
        """Return the name of a session."""
        said = (row.message.text for row in self.of(session) if row.message.role is Role.HUMAN)
        return session_name(self.names.get(session), said, session)

    def take(self, source: "Archive", leaves: Callable[[str], bool]) -> None:
        """Move data from `source` into this archive if `leaves` returns True for the origin of the data.

        Data that this archive already has isn't replaced.
        """
        self.marks |= source.marks
        going = [number for number, row in source.rows.items() if leaves(row.origin)]
        sessions = {source.rows[number].message.session for number in going}
        for number in going:
            self.place(source.rows.pop(number))
        for session in sessions:
            self._take_name(session, source)
            source.forget(session)
        for id in [id for id, (_, origin) in source.positions.items() if leaves(origin)]:
            self.positions.setdefault(id, source.positions.pop(id))
        for mine, theirs in ((self.ends, source.ends), (self.waiting, source.waiting)):
            for record in [record for record, (_, origin) in theirs.items() if leaves(origin)]:
                mine.pop(record, None)
                mine[record] = theirs.pop(record)
        for write in settle_titles(self.facts(ConversationLook())):
            self.write(write)

    def _take_name(self, session: str, source: "Archive") -> None:
        titled = session in self.titled and session not in source.titled
        silent = session_mark(session) in self.marks and not self.of(session)
        if session in source.names and not silent and (titled or session not in self.names):
            name = source.names[session]
            self.write(
                conversation_writes.NameSession(session=session, name=name, titled=session in source.titled)
            )

    def facts(self, look: ConversationLook) -> ConversationFacts:
        """Return the facts requested by `look`."""
        records = {*self.waiting, *look.records}
        said = {record_of(row.key): row.message.session for row in self.rows.values()}
        said = {record: session for record, session in said.items() if record in records}
        ended = {record: session for record, (session, _) in self.ends.items() if record in records}
        sessions = {*(draft.session for draft in look.drafts), *look.sessions, *said.values(), *ended.values()}
        return ConversationFacts(
            last=self.last_number,
            silent=frozenset(each for each in sessions if session_mark(each) in self.marks and not self.of(each)),
            names={session: session in self.titled for session in self.names if session in sessions},
            waiting={record: title for record, (title, _) in self.waiting.items()},
            said=said,
            ended=ended,
            gone=frozenset(record for record in records if record_mark(record) in self.marks),
        )

    def write(self, write: plan.Write) -> None:  # noqa: C901 - a case for each write
        """Execute a write of a plan, if it is about conversations."""
        match write:
            case conversation_writes.AddMessages():
                for number, draft in enumerate(write.drafts, write.first):
                    self._add(number, draft, write.origin)
            case conversation_writes.NameSession():
                self.names[write.session] = write.name
                (self.titled.add if write.titled else self.titled.discard)(write.session)
            case conversation_writes.SetPosition():
                self.positions[write.source] = (write.position, write.origin)
            case conversation_writes.KeepEnds():
                _put(self.ends, write.ends, write.origin)
                for record in list(self.ends)[: -write.most]:
                    del self.ends[record]
            case conversation_writes.KeepTitles():
                _put(self.waiting, write.titles, write.origin)
            case conversation_writes.KeepSummaries() if self.of(write.session):
                kept = self.summaries.setdefault((write.session, write.level), {})
                kept.update({each.first: (mark, each) for mark, each in write.summaries.items()})
            case conversation_writes.DropTitles(records):
                for record in list(self.waiting) if records is None else records:
                    del self.waiting[record]

    def _add(self, number: int, draft: MessageDraft, origin: str) -> None:
        said = Message(number=number, **{name: getattr(draft, name) for name in _SAID})
        earlier = (row.message for row in reversed(self.of(draft.session)))
        before = (each.text for each in earlier if each.role.searched)
        context = tuple(islice(before, indexing.CONTEXT_OBSERVATIONS))
        self.rows[number] = MessageRow(message=said, key=draft.key, origin=origin, before=context)
        self.last_number = number

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """Return the messages with these numbers, in order of number. Skip unknown numbers."""
        return tuple(self.rows[number].message for number in sorted(set(numbers)) if number in self.rows)

    def keys_of(self, session: str | None) -> Mapping[int, str]:
        """Return the keys of the messages of a session, keyed by message number."""
        return {number: row.key for number, row in self.rows.items() if row.message.session == session}

    def ends_of(self, session: str | None) -> tuple[str, ...]:
        """Return the ids of the records with which the imported conversations of a session end."""
        return tuple(record for record, (ended, _) in self.ends.items() if ended == session)

    def erase(self, session: str) -> None:
        """Delete the messages of a session and data derived from them."""
        for row in self.of(session):
            del self.rows[row.message.number]
        for record in self.ends_of(session):
            del self.ends[record]
        self.forget(session)

    def forget(self, session: str) -> None:
        """Drop the summaries of a session that has lost messages. If no message is left, drop its name, too."""
        for place in [place for place in self.summaries if place[0] == session]:
            del self.summaries[place]
        if not self.of(session):
            self.names.pop(session, None)
            self.titled.discard(session)


def _put(kept: dict[str, tuple[str, str]], said: Mapping[str, str], origin: str) -> None:
    for record, text in said.items():
        kept.pop(record, None)
        kept[record] = (text, origin)
