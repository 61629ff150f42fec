"""Work that is killed: before each of its statements, and servers at any moment."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from tests.end_to_end.storage.worker import Worker
from tests.faults.fault import Injections

STORAGE = "tests.end_to_end.storage.kills.statements"
CONVERSATIONS = "tests.end_to_end.storage.kills.conversations"
MOVES = "tests.end_to_end.storage.kills.moves"
EXCHANGE = "tests.end_to_end.storage.kills.exchange"
BACKUP = "tests.end_to_end.storage.upkeep.backup_kills"
ANALYSIS, DRAIN = "tests.end_to_end.storage.migrations.older_analysis", "tests.end_to_end.hooks.drain_kills"

Works = Sequence[tuple[str, str, int]]
"""Modules, works of theirs, and the least number of statements that each has."""

SAVES: Works = [(STORAGE, "begin", 30), (STORAGE, "embed", 20)]
MIGRATIONS: Works = [(STORAGE, "migrate", 30), (ANALYSIS, "analyse", 50)]
MERGES: Works = [(MOVES, "merge", 50), (MOVES, "split", 50)]
CHANGES: Works = [(STORAGE, "undo", 10), (STORAGE, "replace", 15)]
ERASES: Works = [(STORAGE, "erase", 50), (CONVERSATIONS, "erase", 10)]
BACKUPS: Works = [(BACKUP, "copy", 15), (BACKUP, "write", 30), (BACKUP, "restore", 100)]
IMPORTS: Works = [(CONVERSATIONS, "add", 10), (EXCHANGE, "copy", 100), (DRAIN, "all_kinds", 100)]


def at_each_statement(works: Works, every: int = 1) -> Callable[[Path, Random], Injections]:
    """Return an injector of all kills with different effects, or of every third of them."""

    def inject(folder: Path, _: Random) -> Injections:
        for number, (module, work, least) in enumerate(works):
            place = folder / str(number)
            place.mkdir()
            with Worker(work, place / "data", every, module=module) as worker:
                while isinstance(said := worker.said(), str):
                    yield said
                assert worker.ended_well()
            assert said > least

    return inject
