"""`lamella erase`: it asks, it says what it did, and no byte is left."""

import re
from pathlib import Path

import apsw
import pytest

from tests.end_to_end.support.command_line import CommandLine, Done
from tests.end_to_end.support.transcripts import record, write

SESSION = {"LAMELLA_SESSION": "one"}
IN_VAIN = {"sqlite.erasure._PATIENCE_SECONDS": 0.2}
"""Seconds that erasing waits for a reader that stays."""

WORDS = ("zyqxov", "wvukjz", "qjhgwx")
"""Of a title, a text and a path; no stemmer changes them."""


def imported(lamella: CommandLine, *sessions: str) -> None:
    """Takes over conversations with these ids, in each of which a user said the words of one memory."""
    transcripts = lamella.data.parent / "transcripts"
    for number, session in enumerate(sessions):
        said, day = f"What became of {WORDS[number]}?", f"2026-07-0{number + 1}T09:10:11.000Z"
        line = record("user", 1, said, session=session, folder=lamella.directory, at=day)
        write(transcripts / f"{session}.jsonl", [line])
    done = lamella.run("import", "claude-code", str(transcripts))
    assert done.out == f"Imported {len(sessions)} message(s) from {len(sessions)} transcript(s).\n", done


def saved_between_others(lamella: CommandLine) -> tuple[str, str, str]:
    """The ids of three memories of one session; the second has the words."""
    title, text, path = WORDS
    first = lamella.saved("Before.", env=SESSION)
    second = lamella.saved(f"Between {text}.", "--title", title, "--path", f"{path}.txt", env=SESSION)
    return first, second, lamella.saved("After.", env=SESSION)


def holds(lamella: CommandLine, word: str) -> list[Path]:
    return [path for path, content in lamella.files.items() if word.encode() in content]


def test_no_byte_is_left_in_any_file(lamella: CommandLine) -> None:
    first, second, third = saved_between_others(lamella)
    assert all(holds(lamella, word) for word in WORDS)

    done = lamella.run("erase", second, "--yes")

    assert (done.code, done.err) == (0, "")
    assert [holds(lamella, word) for word in (*WORDS, second, second.replace("-", ""))] == [[]] * 5
    assert not any(bytes.fromhex(second.replace("-", "")) in content for content in lamella.files.values())
    assert lamella.listed() == [third[:8], first[:8]]
    assert lamella.run("doctor").code == 0


def test_it_says_what_was_removed_and_what_is_out_of_reach(lamella: CommandLine) -> None:
    id = lamella.saved("Gone soon.")

    done = lamella.run("erase", id, "ffffffff", "--yes")

    lines = done.out.splitlines()
    assert lines[0] == "To be erased for good:"
    assert re.fullmatch(rf"  {id} \| Gone soon\. \| \d{{4}}-\d\d-\d\d", lines[1])
    assert lines[2:4] == ["Not found: ffffffff", "Erased 1/1 memories."]
    # One line each, which a terminal of any width wraps once.
    assert [each.partition(":")[0] for each in lines[4:]] == ["Removed", "Out of reach"]
    told = " ".join(lines[4:])
    removed, _, beyond = told.partition("Out of reach: ")
    for part in ("rows", "search index", "neighbouring memories", "log", "backups"):
        assert part in removed
    for part in ("exports", "copies made by others"):
        assert part in beyond


def test_nothing_is_erased_where_nobody_can_be_asked(lamella: CommandLine) -> None:
    id = lamella.saved("Stays.")

    done = lamella.run("erase", id, stdin=b"y\n")

    assert done.code == 2
    assert done.err.endswith("Error: Nobody can be asked here; add --yes to erase without a question.\n")
    assert lamella.listed() == [id[:8]]


@pytest.mark.parametrize(("typed", "code", "left"), [("y\n", 0, 0), ("n\n", 1, 1), ("\n", 1, 1), ("\x04", 130, 1)])
def test_on_a_terminal_it_asks(lamella: CommandLine, typed: str, code: int, left: int) -> None:
    id = lamella.saved("Perhaps.")

    done = lamella.on_terminal("erase", id, typed=typed)

    assert done.code == code, done.out
    assert f"{id} | Perhaps. | " in done.out
    assert "Erase for good? [y/N]: " in done.out
    assert len(lamella.listed()) == left
    if code == 1:
        assert done.out.endswith("[y/N]: Nothing was erased.\n")


def test_what_is_not_there_is_not_asked_about(lamella: CommandLine) -> None:
    lamella.saved("Here.")

    assert lamella.run("erase", "ffffffff") == Done(
        1, "", "No memories found matching 'ffffffff'. Try broader search terms or check the ID.\n"
    )


def test_no_byte_of_an_erased_conversation_is_left_and_the_others_stay(lamella: CommandLine) -> None:
    imported(lamella, "session-one", "session-two")
    id = lamella.saved("Stays.")

    done = lamella.run("erase", "--session", f"What became of {WORDS[0]}?", "--yes")

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:3] == [
        "To be erased for good:",
        f"  session-one | What became of {WORDS[0]}? | 2026-07-01 | 1 message(s)",
        "Erased 1 message(s).",
    ]
    removed, _, beyond = " ".join(done.out.splitlines()[3:]).partition("Out of reach: ")
    for part in ("messages", "search index", "summaries", "name", "log", "backups"):
        assert part in removed
    for part in ("transcripts", "memories that were saved", "exports", "imported again"):
        assert part in beyond
    assert (holds(lamella, WORDS[0]), bool(holds(lamella, WORDS[1]))) == ([], True)
    assert lamella.listed() == [id[:8]]
    assert lamella.run("doctor").code == 0
    again = lamella.run("import", "claude-code", str(lamella.data.parent / "transcripts"))
    assert again.out == "Imported 0 message(s) from 2 transcript(s).\n"


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


@pytest.mark.parametrize(("typed", "code", "kept"), [("y\n", 0, False), ("n\n", 1, True)])
def test_on_a_terminal_it_asks_for_a_conversation_too(
    lamella: CommandLine, typed: str, code: int, kept: bool
) -> None:
    imported(lamella, "session-one")

    done = lamella.on_terminal("erase", "--session", "session", typed=typed)

    assert done.code == code, done.out
    assert "Erase for good? [y/N]: " in done.out
    assert bool(holds(lamella, WORDS[0])) is kept


@pytest.mark.parametrize("arguments", [(), ("abcd", "--session", "session-one")])
def test_it_is_told_either_memories_or_a_conversation(lamella: CommandLine, arguments: tuple[str, ...]) -> None:
    done = lamella.run("erase", *arguments, "--yes")

    assert done.code == 2
    assert done.err.endswith("Error: Give the ids of memories, or --session.\n")
