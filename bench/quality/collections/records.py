"""Reader of the files of memories and questions in `bench/quality/data`.

A line with `## ` and a time begins a session. A record is a memory, followed by a line with `? ` and its question.
A line with `! ` is a question without an answer. Text before the first of these lines is a comment.
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
    """Return a prompt about each fact of `facts.txt`, and prompts for which no fact is relevant."""
    return marked("prompts.txt", _PROMPT), marked("prompts.txt", _UNRELATED)


def marked(name: str, mark: str) -> Sequence[str]:
    """Return the lines of a data file that begin with a mark. The mark is removed."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]


@frozen(kw_only=True)
class Records:
    """Contents of one file. The n-th question asks for the n-th memory."""

    memories: Sequence[Memory]
    questions: Sequence[Question]
    unrelated: Sequence[str]


def read(path: Path) -> Records:
    """Read the records of a file as one project with the file's name."""
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
