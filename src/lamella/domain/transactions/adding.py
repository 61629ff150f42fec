"""Adding messages of conversations, and giving sessions their names and titles."""

from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES, Batch, MessageDraft, record_of
from lamella.domain.transactions import conversation_writes
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, Write


@frozen(kw_only=True, repr=False)
class ConversationLook:
    """Part of a `Look`: a query for data about the conversations of a project.

    Attributes:
        drafts: Messages that may be new. Before a storage locks the project, it may derive the messages' index
            data.
        sessions: Sessions that may get a name.
        records: Records that may get a title.
    """

    drafts: tuple[MessageDraft, ...] = ()
    sessions: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


@frozen(kw_only=True, repr=False)
class ConversationFacts:
    """Data about the conversations of a project, as listed by a `ConversationLook`.

    `said`, `ended` and `gone` cover the records of the look and the records of `waiting`, but no others. `silent`
    and `names` cover the sessions of the look, of its drafts, and of these records, but no others.

    Attributes:
        last: Highest number ever given to a message of the project; 0 if the project never had a message.
        silent: Sessions that were erased and have no new messages since.
        names: For each named session, True if the name is only a title. A real name may replace a title. Keyed by
            session id.
        waiting: Titles of conversations whose last record isn't stored yet, keyed by the record, oldest first.
        said: Session of each record with a stored message.
        ended: Session of each record stored by `KeepEnds`, with or without a message. `said` takes precedence.
        gone: Records whose messages were erased.
    """

    last: int = 0
    silent: frozenset[str] = frozenset()
    names: Mapping[str, bool] = field(factory=dict)
    waiting: Mapping[str, str] = field(factory=dict)
    said: Mapping[str, str] = field(factory=dict)
    ended: Mapping[str, str] = field(factory=dict)
    gone: frozenset[str] = frozenset()


def look_for_batch(batch: Batch) -> Look:
    """List the facts that `decide_batch` needs."""
    return Look(
        keys=tuple(draft.key for draft in batch.drafts),
        conversations=ConversationLook(
            drafts=batch.drafts, sessions=(*batch.names, *batch.ends.values()), records=tuple(batch.titles)
        ),
    )


def decide_batch(batch: Batch, facts: Facts) -> tuple[Plan, int]:
    """Decide on the messages, names and titles of a batch to store; see `Conversations.add`.

    Returns:
        The plan, and the number of new messages.
    """
    drafts = _new(batch.drafts, facts.keys)
    position = conversation_writes.SetPosition(source=batch.source, position=batch.position, origin=facts.project)
    there = facts.conversations or ConversationFacts()
    names = _named(batch, drafts, there, facts.project)
    added = conversation_writes.AddMessages(first=there.last + 1, drafts=drafts, origin=facts.project)
    return (*((added,) if drafts else ()), *names, position), len(drafts)


def settle_titles(there: ConversationFacts) -> Plan:
    """Give sessions the titles that were waiting for a record, if a merge has added the record.

    Of the titles that are still waiting, keep the latest `MAX_WAITING_TITLES`.
    """
    nothing = Batch(source="merge", position="")
    return (*_named(nothing, (), there, ""), conversation_writes.KeepEnds(ends={}, most=MAX_ENDS, origin=""))


def _new(drafts: Iterable[MessageDraft], known: frozenset[str]) -> tuple[MessageDraft, ...]:
    """Return the messages whose keys aren't stored yet. Of messages with the same key, return the first."""
    new: dict[str, MessageDraft] = {}
    for draft in drafts:
        if draft.key not in known:
            new.setdefault(draft.key, draft)
    return tuple(new.values())


def _named(
    batch: Batch, drafts: tuple[MessageDraft, ...], there: ConversationFacts, origin: str
) -> Iterator[Write]:
    """Yield the writes for names of sessions, then for last records, then for titles."""
    # Don't store the name of an erased session, because it may quote erased text.
    silent = there.silent - {draft.session for draft in drafts}
    titled = dict(there.names)
    for session, name in batch.names.items():
        if session not in silent:
            titled[session] = False
            yield conversation_writes.NameSession(session=session, name=name, titled=False)
    if batch.ends:
        yield conversation_writes.KeepEnds(ends=batch.ends, most=MAX_ENDS, origin=origin)
    # A record may be stored both with a message and as the last record of a session. If the two sessions differ,
    # the message has the right one.
    places = {**there.ended, **batch.ends, **{record_of(each.key): each.session for each in drafts}, **there.said}
    waiting = {record: title for record, title in there.waiting.items() if record not in batch.titles}
    kept: list[str] = []
    for record, title in (*waiting.items(), *batch.titles.items()):
        place = places.get(record)
        if record in there.gone:
            continue
        if place is None:
            kept.append(record)
        elif place not in silent and titled.get(place, True):
            titled[place] = True
            yield conversation_writes.NameSession(session=place, name=title, titled=True)
    latest = kept[-MAX_WAITING_TITLES:]
    if dropped := tuple(record for record in there.waiting if record in batch.titles or record not in latest):
        yield conversation_writes.DropTitles(dropped)
    if titles := {record: batch.titles[record] for record in latest if record in batch.titles}:
        yield conversation_writes.KeepTitles(titles=titles, origin=origin)
