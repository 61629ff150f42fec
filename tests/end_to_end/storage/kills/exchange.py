"""A copy, which imports, that is broken off at any statement, and repeated.

Usage: python -m tests.end_to_end.storage.kills.exchange COMMAND FOLDER
"""

import sys
from pathlib import Path
from unittest.mock import patch

from lamella.application.exchange import import_records
from lamella.application.exchange.copy import CopyAccount, CopyMemories
from lamella.application.exchange.export import ExportRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Record
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Project
from lamella.domain.transactions.importing import ImportResult
from lamella.settings import Settings
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.conversations import assert_index_sound, batch, conversations
from tests.end_to_end.storage.kills.statements import kill_everywhere
from tests.end_to_end.storage.worker import NOW, Memory

_CALL = Call(directory=Path("/home/p"))
_REQUEST = ExportRequest(every_project=True, include_messages=True)
_CHANGE = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ -0,0 +1 @@\n+def retried(call): ...")


def exported(folder: Path) -> list[Record]:
    """Return all data in a data directory."""
    with running(Settings(data_directory=folder, embedder="none")) as lamella:
        return list(lamella.export(_CALL, _REQUEST))


def _is_of(record: Record, project: str) -> bool:
    match record:
        case Project():
            return record.id.startswith(project)
        case Arrival():
            return record.observation.project.startswith(project)
    return record.project.startswith(project)


def fill(elsewhere: Path) -> None:
    """Save, replace, purge and merge in a data directory."""
    with Memory(elsewhere, "old") as old, Memory(elsewhere, "new") as new:
        old.save("zebra old", session="s")
        replaced = new.save("zebra one", session="s", changes=(_CHANGE,))
        new.save("zebra two", session="s", replaces=(replaced.id,))
        observations = new.storage.observations(new.id)
        observations.purge([new.save("zebra gone").id], by=signed(NOW))
        conversations(new).add(batch())
        new.storage.registry.merge(old.id, new.id, by=signed())


def copy_all(source: str, target: str, folder: Path) -> CopyAccount:
    """Copy one storage into another, two records at a time, and return the account."""
    reading, writing = (
        Settings(data_directory=folder, storage=each, embedder="none", everywhere=False)
        for each in (source, target)
    )
    with patch.object(import_records, "_PORTION", 2), running(reading) as here, running(writing) as there:
        *_, account = CopyMemories(here.projects, there.projects)(_CALL, conversations=True)
    return account


def copy(folder: Path) -> None:
    """Check that after a repeated copy both sides are equal, and the source is unchanged."""
    elsewhere = folder.with_name("elsewhere")
    fill(elsewhere)
    with Memory(elsewhere, "new") as new:
        gone = new.save("zebra erased")
        new.storage.observations(new.id).erase([gone.id], by=signed(NOW))
    records = exported(elsewhere)
    with Memory(folder) as memory:
        memory.save("was here")

    def check(target: Path) -> None:
        assert_index_sound(target)
        assert copy_all(f"sqlite://{elsewhere}", f"sqlite://{target}", target).equal
        assert [each for each in exported(target) if not _is_of(each, "p-")] == exported(elsewhere) == records
        with Memory(target, "new") as new:
            assert list(new.storage.observations(new.id).known([gone.id]).values()) == [ImportResult.ERASED]

    kill_everywhere(folder, lambda target: copy_all(f"sqlite://{elsewhere}", f"sqlite://{target}", target), check)


if __name__ == "__main__":
    {each.__name__: each for each in (copy,)}[sys.argv[1]](Path(sys.argv[2]))
