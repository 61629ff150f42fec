from collections import Counter

from attrs import evolve

from lamella.application.ledger.record_change import RecordOutcome
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.memories.query import ByText
from lamella.ports.spool import EditCaptured
from lamella.ports.storage.ledger import Recorded
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.edits import captured
from tests.unit.support.stand_ins import DAWN, FolderTree
from tests.unit.support.tables import cases

HUNKS = "@@ -1,2 +1 @@\n-def retried(call, attempts):\n-    return call(attempts)\n+def called(call):"


EDIT = captured(HUNKS, reason="Drop the retries, they doubled payments. And more.")


def test_a_captured_change_becomes_an_observation() -> None:
    desk = Desk()
    outcome = desk.record(desk.call, [evolve(EDIT, path=str(HOME / "src/pay.py"))])
    assert outcome == RecordOutcome(recorded=Counter({Recorded.NEW: 1}))
    (observation,) = desk.everything
    change = CodeChange(path="src/pay.py", additions=1, deletions=2, hunks=HUNKS)
    assert (observation.kind, observation.source, observation.session) == (Kind.CHANGE, "edit", "s")
    assert observation.title == "Drop the retries, they doubled payments."
    assert (observation.created_at, observation.changes) == (DAWN, (change,))
    assert observation.content == (
        "Drop the retries, they doubled payments. And more.\n\n"
        "Changed src/pay.py: 1 line added, 2 removed.\n"
        "Removed from src/pay.py:\ndef retried(call, attempts):\n    return call(attempts)\n"
        "Added to src/pay.py:\ndef called(call):"
    )


def test_what_was_removed_is_found_by_its_words() -> None:
    desk = Desk()
    desk.record(desk.call, [EDIT])
    assert "1 result(s)" in desk.recall(ByText("what did we remove from pay"))
    assert "1 result(s)" in desk.recall(ByText("retried"))


def test_without_a_reason_the_title_names_the_file() -> None:
    desk = Desk()
    desk.record(desk.call, [evolve(EDIT, reason=" ")])
    (observation,) = desk.everything
    assert observation.title == "Changed src/pay.py"
    assert observation.content.startswith("Changed src/pay.py: 1 line added")


def test_a_rename_is_recorded() -> None:
    desk = Desk()
    desk.record(desk.call, [evolve(EDIT, hunks="", former=str(HOME / "src/money.py"))])
    (observation,) = desk.everything
    assert observation.changes == (CodeChange(path="src/pay.py", former="src/money.py", additions=0, deletions=0),)


@cases
def test_what_must_not_be_captured_is_passed_over(change: EditCaptured, reason: str) -> None:
    desk = Desk(tree=FolderTree(ignoring=frozenset({"build/made.py"})))
    assert desk.record(desk.call, [change]) == RecordOutcome(skipped=[(change, reason)])
    assert desk.storage.registry.all() == ()


def test_long_hunks_are_cut() -> None:
    desk = Desk()
    desk.record(desk.call, [evolve(EDIT, hunks="\n".join(f"-line number {number}" for number in range(9000)))])
    (observation,) = desk.everything
    assert (len(observation.changes[0].hunks) <= 100_000, observation.changes[0].deletions) == (True, 9000)
    assert len(observation.content) <= 10_000
