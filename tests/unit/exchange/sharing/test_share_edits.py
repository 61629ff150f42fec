from pathlib import Path
from uuid import UUID

import pytest

from lamella.application.memories.save import SaveRequest
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.sharing.team import FOLDER, OTHER, TEXT, Member, done, joined


def replaced(member: Member, *ids: UUID, text: str) -> UUID:
    request = SaveRequest(text=text, replaces=tuple(map(str, ids)))
    return member.desk.saving(request).observation.id


def test_a_memory_that_replaces_another_takes_its_file_so_that_git_shows_an_edit(ada: Member, bob: Member) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    name = ada.only.name
    second = replaced(ada, saved.id, text="Staging is reset at noon.")
    latest = replaced(ada, second, text="Staging is reset at six.")
    assert ada.sync() == done(files=1, written=1)
    assert ada.only.name == name
    assert bob.pull(ada) == done(files=1, edited=1)
    assert bob.live == {"Staging is reset at six."}
    assert bob.desk.kept(saved.id).replaced_by == latest
    assert bob.sync() == done(files=1)


def test_one_that_replaces_two_takes_one_file_and_removes_the_other(ada: Member) -> None:
    first, second = ada.save(TEXT), ada.save(OTHER)
    replaced(ada, first.id, second.id, text="One for both.")
    assert ada.sync() == done(files=1, written=1, removed=1)


def test_an_edited_file_replaces_the_memory_and_has_the_same_id_everywhere(ada: Member, bob: Member) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    ada.only.write_text(ada.only.read_text("utf-8").replace("every night", "at noon"), "utf-8")
    assert ada.sync() == bob.pull(ada) == done(files=1, edited=1)
    assert ada.live == bob.live == {TEXT.replace("every night", "at noon")}
    assert ada.desk.kept(saved.id).replaced_by == bob.desk.kept(saved.id).replaced_by
    assert ada.sync() == done(files=1)


def test_keywords_that_are_edited_in_a_file_are_the_same_memory_everywhere(ada: Member, bob: Member) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    ada.only.write_text(ada.only.read_text("utf-8").replace("kind:", "keywords: wiped\nkind:"), "utf-8")
    assert ada.sync() == bob.pull(ada) == done(files=1, edited=1)
    (heir,) = [each for each in ada.desk.everything if not each.purged]
    assert (heir.content, heir.keywords) == (TEXT, "wiped")
    assert ada.desk.kept(saved.id).replaced_by == bob.desk.kept(saved.id).replaced_by == heir.id


def test_an_edit_that_is_taken_back_brings_the_former_memory_back(ada: Member) -> None:
    saved = ada.save(TEXT)
    before = ada.only.read_text("utf-8")
    ada.only.write_text(before.replace("every night", "at noon"), "utf-8")
    ada.sync()
    ada.only.write_text(before, "utf-8")
    assert ada.sync() == done(files=1, restored=1)
    assert ada.live == {TEXT}
    assert not ada.desk.kept(saved.id).purged
    ada.only.write_text(before.replace("every night", "at noon"), "utf-8")
    assert ada.sync() == done(files=1, restored=1)
    assert ada.live == {TEXT.replace("every night", "at noon")}


def test_a_file_that_was_edited_before_the_first_sync_replaces_the_memory_that_is_here(tmp_path: Path) -> None:
    ada = joined(tmp_path / "ada")
    ada.save(TEXT)
    ada.sharing.stop(ada.desk.call)
    ada.only.write_text(ada.only.read_text("utf-8").replace("every night", "at noon"), "utf-8")
    ada.sharing.start(ada.desk.call, FOLDER)
    assert ada.sync() == done(files=1, edited=1)
    assert ada.live == {TEXT.replace("every night", "at noon")}


def test_what_two_edited_in_different_ways_is_two_memories(ada: Member, bob: Member) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    replaced(ada, saved.id, text="Staging is reset at noon.")
    ada.sync()
    replaced(bob, saved.id, text="Staging is reset at six.")
    assert bob.pull(ada) == done(files=2, new=1, written=1)
    assert bob.live == {"Staging is reset at noon.", "Staging is reset at six."}


def test_an_edit_of_what_was_purged_here_is_a_memory_of_its_own(ada: Member, bob: Member) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    replaced(ada, saved.id, text="Staging is reset at noon.")
    ada.sync()
    bob.desk.purge(bob.desk.call, [str(saved.id)])
    assert bob.pull(ada) == done(files=1, new=1)
    assert bob.live == {"Staging is reset at noon."}


def test_an_edit_into_what_another_memory_says_already_is_that_memory(ada: Member) -> None:
    ada.save(TEXT)
    first = ada.only
    ada.save(OTHER)
    (other,) = ada.files.keys() - {first.name}
    text = first.read_text("utf-8").replace(TEXT, OTHER)
    first.write_text(text, "utf-8")
    account = ada.sync()
    assert account.left == {first.name: f"{other} says the same"}
    assert ada.live == {OTHER}


CONFLICT = """---
lamella: 1
<<<<<<< HEAD
id: 00000001-0000-4000-8000-000000000000
=======
id: 00000002-0000-4000-8000-000000000000
>>>>>>> theirs
---
"""


def test_a_file_with_conflict_markers_is_left_alone_and_everything_else_goes_on(ada: Member) -> None:
    saved = ada.save(TEXT)
    name = ada.only.name
    ada.only.write_text(CONFLICT, "utf-8")
    ada.desk.save(OTHER)
    account = ada.sync()
    assert account.left == {name: "it has git's conflict markers (<<<<<<<). Resolve the conflict"}
    assert (account.files, account.written, ada.live) == (2, 1, {TEXT, OTHER})
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    assert ada.sync().removed == 0
    assert ada.files[name] == CONFLICT


def test_a_resolved_conflict_is_an_edit(ada: Member) -> None:
    ada.save(TEXT)
    text = ada.only.read_text("utf-8")
    ada.only.write_text(CONFLICT, "utf-8")
    ada.sync()
    ada.only.write_text(text.replace("every night", "at noon"), "utf-8")
    assert ada.sync() == done(files=1, edited=1)
    assert ada.live == {TEXT.replace("every night", "at noon")}


def test_a_memory_that_is_purged_while_its_edit_is_taken_over_is_looked_at_again(
    ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = ada.save(TEXT)
    ada.only.write_text(ada.only.read_text("utf-8").replace("every night", "at noon"), "utf-8")
    observations = type(ada.desk.observations)
    get_all, purging = observations.get_all, [saved.id]

    def purge_then_read(self: object, ids: object) -> object:
        found = get_all(self, ids)  # type: ignore[arg-type]
        if len(list(ids)) > 1 and purging:  # type: ignore[call-overload]
            self.purge([purging.pop()], by=signed(ada.desk.clock.now()))  # type: ignore[attr-defined]
        return found

    monkeypatch.setattr(observations, "get_all", purge_then_read)
    assert ada.sync().left == {ada.only.name: "it was changed here at the same time"}
    assert ada.sync() == done(files=1, new=1)
    assert ada.live == {TEXT.replace("every night", "at noon")}


def test_a_file_that_changes_while_it_is_replaced_is_left_alone(
    ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = ada.save(TEXT)
    name, text = ada.only.name, ada.only.read_text("utf-8")
    replaced(ada, saved.id, text="Staging is reset at noon.")
    observations = type(ada.desk.observations)
    get_all = observations.get_all

    def edit_then_read(self: object, ids: object) -> object:
        (ada.folder / name).write_text(text.replace("every night", "at six"), "utf-8")
        return get_all(self, ids)  # type: ignore[arg-type]

    listed = ada.sharing
    steps = listed(ada.desk.call)
    next(steps)
    next(steps)
    monkeypatch.setattr(observations, "get_all", edit_then_read)
    for _ in steps:
        pass
    monkeypatch.undo()
    assert "at six" in ada.files[name]
    ada.sync()
    assert ada.live == {"Staging is reset at noon.", TEXT.replace("every night", "at six")}
