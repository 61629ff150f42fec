"""Baselines: grep, full-text search as in SQLite's documentation, and BM25 in Python."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing

import apsw
import numpy as np
from attrs import frozen
from rank_bm25 import BM25Okapi

from bench.quality.collection import DEPTH, Engine, Memory, Results

_SEARCH = "SELECT rowid FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT ?"
_WORD = re.compile(r"\w+")


class Grep(Engine):
    """`grep -iF` for the whole question, then for any of its words. Matches are sorted newest first."""

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "grep"

    def found(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Results]:
        """See `Engine.found`."""
        newest = [(memory.key, memory.words.lower()) for memory in reversed(memories)]
        for asked in texts:
            whole = asked.lower()
            literal = [key for key, text in newest if whole in text]
            words = whole.split()
            by_word = [key for key, text in newest if any(word in text for word in words)]
            yield Results(list(dict.fromkeys(literal + by_word))[:DEPTH])


@frozen
class PlainFts5(Engine):
    """An FTS5 table of the texts (`porter unicode61`), queried with the question's words in quotes.

    `operator` joins the words: OR, or FTS5's implicit AND, which applies to an unchanged question.
    """

    operator: str

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return f"FTS5, {self.operator}"

    def found(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Results]:
        """See `Engine.found`."""
        with closing(apsw.Connection(":memory:")) as connection:
            connection.execute("CREATE VIRTUAL TABLE memory USING fts5(text, tokenize = 'porter unicode61')")
            connection.executemany(
                "INSERT INTO memory (rowid, text) VALUES (?, ?)",
                [(number, memory.words) for number, memory in enumerate(memories)],
            )
            for asked in texts:
                words = ['"' + word.replace('"', '""') + '"' for word in asked.split()]
                rows = connection.execute(_SEARCH, (f" {self.operator} ".join(words), DEPTH))
                yield Results([memories[number].key for (number,) in rows])


class RankBm25(Engine):
    """BM25Okapi of the library rank_bm25 with its defaults, over words in lower case."""

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "rank_bm25"

    def found(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Results]:
        """See `Engine.found`."""
        index = BM25Okapi([_words(memory.words) or [""] for memory in memories])
        for asked in texts:
            scores = index.get_scores(_words(asked))
            best = np.argsort(-scores, kind="stable")[:DEPTH]
            yield Results([memories[number].key for number in best if scores[number] > 0])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
