# ruff: noqa: PTH117, PTH118 - compared with what `os` does

import os
import posix
from pathlib import Path

import pytest

from lamella_adapters.hooks.paths import decoded, is_absolute, joined, make_folders, real_path, variable
from tests.unit.support.tables import cases

ODD = b"a\xff\xc3\xa4"


@pytest.mark.parametrize("folder", ["", "/", "/a", "/a/", "a"])
@pytest.mark.parametrize("path", ["", "b", "b/c", "/b", "../b"])
def test_paths_are_joined_as_elsewhere(folder: str, path: str) -> None:
    assert joined(folder, path) == os.path.join(folder, path)
    assert is_absolute(folder) == os.path.isabs(folder)


def test_names_of_the_system_come_back_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decoded(ODD) == os.fsdecode(ODD)
    monkeypatch.setenv("LAMELLA_ODD", os.fsdecode(ODD))
    assert variable("LAMELLA_ODD") == os.fsdecode(ODD)
    monkeypatch.delenv("LAMELLA_ODD")
    assert variable("LAMELLA_ODD") == ""


def test_missing_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a/b/c"
    for path in (f"{folder}/", str(folder), str(folder)):
        make_folders(path)
    assert [each.stat().st_mode & 0o777 for each in (folder, folder.parent)] == [0o700, 0o700]


def test_a_folder_made_by_a_faster_hook_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data/spool"
    make = posix.mkdir

    def after_the_other(path: str, mode: int) -> None:
        if path == str(folder) and folder.parent.exists():
            folder.mkdir()
        make(path, mode)

    monkeypatch.setattr(posix, "mkdir", after_the_other)
    make_folders(str(folder))
    assert folder.is_dir()


def test_folders_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        make_folders(str(tmp_path / "file/folder"))


def test_a_folder_below_a_directory_that_is_gone_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(FileNotFoundError):
        make_folders("folder")
    os.chdir(tmp_path)


@cases
def test_links_are_followed_as_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/file").touch()
    (tmp_path / "link").symlink_to("plain")
    (tmp_path / "file").symlink_to("link/file")
    monkeypatch.chdir(tmp_path)
    for each in (path, f"{tmp_path}/{path}", f"{tmp_path}/link/{path}"):
        assert real_path(each) == os.path.realpath(each)


def test_a_path_that_needs_nothing_followed_asks_the_system_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    look = posix.lstat

    def noted(path: str) -> os.stat_result:
        asked.append(path)
        return look(path)

    monkeypatch.setattr(posix, "lstat", noted)
    path = f"{tmp_path.resolve()}/file"
    monkeypatch.setattr(os.path, "realpath", None)
    assert real_path(path) == path
    assert asked[-1] == path
