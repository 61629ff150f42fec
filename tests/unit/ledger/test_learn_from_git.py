from collections import Counter
from datetime import timedelta
from itertools import islice
from pathlib import Path
from uuid import uuid4

import pytest
from attrs import evolve

from lamella.application.ledger.learn_from_git import Learned
from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.errors import HistoryUnreadableError
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.memories.query import ByText, Filters
from lamella.ports.history import CodeHistory, Commit
from lamella.ports.storage.ledger import Capture
from tests.unit.support.doubles import NOTHING_SAVED, Desk, titles
from tests.unit.support.stand_ins import DAWN, FolderTree, ToldHistory
from tests.unit.support.tables import cases

KEY = "AKIA" + "Q" * 16
HASH = "2590e12f00dfacade5ba11ad5ca1ab1edecade42"


def commit(
    number: int, *changes: CodeChange, message: str = "", minutes: int | None = None, size: int = 1000
) -> Commit:
    at = DAWN + timedelta(minutes=number if minutes is None else minutes)
    return Commit(
        id=f"{number:040x}",
        at=at,
        message=message or f"Commit {number}\n\nBecause.",
        changes=changes or (CodeChange(path="a.py", additions=1, deletions=0, hunks=f"@@ @@\n+line {number}"),),
        size=size,
    )


def learned(desk: Desk, history: CodeHistory, limit: int = 500, megabytes: int = 64) -> Learned:
    """The last account."""
    *_, last = desk.learning(history)(desk.call, limit=limit, megabytes=megabytes)
    return last


def test_a_commit_becomes_an_observation_of_its_time() -> None:
    desk, change = (
        Desk(),
        CodeChange(path="a.py", former="b.py", additions=0, deletions=1, hunks="@@ @@\n-retried(call)"),
    )
    desk.save("later")
    account = learned(desk, ToldHistory([evolve(commit(-5, change), id=HASH)]))
    assert account == Learned(commits=1, done=1, new=1, size=1000)
    first = desk.everything[1]
    assert (first.kind, first.source, first.actor, first.session) == (Kind.CHANGE, "git", "git", None)
    assert (first.title, first.occurred_at, first.changes) == (
        "Commit -5 (2590e12)",
        DAWN - timedelta(minutes=5),
        (change,),
    )
    assert first.content == (
        "Commit -5 (2590e12)\n\nBecause.\n\n"
        "Changed a.py, renamed from b.py: 0 lines added, 1 removed.\n"
        f"Removed from a.py:\nretried(call)\n\nCommit {HASH}"
    )


@cases
def test_a_commit_has_the_branch_that_it_was_made_on_here(present: Checkout, branch: str | None) -> None:
    desk = Desk(tree=FolderTree(present=present))
    learned(desk, ToldHistory([evolve(commit(1), id=HASH)]))
    assert [each.checkout for each in desk.everything] == [(branch, HASH)]


def test_commits_answer_questions_and_fill_no_recall_without_one() -> None:
    desk = Desk()
    learned(desk, ToldHistory([commit(number) for number in range(20)]))
    assert desk.recalling(desk.call, RecallRequest()) == NOTHING_SAVED
    desk.save("A note.")
    assert titles(desk) == ["A note."]
    assert titles(desk, RecallRequest(selector=ByText("what is this"))) == ["A note."]
    assert titles(desk, RecallRequest(selector=ByText("commit 7"), limit=1)) == ["Commit 7 (0000000)"]
    assert len(titles(desk, RecallRequest(filters=Filters(path="a.py")))) == 10


@pytest.mark.parametrize("asked", [HASH, HASH[:7], HASH[:10], f"what did {HASH[:7]} do"])
def test_a_commit_is_found_by_its_id(asked: str) -> None:
    desk = Desk()
    learned(desk, ToldHistory([commit(1), evolve(commit(2), id=HASH), commit(3)]))
    found = desk.searching(desk.call, SearchRequest(selector=ByText(asked))).hits
    assert [hit.observation.title for hit in found][:1] == ["Commit 2 (2590e12)"]


def test_what_was_learned_is_not_read_again() -> None:
    desk, history = Desk(), ToldHistory([commit(1), commit(2)])
    learned(desk, history)
    history.log.append(commit(3))
    history.asked.clear()
    assert learned(desk, history) == Learned(commits=3, done=3, new=1, size=1000)
    assert history.asked == [commit(3).id]


def test_commits_that_an_earlier_version_learned_get_their_ids() -> None:
    desk, old = Desk(), commit(1)
    request = f"commit {old.id}"
    captures = [
        Capture(
            id=uuid4(),
            draft=Draft(
                content="x", title=title, source="git", changes=old.changes, request=name, kind=Kind.CHANGE
            ),
            at=old.at,
        )
        for title, name in (("Commit 1", request), ("Another", f"commit {commit(2).id}"))
    ]
    desk.made_here.ledger().record(captures)
    history = ToldHistory([old, commit(2), commit(3)])
    assert learned(desk, history).new == 2
    live = sorted(each.title for each in desk.everything if not each.purged)
    assert live == ["Another", "Commit 1 (0000000)", "Commit 3 (0000000)"]
    assert learned(desk, history).new == 0


def test_broken_off_it_goes_on_where_it_was() -> None:
    desk, history = Desk(), ToldHistory([commit(number) for number in range(60)])
    accounts = [(each.done, each.new) for each in islice(desk.learning(history)(desk.call), 2)]
    assert accounts == [(0, 0), (25, 25)]
    assert learned(desk, history) == Learned(commits=60, done=60, new=35, size=35_000)


def test_it_stops_after_so_many_bytes() -> None:
    desk, history = Desk(), ToldHistory([commit(number, size=21_000) for number in range(60)])
    first = learned(desk, history, megabytes=1)
    assert (first.stopped, first.done) == (True, 50)
    second = learned(desk, history, megabytes=1)
    assert (second.stopped, second.done, second.new) == (False, 60, 10)


def test_clocks_that_go_backwards_do_not_change_the_order() -> None:
    desk = Desk()
    learned(desk, ToldHistory([commit(1, minutes=9), commit(2, minutes=3), commit(3, minutes=10)]))
    history = desk.file_history(desk.call, "a.py").changes
    assert [each.title for each in history] == [f"Commit {number} (0000000)" for number in (3, 2, 1)]


def test_secrets_and_files_for_them_are_left_out() -> None:
    desk = Desk(tree=FolderTree(ignoring=frozenset({"made.py"})))
    changes = [
        CodeChange(path=path, former=former, hunks=f"@@ @@\n-key = '{KEY}'")
        for path, former in (("a.py", None), (".env", None), ("b.py", "id_rsa"), ("made.py", None))
    ]
    account = learned(desk, ToldHistory([commit(1, *changes, message=f"Not {KEY}"), commit(2, *changes[1:])]))
    assert account.skipped == Counter({"a file for secrets": 4, "ignored by git": 2})
    assert (account.new, account.redacted) == (1, 2)
    (observation,) = desk.everything
    assert KEY not in repr(observation)
    assert [each.path for each in observation.changes] == ["a.py"]


def test_a_commit_that_says_nothing_is_called_by_its_name() -> None:
    desk = Desk()
    learned(desk, ToldHistory([commit(0x12345678, message=" \n")]))
    assert desk.everything[0].title == "Commit 0000000"


def test_without_commits_no_project_is_made() -> None:
    desk = Desk()
    assert learned(desk, ToldHistory([])) == Learned()
    assert desk.storage.registry.all() == ()


def test_a_history_that_cannot_be_read_is_told() -> None:
    class Broken(ToldHistory):
        def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
            del root, limit
            raise HistoryUnreadableError(reason="Gone.", advice="Look.")

    with pytest.raises(HistoryUnreadableError, match=r"Gone\. Look\."):
        learned(Desk(), Broken([]))


def test_nothing_is_learned_unasked_where_a_project_may_have_moved_to() -> None:
    old, new = Path("/old/shop"), Path("/new/shop")
    desk = Desk(tree=FolderTree(repositories=frozenset({old, new})))
    desk.at(directory=old).save("of the shop")
    history, there = ToldHistory([commit(1)]), desk.at(directory=new)
    desk.tree.gone.add(old)
    assert list(there.learning(history).unasked(there.call)) == []
    desk.tree.gone.clear()
    *_, account = there.learning(history).unasked(there.call)
    assert account.new == 1
