import os
import sys
from pathlib import Path
from stat import S_IMODE

import apsw
import pytest

import lamella
import lamella_adapters
from lamella_adapters.hooks.launch.interpreter_link import link


def folder_of(package: str | None) -> str:
    assert package is not None
    return str(Path(package).parents[1])


def test_a_link_names_the_interpreter_and_the_folders_of_the_packages(tmp_path: Path) -> None:
    link(str(tmp_path / "plugin"))
    folders = [folder_of(each.__file__) for each in (lamella_adapters, lamella, apsw)]
    assert (tmp_path / "plugin" / "paths").read_text().splitlines() == list(dict.fromkeys(folders))
    assert (tmp_path / "plugin" / "python").readlink() == Path(sys.executable).resolve()
    assert sorted(each.name for each in (tmp_path / "plugin").iterdir()) == ["paths", "python"]


def test_only_the_owner_may_say_what_is_imported(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        link(str(tmp_path / "plugin"))
    finally:
        os.umask(before)
    modes = [oct(S_IMODE(each.stat().st_mode)) for each in (tmp_path / "plugin", tmp_path / "plugin" / "paths")]
    assert modes == ["0o700", "0o600"]


def test_nothing_is_written_where_nothing_has_changed(tmp_path: Path) -> None:
    link(str(tmp_path))
    before = [each.lstat() for each in sorted(tmp_path.iterdir())]
    tmp_path.chmod(0o500)
    try:
        link(str(tmp_path))
    finally:
        tmp_path.chmod(0o700)
    assert [each.lstat().st_ino for each in sorted(tmp_path.iterdir())] == [each.st_ino for each in before]


@pytest.mark.parametrize("name", ["python", "paths"])
@pytest.mark.parametrize("damage", ["gone", "garbage", "elsewhere"])
def test_what_is_gone_or_damaged_is_made_anew(tmp_path: Path, name: str, damage: str) -> None:
    link(str(tmp_path))
    expected = ((tmp_path / "python").readlink(), (tmp_path / "paths").read_bytes())
    (tmp_path / name).unlink()
    if damage == "garbage":
        (tmp_path / name).write_bytes(b"\xff\0garbage")
    elif damage == "elsewhere":
        (tmp_path / name).symlink_to("/nowhere/at/all")
    link(str(tmp_path))
    assert ((tmp_path / "python").readlink(), (tmp_path / "paths").read_bytes()) == expected
    assert not (tmp_path / "paths").is_symlink()


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        link(str(tmp_path / "file"))
