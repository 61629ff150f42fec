"""Quality of a review's worklist: number of pairs of notes (out of 40) listed together, and of other notes.

Run: `python -m bench.quality.review [--embedder NAME ...]`. There are two sets. The pairs of `data/review.txt` use
similar words, and are saved among notes that only look similar. The pairs of `data/review_reworded.txt` use
different words, and are saved among notes on the same project. The older notes of all pairs are saved first, then
the other notes, then the newer notes of the pairs. The second set is measured without keywords, with keywords for
all notes except the newer notes of the pairs, and with keywords for all notes.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import frozen

from bench.quality.collection import Memory
from bench.quality.collections.records import DATA, marked
from bench.quality.engines.lamella import Lamella
from bench.tables import Table, command, publish
from lamella.entry_points import NO_EMBEDDER

_PAIR = re.compile(r"^- (.*)\n\+ (.*)$", re.MULTILINE)
_FIRST, _APART = datetime(2026, 1, 5, 9, tzinfo=UTC), timedelta(hours=5)

Pairs = Sequence[tuple[str, str]]


@frozen
class Seeded:
    """Memories to review, with pairs of notes that the review should list together.

    Attributes:
        name: Name of the row.
        pairs: Pairs of an older note and a newer note.
        notes: All notes with their keywords, in the order of saving.
    """

    name: str
    pairs: Pairs
    notes: Sequence[tuple[str, str]]


def similar() -> tuple[Pairs, Sequence[str]]:
    """Return pairs in similar words, and other notes that look similar but don't contradict each other."""
    beside = _PAIR.findall((DATA / "corrections.txt").read_text("utf-8").split("\n## ")[2])
    facts = (DATA / "facts.txt").read_text("utf-8").split("\n\n", 1)[1].splitlines()
    others = [each for each in facts if each and each[:2] not in {"? ", "##"}]
    return _pairs("review.txt"), [*(text for pair in beside for text in pair), *others]


def reworded() -> tuple[Pairs, Sequence[str]]:
    """Return pairs in different words, and other notes on the same project."""
    others = (DATA / "review_reworded.txt").read_text("utf-8").split("\n## ")[3].splitlines()[1:]
    return _pairs("review_reworded.txt"), list(filter(None, others))


def stores() -> Iterator[Seeded]:
    """Yield each set of memories to review."""
    yield _seeded("similar words", *similar(), [])
    pairs, others = reworded()
    keywords = marked("review_keywords.txt", "+ ")
    yield _seeded("other words", pairs, others, [])
    yield _seeded("other words, with keywords of older notes", pairs, others, keywords[: -len(pairs)])
    yield _seeded("other words, with keywords", pairs, others, keywords)


def listed(store: Seeded, embedder: str) -> tuple[int, int, int, int]:
    """Return four counts of the worklist.

    In order: entries that are exactly one of the pairs, other entries of two notes, pairs within entries of more
    than two notes, and entries of more than two notes.
    """
    memories = [
        Memory(
            key=f"{number}",
            text=text,
            project="review",
            session=f"{number}",
            created_at=_FIRST + number * _APART,
            keywords=words,
        )
        for number, (text, words) in enumerate(store.notes)
    ]
    with tempfile.TemporaryDirectory() as folder:
        tasks = Lamella(embedder).reviewed(Path(folder), memories)
    lists = [task for task in tasks if len(task) > 2]
    right = sum(task in store.pairs for task in tasks)
    together = sum(any({*pair} <= {*each} for each in lists) for pair in store.pairs if pair not in tasks)
    return right, len(tasks) - right - len(lists), together, len(lists)


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--embedder", action="append", default=[], help="besides words alone; may be repeated")
    options = parser.parse_args()
    embedders = [NO_EMBEDDER, *options.embedder]
    rows = [
        [store.name, f"{len(store.pairs)} / {len(store.notes)}", *(_cell(store, each) for each in embedders)]
        for store in stores()
    ]
    engines = [Lamella(each).name for each in embedders]
    table = Table(
        title="Pairs listed / other tasks + further pairs in a list / lists",
        head=["store", "pairs / notes", *engines],
        rows=rows,
    )
    publish(options.results / "review.md", [table])


def _cell(store: Seeded, embedder: str) -> str:
    right, others, together, lists = listed(store, embedder)
    return f"{right} / {others} + {together} / {lists}"


def _pairs(name: str) -> Pairs:
    return _PAIR.findall((DATA / name).read_text("utf-8"))


def _seeded(name: str, pairs: Pairs, others: Sequence[str], keywords: Sequence[str]) -> Seeded:
    texts = [*(older for older, _ in pairs), *others, *(newer for _, newer in pairs)]
    return Seeded(name, pairs, list(zip(texts, [*keywords, *[""] * (len(texts) - len(keywords))], strict=True)))


if __name__ == "__main__":
    main()
