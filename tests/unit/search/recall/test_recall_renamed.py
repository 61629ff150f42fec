from datetime import timedelta

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import Filters
from lamella.ports.storage.storage import Capability
from tests.unit.support.doubles import Desk, titles
from tests.unit.support.edits import captured
from tests.unit.support.stand_ins import DAWN, LackingStorage


def renamed(desk: Desk) -> Desk:
    """The desk after `old.py` was changed and renamed, and another file was called so."""
    edit = captured("@@ @@\n-one", path="old.py", name="1", reason="Changed it")
    later = DAWN + timedelta(days=1)
    rename = captured("", path="new.py", former="old.py", at=later, name="2", reason="Renamed it")
    desk.record(desk.call, [edit, rename])
    return desk


def test_a_renamed_file_is_recalled_with_what_it_was_before() -> None:
    assert titles(renamed(Desk()), RecallRequest(filters=Filters(path="new.py"))) == ["Renamed it", "Changed it"]
    assert titles(renamed(Desk()), RecallRequest(filters=Filters(path="old.py"))) == ["Changed it"]


def test_storage_without_a_ledger_recalls_by_the_present_name() -> None:
    desk = renamed(Desk())
    plain = LackingStorage({Capability.LEDGER})
    plain.registry = desk.storage.registry  # type: ignore[assignment]
    desk.storage = plain
    assert titles(desk, RecallRequest(filters=Filters(path="new.py"))) == ["Renamed it"]
