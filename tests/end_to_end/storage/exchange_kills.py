"""An import that is broken off at any statement, and repeated.

Usage: python -m tests.end_to_end.storage.exchange_kills COMMAND FOLDER
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from lamella.application.exchange import import_records
from lamella.application.exchange.export import ExportRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Record
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Project
from lamella.settings import Settings
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.conversation_kills import assert_index_sound, batch, conversations
from tests.end_to_end.storage.kills import kill_everywhere
from tests.end_to_end.storage.worker import NOW, Memory

_CALL = Call(directory=Path("/home/p"))
_REQUEST = ExportRequest(every_project=True, include_messages=True)
_CHANGE = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ -0,0 +1 @@\n+def retried(call): ...")


def exported(folder: Path) -> list[Record]:
    """All that is in a data directory."""
    with running(Settings(data_directory=folder, embedder="none")) as lamella:
        return list(lamella.export(_CALL, _REQUEST))


def _is_of(record: Record, project: str) -> bool:
    match record:
        case Project():
            return record.id.startswith(project)
        case Arrival():
            return record.observation.project.startswith(project)
    return record.project.startswith(project)


def import_all(folder: Path, records: Sequence[Record]) -> None:
    """Import some records, two at a time."""
    placed = [(f"Record {number}", record) for number, record in enumerate(records)]
    with (
        patch.object(import_records, "_PORTION", 2),
        running(Settings(data_directory=folder, embedder="none")) as lamella,
    ):
        for _ in lamella.import_records(_CALL, placed):
            pass


def take_over(folder: Path) -> None:
    """Repeated, it has taken everything over, and nothing twice."""
    elsewhere = folder.with_name("elsewhere")
    with Memory(elsewhere, "old") as old, Memory(elsewhere, "new") as new:
        old.save("zebra old", session="s")
        replaced = new.save("zebra one", session="s", changes=(_CHANGE,))
        new.save("zebra two", session="s", replaces=(replaced.id,))
        observations = new.storage.observations(new.id)
        observations.purge([new.save("zebra gone").id], by=signed(NOW))
        conversations(new).add(batch())
        new.storage.registry.merge(old.id, new.id, by=signed())
    records = exported(elsewhere)
    with Memory(folder) as memory:
        memory.save("was here")

    def check(copy: Path) -> None:
        assert_index_sound(copy)
        import_all(copy, records)
        assert [each for each in exported(copy) if not _is_of(each, "p-")] == records

    kill_everywhere(folder, lambda copy: import_all(copy, records), check)


if __name__ == "__main__":
    {each.__name__: each for each in (take_over,)}[sys.argv[1]](Path(sys.argv[2]))
