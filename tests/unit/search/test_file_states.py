"""Recall of memories about files that have changed since."""

from attrs import evolve

from lamella.domain.memories.freshness import Freshness, of_all
from lamella.domain.memories.query import ById, Recent
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, numbered
from tests.unit.support.tables import cases

CHANGED, GONE = Freshness.CHANGED, Freshness.GONE


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
    assert mark(made.shown(Recent(), Detail.TIMELINE)[1]) == (
        "00000001" if texts == {"a": "1", "b": "1"} else compact
    )
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
