from datetime import timedelta

import pytest

from lamella.application.ledger.file_history import FileHistory
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.ports.spool import EditCaptured
from tests.unit.support.doubles import CALL, HOME, Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, numbered


def test_a_file_has_its_changes_latest_first_under_all_its_names() -> None:
    desk = Desk()
    moments = [DAWN, DAWN + timedelta(days=1)]
    desk.record(
        desk.call,
        [
            EditCaptured(directory=HOME, path="old.py", hunks="@@ @@\n-one\n-two", at=moments[0], name="1"),
            EditCaptured(directory=HOME, path="new.py", former="old.py", hunks="", at=moments[1], name="2"),
        ],
    )
    changes = (
        CodeChange(path="new.py", former="old.py", additions=0, deletions=0),
        CodeChange(path="old.py", additions=0, deletions=2),
    )
    entries = tuple(
        FileChange(
            observation=numbered(number),
            short_id=numbered(number).hex[:8],
            at=moments[number - 1],
            kind=Kind.CHANGE,
            session=None,
            title=f"Changed {change.path}",
            source="edit",
            change=change,
        )
        for number, change in zip((2, 1), changes, strict=True)
    )
    assert desk.file_history(desk.call, str(HOME / "new.py")) == FileHistory(
        names=("new.py", "old.py"), changes=entries
    )
    assert desk.file_history(desk.call, "new.py", limit=1).changes == entries[:1]


def test_changes_come_with_their_lines_where_they_are_asked_for() -> None:
    desk = Desk()
    edits = (("a.py", "@@ @@\n-one"), ("a.py", "@@ @@\n-two"), ("src/b.py", "@@ @@\n+three"))
    desk.record(
        desk.call,
        [
            EditCaptured(
                directory=HOME, path=path, hunks=hunks, at=DAWN + timedelta(days=number), name=f"{number}"
            )
            for number, (path, hunks) in enumerate(edits)
        ],
    )
    shown = desk.file_history(desk.call, ".", hunks=True).changes
    assert [(each.change.path, each.change.hunks) for each in shown] == list(reversed(edits))
    assert [each.change.path for each in desk.file_history(desk.call, "src").changes] == ["src/b.py"]


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
