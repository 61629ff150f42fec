"""Document frequencies of terms, counted by FTS5 and cached in the process.

Counting the rows of a frequent term reads its whole posting list, in up to 28 ms. So the count is cached, with the
number of changes of the index at that time. The error of a cached count is at most the number of changes since
then. If this number is too large, the rows are counted again.
"""

import json
import weakref
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from threading import Lock

import apsw
from attrs import define, field, frozen

from lamella_adapters.fts5.bm25 import Phrase
from lamella_adapters.fts5.plan import Vocabulary
from lamella_adapters.sqlite.file.connection import fetch

_REMEMBERED_TERMS = 10_000
_TOLERATED_DRIFT = 0.02
"""Maximum error of a cached count, as a share of the count.

If the error may be larger, because the index has changed, the rows are counted again.
"""


@frozen
class Counted:
    """Number of rows with a term: `hits` when they were counted, and `at_least`, a lower bound at present."""

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
        """Count the rows of the index with `phrase`.

        Args:
            connection: A transaction on the project's file.
            phrase: The term.
            changes: Present number of changes of the index.
            drift: Maximum error, as a share of the count; 0 for an exact count.
        """
        counted = self._known(connection, phrase.tokens, changes, drift)
        if counted is None:
            counting = f"SELECT count(*) FROM {self.index} WHERE {self.index} MATCH ?"  # noqa: S608 - made of our own constants
            hits: int = connection.execute(counting, (phrase.text,)).get
            counted = self._keep(phrase.tokens, hits, changes)
        return counted

    def holders(self, connection: apsw.Connection, tokens: Collection[str], changes: int) -> Mapping[str, int]:
        """Count the rows with each token. All tokens without a cached count are counted by one statement."""
        known = {token: self._known(connection, (token,), changes, _TOLERATED_DRIFT) for token in tokens}
        unknown = [token for token, counted in known.items() if counted is None]
        if unknown:
            asked = f"SELECT term, doc FROM {self.index}_terms WHERE term IN (SELECT value FROM json_each(?))"  # noqa: S608 - made of our own constants
            found = dict(fetch(connection, asked, (json.dumps(unknown),)))
            known |= {token: self._keep((token,), found.get(token, 0), changes) for token in unknown}
        return {token: counted.hits for token, counted in known.items() if counted}

    def _known(
        self, connection: apsw.Connection, tokens: tuple[str, ...], changes: int, drift: float
    ) -> Counted | None:
        """Return the cached count of a term. Return None if it is missing or may be too inexact."""
        with self._lock:
            if self._counted_by() is not connection:
                # A new connection may have opened another file with an unrelated number of changes.
                self._counts.clear()
                self._counted_by = weakref.ref(connection)
            hits, counted_at = self._counts.get(tokens, (0, -1))
        since = changes - counted_at
        if counted_at < 0 or since < 0 or since > hits * drift:
            return None
        return Counted(hits, max(0, hits - since))

    def _keep(self, tokens: tuple[str, ...], hits: int, changes: int) -> Counted:
        with self._lock:
            self._counts[tokens] = (hits, changes)
            while len(self._counts) > _REMEMBERED_TERMS:
                self._counts.popitem(last=False)
        return Counted(hits, hits)


@frozen(kw_only=True)
class SearchIndex(Vocabulary):
    """Index as seen by a transaction: it has `rows`, and was changed `changes` times."""

    connection: apsw.Connection
    terms: TermStatistics
    rows: int
    changes: int

    @property
    def name(self) -> str:
        """Name of the index's table."""
        return self.terms.index

    def count(self, phrase: Phrase) -> Counted:
        """Count the rows with `phrase`; the count may be off by a small share."""
        return self.terms.count(self.connection, phrase, self.changes)

    def hits(self, phrase: Phrase) -> int:
        """Return the exact number of rows with `phrase`."""
        return self.terms.count(self.connection, phrase, self.changes, drift=0).hits

    def holders(self, tokens: Collection[str]) -> Mapping[str, int]:
        """See `Vocabulary.holders`; counts may be off by a small share."""
        return self.terms.holders(self.connection, tokens, self.changes)

    def between(self, first: str, end: str) -> Iterable[str]:
        """See `Vocabulary.between`."""
        asked = f"SELECT term FROM {self.name}_terms WHERE term >= ? AND term < ?"  # noqa: S608 - made of our own constants
        return (term for (term,) in self.connection.execute(asked, (first, end)))
