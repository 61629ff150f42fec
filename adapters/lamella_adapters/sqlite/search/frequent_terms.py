"""Scores of a query's frequent terms, computed only for the few rows that can be among the best.

FTS5's own `bm25()` counts the rows of each term whenever a query begins, which takes longer for frequent terms
than everything else. The counts are cached, so the same sum can be computed here from the same numbers in the same
order, exact to the last bit.

CPU time of a search with and without, medians of 120 calls with the questions of `bench`, one project:

| memories | five terms (`or5`) | eight words (`nl8`) |
|---|---|---|
| 40,000 | not used | not used |
| 100,000 | 5.8 / 6.8 ms | not used |
| 400,000 | 16.4 / 25.1 ms | 9.8 / 14.2 ms |
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

# The plus sign keeps FTS5 from starting its search again for each row.
_STATEMENT: Final = f"""
SELECT rowid, {_NAME}({{index}}, :frequent) FROM {{index}}
WHERE {{index}} MATCH :match AND +rowid IN (SELECT value FROM json_each(:rows))
"""  # noqa: S608 - the names of indexes are our own constants

_AVERAGE: Final = f"SELECT {_LENGTH}({{index}}) FROM {{index}} WHERE {{index}} MATCH ? LIMIT 1"  # noqa: S608 - see above

_prepared: Final[WeakSet[apsw.Connection]] = WeakSet()
"""Connections on which the functions are registered."""


@define
class FrequentTerms:
    """The further phrases of a query, whose scores are added to the `known` scores of some rows.

    The known scores are by the `first` phrases of the query. `hits` is the number of rows with each further
    phrase, `weights` are the weights of the columns.
    """

    known: Mapping[int, float]
    first: int
    hits: Sequence[int]
    weights: Sequence[float]
    _idf: Sequence[float] = ()
    _average_length: float = 0.0

    def score(self, row: apsw.FTS5ExtensionApi) -> float:
        """Return the score of a row by all phrases."""
        if not self._idf:
            self._idf = [tokens.idf(hits, row.row_count) for hits in self.hits]
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


def complete_scores(
    connection: apsw.Connection, index: str, match: str, frequent: FrequentTerms
) -> dict[int, float]:
    """Return the known rows that match, with their scores by all phrases of `match`."""
    _prepare(connection)
    asked = {"match": match, "rows": json.dumps([*frequent.known]), "frequent": apsw.pyobject(frequent)}
    return dict(connection.execute(_STATEMENT.format(index=index), asked))


def average_length(connection: apsw.Connection, index: str, phrase: bm25.Phrase) -> float:
    """Return the average number of tokens in the rows of an index, in which some row has `phrase`."""
    _prepare(connection)
    average: float = connection.execute(_AVERAGE.format(index=index), (phrase.text,)).get
    return average


def _prepare(connection: apsw.Connection) -> None:
    if connection not in _prepared:
        connection.register_fts5_function(_NAME, _completed_score)
        connection.register_fts5_function(_LENGTH, _average_length)
        _prepared.add(connection)


def _average_length(row: apsw.FTS5ExtensionApi, *_: object) -> float:
    return row.column_total_size(-1) / row.row_count


def _completed_score(row: apsw.FTS5ExtensionApi, *given: object) -> float:
    (frequent,) = given
    assert isinstance(frequent, FrequentTerms)  # noqa: S101 - for the type checker
    return frequent.score(row)
