"""Faults in what hooks read, over SQLite's reads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import frozen

from lamella.domain.hook_context import Index, Related
from lamella.domain.ledger.removed_code import RemovedCode
from lamella.domain.projects.project import Location
from lamella.domain.text.words import Word
from lamella.ports.hook_reads import HookReads, ProjectReads
from lamella.ports.storage.storage import Storage
from lamella_adapters.sqlite import open_storage
from lamella_adapters.sqlite.hook_reads.open_project import Deadline, project_at
from lamella_adapters.sqlite.hook_reads.reads import SqliteProjectReads
from lamella_contracts.mutants.fault import Fault
from lamella_contracts.mutants.threads import HANG_SECONDS


class Sound(SqliteProjectReads):
    """Reads without a fault."""


class OldestFirst(Sound):
    def index(self, *, decisions: int, notes: int, summaries: int, files: int) -> Index:
        every = super().index(decisions=99, notes=99, summaries=99, files=files)
        return every._replace(
            decisions=every.decisions[::-1][:decisions],
            notes=every.notes[::-1][:notes],
            summaries=every.summaries[::-1][:summaries],
        )


class MixesKinds(Sound):
    def index(self, **limits: Any) -> Index:
        index = super().index(**limits)
        return index._replace(notes=[*index.notes, *index.decisions])


class CountsThePurged(Sound):
    def index(self, **limits: Any) -> Index:
        index = super().index(**limits)
        every: int = self._connection.execute("SELECT count(*) FROM observation").get
        return index._replace(overview=index.overview._replace(memories=every))


class MixesVersions(Sound):
    def index(self, **limits: Any) -> Index:
        index = super().index(**limits)
        versions = tuple(file for each in index.notes for file in each.files)
        return index._replace(notes=[each._replace(files=versions) for each in index.notes])


class RelatesTheWorst(Sound):
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        return super().related(words, 99)[::-1][:limit]


class RelatesWithoutLimit(Sound):
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        return super().related(words, limit + 1)


class CountsCaptures(Sound):
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        every: int = self._connection.execute("SELECT live FROM statistics").get
        return [each._replace(share=each.share / every) for each in super().related(words, limit)]


class KnowsEveryFile(Sound):
    def knows_file(self, path: str) -> bool:
        return bool(path)


class MixesFiles(Sound):
    def removals(self, path: str, fingerprints: frozenset[int]) -> list[RemovedCode]:
        del path
        return [each for file in ("a.py", "b.py") for each in super().removals(file, fingerprints)]


class CutsIds(Sound):
    def short_id(self, key: str) -> str:
        return key[:8]


class Reads(HookReads):
    """SQLite's reads with the parts of a mutant; patient, however slow the machine is."""

    shared = False

    def __init__(self, folder: Path, parts: type[Sound]) -> None:
        self.folder = folder
        self.parts = parts

    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> Iterator[ProjectReads]:
        del repository
        with project_at(str(self.folder), key, name, Deadline(HANG_SECONDS)) as connection:
            yield self.parts(connection)


class IgnoresTheUser(Reads):
    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> Iterator[ProjectReads]:
        del name
        with super().project(key, repository, "") as project:
            yield project


class MakesProjects(Reads):
    """Makes the project that is not there, and a place is known by its key alone."""

    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> Iterator[ProjectReads]:
        storage = open_storage(f"sqlite://{self.folder}", self.folder)
        storage.registry.at(Location(key=key, name="made", root=self.folder), now=datetime.now(UTC))
        storage.close()
        with super().project(key, repository, name) as project:
            yield project


@frozen(kw_only=True)
class ReadsMutant(Fault):
    """A fault in what hooks read."""

    parts: type[Sound] = Sound
    reads: type[Reads] = Reads

    def opening(self) -> Mapping[str, Callable[..., object]]:
        def storage(_: object, folder: Path) -> Storage:
            return open_storage(f"sqlite://{folder}", folder)

        return {
            "open_storage": storage,
            "open_hook_reads": lambda _, folder: self.reads(folder, self.parts),
        }


MUTANTS = (
    ReadsMutant(fault="hooks read what there is", trips=()),
    ReadsMutant(
        fault="an index begins with the oldest",
        parts=OldestFirst,
        trips={
            "an_index_has_the_latest_of_each_kind",
            "an_index_has_the_versions_of_files",
            "hooks_read_no_purged_memory",
            "hooks_read_ids_that_are_unique",
        },
    ),
    ReadsMutant(
        fault="an index mixes decisions with notes",
        parts=MixesKinds,
        trips={"an_index_has_the_latest_of_each_kind"},
    ),
    ReadsMutant(fault="an index counts the purged", parts=CountsThePurged, trips={"hooks_read_no_purged_memory"}),
    ReadsMutant(
        fault="versions of files are mixed up",
        parts=MixesVersions,
        trips={"an_index_has_the_versions_of_files"},
    ),
    ReadsMutant(
        fault="the worst are related",
        parts=RelatesTheWorst,
        trips={"related_memories_hold_most_of_the_words"},
    ),
    ReadsMutant(
        fault="any number is related",
        parts=RelatesWithoutLimit,
        trips={"related_memories_hold_most_of_the_words"},
    ),
    ReadsMutant(
        fault="captures make words frequent",
        parts=CountsCaptures,
        trips={"captures_are_not_related_and_make_no_word_frequent"},
    ),
    ReadsMutant(fault="every file is known", parts=KnowsEveryFile, trips={"removed_code_is_that_of_the_ledger"}),
    ReadsMutant(
        fault="removed code is that of any file", parts=MixesFiles, trips={"removed_code_is_that_of_the_ledger"}
    ),
    ReadsMutant(fault="ids are cut", parts=CutsIds, trips={"hooks_read_ids_that_are_unique"}),
    ReadsMutant(
        fault="the user's project is ignored",
        reads=IgnoresTheUser,
        trips={"a_project_that_is_set_comes_before_the_place", "hooks_make_no_project"},
    ),
    ReadsMutant(fault="a hook makes a project", reads=MakesProjects, trips={"hooks_make_no_project"}),
)
