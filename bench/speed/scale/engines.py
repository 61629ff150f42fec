"""Search engines over the same memories.

Each engine returns titles and contents of the best ten memories of one project. All engines index the same four
columns, so that they do the same work.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import apsw
import tantivy

from bench.support.population import Population
from lamella.domain.memories.query import ByText, RecallQuery
from lamella.domain.text.words import query_words
from lamella_adapters.sqlite.storage import SqliteStorage

LIMIT = 10

_TABLES = """
CREATE TABLE memory (id INTEGER PRIMARY KEY, project TEXT, title TEXT, content TEXT, sub TEXT, context TEXT);
CREATE INDEX memory_project ON memory (project);
CREATE VIRTUAL TABLE memory_text USING fts5(
  title, content, sub, context, content = 'memory', content_rowid = 'id', tokenize = 'porter unicode61');
"""
_JOINED = """
SELECT m.title, m.content FROM memory_text JOIN memory AS m ON m.id = memory_text.rowid
WHERE memory_text MATCH ? AND m.project = ? ORDER BY rank LIMIT ?
"""


class Engine(Protocol):
    """Search engine to measure."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Name in a table."""

    @abstractmethod
    def search(self, project: str, question: str) -> int:
        """Search and read the best ten memories. Return their number."""

    @abstractmethod
    def close(self) -> None:
        """Close the engine's files."""


class Lamella(Engine):
    """lamella's storage: results are ranked, read and explained."""

    def __init__(self, population: Population) -> None:
        """Open the data directory."""
        self.storage = SqliteStorage(population.folder)

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "lamella"

    def search(self, project: str, question: str) -> int:
        """See `Engine.search`."""
        query = RecallQuery(selector=ByText(question), limit=LIMIT)
        return len(self.storage.search(project).find(query))

    def close(self) -> None:
        """See `Engine.close`."""
        self.storage.close()


class ObviousJoin(Engine):
    """One table with one FTS5 index for all projects: joined, filtered, and sorted by `ORDER BY rank`."""

    def __init__(self, population: Population, path: Path) -> None:
        """Copy the memories of all projects into a new file at `path`."""
        self._connection = apsw.Connection(str(path))
        self._connection.execute("PRAGMA journal_mode = WAL").fetchall()
        self._connection.execute(_TABLES).fetchall()
        for project, rows in texts(population):
            with self._connection:
                self._connection.executemany(
                    "INSERT INTO memory (project, title, content, sub, context) VALUES (?, ?, ?, ?, ?)",
                    ((project, *columns) for columns in rows),
                )
        self._connection.execute("INSERT INTO memory_text (memory_text) VALUES ('rebuild')").fetchall()

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "obvious join"

    def search(self, project: str, question: str) -> int:
        """See `Engine.search`."""
        match = " OR ".join(f'"{word}"' for word in question.split())
        return len(self._connection.execute(_JOINED, (match, project, LIMIT)).fetchall())

    def close(self) -> None:
        """See `Engine.close`."""
        self._connection.close()


_COLUMNS = ("title", "content", "sub", "context")


class Tantivy(Engine):
    """The search engine Tantivy: one index, with the project as a filter that doesn't affect scores."""

    counts = True
    """True to count all matches, which is Tantivy's default. Without counting, it can skip most matches."""

    def __init__(self, population: Population, folder: Path) -> None:
        """Index the memories of all projects in `folder`."""
        folder.mkdir()
        builder = tantivy.SchemaBuilder().add_text_field("project", tokenizer_name="raw", index_option="basic")
        for name in _COLUMNS:
            builder.add_text_field(name, stored=True, tokenizer_name="en_stem", index_option="freq")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema, path=str(folder))
        writer = self._index.writer(heap_size=500_000_000, num_threads=2)
        for project, rows in texts(population):
            for columns in rows:
                said = dict(zip(_COLUMNS, columns, strict=True))
                writer.add_document(tantivy.Document(project=project, **said))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "tantivy"

    def search(self, project: str, question: str) -> int:
        """See `Engine.search`."""
        scope = tantivy.Query.term_query(self._schema, "project", project, index_option="basic")
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.const_score_query(scope, 0.0)),
                (tantivy.Occur.Must, self._index.parse_query(question, [*_COLUMNS])),
            ]
        )
        hits = self._searcher.search(query, LIMIT, count=self.counts).hits
        return len([self._searcher.doc(address)["content"] for _, address in hits])

    def close(self) -> None:
        """See `Engine.close`."""


class TantivyThatSkips(Engine):
    """The index of a `Tantivy`, searched for the words that lamella would select, without counting matches."""

    def __init__(self, whole: Tantivy) -> None:
        """Use the index of `whole`."""
        self._whole = whole

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        return "tantivy, no count, no stop words"

    def search(self, project: str, question: str) -> int:
        """See `Engine.search`."""
        self._whole.counts = False
        found = self._whole.search(project, " ".join(word.forms[0] for word in query_words(question)))
        self._whole.counts = True
        return found

    def close(self) -> None:
        """See `Engine.close`."""


def texts(population: Population) -> Iterator[tuple[str, Iterator[Sequence[str]]]]:
    """Return the indexed columns of each project's memories, read from its file."""
    with closing(SqliteStorage(population.folder)) as storage:
        for project in population.projects:
            with storage.registry.file_of(project).database.reading() as connection:
                yield project, connection.execute("SELECT title, content, sub, context FROM live ORDER BY seq")
