"""Long traces as questions: the whole output of a failed program. The answer is a memory about the cause."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from attrs import evolve

from bench.quality.collection import Collection, Memory, Question
from bench.quality.collections.records import DATA

MOST_CHARACTERS = 4_000
"""Maximum length of a question."""

_MEMORY = "@@@ "
_BEGINNING = datetime(2026, 6, 2, 9, tzinfo=UTC)
_SESSION = 4


def traces(others: Iterable[Collection]) -> Collection:
    """Return traces as questions. The memories that answer them are saved among the memories of `others`."""
    memories = [evolve(memory, project="traces") for other in others for memory in other.memories]
    questions: list[Question] = []
    for number, (said, trace) in enumerate(read()):
        memory = Memory(
            key=f"trace {number}",
            text=said,
            project="traces",
            session=f"failures {number // _SESSION}",
            created_at=_BEGINNING + timedelta(hours=number),
        )
        memories.append(memory)
        questions.append(
            Question(text=trace[:MOST_CHARACTERS], project="traces", relevant=frozenset([memory.key]))
        )
    return Collection(name="long traces", memories=memories, questions=questions, sentences=False)


def read() -> Iterator[tuple[str, str]]:
    """Yield each memory with its trace. A line with `@@@ ` begins a memory, and its trace follows."""
    for file in sorted((DATA / "traces").iterdir()):
        for record in f"\n{file.read_text('utf-8')}".split(f"\n{_MEMORY}")[1:]:
            said, _, trace = record.partition("\n")
            yield said, trace.strip()
