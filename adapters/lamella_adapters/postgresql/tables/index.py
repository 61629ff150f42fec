"""Inverted index: documents, their postings, and the counts of both.

A posting holds the frequency of a term as BM25 counts it, weighted by columns and added up in the same order. The
tokens of a document are kept beside it, for phrases and for the final score.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from attrs import frozen

from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.domain.text.printing import stored_key
from lamella_adapters.fts5 import bm25
from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.statements import statements

SQL = statements(__file__)

LIVE, PURGED, MESSAGES = 0, 1, 2
"""Parts of the index of a project, each with statistics of its own."""


@frozen
class Document:
    """Indexed words of an observation or message.

    Attributes:
        part: Part of the index.
        seq: Its number.
        columns: Tokens of its columns.
    """

    part: int
    seq: int
    columns: Sequence[Sequence[str]]

    @classmethod
    def of(cls, part: int, seq: int, texts: Iterable[str]) -> "Document":
        """Return the document of some texts, one for each column. Taking them apart is slow."""
        return cls(part, seq, [keyed(bm25.tokens(text)) for text in texts])

    @property
    def length(self) -> int:
        """Number of its tokens."""
        return sum(map(len, self.columns))

    @property
    def stored(self) -> str:
        """Its tokens as text: a line for each column, and blanks on both sides of each token."""
        return "\n".join(map(adjacent, self.columns))

    def weights(self) -> dict[str, float]:
        """Return the frequency of each term, as BM25 adds it up."""
        added: dict[str, float] = {}
        for weight, column in zip(COLUMN_WEIGHTS, self.columns, strict=True):
            for token, count in Counter(column).items():
                for _ in range(count):
                    added[token] = added.get(token, 0.0) + weight
        return added


def keyed(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return tokens as the index holds them, which bounds its keys."""
    return tuple(map(stored_key, tokens))


def adjacent(tokens: Iterable[str]) -> str:
    """Return tokens in a row as they stand in a stored document."""
    return "".join(f" {token} " for token in tokens)


def columns_of(stored: str) -> list[list[str]]:
    """Return the tokens of a stored document by column."""
    return [[token for token in column.split(" ") if token] for column in stored.split("\n")]


def add(tx: Transaction, documents: Sequence[Document]) -> None:
    """Add documents that the index does not have."""
    if not documents:
        return
    weighed = [
        (place, term, weight) for place, each in enumerate(documents, 1) for term, weight in each.weights().items()
    ]
    values = {
        "parts": [each.part for each in documents],
        "seqs": [each.seq for each in documents],
        "lengths": [each.length for each in documents],
    }
    tx.run(SQL["add_documents"], **values, tokens=[each.stored for each in documents])
    places, terms, weights = ([each[column] for each in weighed] for column in range(3))
    tx.run(SQL["add_postings"], **values, places=places, terms=terms, weights=weights)


def remove(tx: Transaction, seqs: Collection[int], *, parts: Sequence[int] = (LIVE, PURGED)) -> None:
    """Take documents out of some parts."""
    if seqs:
        tx.run(SQL["remove"], seqs=list(seqs), parts=list(parts))
