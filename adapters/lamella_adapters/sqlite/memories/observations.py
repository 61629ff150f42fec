"""Observations of one project, in its file."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella.domain.exchange.arrival import Arrival, dropped
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.observation import Draft, Kind, Observation
from lamella.domain.memories.query import Hit, Match
from lamella.ports.storage.observations import Added, ObservationStorage, Saved, StatusChange, TakenOver
from lamella_adapters.sqlite.erasure import erase
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.arrival_rows import ArrivalRow
from lamella_adapters.sqlite.tables.audit_rows import extend_entry, write_entry
from lamella_adapters.sqlite.tables.code_change_rows import lines_of
from lamella_adapters.sqlite.tables.context_column import context_before, refresh_around, refresh_followers
from lamella_adapters.sqlite.tables.erased_messages import all_marks, erased_memories, remember_marks
from lamella_adapters.sqlite.tables.observation_rows import observations_where

_SAME = "SELECT seq, request, purged_at IS NULL FROM observation WHERE fingerprint = ? ORDER BY seq"
_KNOWN = "SELECT id, purged_at IS NULL FROM observation WHERE id IN (SELECT unhex(value) FROM json_each(?))"
_REQUESTS = "SELECT seq, request FROM observation WHERE seq > ? ORDER BY seq LIMIT ?"
_THESE = "id IN (SELECT unhex(value) FROM json_each(?))"
_BETWEEN = observation_rows.SELECT + " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"
_PLACE = "SELECT seq, session, moment, purged_at, content FROM observation WHERE id = ?"
_MARK = """
UPDATE observation SET purged_at = :purged_at, updated_at = :now, context = :context, replaced_by = :replaced_by
WHERE seq = :seq
"""
_REPLACED = "SELECT purged_at IS NOT NULL, replaced_by FROM observation WHERE id = ?"


@define(eq=False)
class SqliteObservations(ObservationStorage):
    """The memories of one project."""

    scope: Scope

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """See `ObservationStorage.add`."""
        with self.scope.writing() as opened:
            connection = opened.connection
            fingerprint = draft.fingerprint
            known = _known(connection, fingerprint, draft.request)
            if known is not None:
                sequence, added = known
                (observation,) = observations_where(connection, opened.project, "seq = ?", (sequence,))
                if added is Added.DUPLICATE:
                    _replace(opened, draft, by=observation.id, now=now, added=())
                return Saved(observation, added)
            occurred_at: int = connection.execute(
                "SELECT max(:now, coalesce(max(moment), :now)) FROM observation",
                {"now": observation_rows.to_microseconds(now)},
            ).get
            observation = observation_rows.insert(
                connection,
                draft,
                id=id,
                project=opened.project,
                now=now,
                occurred_at=occurred_at,
                fingerprint=fingerprint,
                request=draft.request,
                context=context_before(connection, draft.content, draft.session, occurred_at),
            )
            _replace(opened, draft, by=id, now=now, added=(id,))
        return Saved(observation, Added.NEW)

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """See `ObservationStorage.get_all`."""
        asked = json.dumps([id.hex for id in ids])
        with self.scope.reading() as opened:
            found = observations_where(opened.connection, opened.project, _THESE, (asked,))
        there = {each.id: each for each in found}
        return {id: there[id] for id in ids if id in there}

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """See `ObservationStorage.starting_with`."""
        ranges = [tuple(bytes.fromhex(prefix.ljust(32, digit)) for digit in "0f") for prefix in prefixes]
        with self.scope.reading() as opened:
            rows = [fetch(opened.connection, _BETWEEN, (*bounds, limit)) for bounds in ranges]
            every = {row[0]: row for found in rows for row in found}
            observations = observation_rows.observations(opened.connection, opened.project, every.values())
            hits = {
                each.observation.sequence: each
                for each in observation_rows.hits(opened.connection, observations, Match.ID)
            }
        return {prefix: tuple(hits[row[0]] for row in found) for prefix, found in zip(prefixes, rows, strict=True)}

    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.purge`."""
        with self.scope.writing() as opened:
            return _mark_all(opened, by, purge=ids)

    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.restore`."""
        with self.scope.writing() as opened:
            return _mark_all(opened, by, restore=ids)

    def swap(
        self,
        *,
        purge: Sequence[UUID] = (),
        restore: Sequence[UUID] = (),
        replaced_by: UUID | None = None,
        by: Signature,
    ) -> Mapping[UUID, StatusChange]:
        """See `ObservationStorage.swap`."""
        link = None if replaced_by is None else replaced_by.bytes
        with self.scope.writing() as opened:
            done = _mark_all(opened, by, purge=purge, restore=restore, replaced_by=link)
        return dict(zip((*purge, *restore), done, strict=True))

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`."""
        return erase(self.scope, ids, by=by)

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.scope.reading() as opened:
            condition = "seq > ? ORDER BY seq LIMIT ?"
            found = observations_where(opened.connection, opened.project, condition, (after, limit))
            requests = dict(fetch(opened.connection, _REQUESTS, (after, limit)))
            lines = lines_of(opened.connection, [each.sequence for each in found if each.kind is Kind.CHANGE])
        return tuple(
            Arrival(
                observation=each,
                request=requests[each.sequence],
                lines=dropped(each, lines.get(each.sequence, {})),
            )
            for each in found
        )

    def known(self, ids: Collection[UUID]) -> Mapping[UUID, TakenOver]:
        """See `ObservationStorage.known`."""
        with self.scope.reading() as opened:
            return _outcomes(opened.connection, ids)

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        with self.scope.reading() as opened:
            return all_marks(opened.connection)

    def keep_away(self, marks: Collection[bytes]) -> None:
        """See `ObservationStorage.keep_away`."""
        with self.scope.writing() as opened:
            remember_marks(opened.connection, marks)

    def amend(self, arrivals: Sequence[Arrival]) -> None:
        """See `ObservationStorage.amend`."""
        arrived = {each.observation.id: each for each in arrivals}
        ids = json.dumps([id.hex for id in arrived])
        with self.scope.writing() as opened:
            for here in observations_where(opened.connection, opened.project, _THESE, (ids,)):
                arrival = arrived[here.id]
                observation_rows.amend(opened.connection, arrival.amended(here), arrival.fingerprints)
                refresh_around(opened.connection, here.sequence)

    def take_over(self, arrivals: Sequence[Arrival], *, entry: Entry | None = None) -> tuple[TakenOver, ...]:
        """See `ObservationStorage.take_over`.

        What is indexed is derived before the write lock is taken, because that is slow.
        """
        known = self.known([each.observation.id for each in arrivals])
        rows = [known.get(each.observation.id) or ArrivalRow.of(each) for each in arrivals]
        if len(known) == len(rows):
            return tuple(known.values())
        with self.scope.writing() as opened:
            outcomes = tuple(row.write(opened.connection) if isinstance(row, ArrivalRow) else row for row in rows)
            pairs = zip(arrivals, outcomes, strict=True)
            new = [each.observation.id for each, outcome in pairs if outcome is TakenOver.NEW]
            if entry is not None and new:
                extend_entry(opened.connection, entry, opened.project, new)
            return outcomes


def _outcomes(connection: apsw.Connection, ids: Collection[UUID]) -> dict[UUID, TakenOver]:
    """Return how observations with these ids are known, in the order of `ids`."""
    rows = fetch(connection, _KNOWN, (json.dumps([each.hex for each in ids]),))
    known = {UUID(bytes=id): TakenOver.KNOWN if live else TakenOver.PURGED for id, live in rows}
    known = dict.fromkeys(erased_memories(connection, ids), TakenOver.ERASED) | known
    return {each: known[each] for each in ids if each in known}


def _known(connection: apsw.Connection, fingerprint: bytes, request: str | None) -> tuple[int, Added] | None:
    """Find an equal observation: one that the same call saved, else the first that is not purged."""
    same = fetch(connection, _SAME, (fingerprint,))
    retried = [(sequence, Added.RETRY) for sequence, saved_by, _ in same if saved_by == request]
    live = [(sequence, Added.DUPLICATE) for sequence, _, is_live in same if is_live]
    # A save without a request is no retry of another one without.
    return next(iter(live if request is None else retried + live), None)


def _replace(opened: Opened, draft: Draft, *, by: UUID, now: datetime, added: Sequence[UUID]) -> None:
    """Purge observations whose place another one takes, and write the entry of that.

    Raises:
        NotReplaceableError: one is not there, or is purged and was not replaced by this one.
    """
    connection, purged_ones = opened.connection, []
    for id in dict.fromkeys(draft.replaces):
        found = fetch(connection, _REPLACED, (id.bytes,))
        if not found:
            raise NotReplaceableError(id=str(id), reason="not found")
        ((purged, replaced_by),) = found
        if purged and replaced_by != by.bytes:
            raise NotReplaceableError(id=str(id), reason="already purged")
        if not purged and id != by:
            _mark(connection, id, purged=True, now=observation_rows.to_microseconds(now), replaced_by=by.bytes)
            purged_ones.append(id)
    if purged_ones:
        signature = Signature(at=now, actor=draft.actor, author=draft.author, session=draft.session)
        write_entry(connection, Action.EDIT, signature, origin=opened.project, added=added, purged=purged_ones)


def _mark_all(
    opened: Opened,
    by: Signature,
    *,
    purge: Sequence[UUID] = (),
    restore: Sequence[UUID] = (),
    replaced_by: bytes | None = None,
) -> tuple[StatusChange, ...]:
    """Purge and restore rows, and write the entry of that."""
    connection, at = opened.connection, observation_rows.to_microseconds(by.at)
    done = [(id, _mark(connection, id, purged=True, now=at, replaced_by=replaced_by)) for id in purge]
    undone = [(id, _mark(connection, id, purged=False, now=at)) for id in restore]
    purged, restored = ([id for id, change in some if change is StatusChange.DONE] for some in (done, undone))
    action = Action.EDIT if purged and restored else Action.PURGE if purged else Action.RESTORE
    write_entry(connection, action, by, origin=opened.project, purged=purged, restored=restored)
    return tuple(change for _, change in (*done, *undone))


def _mark(
    connection: apsw.Connection, id: UUID, *, purged: bool, now: int, replaced_by: bytes | None = None
) -> StatusChange:
    """Purge or restore a row, and change its context in the same update and the contexts that follow."""
    for sequence, session, occurred_at, purged_at, content in fetch(connection, _PLACE, (id.bytes,)):
        if purged == (purged_at is not None):
            return StatusChange.ALREADY
        connection.execute(
            _MARK,
            {
                "purged_at": now if purged else None,
                "now": now,
                "replaced_by": replaced_by,
                # A purged row has no context.
                "context": "" if purged else context_before(connection, content, session, occurred_at, sequence),
                "seq": sequence,
            },
        )
        refresh_followers(connection, session, occurred_at, sequence)
        return StatusChange.DONE
    return StatusChange.NOT_FOUND
