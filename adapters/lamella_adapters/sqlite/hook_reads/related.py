"""Notes related to a text, each with its share of the text's words.

Captures are neither returned nor counted. An edit has the words of its prompt in its title, so captures would soon
make the words of a topic frequent.

Unlike `search`, this module looks up only the rarest words, with a limit on rows. So long texts and large projects
don't take longer. Frequent words are left out, because they would hardly change the ranking, and don't show the
topic of a text. Hooks use this module, so it imports little.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from lamella.domain.hook_context import MemoryExcerpt, Related
from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.domain.text.words import Word
from lamella_adapters.fts5.tokens import holds, idf, quoted, tokens
from lamella_adapters.sqlite.hook_reads.session_index import with_files
from lamella_adapters.sqlite.tables.short_ids import short_ids
from lamella_adapters.statements import statements

MOST_WORDS, MOST_NAMES = 40, 10
"""Maximum numbers of words and of identifiers to look up. Looking up an identifier can be slow."""

MOST_ROWS = 1_000
"""Maximum number of rows of all looked-up words together. The rarest words are looked up first.

Reading these rows takes some 3 ms. The rows of a single word are also counted only up to this number. So in a
large project, frequent words are taken for rarer ones and weigh too much, and the hook shows memories less often.
"""

FEW_NOTES = 3
"""If a name from code occurs in at most this number of notes, it shows the topic of these notes."""

_LEAST_NOTES, _MOST_NOTES = 50, 5_000
"""Minimum and maximum number of notes to assume when the rarity of a word is computed.

With few notes, words are rare by chance. With many notes, further notes hardly change the rarity.
"""

_CANDIDATES = 2
"""Number of candidates for each requested note.

More candidates than notes are needed, because FTS5 ranks them by statistics that include captures. The candidates
are then ranked by statistics of notes only.
"""

_LEAST_NAME_CHARACTERS = 6
_NAME_PARTS = re.compile(r"[^\W\d_A-Z]{2,}|[A-Z]{2,}")
_NAME_JOINTS = re.compile(r"_|\.|::|->|/.*/|[^\W\d_A-Z][A-Z]")
"""Joints between the parts of a name. Hyphens and single slashes mostly join words of prose."""

_CONTENT_CHARACTERS = 4_000
"""Number of characters at the beginning of a note to compare with the words."""

_OWN_COLUMNS = "{{title content sub}} : ({words})"
SQL = statements(__file__, weights=", ".join(map(str, COLUMN_WEIGHTS)))


class _Sought(NamedTuple):
    """Query word, with the numbers of indexed rows and of notes that contain it. Captures are rows, but not notes.

    `forms` are the forms that occur in some row, each with its tokens. If too many rows contain the word, the word
    isn't looked up. Then `asked` is False, and the number of notes is an estimate.
    """

    word: Word
    forms: tuple[tuple[str, tuple[str, ...]], ...]
    rows: int
    asked: bool = False
    notes: float = 0
    weight: float = 0

    @property
    def match(self) -> str:
        """Return the FTS5 query for the word."""
        return " OR ".join(quoted(form) for form, _ in self.forms)

    def held(self, columns: Sequence[Sequence[str]]) -> bool:
        """Return True if any of `columns`, given as tokens, has one of the word's forms."""
        return any(holds(column, tokens) for _, tokens in self.forms for column in columns)

    @property
    def telling(self) -> bool:
        """True if notes with this word are probably about the topic of the text."""
        return self.notes <= FEW_NOTES and _is_name(self.word.forms[0])


def related_memories(connection: apsw.Connection, words: Sequence[Word], limit: int) -> list[Related]:
    """Return the notes that match most of the rarest `words`, best first."""
    sought = list(_weighed(connection, _few_rows(_sought(connection, _first(words)))))
    total = sum(each.weight for each in sought)
    asked = [each for each in sought if each.asked and each.notes]
    if not asked:
        return []
    match = _OWN_COLUMNS.format(words=" OR ".join(each.match for each in asked))
    best = connection.execute(SQL["best"], {"match": match, "limit": _CANDIDATES * limit}).fetchall()
    found = [_related(connection, row, asked, total) for row in best]
    found = sorted(found, key=lambda each: -each.evidence)[:limit]
    ids = short_ids(connection, [bytes.fromhex(each.memory.key) for each in found])
    return [each._replace(memory=each.memory._replace(id=id)) for id, each in zip(ids, found, strict=True)]


def _related(connection: apsw.Connection, row: tuple[Any, ...], asked: Sequence[_Sought], total: float) -> Related:
    """Convert a row to a note. Its evidence is the sum of its words' weights. The short id is added later."""
    key, occurred_at, title, whole, branch, head, heading, hidden_forms, sequence = row
    content = whole[:_CONTENT_CHARACTERS]
    columns = [tokens(text) for text in (title, content, heading, hidden_forms)]
    held = [each for each in asked if each.held(columns)]
    evidence = sum(each.weight for each in held)
    excerpt = MemoryExcerpt(key.hex(), "", occurred_at, title, content, branch=branch, head=head)
    memory = with_files(connection, excerpt, sequence, whole)
    return Related(memory, evidence, evidence / total, sum(each.telling for each in held), len(held))


def _first(words: Sequence[Word]) -> list[Word]:
    """Return the first `MOST_WORDS` words, with at most `MOST_NAMES` identifiers."""
    names = [word for word in words if word.identifier]
    skipped = set(names[MOST_NAMES:])
    return [word for word in words if word not in skipped][:MOST_WORDS]


def _sought(connection: apsw.Connection, words: Sequence[Word]) -> Iterator[_Sought]:
    """Yield each distinct word that has tokens. Its number of rows is the count for its most frequent form."""
    known: set[tuple[str, ...]] = set()
    for word in words:
        forms = {made: form for form in reversed(word.forms) if (made := tuple(tokens(form)))}
        counted = {made: _rows(connection, form) for made, form in forms.items() if made not in known}
        known |= counted.keys()
        if counted:
            there = tuple((forms[made], made) for made, count in counted.items() if count)
            yield _Sought(word, there, max(counted.values()))


def _few_rows(sought: Iterator[_Sought]) -> Iterator[_Sought]:
    """Yield words, the rarest first. Set `asked` until the words with `asked` have `MOST_ROWS` rows in total."""
    rows = 0
    for each in sorted(sought, key=lambda each: each.rows):
        asked = rows + each.rows <= MOST_ROWS
        rows += each.rows if asked else 0
        yield each._replace(asked=asked and each.rows > 0)


def _weighed(connection: apsw.Connection, sought: Iterator[_Sought]) -> Iterator[_Sought]:
    """Yield words with their weights. If a word isn't looked up, estimate its number of notes from its rows."""
    rows: int = connection.execute("SELECT live FROM statistics").get
    counted: int = connection.execute(SQL["notes"], (_MOST_NOTES,)).get
    notes = max(_LEAST_NOTES, counted)
    for each in sought:
        held: float = each.rows * min(1, counted / max(1, rows))
        if each.asked:
            held = connection.execute(SQL["notes_among"], (_OWN_COLUMNS.format(words=each.match),)).get
        yield each._replace(notes=held, weight=idf(held, notes) / idf(1, notes))


def _is_name(written: str) -> bool:
    """Return True for a name from code: `pay_order`, `payOrder`, `pay.order`, `src/pay.py`."""
    several = len(_NAME_PARTS.findall(written)) > 1 and len(written) >= _LEAST_NAME_CHARACTERS
    return several and _NAME_JOINTS.search(written) is not None


def _rows(connection: apsw.Connection, form: str) -> int:
    """Count the rows with a form in a column other than `context`. The count ends at `MOST_ROWS` + 1."""
    return int(connection.execute(SQL["rows"], (_OWN_COLUMNS.format(words=quoted(form)), MOST_ROWS + 1)).get)
