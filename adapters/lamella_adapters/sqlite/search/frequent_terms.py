"""What a question's frequent terms add to the scores of a few rows.

FTS5's own `bm25()` counts in how many rows each term stands whenever a query begins, which takes longer for
frequent terms than everything else. How many rows those are is known, so that the same sum is computed here, to
the last bit: of the same numbers, which FTS5 gives, in the same order.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final
from weakref import WeakSet

import apsw
from attrs import define

from lamella_adapters.fts5 import bm25, tokens

_NAME: Final = "completed_score"
_LENGTH: Final = "average_length"

# The plus sign keeps FTS5 from beginning its search anew for each row.
_COMPLETED: Final = f"""
SELECT rowid, {_NAME}({{index}}, :rest) FROM {{index}}
WHERE {{index}} MATCH :match AND +rowid IN (SELECT value FROM json_each(:rows))
"""  # noqa: S608 - the names of indexes are our own constants

_AVERAGE: Final = f"SELECT {_LENGTH}({{index}}) FROM {{index}} WHERE {{index}} MATCH ? LIMIT 1"  # noqa: S608 - see above

_prepared: Final[WeakSet[apsw.Connection]] = WeakSet()
"""The connections that know the functions."""


@define
class Rest:
    """What is to be added to the scores that the `first` phrases of a query give to some rows, which are `known`.

    `hits` says for each further phrase how many rows have it. `weights` are those of the columns.
    """

    known: Mapping[int, float]
    first: int
    hits: Sequence[int]
    weights: Sequence[float]
    _idf: Sequence[float] = ()
    _average_length: float = 0.0

    def added(self, row: apsw.FTS5ExtensionApi) -> float:
        """The score of a row for all phrases."""
        if not self._idf:
            self._idf = [bm25.idf(hits, row.row_count) for hits in self.hits]
            self._average_length = _average_length(row)
        norm = bm25.length_norm(row.column_size(-1), self._average_length)
        score = self.known[row.rowid]
        for phrase, idf in enumerate(self._idf, self.first):
            frequency = 0.0
            for weight, places in zip(self.weights, row.phrase_locations(phrase), strict=True):
                for _ in places:
                    frequency += weight
            score += bm25.gain(idf, frequency, norm)
        return score


def completed(connection: apsw.Connection, index: str, match: str, rest: Rest) -> dict[int, float]:
    """Those of the known rows that match, with their scores for all phrases of `match`."""
    _prepare(connection)
    asked = {"match": match, "rows": json.dumps([*rest.known]), "rest": apsw.pyobject(rest)}
    return dict(connection.execute(_COMPLETED.format(index=index), asked))


def average_length(connection: apsw.Connection, index: str, phrase: bm25.Phrase) -> float:
    """How many tokens a row of an index has on average, where any row has `phrase`."""
    _prepare(connection)
    average: float = connection.execute(_AVERAGE.format(index=index), (tokens.quoted(phrase.text),)).get
    return average


def _prepare(connection: apsw.Connection) -> None:
    if connection not in _prepared:
        connection.register_fts5_function(_NAME, _completed)
        connection.register_fts5_function(_LENGTH, _average_length)
        _prepared.add(connection)


def _average_length(row: apsw.FTS5ExtensionApi, *_: object) -> float:
    return row.column_total_size(-1) / row.row_count


def _completed(row: apsw.FTS5ExtensionApi, *given: object) -> float:
    (rest,) = given
    assert isinstance(rest, Rest)  # noqa: S101 - tells the type checker what `completed` gives
    return rest.added(row)
