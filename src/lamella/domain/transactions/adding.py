"""Adding messages of conversations, and giving sessions their names and titles."""

from collections.abc import Iterable, Iterator

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES, Batch, MessageDraft, record_of
from lamella.domain.transactions import conversation_writes
from lamella.domain.transactions.look import ConversationFacts, ConversationLook, Facts, Look
from lamella.domain.transactions.plan import Plan, Write


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
    names = _named(batch, drafts, facts.conversations, facts.project)
    return (*_messages(drafts, facts), *names, position), len(drafts)


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


def _messages(drafts: tuple[MessageDraft, ...], facts: Facts) -> Iterator[Write]:
    if drafts:
        yield conversation_writes.AddMessages(
            first=facts.conversations.last + 1, drafts=drafts, origin=facts.project
        )


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
