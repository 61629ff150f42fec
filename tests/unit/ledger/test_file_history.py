from datetime import timedelta

import pytest
from attrs import evolve

from lamella.application.ledger.file_history import FileHistory
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.memories.kind import EDITED, LEARNED
from lamella.domain.memories.observation import CodeChange, Kind
from tests.unit.support.doubles import CALL, HOME, Desk
from tests.unit.support.edits import captured
from tests.unit.support.stand_ins import DAWN, FolderTree, numbered


def test_a_file_has_its_changes_latest_first_under_all_its_names() -> None:
    desk = Desk()
    later = DAWN + timedelta(days=1)
    edit = captured("@@ @@\n-one\n-two", path="old.py", name="1")
    desk.record(desk.call, [edit, captured("", path="new.py", former="old.py", at=later, name="2")])
    first = FileChange(
        observation=numbered(1),
        short_id="00000001",
        at=DAWN,
        kind=Kind.CHANGE,
        session="s",
        title="Changed old.py",
        source="edit",
        change=CodeChange(path="old.py", additions=0, deletions=2),
    )
    renamed = evolve(
        first,
        observation=numbered(2),
        short_id="00000002",
        at=later,
        title="Changed new.py",
        change=CodeChange(path="new.py", former="old.py", additions=0, deletions=0),
    )
    assert desk.file_history(desk.call, str(HOME / "new.py")) == FileHistory(
        names=("new.py", "old.py"), changes=(renamed, first)
    )
    assert desk.file_history(desk.call, "new.py", limit=1).changes == (renamed,)


def test_changes_come_with_their_lines_where_they_are_asked_for() -> None:
    desk = Desk()
    edits = [("a.py", "@@ @@\n-one"), ("a.py", "@@ @@\n-two"), ("src/b.py", "@@ @@\n+three")]
    for day, (path, hunks) in enumerate(edits):
        desk.record(desk.call, [captured(hunks, path=path, at=DAWN + timedelta(days=day), name=f"{day}")])
    shown = desk.file_history(desk.call, ".", hunks=True).changes
    assert [(each.change.path, each.change.hunks) for each in shown] == edits[::-1]
    assert [each.change.path for each in desk.file_history(desk.call, "src").changes] == ["src/b.py"]


def test_an_edit_of_the_second_of_its_commit_came_before_it() -> None:
    desk = Desk()
    edit = captured("@@ @@\n+  x", at=DAWN + timedelta(milliseconds=500), name="1")
    commits = [
        evolve(captured(hunks, at=DAWN + timedelta(seconds=later), name=hunks), source=LEARNED)
        for later, hunks in enumerate(("@@ @@\n+  x", "@@ @@\n-  x\n+x\n-y"))
    ]
    desk.record(desk.call, [edit, *commits])
    shown = desk.file_history(desk.call, ".").changes
    told = [(each.source, each.change.additions, each.change.deletions) for each in shown]
    assert told == [(LEARNED, 1, 2), (EDITED, 1, 0), (LEARNED, 0, 0)]


def test_a_file_that_nobody_changed_has_none() -> None:
    assert Desk().file_history(CALL, "any.py") == FileHistory(names=("any.py",), changes=())


def test_a_file_elsewhere_is_refused() -> None:
    with pytest.raises(PathOutsideProjectError):
        Desk().file_history(CALL, "../any.py")


def test_a_memory_with_the_version_of_a_file_shows_its_lines_too() -> None:
    change = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ @@\n+one")
    desk = Desk(tree=FolderTree(known={"a.py": change}, texts={"a.py": "one"}))
    desk.save("About a.", paths=("a.py",))
    (shown,) = desk.file_history(desk.call, "a.py", hunks=True).changes
    assert (shown.change.hunks, shown.change.version) == (change.hunks, "one")
