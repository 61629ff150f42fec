"""Recall of memories about files that have changed since."""

from lamella.application.search.counting import CountMemories
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.freshness import Freshness, of_all
from lamella.domain.memories.query import ById, Filters, Recent
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import FolderTree, numbered
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


def test_the_content_of_private_and_ignored_files_is_not_read() -> None:
    made = Desk(tree=FolderTree(texts={".env": "secret", "out": "made", "a": "1"}, ignoring=frozenset({"out"})))
    made.save("About three files.", paths=[".env", "out", "a"])
    assert [each.version for each in made.kept(numbered(1)).changes] == ["6", "4", "1"]


@cases
def test_a_memory_is_gone_if_all_its_files_are(files: list[Freshness | None], together: Freshness | None) -> None:
    assert of_all(files) is together


def test_memories_are_found_by_the_former_names_that_git_knows() -> None:
    made = desk()
    made.tree.former = {"src": ("lib", "b")}
    for path, count in {"b": 1, "src": 1, "lib": 0}.items():
        request = SearchRequest(filters=Filters(path=path))
        assert len(made.searching(made.call, request).hits) == count
        counting = CountMemories(projects=made.projects, search=made.searching)
        assert [str(each) for each in counting(made.call, Recent(), [request])] == [str(count)]
