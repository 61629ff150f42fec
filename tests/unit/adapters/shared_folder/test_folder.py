import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from lamella.ports.shared_folder import SharedFolder, SharedFolderError, UnusableFileError
from lamella_adapters.shared_folder import folder as folder_module
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.unit.adapters.shared_folder.opened import PROJECT, listed, used
from tests.unit.support.tables import cases


def test_only_markdown_files_are_listed(folders: RecordedFolders, place: Path, root: Path) -> None:
    for name in ("a.md", "b\nc.md", os.fsdecode(b"\xff.md"), ".hidden.md", "d.txt"):
        (place / name).write_bytes(b"x")
    (place / "folder.md").mkdir()
    (place / "link.md").symlink_to(root / "secret")
    os.mkfifo(place / "pipe.md")
    assert listed(folders) == {"a.md", "b\nc.md", "\udcff.md"}


@cases
def test_too_much_is_refused_as_a_whole(  # noqa: PLR0917 - a parametrised test
    folders: RecordedFolders, place: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, sentence: str
) -> None:
    for number in range(3):
        (place / f"{number}.md").write_text("x", "utf-8")
    monkeypatch.setattr(folder_module, limit, value)
    with pytest.raises(SharedFolderError) as refused:
        listed(folders)
    assert str(refused.value) == f"{sentence} Share a separate folder."


def test_another_content_has_another_stamp(folders: RecordedFolders, place: Path) -> None:
    def stamps(opened: SharedFolder) -> tuple[str, str]:
        first = opened.write("a.md", "one", over=None)
        assert first is not None
        second = opened.write("a.md", "two", over=first)
        assert second is not None
        assert (opened.files(), opened.read("a.md")) == ({"a.md": second}, ("two", second))
        return first, second

    first, second = cast("tuple[str, str]", used(folders, stamps))
    assert first != second
    assert [path.name for path in place.iterdir()] == ["a.md"]


def test_a_file_that_another_one_changed_is_neither_replaced_nor_removed(
    folders: RecordedFolders, place: Path
) -> None:
    (place / "a.md").write_text("theirs", "utf-8")
    with folders.opened(PROJECT) as opened:
        assert opened is not None
        assert opened.write("a.md", "ours", over=None) is None
        assert opened.write("a.md", "ours", over="1 2 3 4") is None
        assert opened.write("b.md", "ours", over="1 2 3 4") is None
        assert not opened.remove("a.md", "1 2 3 4")
        assert opened.remove("b.md", "1 2 3 4")
        assert opened.remove("a.md", opened.files()["a.md"])
    assert list(place.iterdir()) == []


def test_what_a_killed_process_was_writing_is_swept_away(folders: RecordedFolders, place: Path) -> None:
    (place / f".lamella-{PROJECT}-0123456789abcdef").write_text("hal", "utf-8")
    assert listed(folders) == set()
    assert list(place.iterdir()) == []


def make_git(root: Path) -> Path:
    (root / ".git").mkdir()
    return root / ".git"


def make_worktree(root: Path) -> Path:
    git = root.parent / "git"
    git.mkdir()
    (root / ".git").write_text("gitdir: ../git\n", "utf-8")
    return git


@pytest.mark.parametrize("make", [make_git, make_worktree])
def test_a_commit_that_is_made_meanwhile_takes_no_draft_along(
    folders: RecordedFolders,
    root: Path,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], Path],
) -> None:
    git, seen = make(root), []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append((list(place.iterdir()), len(list(git.iterdir())))))
    used(folders, lambda opened: opened.write("a.md", "one", over=None))
    assert (seen, list(git.iterdir())) == ([([], 1)], [])
    assert (place / "a.md").read_text("utf-8") == "one"


@pytest.mark.parametrize("make", [make_git, make_worktree])
def test_what_a_killed_process_was_writing_is_swept_away_from_git(
    folders: RecordedFolders, root: Path, place: Path, make: Callable[[Path], Path]
) -> None:
    git = make(root)
    mine, other = f".lamella-{PROJECT}-0123456789abcdef", ".lamella-orchard-9876543210-0123456789abcdef"
    for left in (git / mine, git / other, place / mine):
        left.write_text("hal", "utf-8")
    (git / "HEAD").touch()
    (git / f".lamella-{PROJECT}-folder").mkdir()
    assert listed(folders) == set()
    assert {path.name for path in git.iterdir()} == {"HEAD", other, f".lamella-{PROJECT}-folder"}
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("call", ["open", "rename"])
def test_where_git_may_not_be_written_drafts_are_where_the_files_are(
    folders: RecordedFolders, root: Path, place: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    git, real = make_git(root), getattr(os, call)
    tried = list[object]()

    def refuse(*given: object, **options: object) -> object:
        if str(given[0]).startswith(".lamella-") and not tried:
            tried.append(given[0])
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real(*given, **options)

    monkeypatch.setattr(os, call, refuse)
    used(folders, lambda opened: opened.write("a.md", "one", over=None))
    assert (len(tried), (place / "a.md").read_text("utf-8"), list(git.iterdir())) == (1, "one", [])


@pytest.mark.parametrize("text", ["gitdir: /dev/shm\n", "gitdir: elsewhere\n", "\udcff"])
def test_without_a_folder_of_git_on_the_same_device_drafts_are_where_the_files_are(
    folders: RecordedFolders, root: Path, place: Path, text: str
) -> None:
    (root / ".git").write_bytes(os.fsencode(text))
    used(folders, lambda opened: opened.write("a.md", "one", over=None))
    assert [path.name for path in place.iterdir()] == ["a.md"]


def make_link(path: Path) -> None:
    path.symlink_to(path.parents[2] / "secret")


def make_large(path: Path) -> None:
    path.write_bytes(b"x" * (256 * 1024 + 1))


@cases
def test_what_is_no_text_is_not_read(
    folders: RecordedFolders, place: Path, root: Path, make: Callable[[Path], object], reason: str
) -> None:
    (root / "secret").write_text("secret", "utf-8")
    make(place / "a.md")
    with pytest.raises(UnusableFileError) as refused:
        used(folders, lambda opened: opened.read("a.md"))
    assert str(refused.value) == reason


@pytest.mark.parametrize("folder", ["docs", "docs/memory"])
def test_a_link_on_the_way_is_not_followed(folders: RecordedFolders, root: Path, folder: str) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (root / folder).rename(root / "aside")
    (root / folder).symlink_to(outside)
    with pytest.raises(SharedFolderError, match="It must be a folder of the working tree, not a link"):
        listed(folders)
    assert list(outside.iterdir()) == []


def test_an_open_folder_replaced_by_a_link_is_still_written_in_place(
    folders: RecordedFolders, root: Path, place: Path
) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    with folders.opened(PROJECT) as opened:
        assert opened is not None
        place.rename(root / "aside")
        place.symlink_to(outside)
        opened.write("a.md", "text", over=None)
    assert ([path.name for path in (root / "aside").iterdir()], list(outside.iterdir())) == (["a.md"], [])


def test_a_folder_that_git_has_deleted_is_made_again(folders: RecordedFolders, place: Path) -> None:
    place.rmdir()
    place.parent.rmdir()
    assert listed(folders) == set()


def test_a_full_disk_is_said_and_leaves_nothing_behind(
    folders: RecordedFolders, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with folders.opened(PROJECT) as opened:
        assert opened is not None
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(SharedFolderError, match="docs/memory cannot be written: No space left on device"):
            opened.write("a.md", "text", over=None)
        with pytest.raises(SharedFolderError, match="record of the shared folder cannot be written: No space"):
            opened.record(opened.share)
    assert list(place.iterdir()) == []
    assert len(list((tmp_path / "data/shared").iterdir())) == 2
