"""Read transcripts that are written as text, each with its records and the messages expected of them.

The files have readings, each below a heading `## what it shows`: records, which begin with a brace, and below them
the messages, what was skipped, and the name of the session.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from attrs import frozen

from lamella.domain.conversations.message import Batch
from tests.unit.adapters.transcripts import samples

FILES = {
    "chatgpt": "conversations.json",
    "claude_ai": "conversations.json",
    "claude_code": "session.jsonl",
    "codex": "rollout-1.jsonl",
    "copilot": "session/events.jsonl",
    "cursor": "agent-transcripts/session/session.jsonl",
    "gemini": "session-1.jsonl",
    "opencode": "opencode.db",
}
"""Where each client records a session, in its folder of sessions."""


@frozen
class Reading:
    """Records of a client, and what is read of them."""

    client: str
    name: str
    records: Sequence[str]
    expected: Sequence[str]

    def __str__(self) -> str:
        return f"{self.client}: {self.name}"

    def write(self, folder: Path) -> None:
        """Write the records as the client does."""
        path = folder / FILES[self.client]
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".db":
            self._write_database(folder)
            return
        lines = "\n".join(self.records) if path.suffix == ".jsonl" else f"[{','.join(self.records)}]"
        path.write_text(f"{lines}\n", "utf-8")

    def _write_database(self, folder: Path) -> None:
        with closing(samples.opencode_database(folder)) as database:
            samples.opencode_session(database)
            for number, record in enumerate(map(json.loads, self.records)):
                if "session" in record:
                    samples.opencode_session(database, **record["session"])
                else:
                    samples.opencode_said(database, samples.SESSION, number, record["message"], *record["parts"])


def readings(file: Path) -> Iterator[Reading]:
    """Yield the readings of a file, which has the name of the client."""
    for part in file.read_text("utf-8").removeprefix("## ").split("\n## "):
        name, *lines = part.rstrip().split("\n")
        records = [line for line in lines if line.startswith("{")]
        yield Reading(file.stem, name, records, lines[len(records) :])


def lines_of(batches: Sequence[Batch]) -> list[str]:
    """Return what was read, as readings tell it."""
    skipped: Counter[str] = sum((Counter(batch.skipped) for batch in batches), Counter())
    return [
        *(line_of(draft.role, draft.text) for batch in batches for draft in batch.drafts),
        *(f"skipped: {count} {reason}" for reason, count in sorted(skipped.items())),
        *(line_of("named", name) for batch in batches for name in batch.names.values()),
    ]


def line_of(kind: str, text: str) -> str:
    """Return a line, in which ⏎ stands for the end of one."""
    return f"{kind}: {text.replace(chr(10), '⏎')}"
