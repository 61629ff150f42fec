"""The command line as a person meets it: on a terminal, with words left out or mistyped."""

import re

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine

LONG = (
    "Deploy from main only, because the staging branch drifted for weeks and nobody could say what was live there."
)


def screen(lamella: CommandLine, *arguments: str, columns: int = 80) -> list[str]:
    """Return the lines shown by a terminal."""
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
