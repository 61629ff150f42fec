import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella_adapters.transcripts.opencode import OpenCodeTranscripts
from tests.unit.adapters.transcripts.samples import (
    HOME,
    SESSION,
    batches,
    opencode,
    opencode_database,
    opencode_said,
    opencode_session,
    said,
    skipped,
)
from tests.unit.support.tables import cases

DONE = {"role": "assistant", "time": {"completed": 2}}
ASKED = {"role": "user"}


def text(words: str) -> dict[str, Any]:
    """A part with text."""
    return {"type": "text", "text": words}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database with an empty session, which its client has open."""
    with closing(opencode_database(tmp_path)) as connection:
        opencode_session(connection)
        yield connection


def test_what_is_in_the_write_ahead_log_is_read_and_nothing_written(
    tmp_path: Path, database: sqlite3.Connection
) -> None:
    opencode_said(database, SESSION, 1, ASKED, text("How hot?"))
    opencode_said(database, SESSION, 2, DONE, text("900 °C."))
    before = (tmp_path / "opencode.db").read_bytes()
    for place in (tmp_path, tmp_path / "opencode.db"):
        assert said(OpenCodeTranscripts(place)) == [(Role.HUMAN, "How hot?"), (Role.ASSISTANT, "900 °C.")]
    assert (tmp_path / "opencode.db").read_bytes() == before
    assert (tmp_path / "opencode.db-wal").stat().st_size > 0


def test_one_session_is_read_alone_if_it_is_named_behind_its_database(
    tmp_path: Path, database: sqlite3.Connection
) -> None:
    opencode_session(database, "ses_2", title="The damper", time_created=2)
    for session in (SESSION, "ses_2"):
        opencode_said(database, session, 1, DONE, text(f"Of {session}."))
    assert said(OpenCodeTranscripts.opened(tmp_path / "opencode.db" / "ses_2")) == [(Role.ASSISTANT, "Of ses_2.")]
    assert OpenCodeTranscripts.opened(tmp_path / "opencode.db" / "ses_3").sources() == ()


def test_a_database_is_read_in_a_folder_that_cannot_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opencode(tmp_path, SESSION, ["How hot?", "900 °C."])
    # The administrator, who may be running this, can write to any folder.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert said(OpenCodeTranscripts(tmp_path)) == [(Role.HUMAN, "How hot?"), (Role.ASSISTANT, "900 °C.")]
    assert not (tmp_path / "opencode.db-shm").exists()


def test_sessions_are_sources_with_a_title_and_a_directory(tmp_path: Path, database: sqlite3.Connection) -> None:
    opencode_session(database, "ses_2", title="The damper", time_created=2)
    opencode_session(database, "ses_3", directory=None, time_created=3)
    for session in (SESSION, "ses_2"):
        opencode_said(database, session, 1, DONE, text("900 °C."))
    transcripts = OpenCodeTranscripts(tmp_path)
    assert [(each.id, each.directory) for each in transcripts.sources()] == [
        (SESSION, Path(HOME)),
        ("ses_2", Path(HOME)),
        ("ses_3", None),
    ]
    assert [dict(batch.names) for batch in batches(transcripts)] == [{}, {"ses_2": "The damper"}, {}]


@pytest.mark.parametrize("growing", [{"role": "assistant", "time": {"created": 1}}, {"role": "assistant"}])
def test_an_answer_that_is_being_written_waits(
    tmp_path: Path, database: sqlite3.Connection, growing: dict[str, Any]
) -> None:
    opencode_said(database, SESSION, 1, ASKED, text("How hot?"))
    opencode_said(database, SESSION, 2, growing, text("900"))
    transcripts = OpenCodeTranscripts(tmp_path)
    (source,) = transcripts.sources()
    first = transcripts.read(source, "")
    assert ([draft.text for draft in first.drafts], first.waiting, first.complete) == (["How hot?"], True, True)
    opencode_said(database, SESSION, 3, ASKED)
    rest = transcripts.read(source, first.position)
    assert ([draft.text for draft in rest.drafts], rest.waiting) == (["900"], True)
    database.execute("DELETE FROM message WHERE data = ?", ('{"role": "user"}',))
    database.commit()


def test_a_reverted_session_is_read_from_its_beginning(tmp_path: Path, database: sqlite3.Connection) -> None:
    for number in (1, 2):
        opencode_said(database, SESSION, number, ASKED, text(f"Question {number}."))
    transcripts = OpenCodeTranscripts(tmp_path)
    (source,) = transcripts.sources()
    end = transcripts.read(source, "").position
    database.execute("DELETE FROM message WHERE time_created = (SELECT max(time_created) FROM message)")
    opencode_said(database, SESSION, 3, ASKED, text("Question 3."))
    assert [draft.text for draft in transcripts.read(source, end).drafts] == ["Question 1.", "Question 3."]


def test_values_that_are_too_large_are_counted_and_not_read(
    tmp_path: Path, database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lamella_adapters.transcripts.opencode.MAX_VALUE_BYTES", 1_000)
    monkeypatch.setattr("lamella_adapters.transcripts.opencode._MAX_MESSAGE_BYTES", 2_000)
    opencode_said(database, SESSION, 1, {"role": "user", "more": "x" * 1_000}, text("Lost."))
    opencode_said(
        database, SESSION, 2, DONE, text("x" * 1_000), *(text(f"{n}" * 900) for n in range(3)), text("Hot.")
    )
    transcripts = OpenCodeTranscripts(tmp_path)
    assert [words[0] for _, words in said(transcripts)] == ["0"]
    assert skipped(transcripts) == {"too large": 5}


def test_ids_of_other_kinds_are_passed_over(tmp_path: Path, database: sqlite3.Connection) -> None:
    for id in ("", "x" * 101, "é", b"blob", 7):
        opencode_session(database, id)  # type: ignore[arg-type] # a hostile file may hold anything
        database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (id, SESSION, 1, "{}"))
        database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (f"m{id!r}", SESSION, "soon", "{}"))
        database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", (id, "one", SESSION, 1, '{"type": "text"}'))
    opencode_said(database, SESSION, 2, ASKED, text("How hot?"))
    transcripts = OpenCodeTranscripts(tmp_path)
    assert {each.id for each in transcripts.sources()} == {SESSION, "7"}
    assert said(transcripts) == [(Role.HUMAN, "How hot?")]


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path, database: sqlite3.Connection) -> None:
    opencode_session(database, title="The kiln")
    opencode_said(database, SESSION, 1, ASKED, text("How hot?"))
    database.execute("UPDATE part SET data = CAST(replace(CAST(data AS BLOB), 'hot', x'FF') AS TEXT)")
    database.execute("UPDATE session SET title = CAST(x'4BFF' AS TEXT), directory = CAST(x'2FFF' AS TEXT)")
    database.commit()
    transcripts = OpenCodeTranscripts(tmp_path)
    (batch,) = batches(transcripts)
    assert ([draft.text for draft in batch.drafts], dict(batch.names)) == (["How �?"], {SESSION: "K�"})
    assert [each.directory for each in transcripts.sources()] == [Path("/�")]


@cases
def test_what_is_no_database_of_opencode_says_so(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "opencode.db"
    os.mkfifo(path) if content is None else path.write_bytes(content)
    with pytest.raises(TranscriptsUnreadableError, match=rf"^opencode\.db cannot be read: {reason}"):
        OpenCodeTranscripts(tmp_path).sources()


def test_a_view_in_place_of_a_table_is_refused(tmp_path: Path, database: sqlite3.Connection) -> None:
    """Refuse a view, which may go on for ever."""
    database.executescript(
        "DROP TABLE part; CREATE VIEW part AS WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n FROM more)"
        " SELECT n AS id, n AS message_id, n AS session_id, n AS time_created, n AS data FROM more"
    )
    with pytest.raises(TranscriptsUnreadableError, match="not a database of opencode"):
        OpenCodeTranscripts(tmp_path).sources()


def test_a_database_that_is_damaged_says_so(tmp_path: Path) -> None:
    opencode(tmp_path, SESSION, ["How hot?", "x" * 20_000])
    path = tmp_path / "opencode.db"
    transcripts = OpenCodeTranscripts(tmp_path)
    (source,) = transcripts.sources()
    path.write_bytes(path.read_bytes()[:8192].ljust(path.stat().st_size, b"\xff"))
    with pytest.raises(TranscriptsUnreadableError, match=r"malformed.*If opencode is running, close it\. If not,"):
        transcripts.read(source, "")
