"""What one project keeps of its conversations."""

from collections.abc import Callable

from attrs import define, evolve, field, frozen

from lamella.domain.conversations.message import (
    MAX_ENDS,
    MAX_WAITING_TITLES,
    Batch,
    Message,
    Role,
    record_of,
    session_name,
)
from lamella.domain.conversations.summary import Summary
from lamella.domain.search import indexing


@frozen(kw_only=True)
class MessageRow:
    """A message with what only its storage knows of it. `before` are the texts that were said before it."""

    message: Message
    key: str
    origin: str
    before: tuple[str, ...]

    @property
    def indexed(self) -> indexing.IndexedText:
        """What is indexed of it."""
        return indexing.indexed_message(self.message.text, self.message.role, self.message.at, self.before)


@define
class Archive:
    """The messages of one project by number, how its sessions are called, and how far its sources were read.

    A position has the project that it was read in beside it. A summary is found by its session and level, the
    message it begins with, and the fingerprint of what it was made of. `titled` are the sessions whose name is a
    title. Titles that wait, and sessions of records at which they may have ended, stand by the record, with the
    project that they were read in. Of what was erased, the keys, records and sessions stay known.
    """

    rows: dict[int, MessageRow] = field(factory=dict)
    last_number: int = 0
    names: dict[str, str] = field(factory=dict)
    titled: set[str] = field(factory=set)
    waiting: dict[str, tuple[str, str]] = field(factory=dict)
    ends: dict[str, tuple[str, str]] = field(factory=dict)
    positions: dict[str, tuple[str, str]] = field(factory=dict)
    summaries: dict[tuple[str, int], dict[int, tuple[str, Summary]]] = field(factory=dict)
    erased_keys: set[str] = field(factory=set)
    erased_sessions: set[str] = field(factory=set)
    erased_records: set[str] = field(factory=set)

    @property
    def known(self) -> set[str]:
        """The keys that messages have, or had before they were erased."""
        return {row.key for row in self.rows.values()} | self.erased_keys

    def place(self, row: MessageRow) -> bool:
        """Puts `row` here under the next number, unless its key is known; whether it was not."""
        if row.key in self.erased_keys or any(row.key == each.key for each in self.rows.values()):
            return False
        self.last_number += 1
        self.rows[self.last_number] = evolve(row, message=evolve(row.message, number=self.last_number))
        return True

    def of(self, session: str) -> list[MessageRow]:
        """The rows of a session, by number."""
        return [row for row in self.rows.values() if row.message.session == session]

    def name_of(self, session: str) -> str:
        """What a session is called."""
        said = (row.message.text for row in self.of(session) if row.message.role is Role.HUMAN)
        return session_name(self.names.get(session), said, session)

    def take(self, source: "Archive", leaves: Callable[[str], bool]) -> None:
        """Moves what has an origin that `leaves` from `source` to here; what is here already stays as it is."""
        self.erased_keys |= source.erased_keys
        self.erased_sessions |= source.erased_sessions
        self.erased_records |= source.erased_records
        going = [number for number, row in source.rows.items() if leaves(row.origin)]
        sessions = {source.rows[number].message.session for number in going}
        for number in going:
            self.place(source.rows.pop(number))
        for session in sessions:
            self._take_name(session, source)
            source.forget(session)
        for id in [id for id, (_, origin) in source.positions.items() if leaves(origin)]:
            self.positions.setdefault(id, source.positions[id])
            del source.positions[id]
        for mine, theirs in ((self.ends, source.ends), (self.waiting, source.waiting)):
            for record in [record for record, (_, origin) in theirs.items() if leaves(origin)]:
                mine.pop(record, None)
                mine[record] = theirs.pop(record)
        self._settle()

    def _take_name(self, session: str, source: "Archive") -> None:
        titled = session in self.titled and session not in source.titled
        if session in source.names and (titled or session not in self.names):
            self.call(session, source.names[session], titled=session in source.titled)

    def call(self, session: str, name: str, *, titled: bool = False) -> None:
        """Gives a session a name, unless it was erased and nothing has been said in it since."""
        if session not in self.erased_sessions or self.of(session):
            self.names[session] = name
            (self.titled.add if titled else self.titled.discard)(session)

    def keep_titles(self, batch: Batch, project: str) -> None:
        """Keeps what `batch` says of titles and of where conversations ended, and gives sessions their titles."""
        for kept, said in ((self.ends, batch.ends), (self.waiting, batch.titles)):
            for record, text in said.items():
                kept.pop(record, None)
                kept[record] = (text, project)
        self._settle()

    def _settle(self) -> None:
        """Gives the titles whose records are here to their sessions; what was erased gets none."""
        sessions = {record: session for record, (session, _) in self.ends.items()}
        sessions |= {record_of(row.key): row.message.session for row in self.rows.values()}
        for record, (title, _) in list(self.waiting.items()):
            if record in self.erased_records:
                del self.waiting[record]
            elif record in sessions:
                del self.waiting[record]
                session = sessions[record]
                if session not in self.names or session in self.titled:
                    self.call(session, title, titled=True)
        for kept, most in ((self.ends, MAX_ENDS), (self.waiting, MAX_WAITING_TITLES)):
            for record in list(kept)[:-most]:
                del kept[record]

    def erase(self, session: str) -> int:
        """Deletes the messages of a session and what was made of them, and keeps in mind that it did; how many."""
        erased = self.of(session)
        for row in erased:
            del self.rows[row.message.number]
            self.erased_keys.add(row.key)
            self.erased_records.add(record_of(row.key))
            self.erased_sessions.add(session)
        ends = [record for record, (ended, _) in self.ends.items() if ended == session]
        for record in ends:
            del self.ends[record]
        self.erased_records.update(ends if erased else ())
        if erased:
            # Any may be its own, by a record that nobody kept.
            self.waiting.clear()
        self.forget(session)
        return len(erased)

    def forget(self, session: str) -> None:
        """Drops the summaries of a session of which messages are gone, and its name if none are left."""
        for place in [place for place in self.summaries if place[0] == session]:
            del self.summaries[place]
        if not self.of(session):
            self.names.pop(session, None)
            self.titled.discard(session)
