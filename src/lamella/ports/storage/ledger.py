"""History of the lines of each file: added or removed, by which observation."""

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
"""A limit that no history reaches."""


class CodeLedger(Transactional, Protocol):
    """Ledger of one project, made of the changes of its live observations, however they were saved.

    Purged observations are ignored. A file is known under its former names too: what a path was renamed from, and
    what that was renamed from before.
    """

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Store captures as observations that take their places in time, in one transaction.

        A capture whose request was recorded before is ignored, even if its observation was erased since. One that
        `lamella.domain.ledger.merge_edits.joined` lets join an older observation becomes part of that: the latest
        live one, by time and then sequence, that has a change with one of the capture's paths. Purged ones are
        passed over. Captures are recorded one after the other, so that one may join another of the same call.
        Others become new observations, even if another one says the same; `occurred_at` and `created_at` are `at`.

        Joining is the only way in which the text or changes of a saved observation are amended. What is joined
        keeps its id, sequence, times but `updated_at`, and its first fingerprint: a draft that says what it said
        at first is its duplicate. It is indexed anew, as are the contexts of those after it, and its vector is
        pending again.

        Returns:
            What became of each capture, in order.
        """
        if not captures:
            return ()
        return self.transact(look_for_captures(captures), partial(decide_captures, captures))

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """Return the ones among `requests` that were recorded."""
        recorded = self.look(Look(requests=tuple(map(stored_key, requests)))).recorded
        return frozenset(each for each in requests if stored_key(each) in recorded)

    @abstractmethod
    def names(self, path: str) -> tuple[str, ...]:
        """Return a path and the names that its file had before, latest first, each once.

        A change whose `former` is its own path is no rename.
        """

    @abstractmethod
    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """Return at most `limit` changes of a file without hunks and versions, the latest by time and sequence.

        If `path` was a folder, these are also the changes of the files that were in it then; `.` is the folder of
        all. Several changes that one observation has of them are in the reverse of their order in it.
        """

    def files(self, *, limit: int) -> tuple[FileTally, ...]:
        """Return at most `limit` files with the number of their changes, the latest changed first, then by path.

        A file that was renamed counts under each of its names.
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
        """Drop the lines of captured edits that occurred before a time, at most `limit` in one transaction.

        What is left of each is `lamella.domain.ledger.ageing.aged`. It is indexed anew, as are the contexts of
        those after it, and its vector is pending again. `removals` answers as before. Purged ones age too; saved
        memories and learned commits never do.

        Returns:
            True if more may be left. Repeated, it comes to an end.
        """
        # Mostly there is nothing to do, and nobody should wait for that.
        if not self.look(Look(unaged=Unaged(before=before, limit=1))).unaged:
            return False
        return self.transact(Look(unaged=Unaged(before=before, limit=limit)), decide_ageing) == limit

    def tell(self, session: str, removal: Removal) -> bool:
        """Remember that a session was told of a removal. Return True if it hadn't been told before.

        A removal is the same if its observation and path are, whatever its fingerprints. If its observation is not
        there, the answer is False. This is forgotten with the observation, and need not survive a merge.
        """
        warned = Warned(observation=removal.observation, session=session, path=removal.path)
        look = Look(ids=(removal.observation,), warned=warned)
        return self.transact(look, partial(decide_warning, look))
