import os
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.capture.drained import Drained
from lamella.domain.memories.observation import CodeChange
from lamella.ports.history import Commit
from lamella.ports.shared_folder import Share
from lamella.ports.spool import Captured
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.shared_folder.folders import RecordedFolders
from lamella_contracts.fixtures.project import signed
from tests.unit.capture.drains import EDIT, HUNKS, Storage, Talks, drained, noted, observations, there
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, LackingStorage, ToldHistory


def after_half_past(minutes: float) -> datetime:
    return DAWN.replace(minute=30) + timedelta(minutes=minutes)


def command(desk: Desk, minutes: float = 0, **fields: object) -> Captured:
    at = after_half_past(minutes)
    return desk.spool.put(**{"command": "sed -i s/a/b/ pay.py", "reason": "Tidy up.", "at": at, **fields})


def differing(*changes: CodeChange, at: float = 0) -> FolderTree:
    """A working tree that differs from what was committed, touched so many minutes after half past."""
    return FolderTree(differing=changes, touches={change.path: after_half_past(at) for change in changes})


CHANGE = CodeChange(path="pay.py", additions=1, deletions=2, hunks=HUNKS)


def test_what_a_command_changed_is_recorded() -> None:
    desk = Desk(tree=differing(CHANGE))
    ran = command(desk)
    assert drained(desk) == Drained(done=1, edits=Counter({Recorded.NEW: 1}))
    (observation,) = observations(desk)
    assert observation.changes == (evolve(CHANGE, hunks=HUNKS.replace("+1 @@", "+1,1 @@")),)
    assert observation.content.startswith("Tidy up.\nCommand: sed -i s/a/b/ pay.py\n\nChanged pay.py: 1 line ")
    assert (observation.title, observation.created_at, observation.session) == ("Tidy up.", ran.at, "s")
    assert there(desk).ledger().known([f"{ran.name} pay.py"])
    command(desk, 1)
    assert drained(desk) == Drained(done=1)


def test_what_a_sync_wrote_into_a_shared_folder_is_no_work_of_a_command(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path / "shop"))
    root.mkdir()
    tree = differing(CHANGE, evolve(CHANGE, path="docs/memory/a.md"), evolve(CHANGE, path="docs/memory.md"))
    desk = Desk(tree=tree, shared_folder=RecordedFolders(tmp_path / "data")).at(directory=root)
    desk.shared_folder.start(desk.project.id, Share(root=root, folder="docs/memory"))
    command(desk, directory=root)
    drained(desk)
    assert {each.changes[0].path for each in desk.everything} == {"pay.py", "docs/memory.md"}


def test_an_edit_is_not_recorded_again_as_the_work_of_a_command() -> None:
    desk = Desk(tree=differing(CHANGE))
    command(desk)
    for number in range(250):  # the edit comes in another batch
        desk.spool.put(**{**EDIT, "path": "other.py"}, at=DAWN.replace(minute=30) + timedelta(seconds=number))
    desk.spool.put(**EDIT, at=DAWN.replace(minute=31))
    drained(desk)
    of_pay = [each for each in observations(desk) if each.changes[0].path == "pay.py"]
    assert [(each.changes[0].additions, each.changes[0].deletions) for each in of_pay] == [(1, 2)]
    assert "Command" not in of_pay[0].content


def test_the_first_command_that_ended_after_a_change_is_its_cause() -> None:
    desk = Desk(tree=differing(CHANGE, at=1.5))
    for minutes, name in ((3, "third"), (1, "first"), (2, "second")):
        command(desk, minutes, command=name, reason="")
    drained(desk)
    assert [each.content.split("\n")[0] for each in observations(desk)] == ["Command: second"]


def test_what_is_touched_after_the_last_command_waits_for_the_next_one() -> None:
    desk = Desk(tree=differing(CHANGE, at=2.5))
    command(desk, 2, command="last")
    desk.spool.put(event="Notification", at=after_half_past(3))
    drained(desk)
    assert observations(desk) == []
    command(desk, 4, command="next", took=timedelta(minutes=2))
    drained(desk)
    assert "Command: next" in observations(desk)[0].content


@pytest.mark.parametrize(("took", "told"), [(61, True), (30, False)])
def test_what_was_touched_before_a_command_began_is_not_its_work(took: int, told: bool) -> None:
    desk = Desk(tree=differing(CHANGE, at=-1))
    command(desk, took=timedelta(seconds=took))
    drained(desk)
    (observation,) = observations(desk)
    assert ("Command: sed" in observation.content, observation.title == "Tidy up.") == (told, told)


@pytest.mark.parametrize("minutes", [-11, 0.1])
def test_what_was_touched_at_another_time_is_somebody_elses_work(minutes: int) -> None:
    desk = Desk(tree=differing(CHANGE, at=minutes))
    command(desk)
    assert (drained(desk), observations(desk)) == (Drained(done=1), [])


@pytest.mark.parametrize(("hours", "known"), [(-0.01, True), (-23, True), (-25, False)])
def test_manual_changes_of_the_day_before_a_prompt_are_recorded_without_a_reason(
    hours: float, known: bool
) -> None:
    desk = Desk(tree=differing(CHANGE, at=60 * hours))
    command(desk, command="", took=timedelta())
    drained(desk)
    assert [each.title for each in observations(desk)] == ["Changed pay.py"] * known


def test_files_for_secrets_are_not_looked_at() -> None:
    desk = Desk(tree=differing(evolve(CHANGE, path=".env")))
    command(desk)
    assert (drained(desk), observations(desk)) == (Drained(done=1), [])


def test_where_git_gives_no_answer_that_is_told() -> None:
    desk = Desk(tree=FolderTree(differing=None))
    desk.spool.put(**EDIT)
    command(desk)
    assert drained(desk).skipped == {"git gave no answer": 1}
    assert noted(desk) == [("skipped", "git gave no answer")]


def test_an_edit_of_a_notebook_is_not_recorded_again_as_it_stands_in_the_file() -> None:
    book = evolve(CHANGE, path="book.ipynb", hunks='@@ -1 +1 @@\n-"x = 1\\n"\n+"x = 2\\n"')
    desk = Desk(tree=differing(book))
    desk.spool.put(**{**EDIT, "tool": "NotebookEdit", "path": str(HOME / "book.ipynb")}, at=after_half_past(0))
    command(desk)
    assert drained(desk).edits == {Recorded.NEW: 1}
    desk = Desk(tree=differing(book))
    command(desk)
    assert drained(desk).edits == {Recorded.NEW: 1}


LINES = "@@ -1,0 +1,2 @@\n+def retried(call, attempts):\n+    return call(attempts or DEFAULT)"


@pytest.mark.parametrize(("name", "gone"), [("pay.py", 1), ("book.ipynb", 0)])
def test_what_an_edit_of_a_notebook_brought_does_not_seem_thrown_away(name: str, gone: int) -> None:
    desk = Desk(tree=FolderTree(touches={name: after_half_past(1)}, texts={name: "{}"}))
    desk.spool.put(**{**EDIT, "path": str(HOME / name), "hunks": LINES}, at=after_half_past(0))
    command(desk, 1)
    commits = [Commit(id="c", at=DAWN, message="All", changes=())]
    assert made(commits, desk) == Drained(done=2, edits=Counter({Recorded.NEW: 1 + gone}))


def many(count: int, at: float = 0) -> FolderTree:
    """A working tree in which many files differ; of forty it tells how."""
    tree = differing(*(evolve(CHANGE, path=f"{number:04}.py") for number in range(count)), at=at)
    return evolve(tree, most=40)


def test_all_that_a_command_changed_is_recorded_a_few_files_at_a_time() -> None:
    desk, steps = Desk(tree=many(40)), []
    command(desk)
    for account in desk.draining(Talks())():
        steps.append(account.edits[Recorded.NEW])
        assert (len(observations(desk)), bool(desk.spool.captures)) == (steps[-1], len(steps) < 3)
    assert steps == [20, 40, 40]
    assert drained(desk).skipped == {}


def test_what_is_broken_off_between_files_is_finished_and_not_doubled() -> None:
    desk = Desk(tree=many(1040))
    command(desk)
    next(desk.draining(Talks())())
    assert (len(observations(desk)), noted(desk)) == (20, [])
    assert drained(desk).edits == {Recorded.NEW: 20}
    assert (len(observations(desk)), noted(desk)) == (40, [("skipped", TOO_MANY)])


TOO_MANY = "1,000 files too many, changed at once by commands"


def test_of_too_many_files_it_is_said_once_how_many_were_passed_over() -> None:
    desk = Desk(tree=many(1040))
    command(desk)
    assert drained(desk) == Drained(done=1, edits=Counter({Recorded.NEW: 40}), skipped=Counter({TOO_MANY: 1}))
    command(desk, 1)
    assert drained(desk) == Drained(done=1)
    desk.tree.touches["0999.py"] = after_half_past(1.5)
    command(desk, 2)
    assert drained(desk).edits == {Recorded.NEW: 1}
    assert noted(desk) == [("skipped", TOO_MANY)]


def made(commits: list[Commit], desk: Desk) -> Drained:
    """Drain commands that made commits."""
    return [*desk.draining(Talks(), ToldHistory(commits))()][-1]


@pytest.mark.parametrize(("at", "first"), [(-0.1, "Changed pay.py"), (0.4, "Tidy up.\nCommand: git commit -a")])
def test_what_a_command_commits_has_its_reason_if_it_wrote_that_too(at: float, first: str) -> None:
    desk = Desk(tree=FolderTree(touches={"pay.py": after_half_past(at)}))
    command(desk, 0.5, command="git commit -a", took=timedelta(seconds=20))
    commit = Commit(id="c", at=after_half_past(0.45), message="All", changes=(CHANGE,))
    assert made([commit], desk) == Drained(done=1, edits=Counter({Recorded.NEW: 1}))
    assert observations(desk)[0].content.startswith(first)


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


def test_files_that_edits_have_told_of_are_not_passed_over() -> None:
    desk = Desk(tree=many(41))
    desk.spool.put(**{**EDIT, "path": str(HOME / "0040.py")}, at=after_half_past(0))
    command(desk)
    assert drained(desk) == Drained(done=2, edits=Counter({Recorded.NEW: 41}))


def test_commits_that_nobody_can_tell_of_are_counted() -> None:
    desk = Desk(tree=many(41))
    command(desk, command="git commit", took=timedelta(seconds=30))
    commits = [
        Commit(id=f"{number}", at=after_half_past(-0.4), message="All", changes=()) for number in range(1101)
    ]
    too_many = "1 file and 1,001 commits too many, changed at once by commands"
    assert made(commits, desk).skipped == {too_many: 1}
    assert noted(desk) == [("skipped", too_many)]
    command(desk, 0.1, command="git commit", took=timedelta(seconds=30))
    assert made(commits, desk) == Drained(done=1)


def test_a_storage_that_keeps_no_log_records_what_commands_changed() -> None:
    desk = Desk(tree=differing(CHANGE), storage=LackingStorage({Capability.ACTIVITY}))
    for minutes in (0, 1):
        command(desk, minutes)
        drained(desk)
    assert [each.changes[0].path for each in observations(desk)] == ["pay.py"]


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
