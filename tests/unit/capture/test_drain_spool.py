from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from lamella.application.capture.drained import Drained
from lamella.domain.errors import StorageBusyError
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.ports.spool import EditCaptured
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.ledger import InMemoryLedger
from tests.unit.capture.drains import EDIT, HUNKS, Storage, Talks, drained, noted, observations, there
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, LackingStorage


def test_an_edit_is_stored_once_and_discarded() -> None:
    desk = Desk()
    edit = desk.spool.put(**EDIT)
    assert drained(desk) == Drained(done=1, edits=Counter({Recorded.NEW: 1}))
    (observation,) = observations(desk)
    assert (observation.kind, observation.session, observation.created_at) == (Kind.CHANGE, "s", edit.at)
    assert (observation.title, observation.changes[0].path) == ("Drop the retries.", "pay.py")
    assert desk.spool.captures == {}
    # Whoever was killed before it discarded this gives it again.
    desk.spool.captures[edit.name] = edit
    assert drained(desk) == Drained(done=1, edits=Counter({Recorded.KNOWN: 1}))
    assert observations(desk) == [observation]


def test_an_empty_spool_makes_nothing() -> None:
    desk = Desk()
    assert (drained(desk), desk.storage.registry.all()) == (Drained(), ())


def test_more_than_one_batch_is_stored_in_order() -> None:
    desk = Desk()
    for number in range(205):
        desk.spool.put(**{**EDIT, "path": f"{number % 3}.py", "at": DAWN + timedelta(hours=number)})
    account = drained(desk)
    assert (account.done, account.edits, desk.spool.captures) == (205, {Recorded.NEW: 205}, {})
    assert [each.changes[0].path for each in observations(desk)] == [f"{number % 3}.py" for number in range(205)]


def test_a_file_belongs_to_its_own_repository() -> None:
    other = Path("/home/ada/other")
    desk = Desk(tree=FolderTree(repositories=frozenset({other})))
    desk.spool.put(**{**EDIT, "path": str(other / "lib/tax.py")})
    desk.spool.put(**EDIT, directory=other)
    assert drained(desk).skipped == {"outside the project": 1}
    assert [each.changes[0].path for each in observations(desk, other)] == ["lib/tax.py"]
    assert observations(desk) == []


def test_the_project_that_was_set_for_the_session_gets_it() -> None:
    desk = Desk()
    desk.spool.put(**EDIT, project="elsewhere")
    drained(desk)
    assert [each.name for each in desk.storage.registry.all()] == ["elsewhere"]


def test_what_is_passed_over_is_told_with_the_reason() -> None:
    desk = Desk(tree=FolderTree(ignoring=frozenset({"made.py"})))
    desk.spool.put(**EDIT)
    desk.spool.put(**{**EDIT, "path": "made.py"})
    desk.spool.put(skipped="input too large")
    desk.spool.put(event="SessionStart", injected=120)
    desk.spool.put(event="Unheard")
    account = drained(desk)
    assert (account.done, account.skipped) == (
        5,
        {"ignored by git": 1, "input too large": 1, "nothing to store": 1},
    )
    assert noted(desk) == [
        ("skipped", "ignored by git"),
        ("skipped", "input too large"),
        ("injected", "SessionStart"),
        ("skipped", "nothing to store"),
    ]


def test_what_hooks_did_is_noted_once() -> None:
    desk = Desk()
    shown = (desk.save("a memory").id.hex,)
    injected = desk.spool.put(event="SessionStart", injected=120, shown=shown, edit="a.py\n+a")
    drained(desk)
    desk.spool.captures[injected.name] = injected
    drained(desk)
    assert there(desk).activity().since(DAWN) == (
        Activity(
            name=injected.name,
            at=injected.at,
            kind=ActivityKind.INJECTED,
            session="s",
            about="SessionStart",
            tokens=120,
            memories=shown,
            edit="a.py\n+a",
        ),
    )


def test_what_hooks_did_makes_no_project() -> None:
    desk = Desk()
    desk.spool.put(event="SessionStart", injected=0)
    desk.spool.put(skipped="a file for secrets")
    assert (drained(desk).done, desk.storage.registry.all(), desk.spool.captures) == (2, (), {})


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


def test_a_storage_without_a_ledger_loses_edits_and_says_so() -> None:
    desk = Desk(storage=LackingStorage({Capability.LEDGER}))
    desk.spool.put(**EDIT)
    assert drained(desk) == Drained(
        done=1, skipped=Counter({"This storage does not support: the ledger of code.": 1})
    )


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


def test_a_drain_that_is_broken_off_goes_on_the_next_time() -> None:
    desk = Desk()
    for number in range(45):
        desk.spool.put(**{**EDIT, "path": f"{number}.py"})
    steps: Iterator[Drained] = desk.draining(Talks())()
    assert next(steps).done == 20
    steps.close()  # type: ignore[attr-defined] # it is a generator
    assert (len(desk.spool.captures), drained(desk).done, len(observations(desk))) == (25, 25, 45)


def test_a_capture_is_by_the_author_who_was_set_for_its_session() -> None:
    desk = Desk()
    for author in ("Ada", "Bob", None):
        desk.spool.put(**{**EDIT, "path": f"{author}.py"}, author=author)
    drained(desk)
    assert [each.author for each in observations(desk)] == ["Ada", "Bob", None]


def test_a_capture_in_a_storage_that_machines_share_is_by_the_user_of_the_machine() -> None:
    desk = Desk(storage=InMemoryStorage(shared=True))
    desk.spool.put(**EDIT)
    drained(desk)
    assert [each.author for each in observations(desk)] == ["laptop's user"]


KEY = "AKIA" + "Q" * 16
LATER = DAWN + timedelta(minutes=30)


def ran(tree: FolderTree) -> Desk:
    """A desk at which a command has touched files."""
    desk = Desk(tree=tree)
    desk.spool.put(**EDIT, at=DAWN)
    desk.spool.put(command="make", at=LATER)
    drained(desk)
    return desk


def test_secrets_and_private_words_are_taken_out_of_what_is_found() -> None:
    hunks = f"@@ -1 +1 @@\n-key = '{KEY}'\n+key = <private>mine</private>"
    change = CodeChange(path=f"{KEY}.py", former=f"old/{KEY}.py", hunks=hunks)
    found = observations(ran(FolderTree(differing=(change,), touches={change.path: LATER})))[-1]
    (change,) = found.changes
    assert (change.path, change.former) == ("[redacted].py", "old/[redacted].py")
    assert change.hunks == "@@ -1,1 +1,1 @@\n-key = '[redacted]'\n+key = [private]"
    assert KEY not in repr(found)
    assert "mine" not in repr(found)


def test_secrets_are_taken_out_of_what_stands_between_restored_lines() -> None:
    removed = [line[1:] for line in HUNKS.split("\n") if line.startswith("-")]
    text = f"\nkey = '{KEY}'\n".join(removed)
    (change,) = observations(ran(FolderTree(texts={"pay.py": text}, touches={"pay.py": LATER})))[-1].changes
    assert change.hunks.split("\n")[1:] == [f"+{removed[0]}", " key = '[redacted]'", f"+{removed[1]}"]
