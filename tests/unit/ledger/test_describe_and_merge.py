from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.ledger.describe import MAX_CONTENT_CHARACTERS, described, line_fingerprints
from lamella.domain.ledger.fingerprints import LineFingerprints, fingerprints
from lamella.domain.ledger.hunks import MAX_HUNK_CHARACTERS, bounded, counted  # noqa: F401 - for the table
from lamella.domain.ledger.merge_edits import JOINING, TICK, joined
from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from tests.unit.support.tables import cases

NOW = datetime(2024, 5, 6, tzinfo=UTC)
ONE, TWO, THREE = (
    "def retried(call, attempts):",
    "    return Parser(strict).read()",
    "    print(layout(values, width))",
)


def of(hunks: str) -> LineFingerprints:
    (found,) = line_fingerprints([CodeChange(path="a.py", hunks=hunks)])
    return found


@cases
def test_lines_that_came_and_went_are_told_apart(hunks: str, marks: LineFingerprints) -> None:
    assert of(hunks) == marks


def test_a_statement_that_changed_in_part_went_whole() -> None:
    found = of("@@ -1,3 +1,3 @@\n answer = session.get(\n-    url, timeout=3\n+    url, timeout=9\n )")
    assert fingerprints(["answer = session.get(url, timeout=3)"]) & found.removed
    assert fingerprints(["answer = session.get(url, timeout=9)"]) & found.added


def test_what_moved_to_another_file_is_not_gone() -> None:
    went, came = CodeChange(path="a.py", hunks=f"-{ONE}\n-{TWO}"), CodeChange(path="b.py", hunks=f"+{ONE}")
    assert line_fingerprints([went, came]) == (
        LineFingerprints(removed=fingerprints([TWO])),
        LineFingerprints(added=fingerprints([ONE])),
    )


@given(st.text(alphabet=st.sampled_from("+- @\nab(),.='\"")))
def test_any_hunks_have_marks(hunks: str) -> None:
    found = of(hunks)
    assert not found.added & found.removed


def test_lines_are_counted() -> None:
    assert counted("@@ -1,2 +1 @@\n-a\n-b\n+c\n d\n\\ No newline at end of file") == (1, 2)


@cases
def test_short_hunks_stay_whole_and_long_lines_are_cut(hunks: str, kept: str) -> None:
    assert bounded(hunks) == kept


def test_long_hunks_end_with_how_much_was_left_out() -> None:
    hunks = "\n".join(["@@ @@", *(f"-line {number}" for number in range(100)), *["+a"] * 9])
    cut = bounded(hunks, 200)
    kept = cut.split("\n")[:-1]
    assert len(cut) <= 200
    assert hunks.startswith("\n".join(kept))
    assert cut.endswith(f"\n[...{109 - len(kept) + 1} more changed lines]")


@given(st.text(), st.integers(60, 400))
def test_hunks_are_never_longer_than_allowed(hunks: str, limit: int) -> None:
    assert len(bounded(hunks, limit)) <= limit


PNG = CodeChange(path="c.png")
RENAMED = CodeChange(path="a.py", former="b.py", additions=1, deletions=2, hunks="-old\n-  older\n+new\n+ \n kept")
LONG = CodeChange(path="a.py", additions=2, deletions=1, hunks=f"+short\n+{'x' * 300}")


@cases
def test_a_change_is_told_in_words(changes: list[CodeChange], reason: str, most: int, told: str) -> None:
    assert described(changes, reason, most) == told


def test_what_went_is_told_first_where_room_is_short() -> None:
    hunks = "\n".join(
        [f"+new line {number}" for number in range(50)] + [f"-old line {number}" for number in range(50)]
    )
    account = described([CodeChange(path="a.py", additions=50, deletions=50, hunks=hunks)], "Why.", 300)
    assert len(account) <= 300
    assert "Removed from a.py:\nold line 0\n" in account
    assert account.endswith("more lines]")
    assert "new line" not in account


def test_an_account_of_many_files_is_never_too_long() -> None:
    changes = [CodeChange(path=f"{number}.py", additions=1, deletions=0, hunks="+x") for number in range(1000)]
    assert len(described(changes, "Why.")) == MAX_CONTENT_CHARACTERS


def draft(hunks: str = f"-{TWO}", path: str = "a.py", reason: str = "Why.", session: str | None = "s") -> Draft:
    additions, deletions = counted(hunks)
    change = CodeChange(path=path, additions=additions, deletions=deletions, hunks=hunks)
    return Draft(
        content=described([change], reason), title=reason, kind=Kind.CHANGE, session=session, changes=(change,)
    )


def older(first: Draft) -> Observation:
    return first.observed(id=UUID(int=1), project="p", sequence=3, now=NOW)


def test_a_further_edit_joins() -> None:
    first, second = draft(f"-{ONE}"), draft(f"+{TWO}\n-{THREE}")
    later = NOW + JOINING
    assert joined(older(first), second, later) == evolve(
        older(first),
        content=f"{first.content}\n\nChanged a.py: 1 line added, 1 removed.\n"
        f"Removed from a.py:\n{THREE}\nAdded to a.py:\n{TWO}",
        changes=(CodeChange(path="a.py", additions=1, deletions=2, hunks=f"-{ONE}\n\n+{TWO}\n-{THREE}"),),
        updated_at=later,
    )


def test_another_reason_under_the_same_title_is_told_too() -> None:
    second = evolve(draft(reason="Why.\nCommand: make"), title="Why.")
    whole = joined(older(draft(f"-{ONE}")), second, NOW)
    assert whole is not None
    assert whole.content.endswith(f"\n\n{second.content}")


def test_counts_that_are_not_known_stay_so() -> None:
    first = draft()
    binary = evolve(first, changes=(CodeChange(path="a.py", former="b.py"),))
    whole = joined(older(first), binary, NOW)
    assert whole is not None
    assert whole.changes == (CodeChange(path="a.py", former="b.py", hunks=f"-{TWO}"),)


BOTH = f"-{ONE}\n+{TWO}"


def found(hunks: str) -> Observation:
    return older(evolve(draft(hunks, reason="Command: make"), source=FOUND))


@cases
def test_what_is_another_matter_does_not_join(first: Observation, second: Draft, minutes: float) -> None:
    assert joined(first, second, NOW + timedelta(minutes=minutes)) is None


@pytest.mark.parametrize(("seconds", "joins"), [(-1, True), (0, True), (1, False), (None, True)])
def test_what_the_user_asked_for_meanwhile_is_another_matter(seconds: int | None, joins: bool) -> None:
    asked = None if seconds is None else NOW + timedelta(seconds=seconds)
    whole = joined(older(draft()), draft(), NOW + timedelta(minutes=1), asked)
    assert (whole is not None) is joins


def test_an_edit_makes_what_was_found_before_its_own() -> None:
    before, edit = found(f"{BOTH}\n"), evolve(draft(BOTH), source=EDITED)
    mine = evolve(before, title="Why.", content=f"{edit.content}\n\nCommand: make", source=EDITED)
    for moment in (NOW - timedelta(hours=1), NOW, NOW + TICK):
        assert joined(before, edit, moment, NOW + timedelta(hours=1)) == mine


def test_what_was_found_without_a_reason_adds_nothing_to_an_edit() -> None:
    before, edit = older(evolve(draft(BOTH, reason=""), source=FOUND)), evolve(draft(BOTH), source=EDITED)
    mine = joined(before, edit, NOW)
    assert mine is not None
    assert mine.content == edit.content


@pytest.mark.parametrize(("session", "own"), [(None, True), ("s", True), ("t", False)])
def test_an_edit_makes_nothing_of_another_session_its_own(session: str | None, own: bool) -> None:
    edit = evolve(draft(BOTH), source=EDITED)
    assert (joined(evolve(found(BOTH), session=session), edit, NOW) is not None) is own


def test_what_was_found_and_is_more_than_an_edit_tells_of_it_too() -> None:
    before, edit = found(f"{BOTH}\n+{THREE}\n+{THREE}"), evolve(draft(f"{BOTH}\n+{THREE}"), source=EDITED)
    assert joined(before, edit, NOW) == evolve(before, content=f"{before.content}\n\n{edit.content}")
