"""The memories that a text is about, and how much of what it says they hold.

Unlike `search`, it looks only for the rarest words, as many as stand in a bounded number of rows, so that a long
text and a large project cost no more than others. Words in many memories would change the ranking little, and say
nothing of what a text is about. Hooks use this module, so it imports little.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from lamella.domain.hook_context import MemoryExcerpt, Related
from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.domain.text.words import Word
from lamella_adapters.fts5.tokens import TOKENIZER, holds, idf, quoted, tokens_by
from lamella_adapters.sqlite.tables.short_ids import short_ids

MOST_WORDS, MOST_NAMES = 40, 10
"""So many words are looked up at most, and so many of several parts, which take long where each is frequent."""

MOST_ROWS = 2_000
"""Words are looked for, the rarest first, as long as they stand in no more rows together: some 3 ms. Nor are those
of one word counted further, so that in a large project frequent words weigh too much, and silence is likelier."""

FEW_ROWS = 3
"""A name of code that no more memories hold tells what they are about."""

_LEAST_NAME_CHARACTERS = 6
_NAME_PARTS = re.compile(r"[^\W\d_A-Z]{2,}|[A-Z]{2,}")
_NAME_JOINTS = re.compile(r"_|\.|::|->|/.*/|[^\W\d_A-Z][A-Z]")
"""What joins the parts of a name; words with a hyphen or one slash between them are mostly prose."""

_CONTENT_CHARACTERS = 4_000
"""How much of a text is compared word by word."""

_WEIGHTS = ", ".join(map(str, COLUMN_WEIGHTS))
# What the memories before one said says nothing of it. The rest is made of our own constants.
_BEST = f"""
SELECT id, moment, title, substr(content, 1, {_CONTENT_CHARACTERS}), heading, sub FROM (
  SELECT rowid AS seq, bm25(search, {_WEIGHTS}) AS score FROM search WHERE search MATCH :match
  ORDER BY score, seq DESC LIMIT :limit
) JOIN observation USING (seq) ORDER BY score, seq DESC
"""  # noqa: S608 - made of our own constants
_OWN_COLUMNS = "{{title content sub}} : ({words})"
_ROWS = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"


class _Sought(NamedTuple):
    """A word: its forms that stand in some row, with their tokens, and how much it weighs."""

    word: Word
    forms: tuple[tuple[str, tuple[str, ...]], ...]
    rows: int
    weight: float

    @property
    def match(self) -> str:
        """The query for it."""
        return " OR ".join(quoted(form) for form, _ in self.forms)

    def held(self, columns: Sequence[Sequence[str]]) -> bool:
        """Whether it stands in any of these tokens."""
        return any(holds(column, tokens) for _, tokens in self.forms for column in columns)

    @property
    def telling(self) -> bool:
        """Whether a memory that holds it is most likely about what the text is about."""
        return self.rows <= FEW_ROWS and _is_name(self.word.forms[0])


def about(connection: apsw.Connection, words: Sequence[Word], limit: int) -> list[Related]:
    """The memories that hold most of the rarest `words`, best first."""
    rows: int = connection.execute("SELECT live FROM statistics").get
    tokenizer = connection.fts5_tokenizer(*TOKENIZER)
    sought = list(_sought(connection, tokenizer, _first(words), rows))
    total = sum(each.weight for each in sought)
    asked: list[_Sought] = []
    for each in sorted(sought, key=lambda each: each.rows):
        if each.rows and sum(one.rows for one in asked) + each.rows <= MOST_ROWS:
            asked.append(each)
    if not asked:
        return []
    match = _OWN_COLUMNS.format(words=" OR ".join(each.match for each in asked))
    best: list[tuple[Any, ...]] = connection.execute(_BEST, {"match": match, "limit": limit}).fetchall()
    ids = short_ids(connection, [id for id, *_ in best])
    found = []
    for id, (key, moment, title, content, heading, sub) in zip(ids, best, strict=True):
        columns = [tokens_by(tokenizer, text) for text in (title, content, heading, sub)]
        held = [each for each in asked if each.held(columns)]
        evidence = sum(each.weight for each in held)
        memory = MemoryExcerpt(key.hex(), id, moment, title, content)
        found.append(Related(memory, evidence, evidence / total, sum(each.telling for each in held), len(held)))
    return found


def _first(words: Sequence[Word]) -> list[Word]:
    """As many of the words as are looked up."""
    names = [word for word in words if word.identifier]
    passed_over = set(names[MOST_NAMES:])
    return [word for word in words if word not in passed_over][:MOST_WORDS]


def _sought(
    connection: apsw.Connection, tokenizer: apsw.FTS5Tokenizer, words: Sequence[Word], rows: int
) -> Iterator[_Sought]:
    """The words that have tokens, each once, with the number of rows that the commonest form stands in."""
    known: set[tuple[str, ...]] = set()
    for word in words:
        forms = {made: form for form in reversed(word.forms) if (made := tuple(tokens_by(tokenizer, form)))}
        counted = {made: _hits(connection, form) for made, form in forms.items() if made not in known}
        known |= counted.keys()
        if counted:
            hits = max(counted.values())
            there = tuple((forms[made], made) for made, count in counted.items() if count)
            yield _Sought(word, there, hits, idf(hits, rows))


def _is_name(written: str) -> bool:
    """Whether this is the name of something in code: `pay_order`, `payOrder`, `pay.order`, `src/pay.py`."""
    several = len(_NAME_PARTS.findall(written)) > 1 and len(written) >= _LEAST_NAME_CHARACTERS
    return several and _NAME_JOINTS.search(written) is not None


def _hits(connection: apsw.Connection, form: str) -> int:
    """In how many rows a form stands by their own columns, but no more than are worth looking for."""
    hits: int = connection.execute(_ROWS, (_OWN_COLUMNS.format(words=quoted(form)), MOST_ROWS + 1)).get
    return hits
