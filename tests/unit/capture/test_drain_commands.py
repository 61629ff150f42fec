import os
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from attrs import evolve

from lamella.application.capture.drained import Drained
from lamella.domain.memories.observation import CodeChange
from lamella.ports.history import Commit
from lamella.ports.shared_folder import Share
from lamella.ports.spool import Captured
from lamella.ports.storage.ledger import Recorded
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.shared_folder.folders import RecordedFolders
from lamella_contracts.fixtures.project import signed
from tests.unit.capture.drains import EDIT, HUNKS, Storage, Talks, drained
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, ToldHistory


def after_half_past(minutes: float) -> datetime:
    return DAWN.replace(minute=30) + timedelta(minutes=minutes)


def command(desk: Desk, minutes: float = 0, **fields: object) -> Captured:
    at = after_half_past(minutes)
    return desk.spool.put(**{"command": "sed -i s/a/b/ pay.py", "reason": "Tidy up.", "at": at, **fields})


def differing(*changes: CodeChange, at: float = 0) -> FolderTree:
    """A working tree that differs from what was committed, touched so many minutes after half past."""
    return FolderTree(differing=changes, touches={change.path: after_half_past(at) for change in changes})


CHANGE = CodeChange(path="pay.py", additions=1, deletions=2, hunks=HUNKS)


def test_what_a_sync_wrote_into_a_shared_folder_is_no_work_of_a_command(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path / "shop"))
    root.mkdir()
    tree = differing(CHANGE, evolve(CHANGE, path="docs/memory/a.md"), evolve(CHANGE, path="docs/memory.md"))
    desk = Desk(tree=tree, shared_folder=RecordedFolders(tmp_path / "data")).at(directory=root)
    desk.shared_folder.start(desk.project.id, Share(root=root, folder="docs/memory"))
    command(desk, directory=root)
    drained(desk)
    assert {each.changes[0].path for each in desk.everything} == {"pay.py", "docs/memory.md"}


TOO_MANY = "1,000 files too many, changed at once by commands"


def made(commits: list[Commit], desk: Desk) -> Drained:
    """Drain commands that made commits."""
    return [*desk.draining(Talks(), ToldHistory(commits))()][-1]


def test_files_of_a_commit_that_nobody_tells_of_are_counted_too() -> None:
    names = [f"{number:04}.py" for number in range(1002)]
    files = (*names, "pay.py", ".env")
    commit = Commit(id="c", at=after_half_past(0), message="All", changes=(CHANGE,), more=files)
    touches = {**dict.fromkeys(files, after_half_past(0)), "0000.py": DAWN}
    desk = Desk(tree=FolderTree(differing=(CHANGE,), touches=touches))
    desk.spool.put(**{**EDIT, "path": str(HOME / "0001.py")}, at=after_half_past(0))
    command(desk, 0.5, command="git commit -a")
    assert made([commit], desk) == Drained(
        done=2, edits=Counter({Recorded.NEW: 2}), skipped=Counter({TOO_MANY: 1})
    )
    command(desk, 0.8, command="git status")
    assert made([commit], desk) == Drained(done=1)


def test_an_observation_that_is_erased_meanwhile_is_no_matter() -> None:
    class Lagging(InMemoryLedger):
        def history(self, path: str, *, limit: int) -> tuple[object, ...]:  # type: ignore[override] # as it is
            entries = super().history(path, limit=limit)
            self.observations.erase([each.observation for each in entries], by=signed())
            return entries

    desk = Desk(tree=differing(CHANGE), storage=Storage(kind=Lagging))
    desk.spool.put(**EDIT)
    command(desk)
    assert drained(desk).edits == {Recorded.NEW: 2}
