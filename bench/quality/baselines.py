"""Baselines: grep, and full-text search as its documentation shows it."""

from collections.abc import Iterator, Sequence
from contextlib import closing

import apsw
from attrs import frozen

from bench.quality.collection import DEPTH, Engine, Memory, Question

_SEARCH = "SELECT rowid FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT ?"


class Grep(Engine):
    """`grep -iF` for the whole question, then for any of its words; the newest first."""

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "grep"

    def rankings(self, memories: Sequence[Memory], questions: Sequence[Question]) -> Iterator[Sequence[str]]:
        """See `Engine.rankings`."""
        newest = [(memory.key, memory.text.lower()) for memory in reversed(memories)]
        for question in questions:
            whole = question.text.lower()
            literal = [key for key, text in newest if whole in text]
            by_word = [key for key, text in newest if any(word in text for word in whole.split())]
            yield list(dict.fromkeys(literal + by_word))[:DEPTH]


@frozen
class PlainFts5(Engine):
    """An FTS5 table of the texts, `porter unicode61`, asked for the question's words in quotes.

    `operator` joins them: FTS5's implicit AND, which is what a question gets that is passed on as it is, or OR.
    """

    operator: str

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return f"FTS5, {self.operator}"

    def rankings(self, memories: Sequence[Memory], questions: Sequence[Question]) -> Iterator[Sequence[str]]:
        """See `Engine.rankings`."""
        with closing(apsw.Connection(":memory:")) as connection:
            connection.execute("CREATE VIRTUAL TABLE memory USING fts5(text, tokenize = 'porter unicode61')")
            connection.executemany(
                "INSERT INTO memory (rowid, text) VALUES (?, ?)",
                [(number, memory.text) for number, memory in enumerate(memories)],
            )
            for question in questions:
                words = ['"' + word.replace('"', '""') + '"' for word in question.text.split()]
                found = connection.execute(_SEARCH, (f" {self.operator} ".join(words), DEPTH))
                yield [memories[number].key for (number,) in found]
