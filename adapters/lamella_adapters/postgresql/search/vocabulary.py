"""The terms of one part of an index, asked for in as few round trips as a question allows."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, field

from lamella.domain.text.keys import stored_key
from lamella.domain.text.words import Word
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.near_words import MOST_CANDIDATES, beginning, neighbourhood, parts
from lamella_adapters.fts5.plan import MOST_WORDS, Vocabulary
from lamella_adapters.postgresql.database.turn import Turn

Question = tuple[str, Mapping[str, object]]
"""A statement and its values."""

_SIZE = "SELECT documents, tokens FROM index_size WHERE project = here() AND part = %(part)s"
_HOLDERS = """
SELECT term, holders FROM term WHERE project = here() AND part = %(part)s AND term = ANY(%(terms)s::text[])
"""
_BETWEEN = """
SELECT r.first, t.term, t.holders FROM unnest(%(firsts)s::text[], %(ends)s::text[]) AS r (first, beyond)
CROSS JOIN LATERAL (
  SELECT term, holders FROM term WHERE project = here() AND part = %(part)s
    AND term >= r.first COLLATE "C" AND term < r.beyond COLLATE "C"
  ORDER BY term LIMIT %(most)s
) AS t ORDER BY t.term
"""


@define(eq=False)
class Terms(Vocabulary):
    """Terms of one part of the index, in a transaction.

    Attributes:
        turn: The transaction.
        part: Part of the index.
    """

    turn: Turn
    part: int
    _rows: int = 0
    _tokens: int = 0
    _holders: dict[str, int] = field(factory=dict)
    _ranges: dict[tuple[str, str], list[str]] = field(factory=dict)

    @property
    def rows(self) -> int:
        """See `Vocabulary.rows`."""
        return self._rows

    @property
    def average_length(self) -> float:
        """Average number of tokens of a document."""
        return self._tokens / max(self._rows, 1)

    def holders(self, tokens: Collection[str]) -> Mapping[str, int]:
        """See `Vocabulary.holders`."""
        unknown = [token for token in tokens if token not in self._holders]
        if unknown:
            ((statement, values),) = self.counting(unknown)
            self.count(unknown, self.turn.rows(statement, **values))
        return {token: self._holders[token] for token in tokens}

    def between(self, first: str, end: str) -> Iterable[str]:
        """See `Vocabulary.between`."""
        if (first, end) not in self._ranges:
            self._read([(first, end)], [])
        return self._ranges[first, end]

    def questions(self, tokens: Collection[str]) -> Sequence[Question]:
        """Return what to ask before anything else: the size of the index, and the holders of some tokens."""
        return (_SIZE, {"part": self.part}), *self.counting(tokens)

    def counting(self, tokens: Collection[str]) -> Sequence[Question]:
        """Return the question for the holders of some tokens."""
        return ((_HOLDERS, {"part": self.part, "terms": [stored_key(token) for token in tokens]}),)

    def know(self, tokens: Collection[str], size: Sequence[tuple[int, int]], held: Sequence[tuple[str, int]]) -> None:
        """Take the answers to `questions`."""
        for documents, length in size:
            self._rows, self._tokens = documents, int(length)
        self.count(tokens, held)

    def count(self, tokens: Collection[str], held: Sequence[tuple[str, int]]) -> None:
        """Take the answer to `counting`."""
        found = dict(held)
        self._holders |= {token: found.get(stored_key(token), 0) for token in tokens}

    def prepare(self, words: Sequence[Word]) -> None:
        """Ask at once for what a plan needs about words that nothing holds, and about beginnings of compounds.

        Of a question of more than `MOST_WORDS` not all are needed: those are asked for one by one.
        """
        ranges: dict[tuple[str, str], None] = {}
        endings: dict[str, None] = {}
        for word in words if len(words) <= MOST_WORDS else ():
            forms = bm25.forms(word)
            if not forms or len(forms[0]) > 1:
                continue
            token = forms[0][0]
            if word.compounds:
                ranges[beginning(token)] = None
            if not bm25.most_holders(word, self._holders.__getitem__):
                ranges |= dict.fromkeys(neighbourhood(token))
                endings |= dict.fromkeys(parts(token))
        if self._rows and (ranges or endings):
            self._read(list(ranges), [each for each in endings if each not in self._holders])
        self._ranges |= {each: [] for each in ranges if not self._rows}

    def _read(self, ranges: Sequence[tuple[str, str]], tokens: Sequence[str]) -> None:
        asked = {
            "part": self.part,
            "firsts": [first for first, _ in ranges],
            "ends": [end for _, end in ranges],
            "most": MOST_CANDIDATES,
        }
        found, held = self.turn.answers((_BETWEEN, asked), *self.counting(tokens))
        firsts = {first: (first, end) for first, end in ranges}
        self._ranges |= {each: [] for each in ranges}
        for first, term, holders in found:
            self._ranges[firsts[first]].append(term)
            self._holders[term] = holders
        self.count(tokens, held)


def tokens_of(words: Iterable[Word]) -> list[str]:
    """Return the tokens of all forms of some words, each once."""
    return list(dict.fromkeys(token for word in words for form in bm25.forms(word) for token in form))
