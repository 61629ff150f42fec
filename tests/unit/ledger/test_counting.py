"""Lines that several memories tell of count once."""

from lamella.domain.ledger.counting import counted_once
from lamella.domain.ledger.hunks import counted
from lamella.domain.memories.kind import EDITED, FOUND, LEARNED  # noqa: F401 - for the table
from lamella.domain.memories.observation import CodeChange
from tests.unit.support.tables import cases

THREE = "@@ -1,1 +1,2 @@\n+one\n+\n-gone"
MORE = f"{THREE}\n+    two"


def change(hunks: str, path: str = "a.py") -> CodeChange:
    additions, deletions = counted(hunks)
    return CodeChange(path=path, hunks=hunks, additions=additions, deletions=deletions)


@cases
def test_a_line_counts_where_it_is_told_first(told: list[tuple[str, str]], counts: list[tuple[int, int]]) -> None:
    found = counted_once((source, change(hunks)) for source, hunks in told)
    assert [(each.additions, each.deletions) for each in found] == counts


def test_files_are_counted_apart_and_unknown_counts_stay_unknown() -> None:
    unknown = CodeChange(path="a.py", hunks=THREE)
    told = [(EDITED, change(THREE)), ("manual", change(THREE, "b.py")), ("manual", unknown)]
    assert list(counted_once(told)) == [each for _, each in told]
