"""The front door for programs."""

import inspect
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from io import BytesIO, StringIO  # noqa: F401 - for the table
from pathlib import Path
from typing import Any

import pytest
from attrs import fields

import lamella
from lamella import ByText, Detail, Filters, Memory, RecallRequest, SaveRequest, SearchRequest, TimelineRequest
from lamella.library.given import RecallFields, SaveFields, SearchFields  # noqa: F401 - for the table
from tests.unit.package.conftest import opened
from tests.unit.support.tables import cases

NOTE = "Staging is reset every night."


class NoOffset(tzinfo):
    """A zone whose times are as good as naive."""

    def utcoffset(self, _: datetime | None) -> None:
        return None


def test_everything_that_is_offered_is_there_and_documented() -> None:
    offered: list[str] = lamella.__all__  # type: ignore[attr-defined] # made of the stub
    assert {"Memory", "SaveRequest", "StorageError", "open_memory"} < set(offered) <= set(dir(lamella))
    assert [name for name in offered if not inspect.getdoc(getattr(lamella, name))] == []


def test_what_is_not_offered_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="'lamella' has no attribute 'no_such_thing'"):
        _ = lamella.no_such_thing  # type: ignore[attr-defined]


def test_the_use_cases_are_listed_and_documented() -> None:
    use_cases = [name for name in dir(Memory) if not name.startswith("_")]
    assert {"save", "search", "recall", "get", "timeline", "purge", "restore", "erase", "status"} <= set(use_cases)
    assert [name for name in use_cases if not inspect.getdoc(getattr(Memory, name))] == []


def test_what_is_saved_is_found_purged_restored_and_erased(memory: Memory) -> None:
    saved = memory.save(SaveRequest(text=NOTE)).observation
    id = str(saved.id)
    assert saved.actor == "user"
    assert [hit.observation for hit in memory.search(SearchRequest(selector=ByText("staging"))).hits] == [saved]
    assert NOTE in memory.recall(RecallRequest(selector=ByText("staging"))).text
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


def test_a_conversation_is_kept_found_and_erased(memory: Memory) -> None:
    token = "ghp" + "_" + "a1B2" * 9
    memory.add_messages("chat", [(lamella.Role.HUMAN, "When is staging reset?")])
    memory.add_messages("chat", [(lamella.Role.ASSISTANT, "Every night."), (lamella.Role.HUMAN, f"Use {token}.")])
    said = ["When is staging reset?", "Every night.", "Use [redacted]."]
    assert [each.text for each in memory.messages("chat")] == said
    assert '[message 1, session "When is staging reset?", human]' in memory.recall_messages("staging")
    assert (memory.erase_conversation("chat"), memory.messages("chat")) == (3, ())


def test_tools_for_a_model_search_read_and_save_and_reply_with_refusals(memory: Memory) -> None:
    recall, read, save = lamella.agent_tools(memory)
    assert recall() == "No memories saved in this project yet."
    short = save(NOTE).partition("id: ")[2][:8]
    assert f"[1] {short} | {NOTE}" in recall("staging")
    assert "Replaced: " in save("Staging is reset on Sundays. " + "why " * 2_000, "Staging", replaces=[short])
    id = str(next(iter(memory.search())).observation.id)
    assert read([id]) == memory.recall(lamella.ById(id), detail=Detail.FULL).text
    assert read(5) == "ids must be a list of texts, not 5 (int)."
    assert read(["0000"]) == "No memories found matching '0000'. Try broader search terms or check the ID."
    own = save("The till has no network.").partition("id: ")[2][:8]
    assert "Replaced: " not in save("The till has no network.", replaces=[own])
    assert recall("staging", "0.0.0") == "This cursor is out of date. Repeat the call without it."


def test_recalls_are_logged_while_a_program_runs(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lamella.library.memory._LOGGED_TOGETHER", 2)
    id = memory.save(NOTE).observation.id.hex
    for logged in ([], [(id,)], [(id,)], [(id,), (id,)]):
        memory.recall("staging")
        here = memory._lamella.projects.find(memory._call)
        assert [each.memories for each in here.activity().since(datetime(2026, 1, 1, tzinfo=UTC))] == logged


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
        memory.at(project="notes").at(project="ada", create=True).save(SaveRequest(text=NOTE))
        assert [project.name for project in memory.projects()] == ["ada", "notes"]
        for blank in ("", " "):
            with pytest.raises(lamella.InvalidValueError, match=r"^project must be the name of a project"):
                memory.at(project=blank, create=True)


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
        other, unread = memory.at(session="s"), memory.export()
    for call in (memory.search, other.search, lambda: list(unread)):
        with pytest.raises(lamella.MemoryClosedError, match="closed"):
            call()


def test_plain_calls_say_the_same_as_requests(memory: Memory) -> None:
    saved = memory.save(NOTE, title=None, source="decision", keywords="wiped").observation
    assert memory.save(SaveRequest(text=NOTE, source="decision"), keywords="wiped").observation == saved
    request = RecallRequest(selector=ByText("wiped"), filters=Filters(source="decision"), detail=Detail.FULL)
    page = memory.recall("wiped", source="decision", detail=Detail.FULL)
    assert page == memory.recall(request)
    assert ([hit.observation for hit in page.hits], page.total, page.cursor) == ([saved], 1, None)
    assert str(page) == page.text
    assert memory.recall(lamella.ById(str(saved.id)[:8])).hits[0].observation == saved
    assert memory.recall("wiped", filters=request.filters, days_back=1).hits == page.hits
    assert [hit.observation for hit in memory.search("wiped", source="decision")] == [saved]
    assert list(memory.search("wiped", source="manual")) == []
    noted = memory.save(NOTE, replaces=[saved.id], metadata={"team": "payments"}).observation
    assert [hit.observation for hit in memory.search(metadata={"team": "payments"})] == [noted]
    assert memory.recall(metadata={"team": "other"}).hits == ()


@cases
def test_plain_calls_take_every_field(given: type, of: set[str]) -> None:
    there = {each.name for name in of for each in fields(getattr(lamella, name))}
    left_out = {"text", "selector", "former", "ids", "replaced_by", "hints"}
    assert there - left_out - set(given.__annotations__) == ({"limit"} if given is SearchFields else set())
    assert set(given.__annotations__) - there == set()


def test_a_search_skips_and_ends_and_goes_on_to_the_end(memory: Memory) -> None:
    texts = [f"zebra {number}" for number in range(60)]
    for text in texts:
        memory.save(text)
    results = memory.search("zebra")
    found = [hit.observation.content for hit in results]
    assert (sorted(found), len(results.hits), results.notices, results.messages) == (sorted(texts), 50, (), ())
    assert [hit.observation.content for hit in memory.search("zebra", offset=10, limit=5)] == found[10:15]
    assert [hit.observation.content for hit in memory.search(SearchRequest(limit=3), offset=1)] == texts[-2:-5:-1]
    assert len(list(memory.search())) == 60
    none = memory.search(lamella.ByIds(["abcdabcd"]))
    assert (none.missing, list(none)) == (("abcdabcd",), [])


def test_what_passes_filters_is_deleted_as_a_whole_or_not_at_all(memory: Memory) -> None:
    for text in ("one", "two", "three"):
        memory.save(text, source="trial")
    kept = memory.save("four").observation
    with pytest.raises(lamella.InvalidValueError, match="more memories match, so none was changed"):
        memory.delete(source="trial", most=2)
    assert len(memory.delete(source="trial", dry_run=True).changed) == 3
    assert memory.delete(source="trial", dry_run=True).refused == ""
    excessive = memory.delete(source="trial", most=2, dry_run=True)
    assert (len(excessive.changed), excessive.refused) == (3, "3 memories match, more than most=2")
    assert len(list(memory.search())) == 4
    assert len(memory.delete(lamella.Filters(source="trial"), most=3).changed) == 3
    assert [hit.observation for hit in memory.search()] == [kept]
    assert len(memory.delete(source="trial", for_good=True).changed) == 3
    assert [hit.observation for hit in memory.search(include_purged=True)] == [kept]


def test_an_export_is_taken_over_elsewhere(memory: Memory, tmp_path: Path) -> None:
    saved = memory.save(NOTE).observation
    whole = b"".join(memory.export())
    assert b"".join(memory.export(lamella.ExportRequest(source="other"))).count(b"\n") == 3
    with opened(tmp_path) as other:
        assert other.import_from(BytesIO(whole), dry_run=True).memories == 1
        assert other.import_from(BytesIO(whole)).memories == 1
        assert [hit.observation.id for hit in other.search()] == [saved.id]
        assert other.import_from(BytesIO(whole), into="a\0b").known == 1
        with pytest.raises(lamella.UnreadableExportError):
            other.import_from(BytesIO(whole[:-5]))


def test_projects_are_merged_split_and_switched_off(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "moved").mkdir()
    memory.save(NOTE)
    moved = memory.at(tmp_path / "moved")
    moved.save("Moved here.")
    assert memory.merge("work", "moved").memories == 1
    assert memory.split("work").memories == 1
    with pytest.raises(lamella.ProjectChangeError):
        memory.split("work")
    assert moved.switch(on=False) is not None
    with pytest.raises(lamella.MemoryOffError, match=r"Switch it on: memory\.switch\(on=True\)$"):
        moved.recall()
    assert moved.switch(on=True) is not None
    assert moved.recall().total == 1


@cases
def test_errors_name_parameters_and_methods(
    tmp_path: Path, given: dict[str, str], call: Callable[[Any], object], sentence: str
) -> None:
    with pytest.raises(lamella.LamellaError) as refused, opened(tmp_path, **given) as memory:
        call(memory)
    assert str(refused.value).endswith(sentence)


@cases
def test_a_wrong_value_is_refused_and_named(memory: Memory, call: Callable[[Any], object]) -> None:
    with pytest.raises(lamella.InvalidValueError, match=r"^\w+ must be .*, not .+\.$"):
        call(memory)


@pytest.mark.parametrize("budget", [200, 600, 5_000])
def test_a_page_keeps_to_a_given_budget(memory: Memory, budget: int) -> None:
    for number in range(20):
        memory.save(f"Staging {number} is reset every night. " + "It is slow then. " * 30)
    shown, cursor = 0, None
    while shown == 0 or cursor is not None:
        page = memory.recall("staging", budget=budget, limit=20, detail=lamella.Detail.FULL, cursor=cursor)
        assert memory._lamella.tokenizer.count(page.text) <= budget
        shown, cursor = shown + len(page.hits), page.cursor
    assert shown >= 20
