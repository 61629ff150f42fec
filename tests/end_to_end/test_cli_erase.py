"""`lamella erase`: it asks, it says what it did, and no byte is left."""

import re
from pathlib import Path

import apsw
import pytest

from .command_line import CommandLine, Done

SESSION = {"LAMELLA_SESSION": "one"}
WORDS = ("zyqxov", "wvukjz", "qjhgwx")
"""Of a title, a text and a path; no stemmer changes them."""


@pytest.fixture
def lamella(tmp_path: Path) -> CommandLine:
    directory = tmp_path / "orchard"
    directory.mkdir()
    return CommandLine(tmp_path / "data", directory)


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


def test_a_purged_memory_is_erased_too(lamella: CommandLine) -> None:
    _, second, _ = saved_between_others(lamella)
    lamella.run("purge", second)

    done = lamella.run("erase", second[:6], "--yes")

    assert f"  {second} | {WORDS[0]} | " in done.out
    assert done.out.splitlines()[1].endswith(" | purged")
    assert [holds(lamella, word) for word in WORDS] == [[]] * 3


def test_it_says_what_was_removed_and_what_is_out_of_reach(lamella: CommandLine) -> None:
    id = lamella.saved("Gone soon.")

    done = lamella.run("erase", id, "ffffffff", "--yes")

    lines = done.out.splitlines()
    assert lines[0] == "To be erased for good:"
    assert re.fullmatch(rf"  {id} \| Gone soon\. \| \d{{4}}-\d\d-\d\d", lines[1])
    assert lines[2:4] == ["Not found: ffffffff", "Erased 1/1 memories."]
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


def test_repeating_it_finishes_what_another_program_was_in_the_way_of(lamella: CommandLine) -> None:
    _, second, _ = saved_between_others(lamella)
    reader = apsw.Connection(str(lamella.project_file))
    reader.execute("BEGIN; SELECT count(*) FROM observation").fetchall()

    unfinished = lamella.run("erase", second, "--yes")
    still = [holds(lamella, word) for word in WORDS]
    reader.close()
    repeated = lamella.run("erase", second, "--yes")

    assert unfinished.code == 1
    assert unfinished.err.startswith("The memories are erased, but another program still reads")
    assert all(still)
    assert repeated.err.startswith(f"No memories found matching '{second}'.")
    assert [holds(lamella, word) for word in WORDS] == [[]] * 3


@pytest.mark.parametrize(("typed", "code", "left"), [("y\n", 0, 0), ("n\n", 1, 1), ("\n", 1, 1), ("\x04", 130, 1)])
def test_on_a_terminal_it_asks(lamella: CommandLine, typed: str, code: int, left: int) -> None:
    id = lamella.saved("Perhaps.")

    done = lamella.on_terminal("erase", id, typed=typed)

    assert done.code == code, done.out
    assert f"{id} | Perhaps. | " in done.out
    assert "Erase for good? [y/N]: " in done.out
    assert len(lamella.listed()) == left
    if code == 1:
        assert done.out.endswith("Error: Nothing was erased.\n")


def test_what_is_not_there_is_not_asked_about(lamella: CommandLine) -> None:
    lamella.saved("Here.")

    assert lamella.run("erase", "ffffffff") == Done(
        1, "", "No memories found matching 'ffffffff'. Try broader search terms or check the ID.\n"
    )
