import json
import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from lamella_adapters.hooks import spool_writer
from lamella_adapters.hooks.spool_writer import COUNTS_EVERY, FULL, RECOUNT_NANOSECONDS, write

MOMENT = 1_700_000_000 * 10**9 + 1_000
"""A time at which no hook counts the files of the spool."""

LOOKING = MOMENT - 1_000
"""A time at which a hook counts them."""

RECORD: dict[str, object] = {
    "version": 1,
    "event": "Stop",
    "at": 1.5,
    "directory": "/project",
    "session": "one",
    "hunks": "@@\n+caf\u00e9",
}


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    """Set the umask of a hook."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def in_spool(directory: Path) -> dict[str, object]:
    return {each.name: json.loads(each.read_text()) for each in (directory / "spool").iterdir()}


def test_a_capture_is_one_line_in_a_file_named_by_its_moment(tmp_path: Path) -> None:
    write(str(tmp_path / "a" / "data"), MOMENT, RECORD)
    file = tmp_path / "a" / "data" / "spool" / f"01700000000000001000-{os.getpid()}.json"
    assert file.read_bytes().count(b"\n") == 1
    assert file.read_bytes().endswith(b"}\n")
    assert in_spool(tmp_path / "a" / "data") == {file.name: RECORD}
    modes = [oct(S_IMODE(each.stat().st_mode)) for each in (file, file.parent, file.parent.parent)]
    assert modes == ["0o600", "0o700", "0o700"]


def test_names_are_in_the_order_of_time_for_centuries() -> None:
    moments = [0, 9, 10**18, 1_700_000_000 * 10**9, 2**63 - 1]
    names = [f"{each:020d}-1.json" for each in moments]
    assert sorted(names) == names


def test_two_captures_of_the_same_nanosecond_are_both_kept(tmp_path: Path) -> None:
    for _ in range(3):
        write(str(tmp_path), MOMENT, RECORD)
    assert sorted(in_spool(tmp_path)) == [f"0170000000000000100{each}-{os.getpid()}.json" for each in range(3)]


def test_a_spool_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "spool").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="spool"):
        write(str(tmp_path / "data"), MOMENT, RECORD)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_link_of_the_name_of_a_capture_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / f"01700000000000001000-{os.getpid()}.json").symlink_to(tmp_path / "elsewhere")
    write(str(tmp_path), MOMENT, RECORD)
    assert not (tmp_path / "elsewhere").exists()
    assert (tmp_path / "spool" / f"01700000000000001001-{os.getpid()}.json").exists()


class TestFull:
    """A spool that nobody fetches from."""

    @pytest.fixture(autouse=True)
    def _small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(spool_writer, "MOST_FILES", 5)
        monkeypatch.setattr(spool_writer, "MOST_BYTES", 2_000)

    def fill(self, directory: Path) -> None:
        for number in range(5):
            write(str(directory), MOMENT + number, RECORD)

    def said(self, directory: Path) -> list[object]:
        """Return the reasons of skipped captures in the spool, in order."""
        found = in_spool(directory)
        return [record.get("skipped") for _, record in sorted(found.items()) if isinstance(record, dict)]

    def test_nothing_is_added_but_once_a_record_that_says_so(self, tmp_path: Path) -> None:
        self.fill(tmp_path)
        write(str(tmp_path), LOOKING + COUNTS_EVERY * 1_000, RECORD)
        for number in range(20):
            write(str(tmp_path), MOMENT + COUNTS_EVERY * 1_000 + number, RECORD)
        assert self.said(tmp_path) == [None] * 5 + [FULL]
        assert list(in_spool(tmp_path).values())[-1].keys() >= {"version", "event", "at", "directory"}  # type: ignore[attr-defined]

    def test_so_does_one_that_is_too_large(self, tmp_path: Path) -> None:
        write(str(tmp_path), MOMENT, {**RECORD, "hunks": "x" * 2_000})
        write(str(tmp_path), LOOKING + COUNTS_EVERY * 1_000, RECORD)
        write(str(tmp_path), LOOKING + COUNTS_EVERY * 1_000, RECORD)
        assert self.said(tmp_path) == [None, FULL]

    def test_it_is_counted_seldom(self, tmp_path: Path) -> None:
        for number in range(20):
            write(str(tmp_path), MOMENT + number, RECORD)
        assert self.said(tmp_path) == [None] * 20

    def test_once_it_is_emptied_captures_go_on(self, tmp_path: Path) -> None:
        self.fill(tmp_path)
        counted = LOOKING + COUNTS_EVERY * 1_000
        write(str(tmp_path), counted, RECORD)
        for file in (tmp_path / "spool").iterdir():
            file.unlink()
        write(str(tmp_path), counted + RECOUNT_NANOSECONDS - 1, RECORD)
        assert in_spool(tmp_path) == {}
        write(str(tmp_path), counted + RECOUNT_NANOSECONDS, RECORD)
        write(str(tmp_path), counted + RECOUNT_NANOSECONDS + 1_000, RECORD)
        assert self.said(tmp_path) == [None, None]
        assert list((tmp_path / "claude-code").iterdir()) == []

    def test_while_it_stays_full_it_is_counted_again_and_again(self, tmp_path: Path) -> None:
        self.fill(tmp_path)
        counted = LOOKING + COUNTS_EVERY * 1_000
        for number in range(5):
            write(str(tmp_path), counted + number * RECOUNT_NANOSECONDS, RECORD)
        assert self.said(tmp_path) == [None] * 5 + [FULL]
        mark = tmp_path / "claude-code" / "spool-full"
        assert mark.stat().st_mtime_ns == counted + 4 * RECOUNT_NANOSECONDS
        assert oct(S_IMODE(mark.stat().st_mode)) == "0o600"

    def test_a_clock_that_went_back_does_not_keep_it_full(self, tmp_path: Path) -> None:
        self.fill(tmp_path)
        write(str(tmp_path), LOOKING + COUNTS_EVERY * 1_000, RECORD)
        for file in (tmp_path / "spool").iterdir():
            file.unlink()
        write(str(tmp_path), 1_000, RECORD)
        assert self.said(tmp_path) == [None]
