"""Ledger of one project."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import define, field

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.file_change import FileChange, Place, Removal, removals
from lamella.domain.ledger.merge_edits import joined
from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.memories.observation import Observation
from lamella.domain.text.keys import stored_key
from lamella.domain.text.marks import text_mark
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella_adapters.postgresql.database.columns import to_microseconds
from lamella_adapters.postgresql.database.scope import Scope
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.ledger.captures import KNOWN, REMEMBER
from lamella_adapters.postgresql.ledger.queries import changes_below, file_changes, file_names
from lamella_adapters.postgresql.tables import observation_rows
from lamella_adapters.postgresql.tables.contexts import refresh
from lamella_adapters.postgresql.tables.observation_rows import PATH_KEY_CHARACTERS

_LATEST = f"""
SELECT {observation_rows.COLUMNS}, a.path FROM unnest(%(paths)s::text[]) AS a (path) CROSS JOIN LATERAL (
  SELECT o.* FROM code_change AS c JOIN observation AS o ON o.project = here() AND o.seq = c.seq
  WHERE c.project = here() AND c.path_key = left(a.path, %(characters)s) AND c.path = a.path
    AND o.purged_at IS NULL
  ORDER BY o.moment DESC, o.seq DESC LIMIT 1
) AS o
"""  # noqa: S608 - our own constants
_UNAGED = f"""
SELECT {observation_rows.COLUMNS} FROM observation AS o
WHERE o.project = here() AND o.kind = 'change' AND NOT o.aged AND o.source IN ('{EDITED}', '{FOUND}')
  AND o.moment < %(before)s
ORDER BY o.moment LIMIT %(limit)s
"""  # noqa: S608 - our own constants
_AGED = "UPDATE observation SET aged = true WHERE project = here() AND seq = ANY(%(seqs)s::bigint[])"
_TELL = """
INSERT INTO told_removal (project, seq, mark)
SELECT here(), seq, %(mark)s FROM observation WHERE project = here() AND id = %(id)s
ON CONFLICT DO NOTHING RETURNING seq
"""


@define(eq=False)
class PostgresLedger(CodeLedger):
    """Changes of the files of one project, and the fingerprints of their lines."""

    scope: Scope

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """See `CodeLedger.record`."""
        if not captures:
            return ()
        requests = [each.draft.request for each in captures if each.draft.request is not None]
        paths = list({change.path for each in captures for change in each.draft.changes})
        with self.scope.writing() as turn:
            known, latest, ((sequence,),) = turn.answers(
                (KNOWN, {"marks": [text_mark(request) for request in requests]}),
                (_LATEST, {"paths": paths, "characters": PATH_KEY_CHARACTERS}),
                (observation_rows.NEXT_SEQUENCE, {"count": len(captures)}),
            )
            recorder = _Recorder(
                turn,
                {mark for (mark,) in known},
                {row[-1]: observation_rows.observation(turn.project, row) for row in latest},
                sequence,
            )
            outcomes = tuple(map(recorder.record, captures))
            refresh(turn, ids=recorder.changed)
        return outcomes

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """See `CodeLedger.known`."""
        asked = {request: text_mark(stored_key(request)) for request in requests}
        with self.scope.reading() as turn:
            known = {mark for (mark,) in turn.rows(KNOWN, marks=list(asked.values()), last=True)}
        return frozenset(request for request, mark in asked.items() if mark in known)

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        with self.scope.reading() as turn:
            return tuple(dict.fromkeys(name for name, _ in file_names(turn, well_formed(path))))

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        with self.scope.reading() as turn:
            return tuple(each.change for each in changes_below(turn, well_formed(path), limit))

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.scope.reading() as turn:
            found = file_changes(turn, well_formed(path))
        return removals(((each.change, each.lines) for each in found), frozenset(fingerprints))

    def age(self, before: datetime, *, limit: int) -> bool:
        """See `CodeLedger.age`."""
        asked: dict[str, Any] = {"before": to_microseconds(before), "limit": limit}
        with self.scope.reading() as turn:
            if not turn.rows(_UNAGED, **asked, last=True):
                return False
        with self.scope.writing() as turn:
            found = observation_rows.observations(turn, turn.rows(_UNAGED, **asked))
            turn.run(_AGED, seqs=[each.sequence for each in found])
            changed = [whole for whole in map(aged, found) if whole is not None]
            for whole in changed:
                observation_rows.amend(turn, whole, aged=True)
            refresh(turn, ids=[whole.id for whole in changed])
        return len(found) == limit

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        mark = text_mark(stored_key(session), removal.path)
        with self.scope.writing() as turn:
            return bool(turn.rows(_TELL, mark=mark, id=removal.observation))


@define
class _Recorder:
    """Captures on their way into a transaction.

    Attributes:
        turn: The transaction.
        known: Hashes of the requests that were recorded.
        latest: Latest live observation of each path.
        sequence: Next sequence number.
        changed: Ids of the observations that were made or amended.
    """

    turn: Turn
    known: set[bytes]
    latest: dict[str, Observation]
    sequence: int
    changed: set[UUID] = field(factory=set)

    def record(self, capture: Capture) -> Recorded:
        """Store one capture; see `CodeLedger.record`."""
        draft, request = capture.draft, capture.draft.request
        if request is not None:
            mark = text_mark(request)
            if mark in self.known:
                return Recorded.KNOWN
            self.known.add(mark)
            self.turn.run(REMEMBER, marks=[mark], origin=self.turn.project)
        older = self.latest.get(draft.changes[0].path) if len(draft.changes) == 1 else None
        whole = None if older is None else joined(older, draft, capture.at, capture.asked)
        if whole is not None:
            observation_rows.amend(self.turn, whole)
            self._keep(whole)
            return Recorded.JOINED
        said = draft.observed(id=capture.id, project=self.turn.project, sequence=self.sequence, now=capture.at)
        self.sequence += 1
        observation_rows.insert(
            self.turn, said, fingerprint=draft.fingerprint, request=request, sub=observation_rows.sub_of(said)
        )
        self._keep(said)
        return Recorded.NEW

    def _keep(self, said: Observation) -> None:
        self.changed.add(said.id)
        for change in said.changes:
            older = self.latest.get(change.path)
            if older is None or _place(older) <= _place(said):
                self.latest[change.path] = said


def _place(said: Observation) -> Place:
    return Place(said.occurred_at, said.sequence)
