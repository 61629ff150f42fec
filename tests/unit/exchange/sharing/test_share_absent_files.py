import shutil

import pytest
from attrs import evolve

from lamella.domain.exchange.shared_file import name_of
from lamella.ports.shared_folder import Share
from lamella.ports.working_tree import Past
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.sharing.team import FOLDER, OTHER, TEXT, Member, done
from tests.unit.support.stand_ins import FolderTree


@pytest.mark.parametrize("taken_back", [False, True])
def test_an_erased_memory_loses_its_file_and_does_not_come_back_with_it(ada: Member, taken_back: bool) -> None:
    saved, kept = ada.save(TEXT), ada.files
    ada.desk.observations.erase([saved.id], by=signed())
    assert ada.sync() == done(removed=1)
    ((name, text),) = kept.items()
    (ada.folder / name).write_text(text, "utf-8")
    if taken_back:
        ada.desk.tree.history = Past(deleted=frozenset({f"{FOLDER}/{name}"}))
    assert ada.sync() == done(files=1)
    assert ada.desk.everything == []


def test_an_erased_memory_stays_away_in_a_folder_that_is_shared_anew(ada: Member, bob: Member) -> None:
    saved = bob.save(TEXT)
    ada.pull(bob)
    ada.sharing.stop(ada.desk.call)
    ada.desk.observations.erase([saved.id], by=signed())
    ada.sharing.start(ada.desk.call, FOLDER)
    assert ada.sync() == done(files=1)
    assert (ada.desk.everything, ada.files) == ([], bob.files)


@pytest.mark.parametrize("changed", [False, True])
def test_an_erase_removes_the_file_and_its_words_from_the_record_at_once(ada: Member, changed: bool) -> None:
    saved, kept = ada.save(TEXT), ada.save(OTHER)
    (ada.folder / "odd staging.md").write_text("---\nlamella: 9\n---\n", "utf-8")
    ada.sync()
    if changed:
        (ada.folder / name_of(saved)).touch()
    evolve(ada.desk, shared_folder=ada.folders).erase(ada.desk.call, [str(saved.id)])
    (record,) = (ada.root.parent / "data/shared").glob("*.json")
    assert "taging" not in record.read_text("utf-8")
    assert ((ada.folder / name_of(saved)).exists(), (ada.folder / name_of(kept)).exists()) == (changed, True)
    ada.sync()
    assert (ada.folder / name_of(saved)).exists() is False
    assert ada.live == {OTHER}


def test_an_erase_while_the_working_tree_is_gone_forgets_the_name(ada: Member) -> None:
    saved = ada.save(TEXT)
    ada.root.rename(ada.root.parent / "moved")
    ada.folders.erase(ada.desk.project.id, [saved.id])
    share = ada.folders.of(ada.desk.project.id)
    assert share is not None
    assert [each.name for each in share.memories.values()] == [None]


def test_a_file_that_is_not_on_this_branch_leaves_its_memory_and_comes_back_with_it(ada: Member) -> None:
    ada.save(TEXT)
    file, text = ada.only, ada.only.read_text("utf-8")
    ada.desk.tree.history = Past(ever=frozenset({f"{FOLDER}/{file.name}"}))
    file.unlink()
    assert ada.sync() == done()
    assert ada.sync() == done()
    assert (ada.live, ada.files) == ({TEXT}, {})
    file.write_text(text, "utf-8")
    assert ada.sync() == done(files=1)
    assert ada.live == {TEXT}


def test_what_is_purged_while_its_file_is_on_another_branch_loses_it_there(ada: Member) -> None:
    saved = ada.save(TEXT)
    file, text = ada.only, ada.only.read_text("utf-8")
    ada.desk.tree.history = Past(ever=frozenset({f"{FOLDER}/{file.name}"}))
    file.unlink()
    ada.sync()
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    ada.sync()
    file.write_text(text, "utf-8")
    assert ada.sync() == done(removed=1)
    assert ada.live == set()


def test_while_git_gives_no_answer_nothing_is_purged(ada: Member) -> None:
    ada.save(TEXT)
    ada.desk.tree.history = None
    ada.only.unlink()
    assert ada.sync() == done(undecided=1, files=1)
    assert ada.live == {TEXT}
    ada.desk.tree.history = Past()
    assert ada.sync(sure=True) == done(purged=1)


def test_a_purged_memory_whose_file_comes_back_with_another_branch_stays_purged(ada: Member) -> None:
    saved = ada.save(TEXT)
    file, text = ada.only, ada.only.read_text("utf-8")
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    ada.sync()
    file.write_text(text, "utf-8")
    assert ada.sync() == done(files=1)
    assert (ada.live, list(ada.files)) == (set(), [file.name])


def test_a_memory_that_is_purged_while_its_file_goes_is_purged_once(ada: Member) -> None:
    saved = ada.save(TEXT)
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    ada.only.unlink()
    assert ada.sync() == done()


def test_a_memory_that_is_restored_while_its_file_goes_gets_it_again(ada: Member, bob: Member) -> None:
    saved = ada.save(TEXT)
    bob.desk.tree.history = Past(ever=frozenset({f"{FOLDER}/{ada.only.name}"}))
    bob.pull(ada)
    bob.desk.purge(bob.desk.call, [str(saved.id)])
    bob.sync()
    # The file is there, of another branch, and the memory stays purged.
    assert bob.pull(ada) == done(files=1)
    bob.desk.observations.restore([saved.id], by=signed(bob.desk.clock.now()))
    bob.only.unlink()
    assert bob.sync() == done(files=1, written=1)


def test_a_purged_memory_whose_file_was_left_is_not_written_but_kept_when_it_is_restored(
    ada: Member, bob: Member
) -> None:
    saved = ada.save(TEXT)
    bob.pull(ada)
    bob.desk.purge(bob.desk.call, [str(saved.id)])
    bob.sync()
    bob.pull(ada)
    bob.desk.observations.restore([saved.id], by=signed(bob.desk.clock.now()))
    assert bob.sync() == done(files=1)
    bob.desk.purge(bob.desk.call, [str(saved.id)])
    assert bob.sync() == done(removed=1)


def test_a_renamed_file_is_the_same_memory(ada: Member) -> None:
    ada.save(TEXT)
    ada.only.rename(ada.folder / "staging.md")
    assert ada.sync() == done(files=1)
    assert list(ada.files) == ["staging.md"]


def test_a_memory_whose_file_was_stashed_comes_back_with_it(ada: Member) -> None:
    ada.save(TEXT)
    file = ada.only
    file.rename(ada.root / "stashed")
    assert ada.sync(sure=True) == done(purged=1)
    (ada.root / "stashed").rename(file)
    assert ada.sync() == done(files=1, restored=1)
    assert ada.live == {TEXT}


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


def test_a_restored_memory_whose_name_another_has_now_gets_a_new_one(ada: Member) -> None:
    saved = ada.save(TEXT)
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    file, text = ada.only, ada.only.read_text("utf-8")
    ada.sync()
    file.write_text(text.replace("00000001-0000", "00000009-0000").replace(TEXT, OTHER), "utf-8")
    ada.sync()
    ada.desk.observations.restore([saved.id], by=signed(ada.desk.clock.now()))
    assert ada.sync() == done(files=2, written=1)


def gone(ada: Member) -> Share | None:
    """Save two memories, and delete the folder. Return what is recorded."""
    for text in (TEXT, OTHER):
        ada.save(text)
    shutil.rmtree(ada.folder)
    return ada.folders.of(ada.desk.project.id)


@pytest.mark.parametrize("committed", [False, True])
def test_a_folder_whose_files_are_all_gone_waits_for_an_answer(ada: Member, committed: bool) -> None:
    before = gone(ada)
    assert before is not None
    if committed:
        paths = frozenset(f"{FOLDER}/{each.name}" for each in before.memories.values())
        ada.desk.tree.history = Past(deleted=paths, ever=paths)
    for _ in range(2):
        assert ada.sync() == done(waiting=2)
        assert ada.folders.of(ada.desk.project.id) == evolve(before, waiting=2)
    assert ada.live == {TEXT, OTHER}
    assert ada.sync(sure=True) == done(purged=2)
    assert ada.folders.of(ada.desk.project.id) == evolve(
        before,
        memories={id: evolve(each, live=False, by_file=True, stamp=None) for id, each in before.memories.items()},
    )
    assert ada.live == set()


def test_what_is_saved_and_pulled_meanwhile_does_not_answer_for_the_user(ada: Member, bob: Member) -> None:
    gone(ada)
    ada.desk.save("Saved meanwhile.")
    bob.save("From somebody else.")
    for name, text in bob.files.items():
        ada.folder.mkdir(parents=True, exist_ok=True)
        (ada.folder / name).write_text(text, "utf-8")
    for new in (1, 0):
        assert ada.sync() == done(waiting=2, new=new)
    assert ada.live == {TEXT, OTHER, "Saved meanwhile.", "From somebody else."}
    assert ada.sync(sure=True) == done(purged=2, files=2, written=1)


def test_files_that_come_back_end_the_wait(ada: Member) -> None:
    for text in (TEXT, OTHER):
        ada.save(text)
    kept = ada.files
    shutil.rmtree(ada.folder)
    ada.sync()
    for name, text in kept.items():
        (ada.folder / name).write_text(text, "utf-8")
    assert ada.sync() == done(files=2)
    share = ada.folders.of(ada.desk.project.id)
    assert share is not None
    assert share.waiting == 0
    next(ada.folder.iterdir()).unlink()
    assert ada.sync() == done(files=1, purged=1)


@pytest.mark.parametrize("committed", [False, True])
def test_the_only_file_waits_unless_a_commit_deleted_it(ada: Member, committed: bool) -> None:
    ada.save(TEXT)
    path = f"{FOLDER}/{ada.only.name}"
    ada.desk.tree.history = Past(deleted=frozenset({path} if committed else ()), ever=frozenset({path}))
    if not committed:
        ada.desk.tree.history = Past(missing=frozenset({path}), ever=frozenset({path}))
    ada.only.unlink()
    assert ada.sync() == (done(purged=1) if committed else done(waiting=1))


def test_a_folder_whose_other_file_was_renamed_does_not_wait(ada: Member) -> None:
    for text in (TEXT, OTHER):
        ada.save(text)
    first, second = ada.files
    (ada.folder / first).rename(ada.folder / "renamed.md")
    (ada.folder / second).unlink()
    assert ada.sync() == done(files=1, purged=1)
