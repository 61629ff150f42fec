from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from attrs import evolve

from lamella.application.exchange.accounts import ShareAccount
from lamella.application.memories.save import SaveRequest
from lamella.application.projects.manage import MergeProjects, SplitProject
from lamella.domain.exchange.shared_file import name_of
from lamella.domain.ledger.files import Past
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.ports.shared_folder import SharedFolderError
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.sharing.team import FOLDER, OTHER, TEXT, Member, alone, done
from tests.unit.ledger.test_learn_from_git import commit, learned
from tests.unit.support.stand_ins import FolderTree, ToldHistory
from tests.unit.support.tables import cases


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
    with pytest.raises(SharedFolderError, match="is damaged, or was written by a newer lamella"):
        ada.sync()
    assert ada.sharing.stop(ada.desk.call) is not None
    assert ada.sharing.shared(ada.desk.call) is None


def test_a_folder_that_a_split_gave_to_another_project_is_left_alone(ada: Member, tmp_path: Path) -> None:
    ada.save(TEXT)
    new = ada.desk.at(directory=tmp_path / "new")
    new.save(OTHER)
    old = ada.desk.projects.find(ada.desk.call).project
    assert old is not None
    MergeProjects(new.storage, new.projects)(new.call, old.id, "new")
    ada.sharing.start(ada.desk.call, FOLDER)
    SplitProject(new.storage, new.projects)(new.call, old.id)
    with pytest.raises(SharedFolderError, match="belongs to another project now"):
        list(ada.sharing(new.call))


def test_many_memories_are_synced_in_steps(ada: Member, bob: Member) -> None:
    for number in range(120):
        ada.desk.save(f"Fact {number}.")
        ada.desk.clock.advance(timedelta(seconds=1))
    steps = list(ada.sharing(ada.desk.call))
    assert (len(steps) > 3, steps[-1]) == (True, done(files=120, written=120))
    assert bob.pull(ada) == done(files=120, new=120)


@pytest.mark.parametrize("typed", ["", "never test", "created_at", "lamella:"])
def test_an_erase_removes_the_file_unless_somebody_edited_it(ada: Member, typed: str) -> None:
    saved, kept = ada.save(TEXT), ada.save(OTHER)
    (ada.folder / "odd staging.md").write_text("---\nlamella: 9\n---\n", "utf-8")
    ada.sync()
    file = ada.folder / name_of(saved)
    # A file written again is not an edited one.
    file.write_text(file.read_text("utf-8").replace(typed or TEXT, "test" if typed else TEXT), "utf-8")
    evolve(ada.desk, shared_folder=ada.folders).erase(ada.desk.call, [str(saved.id)])
    (record,) = (ada.root.parent / "data/shared").glob("*.json")
    assert "taging" not in record.read_text("utf-8")
    for _ in range(2):
        assert (file.exists(), (ada.folder / name_of(kept)).exists()) == (bool(typed), True)
        assert (file.name in ada.sync().left, ada.live) == (typed not in ("", "lamella:"), {OTHER})


def test_an_erase_while_the_working_tree_is_gone_forgets_the_name(ada: Member) -> None:
    saved = ada.save(TEXT)
    away = ada.root.rename(ada.root.parent / "moved")
    evolve(ada.desk, shared_folder=ada.folders).erase(ada.desk.call, [str(saved.id)])
    share = ada.folders.of(ada.desk.project.id)
    assert share is not None
    assert [each.name for each in share.memories.values()] == [None]
    away.rename(ada.root)
    assert ada.sync() == done(removed=1)


def test_several_files_that_are_gone_are_asked_for_once(ada: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (TEXT, OTHER):
        ada.save(text)
    for name in ada.files:
        (ada.folder / name).unlink()
    asked: list[str] = []

    def past(_: object, __: object, folder: str) -> Past:
        asked.append(folder)
        return Past()

    monkeypatch.setattr(FolderTree, "past", past)
    assert ada.sync(sure=True) == done(purged=2)
    assert asked == [FOLDER]


def test_files_that_were_moved_to_another_folder_are_not_purged(ada: Member) -> None:
    for text in (TEXT, OTHER):
        ada.save(text)
    names = [*ada.files]
    ada.desk.tree.texts |= {f"notes/{name}": text for name, text in ada.files.items()}
    ada.folder.rename(ada.root / "notes")
    ada.desk.tree.history = Past(deleted=frozenset(f"{FOLDER}/{name}" for name in names))
    for sure in (False, True):
        assert ada.sync(sure=sure) == done(files=2, waiting=2, moved_to="notes")
    ada.sharing.start(ada.desk.call, "notes")
    assert ada.sync() == ShareAccount("notes", files=2)
    assert ada.live == {TEXT, OTHER}


@pytest.mark.parametrize("text", ["Another program's.", "---\nlamella: 2\nid: 1\n---\n"])
def test_a_file_of_the_same_name_is_no_moved_memory(ada: Member, text: str) -> None:
    ada.save(TEXT)
    path = ada.only.rename(ada.root / ada.only.name)
    (ada.root / "notes").mkdir()
    path.rename(ada.root / "notes" / path.name)
    ada.desk.tree.texts[f"notes/{path.name}"] = text
    ada.desk.tree.history = Past(missing=frozenset({f"{FOLDER}/{path.name}"}))
    assert ada.sync() == done(files=1, waiting=1, restorable=True)


def replaced(member: Member, *ids: UUID, text: str) -> UUID:
    request = SaveRequest(text=text, replaces=tuple(map(str, ids)))
    return member.desk.saving(request).observation.id


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
    assert ada.sync().left == {ada.only.name: "its memory was changed here at the same time"}
    account = ada.sync()
    assert (account.new, [*account.conflicts]) == (1, [ada.only.name])
    assert ada.live == {TEXT.replace("every night", "at noon")}


def test_a_file_changed_while_it_is_replaced_is_left_alone(ada: Member, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_touched_file_changes_nothing_and_is_removed_with_a_purged_memory(ada: Member) -> None:
    saved = ada.save(TEXT)
    ada.only.write_bytes(ada.only.read_bytes().replace(b"\n", b"\r\n"))
    assert ada.sync() == done(files=1)
    ada.only.write_bytes(ada.only.read_bytes().replace(b"\r\n", b"\n"))
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    assert ada.sync() == done(removed=1)


def test_a_memory_from_elsewhere_with_a_secret_is_written_without_it(ada: Member) -> None:
    draft = Draft(content="The key is AKIAIOSFODNN7EXAMPLQ. <private>Ssh.</private>", title="The key")
    ada.desk.observations.add(draft, id=ada.desk.ids.new(), now=ada.desk.clock.now())
    ada.sync()
    assert ada.only.read_text("utf-8").endswith("\n\nThe key is [redacted]. [private]\n")
    ada.only.touch()
    assert ada.sync() == done(files=1)


def test_a_memory_that_no_one_could_take_over_has_no_file(ada: Member) -> None:
    ada.desk.observations.add(Draft(content="x" * 10_001), id=ada.desk.ids.new(), now=ada.desk.clock.now())
    assert ada.sync() == done()


ID = "00000007-0000-4000-8000-000000000000"
HEAD = f"lamella: 1\ntype: memory\ntitle: T\nid: {ID}\nkind: note\nsource: manual\nactor: agent\n"
TIME = "created_at: 2024-05-06T07:08:09Z\n"
BODY = "---\n\nText.\n"
SPACE = " " * 200_000
MANY = '["a"' + ', "a"' * 50 + "]"


@cases
def test_a_file_that_cannot_be_used_is_named_and_left_alone(ada: Member, text: str, reason: str) -> None:
    file = ada.folder / "odd.md"
    file.write_text(text, "utf-8")
    assert ada.sync().left == {"odd.md": reason}
    assert ada.sync().left == {"odd.md": reason}
    assert (ada.live, file.read_text("utf-8")) == (set(), text)
    file.unlink()
    assert ada.sync().left == {}


def test_a_file_with_the_id_of_a_captured_change_does_not_touch_it(ada: Member) -> None:
    draft = Draft(content="An edit.", kind=Kind.CHANGE)
    ada.desk.observations.add(draft, id=UUID(ID), now=ada.desk.clock.now())
    (ada.folder / "a.md").write_text(f"---\n{HEAD}{TIME}{BODY}", "utf-8")
    assert ada.sync().left == {"a.md": "its id is that of another kind of memory"}
    assert ada.live == {"An edit."}


def test_commits_of_shared_files_are_not_learned(ada: Member) -> None:
    saved = ada.save(TEXT)
    desk = evolve(ada.desk, shared_folder=ada.folders)
    texts = {"a.py": "+a = 1", f"{FOLDER}/renamed.md": f"+{TEXT}", f"elsewhere/{name_of(saved)}": f"+{TEXT}"}
    changes = [CodeChange(path=path, hunks=f"@@ @@\n{line}", additions=1) for path, line in texts.items()]
    account = learned(desk, ToldHistory([commit(1, *changes), commit(2, *changes[1:])]))
    assert (account.new, account.skipped) == (1, {"a shared memory": 4})
    assert [change.path for each in desk.everything for change in each.changes] == ["a.py"]
