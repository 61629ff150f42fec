"""The day of `day.toml`: what is saved, what is asked for in other words, and what the user says."""

import tomllib
from pathlib import Path

from attrs import field, frozen


@frozen
class Memory:
    """Something that the model saves; the day calls it by `key`."""

    key: str
    text: str
    source: str = ""
    paths: tuple[str, ...] = field(default=(), converter=tuple)
    everywhere: bool = False

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of `save_memory`."""
        given = {
            "text": self.text,
            "source": self.source,
            "paths": list(self.paths),
            "everywhere": self.everywhere,
        }
        return {name: value for name, value in given.items() if value}


_TOLD = tomllib.loads(Path(__file__).with_name("day.toml").read_text("utf-8"))

PAYMENTS, SEATS, OPERATIONS, REST = (
    tuple(Memory(**each) for each in _TOLD[name]) for name in ("payments", "seats", "operations", "rest")
)
"""What is saved in each of four sessions."""

MEMORIES = (*PAYMENTS, *SEATS, *OPERATIONS, *REST)
CORRECTED, BRANCHED, LENT = (Memory(**_TOLD[name]) for name in ("corrected", "branched", "lent"))
QUESTIONS, PROMPTS = ([(said, key) for said, key in _TOLD[name]] for name in ("questions", "prompts"))
UNRELATED: str = _TOLD["unrelated"]
OTHER_PROMPTS: list[str] = _TOLD["other_prompts"]
