"""Faults in naming sessions by way of their records."""

from collections.abc import Callable

from attrs import evolve

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES, Batch, record_of
from lamella_adapters.memory.message_store import Archive
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutants

MUTANTS = Mutants()


@MUTANTS.add("titles are for first parts", trips={"a_title_names_the_session_of_its_record"})
class FirstPartsOnly(Archive):
    def keep_titles(self, batch: Batch, project: str) -> None:
        rows = dict(self.rows)
        self.rows = {number: row for number, row in rows.items() if row.key.endswith("/0")}
        super().keep_titles(batch, project)
        self.rows = rows


@MUTANTS.add("titles are for what begins alike", trips={"a_title_names_the_session_of_its_record"})
class TakesWhatBeginsAlike(Archive):
    def keep_titles(self, batch: Batch, project: str) -> None:
        rows = dict(self.rows)
        for number, row in rows.items():
            longer = [record for record in batch.titles if row.key.startswith(record)]
            self.rows[number] = evolve(row, key=f"{longer[0]}/0") if longer else row
        super().keep_titles(batch, project)
        self.rows = rows


@MUTANTS.add(
    "no title waits",
    trips={"a_title_waits_for_its_record", "titles_move_with_their_project", "what_waits_is_bounded"},
)
class WaitsForNothing(Archive):
    def keep_titles(self, batch: Batch, project: str) -> None:
        super().keep_titles(batch, project)
        self.waiting.clear()


@MUTANTS.add(
    "a title waits for one batch",
    trips={"a_title_waits_for_its_record", "titles_move_with_their_project", "what_waits_is_bounded"},
)
class WaitsForOneBatch(Archive):
    def keep_titles(self, batch: Batch, project: str) -> None:
        before = set(self.waiting)
        super().keep_titles(batch, project)
        for record in before & set(self.waiting):
            del self.waiting[record]


@MUTANTS.add(
    "ends are forgotten",
    trips={
        "a_record_without_words_is_known_by_its_title",
        "titles_move_with_their_project",
        "titles_of_erased_sessions_do_not_come_back",
        "what_waits_is_bounded",
    },
)
class ForgetsEnds(Archive):
    def keep_titles(self, batch: Batch, project: str) -> None:
        super().keep_titles(batch, project)
        self.ends.clear()


@MUTANTS.add(
    "the first title stays", trips={"a_title_replaces_a_title_and_no_name", "titles_move_with_their_project"}
)
class FirstTitleStays(Archive):
    def call(self, session: str, name: str, *, titled: bool = False) -> None:
        if not (titled and session in self.titled):
            super().call(session, name, titled=titled)


@MUTANTS.add("an erase leaves what waits", trips={"an_erase_takes_titles_that_wait"})
class EraseLeavesWhatWaits(Archive):
    def erase(self, session: str) -> int:
        waiting = dict(self.waiting)
        erased = super().erase(session)
        self.waiting = waiting
        return erased


@MUTANTS.add(
    "titles are names",
    trips={
        "a_name_that_arrives_replaces_a_title",
        "a_title_replaces_a_title_and_no_name",
        "titles_move_with_their_project",
    },
)
class TitlesAreNames(Archive):
    def call(self, session: str, name: str, *, titled: bool = False) -> None:
        del titled
        super().call(session, name)


@MUTANTS.add(
    "names are titles", trips={"a_name_that_arrives_replaces_a_title", "a_title_replaces_a_title_and_no_name"}
)
class NamesAreTitles(Archive):
    def call(self, session: str, name: str, *, titled: bool = False) -> None:
        del titled
        super().call(session, name, titled=True)


@MUTANTS.add("what waits piles up", trips={"what_waits_is_bounded"})
class PilesUp(Archive):
    """Its bounds are beyond what any session has."""

    def keep_titles(self, batch: Batch, project: str) -> None:
        ends, waiting = dict(self.ends), dict(self.waiting)
        super().keep_titles(batch, project)
        sessions = {record_of(row.key) for row in self.rows.values()}
        self.ends = {**ends, **self.ends}
        self.waiting = {record: each for record, each in waiting.items() if record not in sessions} | self.waiting


@MUTANTS.add("the latest that wait go first", trips={"what_waits_is_bounded"})
class LatestGoFirst(Archive):
    def keep_titles(self, batch: Batch, project: str) -> None:
        ends, waiting = dict(self.ends), dict(self.waiting)
        super().keep_titles(batch, project)
        for kept, before, most in (
            (self.ends, ends, MAX_ENDS),
            (self.waiting, waiting, MAX_WAITING_TITLES),
        ):
            if len(kept) == most:
                gone = {record: each for record, each in before.items() if record not in kept}
                for record in list(kept)[len(kept) - len(gone) :]:
                    del kept[record]
                kept.update(gone)


@MUTANTS.add("titles of the erased return", trips={"titles_of_erased_sessions_do_not_come_back"})
class ErasedTitlesReturn(Archive):
    def erase(self, session: str) -> int:
        before = set(self.erased_records)
        erased = super().erase(session)
        self.erased_records = before
        return erased


@MUTANTS.add("titles stay behind in a move", trips={"titles_move_with_their_project"})
class TitlesStayBehind(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        ends, waiting = dict(source.ends), dict(source.waiting)
        source.ends, source.waiting = {}, {}
        super().take(source, leaves)
        source.ends, source.waiting = ends, waiting


@MUTANTS.add("a move makes names of titles", trips={"titles_move_with_their_project"})
class MovesMakeNames(Archive):
    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        source.titled.clear()
        super().take(source, leaves)


@MUTANTS.add("a split takes the titles of all", trips={"titles_move_with_their_project"})
class TakesTitlesOfAll(Archive):
    """A split takes along what waits in the other project and where its conversations ended."""

    def take(self, source: Archive, leaves: Callable[[str], bool]) -> None:
        super().take(source, leaves)
        self.ends |= source.ends
        source.ends.clear()
        self.waiting |= source.waiting
        source.waiting.clear()


@MUTANTS.add("what waits is in memory only", trips={"titles_survive_a_restart"})
class ForgetsWhatWaits(DurableStorage):
    """Keeps everything when it is closed but titles and ends."""

    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.archive.waiting.clear()
            shelf.archive.ends.clear()
