"""Collection from the history of a git repository: a commit's subject is a question for its body and files."""

import subprocess
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bench.quality.collection import Collection, Memory, Question

_MOST_CHARACTERS = 9_000
_FORMAT = "%x01%H%x00%aI%x00%s%x00%b%x00"


def history(repository: Path, name: str) -> Collection | None:
    """Return a collection with a memory for each commit; None without suitable commits."""
    log = subprocess.run(
        ["git", "log", "--reverse", "--no-merges", "--name-only", f"--format={_FORMAT}"],
        cwd=repository,
        capture_output=True,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    commits = list(read(log.stdout))
    if not commits:
        return None
    return Collection(
        name=f"history of {name}",
        memories=[memory for memory, _ in commits],
        questions=[question for _, question in commits],
    )


def read(log: str) -> Iterator[tuple[Memory, Question]]:
    """Yield the commits of a log. Skip commits without a body or without files."""
    for record in log.split("\x01")[1:]:
        commit, date, subject, body, files = record.split("\x00", 4)
        text = f"{body.strip()}\n\n{files.strip()}".strip()[:_MOST_CHARACTERS]
        if not text:
            continue
        memory = Memory(
            key=commit, text=text, project="history", session=date[:10], created_at=datetime.fromisoformat(date)
        )
        yield memory, Question(text=subject, project="history", relevant=frozenset([commit]))
