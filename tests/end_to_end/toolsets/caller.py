"""A client that follows sessions.

A step is `tool {"argument": value}`. In a reply, `! ` begins an error, and `---8<---` is between two blocks.
"""

import json
import re
from collections.abc import Callable, Sequence

from attrs import define

from tests.end_to_end.support.sessions import Player, Step
from tests.end_to_end.support.tools import count

_TOKENS = re.compile(r"(?<=\| ~)\d+(?= tokens \|)|(?<=\"tokenEstimate\":)\d+")


@define
class Caller(Player):
    """The client; `answered` calls a tool, and returns whether that failed, and the text of each block."""

    answered: Callable[..., tuple[bool, Sequence[str]]]

    def answer(self, step: Step) -> list[str]:
        """Return the lines of a reply. Check that it is within its budget, and says its own size."""
        tool, _, arguments = self.filled(step.typed).partition(" ")
        failed, blocks = self.answered(tool, **json.loads(arguments or "{}"))
        text = "\n".join(blocks)
        assert count(text) <= 2_000
        for told in _TOKENS.findall(text):
            assert int(told) == count(text)
        printed = _TOKENS.sub("N", "\n---8<---\n".join(blocks))
        return [f"! {line}" if failed else line for line in printed.split("\n")]
