"""Calls of the tools and their replies, as files of `sessions` tell them; each file is called as its toolsets.

A step is `tool {"argument": value}`. In a reply, `! ` begins an error, and `---8<---` is between two blocks.
"""

import json
import re
from pathlib import Path

import pytest
from attrs import define

from tests.end_to_end.support.sessions import Player, Session, Step, sessions
from tests.end_to_end.support.tools import Tools, count, started

FILES = sorted(Path(__file__).with_name("sessions").glob("*.txt"))
_TOKENS = re.compile(r"(?<=\| ~)\d+(?= tokens \|)")


@define
class Caller(Player):
    """A client that follows sessions."""

    tools: Tools

    def answer(self, step: Step) -> list[str]:
        """Return the lines of a reply. Check that it is within its budget, and says its own size."""
        tool, _, arguments = self.filled(step.typed).partition(" ")
        failed, blocks = self.tools.answered(tool, **json.loads(arguments or "{}"))
        text = "\n---8<---\n".join(blocks)
        assert count(text) <= 2_000
        for told in _TOKENS.findall(text):
            assert int(told) == count(text)
        return [f"! {line}" if failed else line for line in _TOKENS.sub("N", text).split("\n")]


@pytest.mark.parametrize(
    "session",
    [pytest.param((file.stem, each), id=str(each)) for file in FILES for each in sessions(file)],
)
def test_what_is_called_answers_what_is_written(tmp_path: Path, session: tuple[str, Session]) -> None:
    toolset, played = session
    (tmp_path / "project" / ".git").mkdir(parents=True)
    with started(tmp_path, LAMELLA_TOOLSET=toolset, LAMELLA_SESSION="the-session") as client:
        Caller(Tools(client)).play(played)
