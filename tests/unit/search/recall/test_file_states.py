"""Recall of memories about files that have changed since."""

import pytest
from attrs import evolve

from lamella.application.search.counting import CountMemories
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.freshness import Freshness, of_all
from lamella.domain.memories.query import ById, ByText, Filters, Recent
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, numbered
from tests.unit.support.tables import cases

ABSENT, CHANGED, GONE = Freshness.ABSENT, Freshness.CHANGED, Freshness.GONE


def desk(**texts: str) -> Desk:
    """A desk with a memory about two files, in a working tree with these texts now."""
    made = Desk(tree=FolderTree(texts={"a": "1", "b": "1"}, commits={"a": 3, "b": 1}))
    made.save("About two files.", paths=["a", "b", "new"])
    made.tree.texts = texts
    return made


def mark(line: str) -> str:
    return line.rpartition(" | ")[2]


@cases
def test_a_memory_says_whether_its_files_are_as_they_were(
    texts: dict[str, str], compact: str, full: list[str]
) -> None:
    made = desk(**texts)
    assert mark(made.shown(Recent())[0]) == compact
    assert mark(made.shown(Recent(), Detail.TIMELINE)[1]) == ("00000001" if "new" in texts else compact)
    counted = [f"{path} +? -?{state}" for path, state in zip(("a", "b", "new"), full, strict=True)]
    assert made.shown(ById("00000001"), Detail.FULL)[2:] == counted


def test_commits_are_counted_for_a_single_memory_only() -> None:
    made = desk(a="2", b="1")
    assert made.shown(Recent(), Detail.FULL)[2] == "a +? -? | changed since"


def test_uncommitted_changes_have_no_count() -> None:
    made = desk(a="2", b="1")
    made.tree.commits = {"a": 0}
    assert made.shown(ById("00000001"), Detail.FULL)[2] == "a +? -? | changed since"


def test_of_purged_memories_and_of_another_project_no_file_is_looked_at() -> None:
    made = desk()
    elsewhere = made.storage.registry.at(made.tree.locate(HOME / "elsewhere"), now=DAWN)
    assert mark(made.at(project="lovelace").shown(Recent())[0]) == "gone"
    away = evolve(made.call, directory=HOME / "elsewhere", project="lovelace")
    assert mark(evolve(made, call=away).shown(Recent())[0]) == "2024-05-06"
    assert elsewhere.name == "elsewhere"
    made.purge(made.call, ["00000001"])
    assert made.recall(Recent(), include_purged=True).split("\n")[0].endswith("| purged 2024-05-06")


def test_the_content_of_private_and_ignored_files_is_not_read() -> None:
    made = Desk(tree=FolderTree(texts={".env": "secret", "out": "made", "a": "1"}, ignoring=frozenset({"out"})))
    made.save("About three files.", paths=[".env", "out", "a"])
    assert [each.version for each in made.kept(numbered(1)).changes] == ["6", "4", "1"]


@cases
def test_a_memory_is_gone_if_all_of_its_files_are(
    files: list[Freshness | None], together: Freshness | None
) -> None:
    assert of_all(files) is together


def test_memories_are_found_by_the_former_names_that_git_knows() -> None:
    made = desk()
    made.tree.former = {"src": ("lib", "b")}
    for path, count in {"b": 1, "src": 1, "lib": 0}.items():
        request = SearchRequest(filters=Filters(path=path))
        assert len(made.searching(made.call, request).hits) == count
        counting = CountMemories(projects=made.projects, search=made.searching)
        assert [str(each) for each in counting(made.call, Recent(), [request])] == [str(count)]


def on(branch: str, *, everywhere: bool = False) -> Desk:
    """Return a desk on main, with a memory that was saved on another branch."""
    made = Desk(tree=FolderTree(present=Checkout(branch, "1" * 40)))
    made.save("Retries are off.", everywhere=everywhere)
    made.tree.present = Checkout("main", "2" * 40)
    return made


@pytest.mark.parametrize(
    ("branch", "said"),
    [("feat", " | saved on feat"), ("old", " | saved on old, since deleted"), ("main", "")],
)
def test_a_memory_of_another_branch_says_so(branch: str, said: str) -> None:
    made = on(branch)
    assert made.shown(Recent())[0].endswith(f"| 2024-05-06{said}")
    assert made.shown(Recent(), Detail.TIMELINE)[1].endswith(f"| 00000001{said}")
    assert made.shown(Recent(), Detail.FULL)[0].endswith(f"Z{said} ---")
    made.purge(made.call, ["00000001"])
    assert "saved on" not in made.recall(Recent(), include_purged=True)


@pytest.mark.parametrize(
    ("branch", "contents"), [("feat", ["Retries are off."]), ("main", ["On main."]), ("Main", [])]
)
def test_recall_finds_the_memories_of_a_branch(branch: str, contents: list[str]) -> None:
    made = on("feat")
    made.save("On main.")
    for request in (
        SearchRequest(filters=Filters(branch=branch)),
        SearchRequest(selector=ByText(f"branch:{branch}"), include_messages=True),
        SearchRequest(selector=ByText(f"branch:{branch} retries main")),
    ):
        answer = made.searching(made.call, request)
        assert [hit.observation.content for hit in answer.hits] == contents
        assert not answer.messages


def test_what_holds_everywhere_or_in_another_project_has_no_branch() -> None:
    made = on("feat", everywhere=True)
    made.storage.registry.at(made.tree.locate(HOME / "elsewhere"), now=DAWN)
    made.at(project="elsewhere").save("Of another project.")
    hits = made.searching(made.call, SearchRequest()).hits
    assert [hit.observation.checkout for hit in hits] == [(None, None)]
    there = made.at(project="elsewhere")
    assert [hit.observation.checkout for hit in there.searching(there.call, SearchRequest()).hits] == [
        (None, None)
    ] * 2
