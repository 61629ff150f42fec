"""Reader of the files of memories and questions in `bench/quality/data`.

`## ` and a time begin a session. A record is a memory and, in its last line after `? `, the question that it
answers. A line after `! ` is a question that none of the memories answers. What stands before the first of these
is a comment.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import frozen

from bench.quality.collection import Memory, Question

DATA = Path(__file__).resolve().parents[1] / "data"

_SESSION = re.compile(r"^## (\d{4}-\d\d-\d\d \d\d:\d\d)\n", re.MULTILINE)
_QUESTION, _PROMPT, _UNRELATED = "\n? ", "? ", "! "
_BETWEEN = timedelta(minutes=7)
"""Time between two memories of a session."""


def prompts() -> tuple[Sequence[str], Sequence[str]]:
    """Return prompts about the facts of `facts.txt`, one for each, and prompts that none of them helps with."""
    return marked("prompts.txt", _PROMPT), marked("prompts.txt", _UNRELATED)


def marked(name: str, mark: str) -> Sequence[str]:
    """Return the lines of a file of data after a mark, without it."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]


@frozen(kw_only=True)
class Records:
    """Contents of one file. Each of `questions` asks for the memory at the same place."""

    memories: Sequence[Memory]
    questions: Sequence[Question]
    unrelated: Sequence[str]


def read(path: Path) -> Records:
    """Return the records of a file as one project, which has the file's name."""
    text = path.read_text("utf-8")
    unrelated = [line.removeprefix(_UNRELATED) for line in text.splitlines() if line.startswith(_UNRELATED)]
    parts = _SESSION.split(text.partition(f"\n{_UNRELATED}")[0])[1:]
    memories: list[Memory] = []
    questions: list[Question] = []
    for begun, body in zip(parts[::2], parts[1::2], strict=True):
        session = f"{path.stem} {begun}"
        start = datetime.strptime(begun, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
        for number, record in enumerate(each for each in body.split("\n\n") if each.strip()):
            said, _, asked = record.strip().partition(_QUESTION)
            memory = Memory(
                key=f"{session} {number}",
                text=said,
                project=path.stem,
                session=session,
                created_at=start + number * _BETWEEN,
            )
            memories.append(memory)
            questions.append(Question(text=asked, project=path.stem, relevant=frozenset([memory.key])))
    return Records(memories=memories, questions=questions, unrelated=unrelated)
