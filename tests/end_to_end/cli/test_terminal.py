"""The command line as a person meets it: on a terminal, with words left out or mistyped."""

import re
from pathlib import Path

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.transcripts import with_transcripts
from tests.unit.adapters.git.git_repository import Repository

LONG = (
    "Deploy from main only, because the staging branch drifted for weeks and nobody could say what was live there."
)


def screen(lamella: CommandLine, *arguments: str, columns: int = 80) -> list[str]:
    """Return the lines that a terminal shows."""
    wide = evolve(lamella, settings={**lamella.settings, "COLUMNS": f"{columns}"})
    return re.sub(r"\x1b\[[0-9;]*m", "", wide.on_terminal(*arguments).out).splitlines()


@pytest.mark.parametrize("columns", [80, 120])
def test_no_word_is_broken_on_a_terminal(lamella: CommandLine, columns: int) -> None:
    lamella.saved(LONG, "--title", "On deploying")
    for arguments in (["recall"], ["recall", "--detail", "full"], ["status"], ["ledger", "x.py"], ["sessions"]):
        shown = screen(lamella, *arguments, columns=columns)
        piped = lamella.run(*arguments)
        words = (piped.out + piped.err).split()
        # A path that is longer than a line is left to the terminal.
        assert [line for line in shown if len(line) > columns and " " in line.strip()] == []
        assert " ".join(shown).split()[-len(words) :] == words


def test_scores_have_a_heading_on_a_terminal(lamella: CommandLine) -> None:
    lamella.saved(LONG)
    heading, first, *_ = screen(lamella, "recall", "staging")
    assert heading == "[n] id | title | score: 1 is best | what it says | saved"
    assert first.startswith("[1] ")
    assert lamella.run("recall", "staging").out.startswith("[1] ")


def test_a_text_and_a_question_need_no_quotes(lamella: CommandLine) -> None:
    assert lamella.run("save", "Pears", "ripen", "off", "the", "tree.").code == 0
    assert "| Pears ripen off the tree. |" in lamella.run("recall", "ripen", "pears").out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("recal", " Did you mean 'recall'?"), ("search", " Did you mean 'recall'?"), ("xyzzy", "")],
)
def test_a_mistyped_command_is_told_what_it_may_mean(lamella: CommandLine, typed: str, meant: str) -> None:
    done = lamella.run(typed)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f"Error: No such command '{typed}'.{meant}\n")


def test_paths_are_relative_to_where_one_stands(lamella: CommandLine) -> None:
    Repository.made(lamella.directory)
    inside = evolve(lamella, directory=lamella.directory / "src")
    inside.directory.mkdir()
    saved = inside.saved("On taxes.", "--path", "tax.py")[:8]
    assert inside.listed("--path", "tax.py") == inside.listed("--path", ".") == [saved]
    assert lamella.listed("--path", "src/tax.py") == [saved]
    assert inside.listed("--path", "src/tax.py") == []


def test_what_was_said_is_recalled_after_the_memories(tmp_path: Path) -> None:
    lamella = with_transcripts(tmp_path)
    lamella.run("import", "claude-code")
    assert lamella.run("recall", "upload").code == 1
    found = lamella.run("recall", "upload", "--messages").out
    assert "] message 1 | Fixing the upload | " in found
