"""Vocabulary of one part of an index, read in as few round trips as possible."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, field

from lamella.domain.text.languages.synonyms import synonyms
from lamella.domain.text.words import Word
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.near_words import MOST_CANDIDATES, beginning, neighbourhood, parts
from lamella_adapters.fts5.plan import MOST_WORDS, Vocabulary
from lamella_adapters.postgresql.database.transaction import Question, Row, Transaction
from lamella_adapters.postgresql.tables.index import adjacent, keyed
from lamella_adapters.statements import statements

SQL = statements(__file__)


@define(eq=False)
class Terms(Vocabulary):
    """Terms of one part of the index. Counts are cached, so that a plan needs few queries.

    Attributes:
        tx: Transaction to run the queries in.
        part: Part of the index.
    """

    tx: Transaction
    part: int
    _rows: int = 0
    _tokens: int = 0
    _holders: dict[str, int] = field(factory=dict)
    _phrases: dict[str, int] = field(factory=dict)
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
        keys = dict(zip(tokens, keyed(tokens), strict=True))
        unknown = [key for key in keys.values() if key not in self._holders]
        if unknown:
            self._count(unknown, self.tx.answers(self._counting(unknown))[0])
        return {token: self._holders[key] for token, key in keys.items()}

    def between(self, first: str, end: str) -> Iterable[str]:
        """See `Vocabulary.between`."""
        if (first, end) not in self._ranges:
            self._read([(first, end)], [])
        return self._ranges[first, end]

    def hits(self, key: Sequence[str]) -> int:
        """Return the number of rows with a term, given as index keys of its tokens."""
        return self.holders(key)[key[0]] if len(key) == 1 else self._phrases[adjacent(key)]

    def questions(self, tokens: Collection[str], phrases: Collection[Sequence[str]] = ()) -> Sequence[Question]:
        """Return the first queries: the size of the index, and the row counts of tokens and phrases."""
        self._phrases = dict.fromkeys((adjacent(keyed(phrase)) for phrase in phrases), 0)
        counting = SQL["phrases"] if phrases else SQL["no_phrases"]
        return (
            (SQL["size"], {"part": self.part}),
            self._counting(tokens),
            (counting, {"part": self.part, "adjacent": list(self._phrases)}),
        )

    def know(self, tokens: Collection[str], answers: Sequence[Sequence[Row]]) -> None:
        """Cache the answers to `questions`."""
        size, held, phrases = answers
        for documents, length in size:
            self._rows, self._tokens = documents, int(length)
        self._count(tokens, held)
        self._phrases |= dict(phrases)

    def _counting(self, tokens: Collection[str]) -> Question:
        return SQL["holders"], {"part": self.part, "terms": list(keyed(tokens))}

    def _count(self, tokens: Collection[str], held: Sequence[Row]) -> None:
        self._holders |= dict.fromkeys(keyed(tokens), 0)
        self._holders |= dict(held)

    def prepare(self, words: Sequence[Word]) -> None:
        """Prefetch compounds that begin with a word, and near spellings, parts and synonyms of unknown words.

        A plan for more than `MOST_WORDS` words uses only some of the words. In this case, data is read on demand
        instead.
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
            if not bm25.most_holders(forms, lambda token: self.holders([token])[token]):
                ranges |= dict.fromkeys(neighbourhood(token))
                endings |= dict.fromkeys(parts(token))
                alike = synonyms(word.forms[0], word.synonyms)
                endings |= dict.fromkeys(made for each in alike for made in bm25.tokens(each))
        if self._rows and (ranges or endings):
            self._read(list(ranges), list(endings))
        self._ranges |= {each: [] for each in ranges if not self._rows}

    def _read(self, ranges: Sequence[tuple[str, str]], tokens: Sequence[str]) -> None:
        asked = {
            "part": self.part,
            "firsts": [first for first, _ in ranges],
            "ends": [end for _, end in ranges],
            "most": MOST_CANDIDATES,
        }
        found, held = self.tx.answers((SQL["between"], asked), self._counting(tokens))
        firsts = {first: (first, end) for first, end in ranges}
        self._ranges |= {each: [] for each in ranges}
        self._count(tokens, held)
        for first, term, holders in found:
            self._ranges[firsts[first]].append(term)
            self._holders[term] = holders


def asked_of(words: Iterable[Word]) -> tuple[list[str], list[Sequence[str]]]:
    """Return the distinct tokens of all forms of the words, and the forms with several tokens."""
    forms = [form for word in words for form in bm25.forms(word)]
    tokens = dict.fromkeys(token for form in forms for token in form)
    return list(tokens), [form for form in forms if len(form) > 1]
