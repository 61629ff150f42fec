import errno
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamella.ports.spool import (
    CommandCaptured,
    ContextShown,
    EditCaptured,
    Skipped,
    SpoolState,
    TranscriptAdvanced,
)
from lamella_adapters.hooks.clients import COMPACTED, EDIT, END, OTHER, REPLY  # noqa: F401 - for the table
from lamella_adapters.hooks.session_records import record_session
from lamella_adapters.hooks.spool import FileSpool, open_spool
from tests.unit.support.tables import cases

RECORD = {"version": 1, "event": "Stop", "at": 1700000000.5, "directory": "/home/ada"}
ID = UUID("0123456789abcdef0123456789abcdef")
AT = datetime.fromtimestamp(1700000000.5, UTC)


@pytest.fixture
def spool(tmp_path: Path) -> FileSpool:
    (tmp_path / "spool").mkdir()
    return open_spool(tmp_path)


def line(**fields: Any) -> str:
    return json.dumps({**RECORD, **fields}) + "\n"


def put(spool: FileSpool, name: str, content: object = None, **fields: Any) -> str:
    """Write a record, or `content` in its place."""
    text = line(**fields) if content is None else str(content)
    (spool.folder / name).write_text(text, encoding="utf-8", newline="")
    return name


def names(spool: FileSpool) -> list[str]:
    return [each.name for each in spool.waiting(limit=100)]


def files(spool: FileSpool) -> list[str]:
    return listed(spool.folder)


def listed(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_record_is_the_capture_that_its_fields_make(spool: FileSpool) -> None:
    common: dict[str, Any] = {"session": "s", "project": "p", "author": "a"}
    work: dict[str, Any] = {**common, "reason": "Because."}
    edit: dict[str, Any] = {"path": "/home/ada/a.py", "hunks": "@@ @@\n+a"}
    command: dict[str, Any] = {"command": "ls"}
    put(spool, "1.json", **work, **edit, **command, tool="Edit", asked=0.5, transcript="/t.jsonl")
    put(spool, "2.json", **work, **command, took=1500, asked=0.5, path="/a", transcript="/t.jsonl")
    put(spool, "3.json", **common, transcript="/t.jsonl")
    put(spool, "4.json", **common, transcript="/t.jsonl", event="SessionEnd")
    put(spool, "5.json", **common, **edit, injected=7, skipped="", shown=f"{ID.hex} {ID.hex.upper()}")
    put(spool, "51.json", **common, injected=7, edit="/a\n+b")
    put(spool, "6.json", **common, **edit, injected=7, skipped="too large")
    put(spool, "7.json", reason=None, session="", transcript="")
    put(spool, "8.json", **edit, skipped="")
    asked, took = datetime(1970, 1, 1, microsecond=500_000, tzinfo=UTC), timedelta(seconds=1.5)
    there: dict[str, Any] = {"at": AT, "directory": Path("/home/ada")}
    transcript = Path("/t.jsonl")
    assert spool.waiting(limit=10) == (
        EditCaptured(name="1.json", **there, **work, **edit, asked=asked),
        CommandCaptured(name="2.json", **there, **work, **command, took=took, asked=asked),
        TranscriptAdvanced(name="3.json", **there, **common, transcript=transcript),
        TranscriptAdvanced(name="4.json", **there, **common, transcript=transcript, ended=True),
        ContextShown(name="5.json", **there, **common, event="reply", tokens=7, memories=(ID.hex, ID.hex)),
        ContextShown(name="51.json", **there, **common, event="reply", tokens=7, edit="/a\n+b"),
        Skipped(name="6.json", **there, **common, why="too large"),
        Skipped(name="7.json", **there, why="nothing to store"),
        Skipped(name="8.json", **there, why="nothing to store"),
    )
    assert names(spool)[-1:] == [each.name for each in spool.waiting(limit=5, after="7.json")]


@cases
def test_a_transcript_has_news_after_some_events(spool: FileSpool, event: str, kind: str) -> None:
    put(spool, "1.json", event=event, transcript="/t.jsonl")
    put(spool, "2.json", version=2, client="codex", event=kind, transcript="/t.jsonl")
    for found, client in zip(spool.waiting(limit=2), ("claude_code", "codex"), strict=True):
        assert isinstance(found, Skipped) == (kind in (EDIT, OTHER))
        if isinstance(found, TranscriptAdvanced):
            assert (found.client, found.ended) == (client, kind != REPLY)


def test_records_are_given_in_order_of_their_names_and_a_few_at_a_time(spool: FileSpool) -> None:
    for name in ("3.json", "1.json", "2.json"):
        put(spool, name)
    assert [each.name for each in spool.waiting(limit=2)] == ["1.json", "2.json"]
    assert [each.name for each in spool.waiting(limit=2, after="2.json")] == ["3.json"]


def test_a_half_written_record_waits(spool: FileSpool) -> None:
    put(spool, "1.json", json.dumps(RECORD))
    put(spool, "2.json", "")
    assert (names(spool), spool.state()) == ([], SpoolState(unfinished=2))
    put(spool, "1.json")
    assert (names(spool), files(spool)) == (["1.json"], ["1.json", "2.json"])


def test_what_a_newer_lamella_wrote_waits_for_one(spool: FileSpool) -> None:
    put(spool, "1.json", version=3, event=None)
    put(spool, "2.json")
    assert (names(spool), names(spool)) == (["2.json"], ["2.json"])
    assert (spool.state().newer, spool.state().waiting, files(spool)) == (1, 1, ["1.json", "2.json"])


@cases
def test_what_cannot_be_read_is_set_aside_and_kept(spool: FileSpool, content: str) -> None:
    put(spool, "1.json", content)
    put(spool, "2.json")
    assert spool.state().aside == 1
    assert names(spool) == ["2.json"]
    assert files(spool) == ["1.json.aside", "2.json"]
    assert (spool.folder / "1.json.aside").read_text(encoding="utf-8") == content
    assert (spool.state().aside, names(spool)) == (1, ["2.json"])


@given(st.binary(max_size=60))
def test_no_content_raises(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    spool = open_spool(tmp_path_factory.mktemp("data"))
    spool.folder.mkdir()
    (spool.folder / "1.json").write_bytes(content)
    assert (spool.waiting(limit=1), len(files(spool))) == ((), 1)


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.sampled_from([*RECORD, "session", "path", "injected"]), st.from_type(type(None)) | st.text()
    )
)
def test_no_value_raises(tmp_path_factory: pytest.TempPathFactory, fields: dict[str, Any]) -> None:
    spool = open_spool(tmp_path_factory.mktemp("data"))
    spool.folder.mkdir()
    put(spool, "1.json", **fields)
    assert len(spool.waiting(limit=1)) <= len(files(spool)) == 1


def test_links_pipes_and_folders_are_not_followed(spool: FileSpool, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(line(), encoding="utf-8")
    (spool.folder / "1.json").symlink_to(elsewhere)
    os.mkfifo(spool.folder / "2.json")
    (spool.folder / "3.json").mkdir()
    put(spool, "readme.txt", "something else")
    assert (names(spool), elsewhere.exists()) == ([], True)
    assert files(spool) == ["1.json.aside", "2.json.aside", "3.json.aside", "readme.txt"]


def test_what_cannot_be_opened_now_stays(spool: FileSpool) -> None:
    class Exhausted(FileSpool):
        def _content(self, name: str) -> bytes:
            raise OSError(errno.EMFILE, name)

    put(spool, "1.json")
    assert Exhausted(spool.data_directory, spool.folder).waiting(limit=1) == ()
    assert names(spool) == ["1.json"]


def test_without_a_spool_nothing_waits(tmp_path: Path) -> None:
    spool = open_spool(tmp_path)
    assert (spool.news(), spool.waiting(limit=1), spool.state()) == (False, (), SpoolState())
    assert listed(tmp_path) == []


def test_what_is_gone_already_is_discarded_all_the_same(spool: FileSpool) -> None:
    put(spool, "1.json")
    put(spool, "2.json")
    spool.discard(["0.json", "1.json"])
    spool.set_aside(["0.json"])
    assert files(spool) == ["2.json"]


def test_the_state_tells_whether_hooks_have_ever_recorded_a_session(spool: FileSpool) -> None:
    assert not spool.state().hooked
    record_session(str(spool.data_directory), os.getpid(), "told")
    assert spool.state().hooked


def test_the_state_tells_how_much_waits_since_when(spool: FileSpool) -> None:
    put(spool, "1.json", at=1700000100)
    put(spool, "2.json")
    put(spool, "3.json", at=1700000200)
    size = sum(path.stat().st_size for path in spool.folder.iterdir())
    assert spool.state() == SpoolState(waiting=3, size=size, oldest=AT)


def test_there_is_no_news_until_something_comes(spool: FileSpool, monkeypatch: pytest.MonkeyPatch) -> None:
    second = 10**9
    now = 1_700_000_000 * second
    monkeypatch.setattr("lamella_adapters.hooks.spool.time", SimpleNamespace(time_ns=lambda: now))
    os.utime(spool.folder, ns=(now - 60 * second, now - 60 * second))
    assert (spool.news(), spool.news()) == (True, False)
    # The clock of a file system may stand still for a few milliseconds, in which more may come.
    os.utime(spool.folder, ns=(now - second, now - second))
    assert (spool.news(), spool.news()) == (True, True)
    now += 2 * second
    assert spool.news() is False


def test_a_session_is_erased_with_all_that_could_be_its(spool: FileSpool, tmp_path: Path) -> None:
    reasons = tmp_path / "claude-code"
    reasons.mkdir()
    for name in ("mine.reason", "other.reason", "1.json"):
        (reasons / name).write_text("why", encoding="utf-8")
    put(spool, "1.json", session="mine")
    put(spool, "2.json", session="other")
    put(spool, "3.json", json.dumps({**RECORD, "session": "mine"}))
    put(spool, "4.json", '{"session": "mine", broken}\n')
    put(spool, "5.json", version=9, session="mine")
    put(spool, "6.json", session="other", tool="mine")
    put(spool, "7.json", "[1]\n")
    names(spool)
    assert spool.erase("mine") == 4
    assert (files(spool), listed(reasons)) == (["2.json", "6.json", "7.json.aside"], ["1.json", "other.reason"])


@pytest.mark.parametrize("session", ["../spool/1", "a\0b", "\ud800", "absent", "s" * 300])
def test_a_reason_is_looked_for_in_its_folder_only(spool: FileSpool, session: str) -> None:
    put(spool, "1.reason", "why")
    spool.forget_reason(session)
    assert files(spool) == ["1.reason"]
