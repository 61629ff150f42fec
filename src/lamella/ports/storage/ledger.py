"""History of the lines of each file: additions and removals, by observation."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

from lamella.domain.ledger.file_change import FileChange, FileTally, Removal, tallied
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.look import Look, Unaged, Warned
from lamella.domain.transactions.recording import (
    Capture,
    Recorded,
    decide_ageing,
    decide_captures,
    decide_warning,
    look_for_captures,
)
from lamella.ports.storage.transaction import Transactional

__all__ = ["Capture", "CodeLedger", "Recorded"]

_EVERY = 2**31
"""A limit above any history."""


class CodeLedger(Transactional, Protocol):
    """Ledger of one project, made of the changes of its live observations, regardless of their source.

    Purged observations are ignored. A file is also known under its former names, across several renames.
    """

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Store captures as observations in order of time, in one transaction.

        A capture with a recorded request is ignored, even if its observation was erased since. It joins an older
        observation if `lamella.domain.ledger.merge_edits.joined` allows it. The candidate is the latest live one,
        by time and then sequence, with a change in one of the capture's paths. Captures are recorded one after the
        other, so one may join another of the same call. Others become new observations, even with the text of an
        existing one; `occurred_at` and `created_at` are `at`.

        Joining is the only way to amend the text or changes of a saved observation. It keeps its id, sequence,
        times except `updated_at`, and its first fingerprint: a draft with its first text is its duplicate. It is
        indexed anew, as are the contexts of later observations, and its vector is pending again.

        Returns:
            The outcome for each capture, in order.
        """
        if not captures:
            return ()
        return self.transact(look_for_captures(captures), partial(decide_captures, captures))

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """Return the recorded ones among `requests`."""
        recorded = self.look(Look(requests=tuple(map(stored_key, requests)))).recorded
        return frozenset(each for each in requests if stored_key(each) in recorded)

    @abstractmethod
    def names(self, path: str) -> tuple[str, ...]:
        """Return a path and the former names of its file, latest first, without duplicates.

        A change with its own path as `former` is no rename.
        """

    @abstractmethod
    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """Return at most `limit` changes of a file without hunks and versions, the latest by time and sequence.

        For a folder, these also include the changes of files in it at the time; `.` is the folder of all. Changes
        within one observation come in reverse order.
        """

    def files(self, *, limit: int) -> tuple[FileTally, ...]:
        """Return at most `limit` files with the number of their changes, the latest changed first, then by path.

        A renamed file counts under each of its names.
        """
        return tallied(self.history(".", limit=_EVERY))[:limit]

    @abstractmethod
    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """Return the removals of lines from a file, in the order of `history`, even if they are in the file again.

        Args:
            path: Present name of the file.
            fingerprints: Fingerprints of the lines, as in `lamella.domain.ledger.describe.line_fingerprints`:
                unsigned numbers of 64 bits.
        """

    def age(self, before: datetime, *, limit: int) -> bool:
        """Drop the lines of captured edits older than a time, at most `limit` in one transaction.

        The remains of each are `lamella.domain.ledger.ageing.aged`. It is indexed anew, as are the contexts of
        later observations, and its vector is pending again. `removals` answers as before. Purged ones age too;
        saved memories and learned commits never do.

        Returns:
            True if more may be left. Repeated calls finish.
        """
        # Usually nothing is due. Check before locking.
        if not self.look(Look(unaged=Unaged(before=before, limit=1))).unaged:
            return False
        return self.transact(Look(unaged=Unaged(before=before, limit=limit)), decide_ageing) == limit

    def tell(self, session: str, removal: Removal) -> bool:
        """Remember a session's warning about a removal. Return True for the first one.

        Removals are the same with an equal observation and path, regardless of fingerprints. For a missing
        observation, return False. The warning is deleted with the observation, and need not survive a merge.
        """
        warned = Warned(observation=removal.observation, session=session, path=removal.path)
        look = Look(ids=(removal.observation,), warned=warned)
        return self.transact(look, partial(decide_warning, look))
