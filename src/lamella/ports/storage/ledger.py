"""History of the lines of each file: the additions and removals of each observation."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

from lamella.domain.ledger.file_change import FileChange, FileTally, Removal, tallied
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions import recording
from lamella.domain.transactions.look import Look
from lamella.domain.transactions.other_writes import Warned
from lamella.domain.transactions.recording import Capture, Recorded
from lamella.ports.storage.transaction import Transactional

__all__ = ["Capture", "CodeLedger", "Recorded"]

_EVERY = 2**31
"""A limit larger than any history."""


class CodeLedger(Transactional, Protocol):
    """Ledger of one project, derived from the changes of its live observations of any source.

    Purged observations are ignored. A file is also found under its former names, across several renames. A former
    name matches only changes before the rename, by time and then sequence. The present path matches all changes.

    If a write contains fingerprints of lines, the storage stores these. Otherwise, it computes the fingerprints
    with `describe.line_fingerprints`. `ObservationStorage.page` returns only some fingerprints; see
    `lamella.domain.exchange.arrival.dropped`. Results are defined by `reintroduction.names_over_time`,
    `file_change.entry` and `file_change.removals` in `lamella.domain.ledger`.
    """

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Store captures as observations in chronological order, in one transaction.

        A capture with a recorded request is ignored, even if its observation was erased since. A capture is merged
        into an older observation if `lamella.domain.ledger.merge_edits.joined` allows it. The candidate is the
        latest live observation, by time and then sequence, that changed one of the capture's paths. Captures are
        recorded one after the other, so a capture may be merged into an earlier capture of the same call. Any
        other capture becomes a new observation, even if its text exists already; its `occurred_at` and
        `created_at` are `at`.

        Merging is the only way to change the text or code changes of a saved observation. The amended observation
        keeps its id, sequence, and all times except `updated_at`. It keeps the fingerprint of its first text, so a
        draft with this text is still a duplicate. The observation is indexed again, and so is the context column
        of later observations. The observation's vector is pending again.

        Returns:
            The outcome for each capture, in order.
        """
        if not captures:
            return ()
        return self.transact(recording.look_for_captures(captures), partial(recording.decide_captures, captures))

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """Return the subset of `requests` already recorded."""
        recorded = self.look(Look(requests=tuple(map(stored_key, requests)))).recorded
        return frozenset(each for each in requests if stored_key(each) in recorded)

    @abstractmethod
    def names(self, path: str) -> tuple[str, ...]:
        """Return a path and the former names of its file, latest first, without duplicates.

        A change with a `former` equal to its path isn't a rename.
        """

    @abstractmethod
    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """Return the latest `limit` changes of a file by time and sequence, without hunks and versions.

        For a folder, return the changes of the files that were in the folder at the time of the change. `.` is the
        root folder. Several changes by one observation come in reverse order.
        """

    def files(self, *, limit: int) -> tuple[FileTally, ...]:
        """Return at most `limit` files, latest change first, then by path, each with the number of its changes.

        A renamed file is counted separately under each of its names.
        """
        return tallied(self.history(".", limit=_EVERY))[:limit]

    @abstractmethod
    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """Return the removals of lines from a file, in the order of `history`.

        Include removals of lines that were added back.

        Args:
            path: Current path of the file.
            fingerprints: Fingerprints of the lines; see `lamella.domain.ledger.describe.line_fingerprints`. They
                are unsigned 64-bit integers.
        """

    def age(self, before: datetime, *, limit: int) -> bool:
        """Drop the lines of captured edits older than `before`: at most `limit` edits, in one transaction.

        An edit becomes the result of `lamella.domain.ledger.ageing.aged`. The edit is indexed again, and so is the
        context column of later observations. The edit's vector is pending again. `removals` still finds the
        dropped lines. Purged edits age, too. Saved memories and learned commits never age.

        Returns:
            True if more edits may be due. Call this method again until the result is False.
        """
        # Usually nothing is due, so check that without locking first.
        if not self.look(Look(unaged=(before, 1))).unaged:
            return False
        return self.transact(Look(unaged=(before, limit)), recording.decide_ageing) == limit

    def tell(self, session: str, removal: Removal) -> bool:
        """Record that a session was warned about a removal. Return False if the session had been warned before.

        Removals with equal observation and path are the same, regardless of fingerprints. Return False for a
        missing observation. The record is deleted with the observation, and needn't survive a merge.
        """
        warned = Warned(observation=removal.observation, session=session, path=removal.path)
        look = Look(ids=(removal.observation,), warned=warned)
        return self.transact(look, partial(recording.decide_warning, look))
