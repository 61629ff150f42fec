from datetime import timedelta

from lamella.domain.memories.observation import CodeChange
from tests.unit.capture.drains import EDIT, HUNKS, drained, observations
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FolderTree

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
