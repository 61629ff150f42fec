"""The front door for programs."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lamella
from lamella import ByText, Memory, RecallRequest, SaveRequest, SearchRequest, TimelineRequest
from tests.minilm import minilm
from tests.unit.support.tables import cases

NOTE = "Staging is reset every night."


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path) as memory:
        yield memory


def opened(folder: Path, **given: Any) -> Any:
    (folder / "work").mkdir(exist_ok=True)
    return lamella.open_memory(folder / "work", storage="memory:", data_directory=str(folder / "data"), **given)


def test_everything_that_is_offered_is_there_and_documented() -> None:
    offered: list[str] = lamella.__all__  # type: ignore[attr-defined] # made of the stub
    assert {"Memory", "SaveRequest", "StorageError", "open_memory"} < set(offered) <= set(dir(lamella))
    assert [name for name in offered if not inspect.getdoc(getattr(lamella, name))] == []


def test_what_is_not_offered_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="'lamella' has no attribute 'no_such_thing'"):
        _ = lamella.no_such_thing  # type: ignore[attr-defined]


def test_importing_it_imports_nothing_else() -> None:
    program = "import sys; before = set(sys.modules); import lamella; print(sorted(set(sys.modules) - before))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "['lamella']\n"


def test_the_use_cases_are_listed_and_documented() -> None:
    use_cases = [name for name in dir(Memory) if not name.startswith("_")]
    assert {"save", "search", "recall", "get", "timeline", "purge", "restore", "erase", "status"} <= set(use_cases)
    assert [name for name in use_cases if not inspect.getdoc(getattr(Memory, name))] == []


def test_what_is_saved_is_found_purged_restored_and_erased(memory: Memory) -> None:
    saved = memory.save(SaveRequest(text=NOTE)).observation
    id = str(saved.id)
    assert saved.actor == "user"
    assert [hit.observation for hit in memory.search(SearchRequest(selector=ByText("staging"))).hits] == [saved]
    assert NOTE in memory.recall(RecallRequest(selector=ByText("staging")))
    assert memory.get([id]).observations == (saved,)
    assert memory.timeline(TimelineRequest()).before == (saved,)
    assert len(memory.purge([saved.id]).changed) == 1
    assert memory.purge([id]).failures == {id: "already purged"}
    assert len(memory.restore([id]).changed) == 1
    assert len(memory.erase([id]).changed) == 1
    assert memory.get([id]).missing == (id,)


def test_files_and_conversations_of_an_empty_project_are_empty(memory: Memory) -> None:
    edit = lamella.EditRequest(path="main.c", before="", after="int main(void);")
    assert memory.check_edit(edit) is None
    assert memory.file_history("main.c").changes == ()
    assert memory.recall_messages("staging") == 'No results found for "staging".'
    assert memory.sessions() == ()
    assert memory.projects() == ()
    assert memory.status().project is None


def test_what_is_nowhere_is_refused_by_name(memory: Memory) -> None:
    memory.save(SaveRequest(text=NOTE))
    with pytest.raises(lamella.NothingFoundError, match="'zebra'"):
        memory.recall(RecallRequest(selector=ByText("zebra")))
    with pytest.raises(lamella.LamellaError, match="Message 7 not found"):
        memory.show_message(7)
    with pytest.raises(lamella.SemanticSearchUnavailableError, match="no embedder"):
        memory.similar("the test system")
    assert memory.erase_conversation("nobody's") == 0


def test_the_first_question_waits_for_the_embedder(tmp_path: Path) -> None:
    with opened(tmp_path, embedder=f"onnx:{minilm()}") as memory:
        memory.save(SaveRequest(text="As there was no space left on the disk, the nightly job broke off."))
        question = "storage capacity exhausted overnight"
        assert "the nightly job broke off" in memory.recall(RecallRequest(selector=ByText(question)))
        assert "the nightly job broke off" in memory.similar(question)


def test_one_storage_serves_other_callers(memory: Memory, tmp_path: Path) -> None:
    memory.save(SaveRequest(text=NOTE))
    (tmp_path / "elsewhere").mkdir()
    other = memory.at(tmp_path / "elsewhere", session="s", author="Ada", request="one")
    saved = other.save(SaveRequest(text="Elsewhere.")).observation
    assert (saved.session, saved.actor, saved.author) == ("s", "user", "Ada")
    assert other.save(SaveRequest(text="Elsewhere.")).observation == saved
    assert len(memory.projects()) == 2
    assert [hit.observation for hit in other.search(SearchRequest()).hits] == [saved]
    assert memory.at(project=saved.project).search(SearchRequest()).hits[0].observation == saved


def test_an_author_is_the_one_that_is_given_else_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMELLA_AUTHOR", "Ada")
    for given, author in (({}, "Ada"), ({"author": "release-bot", "actor": "program"}, "release-bot")):
        with opened(tmp_path, **given) as memory:
            saved = memory.save(SaveRequest(text=f"Said by {author}.")).observation
            assert (saved.actor, saved.author) == (given.get("actor", "user"), author)


def test_a_project_may_be_named(tmp_path: Path) -> None:
    with opened(tmp_path, project="notes") as memory:
        memory.save(SaveRequest(text=NOTE))
        assert [project.name for project in memory.projects()] == ["notes"]


def test_what_is_not_given_is_as_for_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMELLA_STORAGE", "memory:")
    monkeypatch.setenv("LAMELLA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LAMELLA_PROJECT", "notes")
    with lamella.open_memory(tmp_path, tokenizer="chars4", embedder="none") as memory:
        memory.save(SaveRequest(text=NOTE))
        assert [project.name for project in memory.projects()] == ["notes"]
        assert memory.status().place == "memory:"


def test_a_memory_that_was_closed_refuses(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        other = memory.at(session="s")
    for each in (memory, other):
        with pytest.raises(lamella.MemoryClosedError, match="closed"):
            each.search(SearchRequest())


@cases
def test_a_wrong_value_is_refused_and_named(memory: Memory, call: Callable[[Any], object]) -> None:
    with pytest.raises(lamella.InvalidValueError, match=r"^\w+ must be .*, not .+\.$"):
        call(memory)
