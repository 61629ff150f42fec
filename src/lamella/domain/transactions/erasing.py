"""Erasing memories and conversations permanently."""

from collections.abc import Sequence
from uuid import UUID

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.conversations.message import record_of
from lamella.domain.exchange.foreign import erased_ids
from lamella.domain.text.marks import memory_mark, record_mark, session_mark, text_mark
from lamella.domain.transactions.auditing import in_order
from lamella.domain.transactions.conversation_writes import DropTitles
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.other_writes import AddEntry, Erase, EraseSession, RememberErased
from lamella.domain.transactions.plan import Plan
from lamella.domain.transactions.status import StatusChange


def look_for_erase(ids: Sequence[UUID]) -> Look:
    """List the facts that `decide_erase` needs."""
    return Look(ids=tuple(ids), observations=tuple(ids), neighbours=True, erasing=True)


def decide_erase(
    ids: Sequence[UUID], facts: Facts, *, entry: UUID, by: Signature
) -> tuple[Plan, tuple[StatusChange, ...]]:
    """Decide on erasing memories; see `ObservationStorage.erase`.

    Args:
        ids: Ids of the memories.
        facts: Facts with the memories and their statuses.
        entry: Id of the entry of the audit trail.
        by: Author and time of the erasure.

    Returns:
        The plan, and the outcome for each id in order.
    """
    asked = tuple(dict.fromkeys(ids))
    done = [id for id in asked if id in facts.statuses]
    first = {id: place for place, id in reversed(list(enumerate(ids)))}
    outcomes = tuple(
        StatusChange.DONE if id in facts.statuses and first[id] == place else StatusChange.NOT_FOUND
        for place, id in enumerate(ids)
    )
    if not done:
        return (Erase(asked),), outcomes
    # The entry has only the number of memories: nothing of an erased memory may remain, not even its id.
    counted = AuditEntry(id=entry, action=Action.ERASE, by=by, count=len(done), origin=facts.origin(done))
    # At the next import, an erased memory of another program has another id if its key or text has changed. Mark
    # these ids, too.
    later = [id for each in facts.observations.values() for id in erased_ids(each)]
    marks = RememberErased(tuple(map(memory_mark, [*done, *later])))
    return (Erase(asked), marks, AddEntry(in_order(counted, facts))), outcomes


def look_for_session_erase(session: str) -> Look:
    """List the facts that `decide_session_erase` needs."""
    return Look(messages_of=session, erasing=True)


def decide_session_erase(session: str, facts: Facts) -> tuple[Plan, int]:
    """Decide on erasing a session, and on the marks that prevent its import; see `Conversations.erase`.

    Returns:
        The plan, and the number of deleted messages.
    """
    if not facts.messages:
        return (EraseSession(session),), 0
    # Drop all titles of records that aren't stored yet: any of these records may belong to this session.
    marks = RememberErased(tuple(session_marks(session, list(facts.messages.values()), facts.ends)))
    return (EraseSession(session), marks, DropTitles(None)), len(facts.messages)


def session_marks(session: str, keys: Sequence[str], ends: Sequence[str]) -> Sequence[bytes]:
    """Return marks of a session, its messages and its last records. An import skips copies with these marks."""
    records = dict.fromkeys((*map(record_of, keys), *ends))
    return (session_mark(session), *map(text_mark, keys), *map(record_mark, records))
