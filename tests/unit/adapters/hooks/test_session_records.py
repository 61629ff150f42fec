import os
from pathlib import Path

import pytest

from lamella_adapters.hooks.session import processes
from lamella_adapters.hooks.session_records import read_record, record_session
from tests.unit.adapters.hooks.session.session_files import record, stored

GONE = 2**22 + 1
"""No process has this id: it is above the highest one."""


def test_a_record_keeps_the_first_session_of_its_process(tmp_path: Path) -> None:
    for session in ("one", "two", "three"):
        record_session(str(tmp_path), os.getpid(), session)
    started = processes.started(os.getpid())
    assert started is not None
    file = tmp_path / "claude-code" / f"{os.getpid()}.json"
    assert read_record(str(file)) == (started, "one", "three")
    assert file.read_text() == record(started, "one", "three")


def test_a_record_is_read_whatever_the_spaces_between(tmp_path: Path) -> None:
    file = stored(tmp_path, 1, '{"started":"a",\n "first":"b","current" : "c"}')
    assert read_record(str(file)) == ("a", "b", "c")


def test_a_session_that_goes_on_is_not_written_again(tmp_path: Path) -> None:
    file = tmp_path / "claude-code" / f"{os.getpid()}.json"
    record_session(str(tmp_path), os.getpid(), "one")
    before = file.stat().st_ino
    os.utime(file, (1, 1))
    record_session(str(tmp_path), os.getpid(), "one")
    assert (file.stat().st_ino, file.stat().st_mtime) == (before, 1)


@pytest.mark.parametrize("session", ["", "   ", 'a"b', "a\\b", "a\nb", "ä", "x" * 201])
def test_what_cannot_be_a_session_id_is_refused(tmp_path: Path, session: str) -> None:
    with pytest.raises(ValueError, match="not a session id"):
        record_session(str(tmp_path), os.getpid(), session)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_recorded_for_a_process_that_is_gone(tmp_path: Path) -> None:
    record_session(str(tmp_path), GONE, "one")
    assert list(tmp_path.iterdir()) == []


def test_a_data_directory_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        record_session(str(tmp_path / "file"), os.getpid(), "one")


def test_a_new_record_clears_away_what_old_processes_left(tmp_path: Path) -> None:
    stored(tmp_path, "9" * 30, "")
    old = [
        stored(tmp_path, GONE, "old and gone"),
        stored(tmp_path, f"{GONE}.json.1", "an unfinished draft").rename(
            tmp_path / "claude-code" / f"{GONE}.json.1"
        ),
        stored(tmp_path, os.getppid(), "old and alive"),
        stored(tmp_path, 1, "old and somebody else's"),
        stored(tmp_path, "notes", "not ours"),
        tmp_path / "claude-code" / f"{'9' * 30}.json",
    ]
    for file in old:
        os.utime(file, (1, 1))
    stored(tmp_path, 1_000_001, "young")
    record_session(str(tmp_path), os.getpid(), "one")
    assert sorted(each.name for each in (tmp_path / "claude-code").iterdir()) == sorted(
        ["1.json", "1000001.json", "notes.json", f"{os.getppid()}.json", f"{os.getpid()}.json"]
    )
