"""Number of rankings that a search needs. The first ranking covers only rows with essential (rare) words.

A bound shows whether the first ranking was enough. SQLite's trace of the statements of a search shows the
rankings: each ranking first covers the rows with essential and other words, if the question has other words, and
then the rows with essential words.
"""

from collections.abc import Sequence
from typing import Any

import apsw

from lamella.domain.memories.query import ByText, RecallQuery
from lamella_adapters.sqlite.storage import SqliteStorage

_RANKED = "bm25("


def attempts(storage: SqliteStorage, project: str, questions: Sequence[str], limit: int) -> list[int]:
    """Return the number of rankings for each question: 1 if the first suffices, 0 if no word is in the index."""
    counted: list[int] = []
    begun = False

    def trace(_: apsw.Cursor, statement: str, bindings: Any) -> bool:
        nonlocal begun
        if _RANKED in statement:
            others = bindings["match"].startswith("(")
            counted[-1] += others or not begun
            begun = others
        return True

    search = storage.search(project)
    with storage.registry.file_of(project).database.reading() as connection:
        reader = connection
    reader.exec_trace = trace
    try:
        for question in questions:
            counted.append(0)
            begun = False
            search.find(RecallQuery(selector=ByText(question), limit=limit))
    finally:
        reader.exec_trace = None
    return counted
