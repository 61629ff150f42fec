import os
import time
from pathlib import Path
from stat import S_IMODE

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.prompt_reason import MAX_CHARACTERS, asked, first_sentence, keep, kept
from lamella_adapters.hooks.session_records import record_naming, record_session
from tests.unit.support.tables import cases


@cases
def test_a_reason_is_a_first_sentence(prompt: str, reason: str) -> None:
    assert first_sentence(prompt) == reason


@given(st.text())
def test_a_reason_is_one_short_line_of_the_prompt(prompt: str) -> None:
    reason = first_sentence(prompt)
    assert len(reason) <= MAX_CHARACTERS
    assert reason == " ".join(reason.split())[:MAX_CHARACTERS]
    assert " ".join(prompt.split()).startswith(reason)


def test_the_last_reason_is_kept_for_each_session(tmp_path: Path) -> None:
    directory = str(tmp_path / "data")
    assert kept(directory, "one") == ""
    keep(directory, "one", "\u00c4 first")
    keep(directory, "two", "another")
    keep(directory, "one", "\u00c4 second \ud800")
    assert (kept(directory, "one"), kept(directory, "two")) == ("\u00c4 second ?", "another")
    folder = tmp_path / "data" / "claude-code"
    modes = {each.name: oct(S_IMODE(each.stat().st_mode)) for each in (folder.parent, folder, *folder.iterdir())}
    assert modes == {"data": "0o700", "claude-code": "0o700", "one.reason": "0o600", "two.reason": "0o600"}


def test_a_reason_that_is_a_link_or_a_pipe_or_no_text_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "claude-code"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "link.reason").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe.reason")
    (folder / "bytes.reason").write_bytes(b"\xff")
    assert [kept(str(tmp_path), name) for name in ("link", "pipe", "bytes")] == ["", "", ""]


def test_a_reason_that_looks_like_a_record_is_none(tmp_path: Path) -> None:
    keep(str(tmp_path), "one", '{"started": "a", "first": "b", "current": "one"}')
    assert record_naming(str(tmp_path), "b") is None


def test_old_reasons_are_forgotten_as_records_are(tmp_path: Path) -> None:
    folder = tmp_path / "claude-code"
    for session in ("old", "young", "123456"):
        keep(str(tmp_path), session, "why")
    (folder / "left.reason.77").write_text("an unfinished draft")
    for name in ("old.reason", "left.reason.77", "123456.reason"):
        os.utime(folder / name, (1, 1))
    record_session(str(tmp_path), os.getpid(), "one")
    assert sorted(each.name for each in folder.iterdir()) == sorted([f"{os.getpid()}.json", "young.reason"])


def test_when_the_user_asked_is_kept_with_the_reason(tmp_path: Path) -> None:
    data, file = str(tmp_path), tmp_path / "claude-code" / "s.reason"
    assert asked(data, "s") is None
    for reason in ("why", ""):
        before = time.time()
        keep(data, "s", reason)
        then = asked(data, "s")
        assert then is not None
        assert before <= then <= time.time()
        assert kept(data, "s") == reason
        os.utime(file, (7, 7))
    assert asked(data, "s") == 7


def test_where_another_reason_cannot_be_written_none_is_known_at_the_new_time(tmp_path: Path) -> None:
    data, folder = str(tmp_path), tmp_path / "claude-code"
    keep(data, "s", "why")
    os.utime(folder / "s.reason", (7, 7))
    (folder / f"s.reason.{os.getpid()}").mkdir()
    keep(data, "s", "another")
    then = asked(data, "s")
    assert then is not None
    assert (kept(data, "s"), then > 7) == ("", True)


def test_where_nothing_can_be_written_neither_the_reason_nor_the_time_changes(tmp_path: Path) -> None:
    data, folder = str(tmp_path), tmp_path / "claude-code"
    keep(data, "s", "why")
    (folder / "s.reason").rename(folder / "t.reason")
    (folder / "s.reason").symlink_to("t.reason")
    os.utime(folder / "t.reason", (7, 7))
    (folder / f"s.reason.{os.getpid()}").mkdir()
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        keep(data, "s", "another")
    assert (kept(data, "t"), asked(data, "t")) == ("why", 7)


def test_the_time_of_what_a_link_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "claude-code").mkdir()
    (tmp_path / "theirs").touch()
    os.utime(tmp_path / "theirs", (7, 7))
    (tmp_path / "claude-code" / "s.reason").symlink_to(tmp_path / "theirs")
    keep(str(tmp_path), "s", "why")
    assert (tmp_path / "theirs").stat().st_mtime == 7
