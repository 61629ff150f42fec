import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lamella_adapters.hooks.context.already_shown import MOST_BYTES, forget, not_yet_shown, shown_before, start_now


def test_a_session_is_told_of_each_thing_once(tmp_path: Path) -> None:
    data = str(tmp_path)
    assert not_yet_shown(data, "s-1", ["one", "two", "one"]) == ["one", "two"]
    assert not_yet_shown(data, "s-1", ["two", "three"]) == ["three"]
    assert not_yet_shown(data, "s-1", ["one"]) == []
    assert not_yet_shown(data, "s-1", []) == []
    assert not_yet_shown(data, "s-2", ["one"]) == ["one"]


def test_what_a_session_has_forgotten_is_told_again(tmp_path: Path) -> None:
    data = str(tmp_path)
    forget(data, "s")
    assert not_yet_shown(data, "s", ["one"]) == ["one"]
    forget(data, "s")
    assert not_yet_shown(data, "s", ["one"]) == ["one"]


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    os.umask(os.umask(0o022))
    not_yet_shown(str(tmp_path), "s", ["one"])
    folder = tmp_path / "claude-code"
    assert [folder.stat().st_mode & 0o777, (folder / "s.told").stat().st_mode & 0o777] == [0o700, 0o600]


def test_of_many_at_once_one_tells(tmp_path: Path) -> None:
    def tell(_: int) -> list[str]:
        return not_yet_shown(str(tmp_path), "s", ["one", "two"])

    with ThreadPoolExecutor(8) as threads:
        told = [thing for things in threads.map(tell, range(40)) for thing in things]
    assert sorted(told) == ["one", "two"]


def test_a_session_that_was_told_of_very_much_is_told_of_nothing_more(tmp_path: Path) -> None:
    data, told = str(tmp_path), 0
    while not_yet_shown(data, "s", [f"{told} {'x' * 900}".replace(" ", "-")]):
        told += 1
    assert 60 < told < 80
    assert (tmp_path / "claude-code/s.told").stat().st_size <= MOST_BYTES
    assert not_yet_shown(data, "s", ["y" * 900]) == []


def test_garbage_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "claude-code").mkdir()
    (tmp_path / "claude-code/s.told").write_bytes(b"\xff\n\n \nhalf")
    assert not_yet_shown(str(tmp_path), "s", ["one"]) == ["one"]


def test_neither_a_link_nor_a_pipe_is_followed(tmp_path: Path) -> None:
    (tmp_path / "claude-code").mkdir()
    (tmp_path / "claude-code/link.told").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        not_yet_shown(str(tmp_path), "link", ["one"])
    assert not (tmp_path / "elsewhere").exists()


def test_what_sessions_of_long_ago_were_told_is_forgotten(tmp_path: Path) -> None:
    data, folder = str(tmp_path), tmp_path / "claude-code"
    for session in ("old", "young"):
        not_yet_shown(data, session, ["one"])
    (folder / "1.json").write_text("a record")
    not_yet_shown(data, "resumed", ["one"])
    for name, days in (("old.told", 31), ("resumed.told", 29), ("1.json", 3)):
        long_ago = time.time() - days * 24 * 3600
        os.utime(folder / name, (long_ago, long_ago))
    not_yet_shown(data, "young", ["two"])
    assert (folder / "old.told").exists()
    not_yet_shown(data, "new", ["one"])
    assert {path.name for path in folder.iterdir()} == {"young.told", "resumed.told", "new.told", "1.json"}


def test_a_session_that_goes_on_knows_what_it_was_shown_since_when(tmp_path: Path) -> None:
    data = str(tmp_path)
    assert shown_before(data, "s") == (frozenset(), None)
    not_yet_shown(data, "s", ["one", "started:12", "started:7", "started:never"])
    assert shown_before(data, "s") == (frozenset({"one", "started:12", "started:7", "started:never"}), 12)
    before = time.time_ns() // 1_000
    started = start_now()
    not_yet_shown(data, "s", [started])
    _, since = shown_before(data, "s")
    assert since is not None
    assert since >= before
    assert started == f"started:{since}"
