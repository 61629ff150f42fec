"""The file of one project."""

from attrs import define, field

from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema.conversations import INDEX
from lamella_adapters.sqlite.tables.analysis import analyse, is_unanalysed
from lamella_adapters.sqlite.tables.index_segments import merge_segments
from lamella_adapters.sqlite.tables.term_statistics import TermStatistics


@define(eq=False)
class ProjectFile:
    """The file of one project, with the counts of terms that this process has cached."""

    id: str
    database: Database
    live_terms: TermStatistics = field(factory=lambda: TermStatistics("search"))
    purged_terms: TermStatistics = field(factory=lambda: TermStatistics("search_purged"))
    message_terms: TermStatistics = field(factory=lambda: TermStatistics(INDEX))

    def tidy(self) -> bool:
        """Analyse some rows anew that an earlier version wrote, and merge some segments of the search indexes.

        Segments are merged only where this process has written. Returns True if more of either may be left.
        """
        analysed = self.database.tidy(analyse, wanted=is_unanalysed)
        return self.database.tidy(merge_segments) or analysed
