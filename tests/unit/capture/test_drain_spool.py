from collections.abc import Sequence
from pathlib import Path

from lamella.domain.errors import StorageBusyError
from lamella.ports.spool import EditCaptured
from lamella.ports.storage.ledger import Recorded
from lamella_adapters.memory.ledger import InMemoryLedger
from tests.unit.capture.drains import EDIT, Storage, drained, observations
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import FolderTree

BUSY = StorageBusyError(reason="Somebody writes.", advice="Wait.")


class BusyAtHome(InMemoryLedger):
    def record(self, captures: Sequence[object]) -> tuple[Recorded, ...]:
        if "lovelace" in self.observations.project:
            raise BUSY
        return super().record(captures)  # type: ignore[arg-type] # it hands on what it was given


def test_what_cannot_be_stored_now_stays_and_keeps_nothing_else() -> None:
    other = Path("/home/ada/other")
    storage = Storage(kind=BusyAtHome)
    desk = Desk(storage=storage)
    for _ in range(21):
        desk.spool.put(**EDIT)
    ran = desk.spool.put(command="make")
    elsewhere = desk.spool.put(**{**EDIT, "path": "a.py"}, directory=other)
    account = drained(desk)
    assert (account.done, account.left, account.trouble) == (1, 22, BUSY)
    assert elsewhere.name not in desk.spool.captures
    assert ran.name in desk.spool.captures
    storage.kind = InMemoryLedger
    account = drained(desk)
    assert (account.done, account.edits.total(), desk.spool.captures) == (22, 21, {})


def test_what_nobody_can_store_is_set_aside_alone() -> None:
    class Picky(FolderTree):
        def relative(self, root: Path, path: str) -> str:
            if "odd" in path:
                raise ValueError(path)
            return super().relative(root, path)

    desk = Desk(tree=Picky())
    for path in ("a.py", "odd.py", "b.py"):
        desk.spool.put(**{**EDIT, "path": path})
    account = drained(desk)
    assert (account.done, account.aside, account.left) == (2, 1, 0)
    (odd,) = desk.spool.aside.values()
    assert isinstance(odd, EditCaptured)
    assert odd.path == "odd.py"
    assert [each.changes[0].path for each in observations(desk)] == ["a.py", "b.py"]
