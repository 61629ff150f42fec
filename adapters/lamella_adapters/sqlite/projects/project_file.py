"""The file of one project."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, field

from lamella_adapters.sqlite.file.create import give_back_pages
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.file.write_queue import note_of
from lamella_adapters.sqlite.schema.migrations import MESSAGE_INDEX
from lamella_adapters.sqlite.tables.analysis import analyse, is_unanalysed
from lamella_adapters.sqlite.tables.index_segments import merge_segments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lamella_adapters.sqlite.tables.term_statistics import TermStatistics


@define(eq=False, repr=False, slots=False)
class ProjectFile:
    """The file of one project, with counts of terms cached in this process.

    Attributes:
        note: Path of the save counter, a small file beside the project's file.
    """

    id: str
    database: Database
    note: str = field(init=False)

    @note.default
    def _note(self) -> str:
        return note_of(self.database.path)

    @cached_property
    def terms(self) -> Mapping[str, TermStatistics]:
        """Counts of terms, keyed by index."""
        from lamella_adapters.sqlite.tables.term_statistics import TermStatistics  # noqa: PLC0415 - a save doesn't need it

        return {index: TermStatistics(index) for index in ("search", "search_purged", MESSAGE_INDEX)}

    def maintain(self) -> bool:
        """Update rows analysed by an earlier version, merge segments of the indexes, and shorten the file.

        Segments are merged, and the file is shortened, only after writes by this process. Return True if work may
        be left.
        """
        analysed = self.database.maintain(analyse, wanted=is_unanalysed)
        merged = self.database.maintain(merge_segments)
        return merged or analysed or self.database.maintain(give_back_pages)
