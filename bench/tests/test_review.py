"""The worklist of a review has the expected notes, but no notes that only look similar."""

import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

from bench.quality.collections.records import DATA
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Hit, Match
from lamella.domain.search.worklist import worklist

_PAIR = re.compile(r"^- (.*)\n\+ (.*)$", re.MULTILINE)


def hit(number: int, text: str) -> Hit:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number)
    said = Draft(content=text).observed(id=UUID(int=number), project="p", sequence=number, now=at)
    return Hit(observation=said, short_id=str(number), match=Match.RECENT)


def test_nine_of_ten_pairs_are_listed_and_a_tenth_of_the_list_is_noise() -> None:
    pairs = _PAIR.findall((DATA / "review.txt").read_text("utf-8"))
    beside = _PAIR.findall((DATA / "corrections.txt").read_text("utf-8").split("\n## ")[2])
    facts = (DATA / "facts.txt").read_text("utf-8").split("\n\n", 1)[1].splitlines()
    others = [
        *(text for pair in beside for text in pair),
        *(each for each in facts if each and each[:2] not in {"? ", "##"}),
    ]
    texts = [*(older for older, _ in pairs), *others, *(newer for _, newer in pairs)]
    tasks = worklist([hit(number, text) for number, text in enumerate(texts)], {}, ())
    listed = {tuple(hit.observation.content for hit in task.hits) for task in tasks}
    assert (len(pairs), len(others)) == (40, 192)
    assert (len(listed & set(pairs)), len(listed - set(pairs))) == (37, 4)
