"""Document frequencies of terms, counted by FTS5 and cached in the process.

Counting a frequent term reads its whole list (up to 28 ms), so the count is kept with the number of changes that
the index had seen. Later changes bound the error of the count; a count that may be off by too much is repeated.
"""

import weakref
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

import apsw
from attrs import define, field, frozen

from lamella_adapters.fts5.bm25 import Phrase
from lamella_adapters.fts5.tokens import quoted

_REMEMBERED_TERMS = 10_000
_TOLERATED_DRIFT = 0.02
"""Share of a count that later changes may amount to before it is repeated."""


@frozen
class Counted:
    """Number of rows that contain a term: `hits` when they were counted, at least `at_least` now."""

    hits: int
    at_least: int


@define(eq=False)
class TermStatistics:
    """Cached counts of one index, shared by the threads of the process."""

    index: str
    _counts: OrderedDict[tuple[str, ...], tuple[int, int]] = field(factory=OrderedDict)
    _lock: Lock = field(factory=Lock)
    _counted_by: Callable[[], apsw.Connection | None] = lambda: None

    def count(
        self, connection: apsw.Connection, phrase: Phrase, changes: int, *, drift: float = _TOLERATED_DRIFT
    ) -> Counted:
        """Count the rows of the index that contain `phrase`.

        Args:
            connection: a transaction on the project's file.
            phrase: the term.
            changes: the number of changes that the index has seen.
            drift: the share by which the count may be off; with 0 it is exact.
        """
        with self._lock:
            if self._counted_by() is not connection:
                # A new connection may have opened another file, whose number of changes is unrelated.
                self._counts.clear()
                self._counted_by = weakref.ref(connection)
            hits, counted_at = self._counts.get(phrase.tokens, (0, -1))
        since = changes - counted_at
        if counted_at < 0 or since < 0 or since > hits * drift:
            hits, since = self._counted(connection, phrase), 0
            with self._lock:
                self._counts[phrase.tokens] = (hits, changes)
                while len(self._counts) > _REMEMBERED_TERMS:
                    self._counts.popitem(last=False)
        return Counted(hits, max(0, hits - since))

    def _counted(self, connection: apsw.Connection, phrase: Phrase) -> int:
        if len(phrase.tokens) == 1:
            # The names of the indexes are our own constants.
            lookup = f"SELECT doc FROM {self.index}_terms WHERE term = ?"  # noqa: S608 - made of our own constants
            hits: int = connection.execute(lookup, phrase.tokens).get or 0
            return hits
        counting = f"SELECT count(*) FROM {self.index} WHERE {self.index} MATCH ?"  # noqa: S608 - made of our own constants
        matching: int = connection.execute(counting, (quoted(phrase.text),)).get
        return matching


@frozen(kw_only=True)
class SearchIndex:
    """One index in a transaction, with the number of its `rows` and of the `changes` that it has seen."""

    connection: apsw.Connection
    terms: TermStatistics
    rows: int
    changes: int

    @property
    def name(self) -> str:
        """Return the name of its table."""
        return self.terms.index

    def count(self, phrase: Phrase) -> Counted:
        """Count the rows that contain `phrase`; the count may be off by a small share."""
        return self.terms.count(self.connection, phrase, self.changes)

    def hits(self, phrase: Phrase) -> int:
        """Return the exact number of rows that contain `phrase`."""
        return self.terms.count(self.connection, phrase, self.changes, drift=0).hits
