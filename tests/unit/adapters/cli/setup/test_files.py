import os
import stat
from pathlib import Path

import pytest

from lamella_adapters.cli.setup import files
from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.cli.setup.files import read, replace


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_and_what_it_said_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("old")
    file.chmod(0o644)
    replace(read(file), b"new", keep=True)
    kept = tmp_path / "settings.json.before-lamella"
    assert (file.read_text(), mode(file)) == ("new", 0o644)
    assert (kept.read_text(), mode(kept)) == ("old", 0o600)
    assert sorted(tmp_path.iterdir()) == [file, kept]


def test_a_missing_file_is_made_with_its_folders_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "of" / "client" / "hooks.json"
    assert read(file).content is None
    replace(read(file), b"{}", keep=True)
    assert (file.read_text(), mode(file), mode(file.parent)) == ("{}", 0o600, 0o700)
    assert [*file.parent.iterdir()] == [file]
    replace(read(file), None)
    assert not file.exists()


def test_a_link_is_followed_to_a_file_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "settings.json", tmp_path / "settings.json"
    link.symlink_to(real)
    replace(read(link), b"new")
    assert (link.is_symlink(), real.read_text()) == (True, "new")


@pytest.mark.parametrize("content", ["{}", None])
def test_a_place_of_another_user_is_left_alone(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.json"
    found = read(file)
    if content is not None:
        file.write_text(content)
        os.chown(file, os.geteuid(), os.getegid())
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(UnfitFileError, match="belongs to another user"):
        read(file)
    with pytest.raises(UnfitFileError, match="belongs to another user"):
        replace(found, b"new")
    assert not file.exists() or file.read_text() == content


@pytest.mark.parametrize("other", ["other", None])
def test_a_file_that_changed_since_it_was_shown_is_left_alone(other: str | None, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("old")
    found = read(file)
    file.unlink()
    if other:
        file.write_text(other)
    with pytest.raises(UnfitFileError, match="it was changed meanwhile; try again"):
        replace(found, b"new", keep=True)
    assert [each.read_text() for each in tmp_path.iterdir()] == ([other] if other else [])


def test_what_is_no_configuration_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "binary").write_bytes(b"\xff")
    for name, why in (
        ("pipe", "it is not a regular file"),
        ("", "it cannot be read: Is a directory"),
        ("loop", "it cannot be read: "),
    ):
        with pytest.raises(UnfitFileError, match=why):
            read(tmp_path / name)
    with pytest.raises(UnfitFileError, match="it is not UTF-8"):
        _ = read(tmp_path / "binary").text
    monkeypatch.setattr(files, "_MAX_BYTES", 0)
    with pytest.raises(UnfitFileError, match="it is too large"):
        read(tmp_path / "binary")


def test_a_file_that_cannot_be_written_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.json"
    file.write_text("old")
    found = read(file)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnfitFileError, match="it cannot be written: No space left on device"):
        replace(found, b"new")
    assert ([*tmp_path.iterdir()], file.read_text()) == ([file], "old")
