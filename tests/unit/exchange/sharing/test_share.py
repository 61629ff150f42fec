from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.exchange.shared_file import name_of
from lamella.domain.memories.observation import Draft, Kind
from lamella.ports.shared_folder import Share, SharedFolderError
from lamella.ports.working_tree import Past
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.sharing.team import FOLDER, OTHER, TEXT, Member, alone, done
from tests.unit.support.tables import cases


def test_a_memory_becomes_a_file_that_names_nothing_of_the_machine(ada: Member) -> None:
    saved = ada.save(TEXT, source="decision")
    assert ada.files == {
        name_of(saved): f"""---
lamella: 1
type: memory
title: "{TEXT}"
id: 00000001-0000-4000-8000-000000000000
kind: note
source: decision
actor: agent
author: "ada's user"
created_at: 2024-05-06T07:09:09Z
---

{TEXT}
"""
    }


def test_a_file_has_the_paths_that_a_memory_is_about_and_not_their_code(ada: Member) -> None:
    saved = ada.desk.save(TEXT, paths=["a.py", "b.py"])
    ada.sync()
    assert 'paths: ["a.py", "b.py"]\n---' in ada.only.read_text("utf-8")
    assert [each.path for each in saved.changes] == ["a.py", "b.py"]


def test_a_memory_comes_over_with_its_id_time_author_and_paths(ada: Member, bob: Member) -> None:
    saved = ada.desk.save(TEXT, paths=["a.py"])
    ada.sync()
    assert bob.pull(ada) == done(files=1, new=1)
    (taken,) = bob.desk.everything
    assert (taken.id, taken.created_at, taken.content, taken.author) == (
        saved.id, saved.created_at, TEXT, "ada's user",
    )  # fmt: skip
    assert [each.path for each in taken.changes] == ["a.py"]


def test_keywords_come_over_without_secrets(ada: Member, bob: Member) -> None:
    ada.desk.save(TEXT, keywords="test server, reset")
    ada.sync()
    assert 'keywords: "test server, reset"\n' in ada.only.read_text("utf-8")
    bob.pull(ada)
    assert [each.keywords for each in bob.desk.everything] == ["test server, reset"]
    secret = "ghp" + "_" + "a1B2" * 9
    ada.only.write_text(ada.only.read_text("utf-8").replace("server, reset", f"server, reset {secret}"), "utf-8")
    assert ada.sync() == done(files=1, edited=1, redacted=1)
    assert [each.keywords for each in ada.desk.everything if not each.purged] == ["test server, reset [redacted]"]


def test_two_syncs_in_a_row_change_nothing(ada: Member, bob: Member) -> None:
    ada.save(TEXT)
    bob.pull(ada)
    before = ada.files
    assert [ada.sync(), bob.sync()] == [done(files=1)] * 2
    assert [ada.files, bob.files] == [before] * 2


def test_only_notes_of_the_project_are_shared(ada: Member) -> None:
    for kind in (Kind.CHANGE, Kind.SUMMARY):
        draft = Draft(content=f"a {kind}", kind=kind)
        ada.desk.observations.add(draft, id=ada.desk.ids.new(), now=ada.desk.clock.now())
    ada.desk.saving(SaveRequest(text="Ada drinks tea.", everywhere=True))
    ada.desk.said("Hello.")
    assert ada.sync() == done()
    assert ada.files == {}


def test_what_was_saved_before_is_shared_and_what_was_purged_is_not(tmp_path: Path) -> None:
    ada = alone(tmp_path)
    ada.desk.save(TEXT)
    ada.desk.purge(ada.desk.call, [str(ada.desk.save(OTHER).id)])
    ada.sharing.start(ada.desk.call, FOLDER)
    assert ada.sync() == done(files=1, written=1)


def test_a_purge_removes_the_file_and_then_purges_elsewhere_and_a_restore_takes_both_back(
    ada: Member, bob: Member
) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    before = ada.files
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    assert ada.sync() == done(removed=1)
    bob.desk.tree.history = Past(deleted=frozenset(f"{FOLDER}/{name}" for name in before))
    assert bob.pull(ada) == done(purged=1)
    assert bob.live == set()
    bob.desk.observations.restore([saved.id], by=signed(bob.desk.clock.now()))
    assert bob.sync() == done(files=1, written=1)
    assert bob.files == before
    ada.desk.tree.history = Past(deleted=frozenset({f"{FOLDER}/{next(iter(before))}"}))
    assert ada.pull(bob) == done(files=1, restored=1)
    assert ada.live == {TEXT}


def test_a_memory_that_was_purged_before_it_was_shared_gets_a_file_when_it_is_restored(ada: Member) -> None:
    saved = ada.desk.save(TEXT)
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    ada.sync()
    ada.desk.observations.restore([saved.id], by=signed(ada.desk.clock.now()))
    assert ada.sync() == done(files=1, written=1)


def test_the_same_memory_of_two_members_is_two_files(ada: Member, bob: Member) -> None:
    ada.save(TEXT)
    bob.save(TEXT)
    (bob.folder / ada.only.name).write_text(ada.only.read_text("utf-8"), "utf-8")
    assert bob.sync() == done(files=2, new=1)
    assert [each.content for each in bob.desk.everything] == [TEXT, TEXT]


def test_a_name_that_another_file_has_is_made_longer(ada: Member) -> None:
    saved = ada.desk.save(TEXT)
    (ada.folder / name_of(saved)).write_text("# Something else\n", "utf-8")
    assert ada.sync() == done(files=1, written=1)
    assert ada.files.keys() == {name_of(saved), name_of(saved, digits=32)}
    assert ada.files[name_of(saved)] == "# Something else\n"


def test_where_every_name_is_taken_a_memory_has_no_file(ada: Member) -> None:
    saved = ada.desk.save(TEXT)
    for name in (name_of(saved), name_of(saved, digits=32)):
        (ada.folder / name).write_text("# Something else\n", "utf-8")
    assert ada.sync() == done()


def test_nothing_is_shared_until_somebody_asks_for_it(tmp_path: Path) -> None:
    ada = alone(tmp_path)
    sharing = ada.sharing
    assert (sharing.shared(ada.desk.call), sharing.stop(ada.desk.call)) == (None, None)
    assert list(sharing(ada.desk.call)) == []
    ada.desk.save(TEXT)
    assert (sharing.shared(ada.desk.call), sharing.stop(ada.desk.call)) == (None, None)
    assert list(sharing(ada.desk.call)) == []
    assert list(ada.root.iterdir()) == []


def test_sharing_is_stopped_and_the_files_stay(ada: Member) -> None:
    ada.save(TEXT)
    assert ada.sharing.stop(ada.desk.call) is not None
    ada.desk.save(OTHER)
    assert list(ada.sharing(ada.desk.call)) == []
    assert len(ada.files) == 1


def test_a_folder_that_is_shared_already_goes_on_and_another_one_begins_anew(ada: Member) -> None:
    ada.save(TEXT)
    ada.only.unlink()
    ada.sharing.start(ada.desk.call, str(ada.folder))
    assert ada.sync() == done(waiting=1)
    ada.sharing.start(ada.desk.call, "notes")
    assert ada.sharing.shared(ada.desk.call) == Share(root=ada.root, folder="notes")


@pytest.mark.parametrize("folder", [".", ".git/memory", "docs/../..", "/etc"])
def test_a_folder_that_is_none_to_share_is_refused(tmp_path: Path, folder: str) -> None:
    ada = alone(tmp_path)
    with pytest.raises((SharedFolderError, PathOutsideProjectError)):
        ada.sharing.start(ada.desk.call, folder)
    assert ada.sharing.shared(ada.desk.call) is None


def ignore(member: Member) -> None:
    member.desk.tree.ignoring = frozenset({f"{FOLDER}/memory.md"})


def leave_repository(member: Member) -> None:
    member.desk.tree.repositories = frozenset()


@cases
def test_what_would_never_reach_others_is_refused(
    tmp_path: Path, prepare: Callable[[Member], None], sentence: str
) -> None:
    ada = alone(tmp_path)
    prepare(ada)
    with pytest.raises(SharedFolderError) as refused:
        ada.sharing.start(ada.desk.call, FOLDER)
    assert str(refused.value) == sentence


def test_a_record_that_cannot_be_read_is_said_and_can_be_stopped(ada: Member) -> None:
    (record,) = (ada.root.parent / "data/shared").glob("*.json")
    record.write_text("{}", "utf-8")
    with pytest.raises(SharedFolderError, match="is damaged, or of a newer lamella"):
        ada.sync()
    assert ada.sharing.stop(ada.desk.call) is not None
    assert ada.sharing.shared(ada.desk.call) is None


def test_many_memories_are_synced_in_steps(ada: Member, bob: Member) -> None:
    for number in range(120):
        ada.desk.save(f"Fact {number}.")
        ada.desk.clock.advance(timedelta(seconds=1))
    steps = list(ada.sharing(ada.desk.call))
    assert (len(steps) > 3, steps[-1]) == (True, done(files=120, written=120))
    assert bob.pull(ada) == done(files=120, new=120)
