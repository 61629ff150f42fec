"""`lamella erase`: it asks, it says what it did, and no byte is left."""

from pathlib import Path

import apsw

from lamella.domain.text.printing import counted
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.transcripts import record, write

IN_VAIN = {"sqlite.erasure._PATIENCE_SECONDS": 0.2}
"""Seconds that erasing waits for a reader that stays."""

WORDS = ("zyqxov", "wvukjz", "qjhgwx")
"""Of a title, a text and a path; no stemmer changes them."""


def imported(lamella: CommandLine, *sessions: str) -> None:
    """Import conversations with these ids, in each of which a user says the words of one memory."""
    transcripts = lamella.data.parent / "transcripts"
    for number, session in enumerate(sessions):
        said, day = f"What became of {WORDS[number]}?", f"2026-07-0{number + 1}T09:10:11.000Z"
        line = record("user", 1, said, session=session, folder=lamella.directory, at=day)
        write(transcripts / f"{session}.jsonl", [line])
    done = lamella.run("import", "claude-code", str(transcripts))
    number = len(sessions)
    assert done.out == f"Imported {counted(number, 'message')} from {counted(number, 'transcript')}.\n", done


def holds(lamella: CommandLine, word: str) -> list[Path]:
    return [path for path, content in lamella.files.items() if word.encode() in content]


def test_repeating_it_finishes_a_conversation_that_another_program_was_in_the_way_of(lamella: CommandLine) -> None:
    imported(lamella, "session-one")
    reader = apsw.Connection(str(lamella.project_file))
    reader.execute("BEGIN; SELECT count(*) FROM message").fetchall()

    unfinished = lamella.run("erase", "--session", "session-one", "--yes", limits=IN_VAIN)
    still = holds(lamella, WORDS[0])
    reader.close()
    repeated = lamella.run("erase", "--session", "session-one", "--yes")

    assert (unfinished.code, bool(still)) == (1, True)
    assert "still reads old pages" in unfinished.err
    assert repeated.err.startswith("No conversation is known as 'session-one'.")
    assert holds(lamella, WORDS[0]) == []
