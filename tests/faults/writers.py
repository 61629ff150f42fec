"""Eight processes that begin at the same moment."""

from itertools import count
from pathlib import Path
from random import Random
from unittest.mock import patch
from uuid import UUID

from lamella_adapters.sqlite.file.backups import backups_of
from lamella_adapters.sqlite.schema import migrations
from tests.end_to_end.storage.worker import NEWER, Memory, acknowledged, assert_sound, saved_into, workers
from tests.faults.fault import Injections

PROCESSES, SAVES = 8, 15


def at_once(folder: Path, _: Random) -> Injections:
    """Save from eight processes in a folder that isn't there yet: nobody is refused, and everything is there."""
    for number in count():
        data = folder / str(number) / "not" / "made"
        with workers(data, "save", *((f"start-{each}", SAVES) for each in range(PROCESSES))) as starting:
            said = [line for worker in starting for line in worker.rest()]
            assert all(worker.ended_well() for worker in starting)
        saved = acknowledged(said)
        assert len(saved) == PROCESSES * SAVES
        assert_sound(data, saved)
        yield f"{PROCESSES} processes, {PROCESSES * SAVES} saves, none refused or lost"


def upgrading(folder: Path, _: Random) -> Injections:
    """Open an old file from eight processes: one migrates it, once, and nobody is refused."""
    for number in count():
        data = folder / str(number)
        saved = saved_into(data, *(f"old {each}" for each in range(100)), session="s")
        with workers(data, "migrate", *[()] * PROCESSES) as running:
            saved |= {UUID(hex=id): content for id, content in [each.said() for each in running]}
            assert all(each.ended_well() for each in running)
        assert len(backups_of(Memory(data).file)) == 1
        with patch.object(migrations, "PROJECT", (*migrations.PROJECT, NEWER)):
            assert_sound(data, saved)
        yield f"{PROCESSES} processes, one migration, none refused"
