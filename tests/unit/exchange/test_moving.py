"""Memories on their way from one storage to another."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.export import ExportRequest
from lamella.application.projects.manage import SplitProject
from lamella.domain.errors import UnknownProjectError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited, Record, Said, SessionName
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.memories.query import Filters
from lamella.domain.projects.project import Project
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.moving import EVERYTHING, KEY, elsewhere, exported, full_desk, imported
from tests.unit.ledger.test_learn_from_git import commit, learned
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, LackingStorage, ToldHistory, numbered
from tests.unit.support.tables import cases


def test_an_export_that_was_imported_is_exported_alike() -> None:
    here, there = full_desk(), elsewhere()
    records = exported(here)
    account = imported(there, records)
    assert exported(there) == records
    assert (account.memories, account.messages, account.projects) == (9, 2, 2)
    assert account.new["third", Kind.NOTE] == 2
    assert imported(there, records) == ImportAccount(known=9, purged=1, known_messages=2, projects=2)
    assert exported(there) == records


def test_projects_come_first_and_merged_ones_after_the_others() -> None:
    desk = full_desk()
    records = exported(desk)
    lovelace = [*[Arrival] * 7, *[Audited] * 2, SessionName, *[Said] * 2]
    assert [type(each) for each in records] == [*[Project] * 3, *lovelace, *[Arrival] * 2]
    projects = [each for each in records if isinstance(each, Project)]
    assert [each.name for each in projects] == ["lovelace", "third", "other"]
    assert projects[2].moved_to == projects[0].id


def test_a_merge_is_repeated_and_can_be_taken_back() -> None:
    there = elsewhere()
    records = exported(full_desk())
    imported(there, records)
    other = next(each for each in records if isinstance(each, Project) and each.moved_to)
    SplitProject(there.storage, there.projects)(there.call, other.id)
    (back,) = there.storage.observations(other.id).page(limit=9)
    assert back.observation.content == "of another project"


@pytest.mark.parametrize("keep", [lambda desk: desk.save("of this machine"), lambda desk: desk.said("Of it")])
def test_a_project_with_memories_or_messages_here_is_not_merged(keep: Callable[[Desk], object]) -> None:
    there = elsewhere()
    other = there.at(directory=Path("/srv/other"))
    keep(other)
    imported(there, exported(full_desk()))
    assert other.project.moved_to is None


def test_chains_of_merges_come_back() -> None:
    here = Desk()
    names = ("a", "b", "c")
    ids = [here.at(directory=Path(f"/srv/{name}")).project.id for name in names]
    here.storage.registry.merge(ids[0], ids[1], by=signed())
    here.storage.registry.merge(ids[1], ids[2], by=signed())
    records = exported(here)
    there = elsewhere()
    imported(there, records)
    assert exported(there) == records


def test_a_dry_run_counts_and_stores_nothing() -> None:
    records = exported(full_desk())
    there = elsewhere()
    account = imported(there, records, dry_run=True)
    assert (account.memories, account.messages, account.projects) == (9, 2, 2)
    assert there.storage.registry.all() == ()
    imported(there, records)
    again = imported(there, records, dry_run=True)
    assert (again.memories, again.known, again.messages, again.known_messages) == (0, 9, 0, 2)


def test_records_that_an_export_repeats_count_once() -> None:
    here, there = full_desk(), elsewhere()
    records = exported(here)
    learned(there, ToldHistory([commit(1)]))
    account = imported(there, [*records, *records])
    assert (account.memories, account.messages, account.known_messages) == (9, 2, 2)


def test_messages_and_names_that_differ_in_an_export_stay_and_are_counted() -> None:
    there, records, edited = elsewhere(), exported(full_desk()), list[Record]()
    imported(there, records)
    for each in records:
        if isinstance(each, Said):
            edited.append(evolve(each, draft=evolve(each.draft, text="Edited")))
        else:
            edited.append(evolve(each, name="Edited") if isinstance(each, SessionName) else each)
    assert [imported(there, edited, dry_run=each).differing for each in (True, False)] == [3, 3]
    assert exported(there) == records


def test_everything_can_go_into_one_project() -> None:
    there = elsewhere()
    account = imported(there, exported(full_desk()), into="work")
    assert Counter(each.project for each in there.everything) == {there.project.id: 9}
    assert {each.origin for each in there.everything} == {there.project.id}
    assert (account.projects, [each.name for each in there.storage.registry.all()]) == (1, ["work"])
    there.tree.gone.add(there.call.directory / "nowhere")
    with pytest.raises(UnknownProjectError):
        imported(there, [], into="nowhere")


def test_what_is_wrong_leaves_what_came_before() -> None:
    records = exported(full_desk())
    there = elsewhere()
    first, second = records[3:5]
    assert isinstance(first, Arrival)
    assert isinstance(second, Arrival)
    stray = evolve(first.observation, project="stray")
    future = evolve(second.observation, occurred_at=DAWN + timedelta(days=9))
    for wrong, said in (
        (Arrival(observation=stray), "Record 4: no record before this one describes the project stray."),
        (Arrival(observation=future), "Record 4: the memory is from the future; check the clock."),
    ):
        with pytest.raises(UnreadableExportError) as refused:
            imported(there, [*records[:4], wrong])
        assert str(refused.value) == said
    assert len(there.at(project="lovelace").everything) == 1
    with pytest.raises(UnreadableExportError):
        imported(elsewhere(), [records[3]])


@pytest.mark.parametrize("targets", ["a", "ba", "bca", "bcb"])
def test_projects_merged_in_a_circle_are_refused(targets: str) -> None:
    projects = [
        Project(id=f"{id}-0", name=id, created_at=DAWN, moved_to=f"{target}-0")
        for id, target in zip("abc", targets, strict=False)
    ]
    with pytest.raises(UnreadableExportError, match=r"Record \d: the project is merged into itself\."):
        imported(elsewhere(), projects)


def test_secrets_are_redacted() -> None:
    here, there = Desk(), elsewhere()
    here.save("first")
    here.said("Hello", name="A name")
    project, memory, name, message = exported(here)
    assert isinstance(memory, Arrival)
    assert isinstance(message, Said)
    assert isinstance(name, SessionName)
    change = CodeChange(path=f"{KEY}.py", hunks=f"@@ @@\n+{KEY}")
    wild = evolve(
        memory.observation,
        content=f"The key is {KEY}",
        title=f"Key {KEY}",
        keywords=KEY,
        metadata={"key": KEY},
        changes=(change,),
    )
    records = [
        project,
        evolve(memory, observation=wild),
        evolve(name, name=f"Key {KEY}"),
        evolve(message, draft=evolve(message.draft, text=f"My key: {KEY}")),
    ]
    assert imported(there, records).redacted == 8
    assert KEY not in repr(exported(there))
    assert imported(there, records).redacted == 0


def test_a_commit_that_was_learned_on_both_machines_is_there_once() -> None:
    here, there = Desk(), Desk()
    history = ToldHistory([commit(1), commit(2)])
    learned(here, ToldHistory([commit(1)]))
    learned(there, history)
    assert imported(there, exported(here)).known == 1
    assert len(there.everything) == 2
    fresh = elsewhere()
    imported(fresh, exported(there))
    account = learned(fresh.at(directory=Desk().call.directory), history)
    assert (account.done, account.new) == (2, 0)


def test_a_commit_of_an_earlier_version_is_named_by_its_text() -> None:
    here = Desk()
    learned(here, ToldHistory([commit(1)]))
    storage = here.storage
    assert isinstance(storage, InMemoryStorage)
    for row in storage.registry.data_of[here.project.id].rows.values():
        row.request = None
    (memory,) = (each for each in exported(here) if isinstance(each, Arrival))
    assert memory.request == f"git commit {commit(1).id}"


@cases
def test_an_export_can_be_a_part(request_: ExportRequest, contents: list[str]) -> None:
    found = [each for each in exported(full_desk(), request_) if isinstance(each, Arrival)]
    assert [each.observation.content.partition(" (")[0] for each in found] == contents


@cases
def test_conversations_are_exported_if_they_are_asked_for(filters: Filters, asked: bool, count: int) -> None:
    found = exported(full_desk(), evolve(EVERYTHING, filters=filters, include_messages=asked))
    assert sum(isinstance(each, SessionName | Said) for each in found) == count


def test_a_name_that_a_session_has_here_stays() -> None:
    here, there = Desk(), Desk()
    here.said("Hello", name="Of there")
    there.said("Hello", name="Of here")
    imported(there, exported(here))
    assert there.made_here.conversations().names() == {"session-1": "Of here"}


def test_where_nothing_was_saved_an_export_is_empty() -> None:
    assert exported(Desk(), ExportRequest()) == []


def test_a_known_project_is_found_by_an_alias() -> None:
    here, there = Desk(), elsewhere()
    here.save("first")
    project, *memories = exported(here)
    assert isinstance(project, Project)
    renamed = evolve(project, id="another-0", aliases=(*project.aliases, "more"))
    known = there.storage.registry.upsert(project)
    moved = [
        evolve(each, observation=evolve(each.observation, project="another-0"))
        for each in memories
        if isinstance(each, Arrival)
    ]
    assert imported(there, [renamed, *moved], dry_run=True).new == {("lovelace", Kind.NOTE): 1}
    imported(there, [renamed, *moved])
    assert there.storage.registry.all() == (evolve(known, aliases=tuple(sorted((*known.aliases, "more")))),)


def test_a_storage_without_conversations_ledger_and_merge_takes_memories() -> None:
    there = evolve(elsewhere(), storage=LackingStorage(set(Capability) - {Capability.ERASE}))
    account = imported(there, exported(full_desk()))
    assert (account.memories, account.messages) == (9, 0)
    kept = [each.observation.id for each in exported(there) if isinstance(each, Arrival)]
    assert (len(kept), numbered(1) in kept) == (9, True)
