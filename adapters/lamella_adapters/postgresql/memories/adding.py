"""Saving: two round trips, the first to look and the second to store."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added, Saved
from lamella_adapters.postgresql.activity.entries import write_entry
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.scope import Scope
from lamella_adapters.postgresql.database.turn import Row, Turn
from lamella_adapters.postgresql.tables import index, observation_rows
from lamella_adapters.postgresql.tables.contexts import BEFORE, BOUNDS, document, refresh

_SAME = f"""
SELECT {observation_rows.COLUMNS}, o.request FROM observation AS o
WHERE o.project = here() AND o.fingerprint = %(fingerprint)s ORDER BY o.seq
"""  # noqa: S608 - our own constants
_MOMENT = "SELECT max(moment) FROM observation WHERE project = here()"
_REPLACED = """
SELECT id, seq, purged_at IS NOT NULL, replaced_by FROM observation
WHERE project = here() AND id = ANY(%(ids)s::uuid[])
"""
_REPLACE = """
UPDATE observation SET purged_at = %(now)s, updated_at = %(now)s, replaced_by = %(by)s
WHERE project = here() AND seq = ANY(%(seqs)s::bigint[])
"""
_LATEST = 2**63 - 1
"""Later than any moment: a new memory is after all others."""


def add(scope: Scope, draft: Draft, *, id: UUID, now: datetime) -> Saved:
    """See `ObservationStorage.add`. What is derived of the text alone is made before the project is locked."""
    fingerprint = draft.fingerprint
    said = draft.observed(id=id, project=scope.id, sequence=0, now=now)
    sub = observation_rows.sub_of(said)
    before = {**BOUNDS, "session": draft.session, "moment": _LATEST}
    with scope.writing() as turn:
        same, ((moment,),), previous, replaced, ((sequence,),) = turn.answers(
            (_SAME, {"fingerprint": fingerprint}),
            (_MOMENT, {}),
            (BEFORE, before),
            (_REPLACED, {"ids": list(draft.replaces)}),
            (observation_rows.NEXT_SEQUENCE, {"count": 1}),
        )
        known = _known(turn, same, draft.request)
        if known is not None:
            if known.added is Added.DUPLICATE:
                _replace(turn, draft, replaced, by=known.observation.id, now=now, added=())
            return known
        at = from_microseconds(max(to_microseconds(now), moment or to_microseconds(now)))
        said = evolve(said, project=turn.project, origin=turn.project, sequence=sequence, occurred_at=at)
        observation_rows.insert(turn, said, fingerprint=fingerprint, request=draft.request, sub=sub)
        index.add(turn, [document(said, sub, previous)])
        _replace(turn, draft, replaced, by=id, now=now, added=(id,))
    return Saved(said, Added.NEW)


def _known(turn: Turn, same: Sequence[Row], request: str | None) -> Saved | None:
    """Find an equal observation: one that the same call saved, else the first that is not purged."""
    every = [(observation_rows.observation(turn.project, row), row[-1]) for row in same]
    # A save without a request is no retry of another one without.
    retried = [Saved(each, Added.RETRY) for each, saved_by in every if request is not None and saved_by == request]
    live = [Saved(each, Added.DUPLICATE) for each, _ in every if not each.purged]
    return next(iter(retried + live), None)


def _replace(
    turn: Turn, draft: Draft, replaced: Sequence[Row], *, by: UUID, now: datetime, added: Sequence[UUID]
) -> None:
    """Purge observations whose place another one takes, and write the entry of that.

    Raises:
        NotReplaceableError: One is not there, or is purged and was not replaced by this one.
    """
    there: dict[UUID, Row] = {row[0]: row for row in replaced}
    gone: dict[UUID, Any] = {}
    for id in dict.fromkeys(draft.replaces):
        if id == by:
            continue
        if id not in there:
            raise NotReplaceableError(id=str(id), reason="not found")
        _, sequence, purged, replaced_by = there[id]
        if purged and replaced_by != by:
            raise NotReplaceableError(id=str(id), reason="already purged")
        if not purged:
            gone[id] = sequence
    if gone:
        turn.run(_REPLACE, seqs=list(gone.values()), now=to_microseconds(now), by=by)
        signature = Signature(at=now, actor=draft.actor, author=draft.author, session=draft.session)
        write_entry(turn, Action.EDIT, signature, added=added, purged=list(gone))
        refresh(turn, ids=gone)
