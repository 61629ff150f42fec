"""Pairs of notes. In some pairs, the newer note corrects the older note. In others, both notes stay true."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from bench.quality.collection import Collection, Memory, Question
from bench.quality.collections.records import DATA

_PAIR = re.compile(r"^- (.*)\n\+ (.*)\n\? (.*)$", re.MULTILINE)
_FIRST = datetime(2026, 3, 1, 9, tzinfo=UTC)
_BETWEEN, _LATER = timedelta(hours=7), timedelta(days=20)
"""Time between two pairs, and between the two notes of a pair."""
_PROJECT = "corrections"


def corrections() -> Iterator[Collection]:
    """Yield two collections over all pairs.

    The first asks for the newer note of each correction, the second for the older note of each pair without a
    correction.
    """
    _, corrected, kept = (DATA / "corrections.txt").read_text("utf-8").split("\n## ")
    pairs = [(*pair, newer) for part, newer in ((corrected, True), (kept, False)) for pair in _PAIR.findall(part)]
    memories = sorted(
        (
            Memory(
                key=f"{number} {age}",
                text=text,
                project=_PROJECT,
                session=f"{number} {age}",
                created_at=_FIRST + number * _BETWEEN + age * _LATER,
            )
            for number, pair in enumerate(pairs)
            for age, text in enumerate(pair[:2])
        ),
        key=lambda memory: memory.created_at,
    )
    for name, wanted in (("corrected notes", True), ("notes still true beside newer ones", False)):
        yield Collection(
            name=name,
            memories=memories,
            questions=[
                Question(text=text, project=_PROJECT, relevant=frozenset([f"{number} {int(newer)}"]))
                for number, (_, _, text, newer) in enumerate(pairs)
                if newer is wanted
            ],
            figures=("R@1", "R@3"),
        )
