"""Faults in the reads of hooks. The mutants are subclasses of SQLite's reads."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from lamella.domain.hook_context import ROOT, Index, Related, Surroundings
from lamella.domain.projects.moved import ListedProject
from lamella.domain.text.words import Word
from lamella.ports.hook_reads import HookReads, ProjectReads
from lamella.ports.storage.storage import Storage
from lamella_adapters.sqlite import open_storage
from lamella_adapters.sqlite.hook_reads.open_project import Deadline, listed, project_at
from lamella_adapters.sqlite.hook_reads.reads import SqliteProjectReads
from lamella_contracts.mutants.broken_storage import HANG_SECONDS
from lamella_contracts.mutants.mutant import Mutants, Opening


def _opening(broken: type) -> Opening:
    parts = broken if issubclass(broken, Sound) else Sound
    reads = broken if issubclass(broken, Reads) else Reads

    def storage(_: object, folder: Path) -> Storage:
        return open_storage(f"sqlite://{folder}", folder)

    return {"open_storage": storage, "open_hook_reads": lambda _, folder: reads(folder, parts)}


MUTANTS = Mutants(_opening)


@MUTANTS.add("sound reads", sound=True)
class Sound(SqliteProjectReads):
    """Reads without a fault."""


@MUTANTS.add("the index begins with the oldest")
class OldestFirst(Sound):
    def index(self, *, here: Surroundings = ROOT, **most: int) -> Index:
        every = super().index(here=here, **{**most, "decisions": 99, "notes": 99, "summaries": 99})
        return every._replace(
            decisions=every.decisions[::-1][: most["decisions"]],
            notes=every.notes[::-1][: most["notes"]],
            summaries=every.summaries[::-1][: most["summaries"]],
        )


@MUTANTS.add("the index is that of the root")
class IsAlwaysAtTheRoot(Sound):
    def index(self, *, here: Surroundings = ROOT, **most: int) -> Index:
        return super().index(here=ROOT if here.folder else here, **most)


@MUTANTS.add("the worst matches are returned")
class RelatesTheWorst(Sound):
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        return super().related(words, 99)[::-1][:limit]


@MUTANTS.add("prompts know no branch")
class RelatesWithoutBranches(Sound):
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        return [each._replace(memory=each.memory._replace(branch=None)) for each in super().related(words, limit)]


@MUTANTS.add("captures count in document frequencies")
class CountsCaptures(Sound):
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        every: int = self._connection.execute("SELECT live FROM statistics").get
        return [each._replace(share=each.share / every) for each in super().related(words, limit)]


@MUTANTS.add("every path is known to the ledger")
class KnowsEveryFile(Sound):
    def knows_file(self, path: str) -> bool:
        return bool(path)


@MUTANTS.add("hunks of every file are read")
class ReadsAnyHunks(Sound):
    def hunks(self, key: str, path: str) -> str:
        return super().hunks(key, "b.py" if path else path)


@MUTANTS.add("decisions of every session are read")
class ReadsAnyDecision(Sound):
    def decision(self, session: str, path: str) -> tuple[str, str] | None:
        return super().decision(session, path) or super().decision("t", path)


class Reads(HookReads):
    """SQLite's reads with the parts of a mutant. They have no time limit, which slow machines would exceed."""

    shared = False

    def __init__(self, folder: Path, parts: type[Sound]) -> None:
        self.folder = folder
        self.parts = parts

    def projects(self) -> list[ListedProject]:
        return listed(str(self.folder), Deadline(HANG_SECONDS))

    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> Iterator[ProjectReads]:
        del repository
        with project_at(str(self.folder), key, name, Deadline(HANG_SECONDS)) as connection:
            yield self.parts(connection)


@MUTANTS.add("the configured project is ignored")
class IgnoresTheUser(Reads):
    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> Iterator[ProjectReads]:
        del name
        with super().project(key, repository, "") as project:
            yield project


@MUTANTS.add("aliases of merged projects are forgotten")
class ForgetsAliases(Reads):
    def projects(self) -> list[ListedProject]:
        return [each._replace(aliases=each.aliases[:1]) for each in super().projects()]
