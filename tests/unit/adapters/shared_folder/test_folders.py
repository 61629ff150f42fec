import os
import stat
from pathlib import Path
from threading import Event, Thread
from uuid import UUID

import pytest

from lamella.ports.shared_folder import LeftFile, Share, SharedFolderError, SharedMemory
from lamella_adapters.shared_folder import folders as folders_module
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.unit.adapters.shared_folder.opened import PROJECT, listed, used
from tests.unit.support.tables import cases

UNPRIVILEGED = pytest.mark.skipif(os.geteuid() == 0, reason="root is allowed everything")


def test_what_is_recorded_is_private_and_comes_back(folders: RecordedFolders, root: Path, tmp_path: Path) -> None:
    memory = SharedMemory(id=UUID(int=7), live=False, name="a\n\udc80.md", stamp="1 2", by_file=True)
    share = Share(
        root=root,
        folder="docs/memory",
        sequence=3,
        memories={memory.id: memory, UUID(int=8): SharedMemory(id=UUID(int=8), live=True)},
        left={"b.md": LeftFile("3", "it is large")},
    )
    used(folders, lambda opened: opened.record(share))
    assert folders.of(PROJECT) == share
    (record,) = (tmp_path / "data/shared").glob("*.json")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (record, record.parent)] == [0o600, 0o700]


@cases
def test_a_record_of_something_else_is_refused(folders: RecordedFolders, tmp_path: Path, text: str) -> None:
    (record,) = (tmp_path / "data/shared").glob("*.json")
    record.write_text(text, "utf-8")
    with pytest.raises(SharedFolderError, match=r"is damaged, or was written by a newer lamella. Start again"):
        folders.of(PROJECT)
    assert not folders.around(tmp_path)


def test_a_folder_is_known_around_its_working_tree_only(folders: RecordedFolders, root: Path) -> None:
    assert [folders.around(each) for each in (root, root / "docs", root.parent)] == [True, True, False]
    assert not RecordedFolders(root / "data").around(root)


def test_paths_of_shared_files_are_known_in_their_working_tree_only(
    folders: RecordedFolders, root: Path, tmp_path: Path
) -> None:
    assert folders.within(PROJECT, root) == ("docs/memory/",)
    assert [folders.within(PROJECT, tmp_path), folders.within("other", root)] == [(), ()]
    (record,) = (tmp_path / "data/shared").glob("*.json")
    record.write_text("", "utf-8")
    assert folders.within(PROJECT, root) == ()


def test_what_is_stopped_is_forgotten(folders: RecordedFolders) -> None:
    folders.stop(PROJECT)
    folders.stop(PROJECT)
    assert folders.of(PROJECT) is None
    with folders.opened(PROJECT) as opened:
        assert opened is None


def test_a_working_tree_that_is_gone_is_said(folders: RecordedFolders, root: Path) -> None:
    share = folders.of(PROJECT)
    assert share is not None
    root.rename(root.parent / "moved")
    with pytest.raises(SharedFolderError, match="docs/memory cannot be shared: No such file or directory"):
        listed(folders)
    assert folders.stamp(share) == ""
    assert not root.exists()


def test_the_stamp_of_the_folder_tells_that_a_file_came_was_written_in_place_or_went(
    folders: RecordedFolders, place: Path
) -> None:
    share = folders.of(PROJECT)
    assert share is not None
    stamps = [folders.stamp(share)]
    (place / "a.md").touch()
    stamps.append(folders.stamp(share))
    (place / "a.md").write_text("one", "utf-8")
    stamps.append(folders.stamp(share))
    (place / "a.md").unlink()
    assert len(set(stamps)) == 3
    assert folders.stamp(share) == stamps[0]


def test_what_is_no_shared_file_leaves_the_stamp_of_the_folder(folders: RecordedFolders, place: Path) -> None:
    share = folders.of(PROJECT)
    assert share is not None
    before = folders.stamp(share)
    (place / ".lamella-draft").touch()
    (place / "other.txt").touch()
    (place / "folder.md").mkdir()
    assert folders.stamp(share) == before


def test_one_sync_waits_for_another(folders: RecordedFolders) -> None:
    order: list[str] = []
    held, went_on = Event(), Event()

    def sync() -> None:
        held.set()
        with folders.opened(PROJECT):
            order.append("second")
        went_on.set()

    with folders.opened(PROJECT):
        thread = Thread(target=sync)
        thread.start()
        held.wait()
        order.append("first")
    assert went_on.wait(60)
    thread.join()
    assert order == ["first", "second"]


def test_one_that_has_waited_for_long_says_so(folders: RecordedFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders_module, "_PATIENCE_SECONDS", -1.0)
    with (
        folders.opened(PROJECT),
        pytest.raises(SharedFolderError, match=r"Another process is syncing this folder. Try again."),
        folders.opened(PROJECT),
    ):
        pass


def test_what_was_stopped_while_one_waited_is_not_synced(
    folders: RecordedFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = RecordedFolders._locked

    def stop_then_lock(self: RecordedFolders, project: str) -> object:
        (self.data_directory / "shared" / f"{project}.json").unlink()
        return locked(self, project)

    monkeypatch.setattr(RecordedFolders, "_locked", stop_then_lock)
    with folders.opened(PROJECT) as opened:
        assert opened is None


@UNPRIVILEGED
def test_a_data_directory_that_cannot_be_written_is_said(root: Path, tmp_path: Path) -> None:
    data = tmp_path / "closed"
    data.mkdir(mode=0o500)
    with pytest.raises(SharedFolderError, match="data directory cannot be written: Permission denied"):
        RecordedFolders(data).start(PROJECT, Share(root=root, folder="docs"))
