"""Inverted index: documents, postings, and statistics.

A posting stores a term's frequency in a document, weighted by column and summed in the same order as in `bm25`, so
that scores are equal to the last bit. The document keeps its tokens, for phrases and for the exact score.
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
"""Parts of a project's index. Each has its own statistics."""


@frozen
class Document:
    """Indexed tokens of an observation or message.

    Attributes:
        part: Part of the index.
        seq: Sequence number of the observation, or number of the message.
        columns: Tokens of each indexed column.
    """

    part: int
    seq: int
    columns: Sequence[Sequence[str]]

    @classmethod
    def of(cls, part: int, seq: int, texts: Iterable[str]) -> "Document":
        """Tokenize the texts of the columns. This is slow."""
        return cls(part, seq, [keyed(bm25.tokens(text)) for text in texts])

    @property
    def length(self) -> int:
        """Number of tokens."""
        return sum(map(len, self.columns))

    @property
    def stored(self) -> str:
        """Tokens as text: a line for each column, with a space on both sides of each token."""
        return "\n".join(map(adjacent, self.columns))

    def weights(self) -> dict[str, float]:
        """Return the weighted frequency of each term, summed in the order of `bm25`."""
        added: dict[str, float] = {}
        for weight, column in zip(COLUMN_WEIGHTS, self.columns, strict=True):
            for token, count in Counter(column).items():
                for _ in range(count):
                    added[token] = added.get(token, 0.0) + weight
        return added


def keyed(tokens: Iterable[str]) -> tuple[str, ...]:
    """Convert tokens to index keys, which have a maximum length."""
    return tuple(map(stored_key, tokens))


def adjacent(tokens: Iterable[str]) -> str:
    """Join tokens as a stored document does, to search documents for the tokens as a phrase."""
    return "".join(f" {token} " for token in tokens)


def columns_of(stored: str) -> list[list[str]]:
    """Split a stored document into the tokens of its columns."""
    return [[token for token in column.split(" ") if token] for column in stored.split("\n")]


def add(tx: Transaction, documents: Sequence[Document]) -> None:
    """Add new documents to the index."""
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
    """Remove documents from the given parts of the index."""
    if seqs:
        tx.run(SQL["remove"], seqs=list(seqs), parts=list(parts))
