"""A review lists what somebody should settle, and doesn't ask twice."""

import math
from collections import Counter
from datetime import timedelta
from itertools import combinations

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.search.log_recalls import LogRecalls
from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import ByText
from lamella.domain.replies.review import NOTHING_TO_REVIEW
from lamella.domain.search.weights import LEAST_RELATED
from lamella.domain.search.worklist import CORRECTED, GONE, LONG, RECORDED_BEFORE, UNUSED, UNUSED_FOR, _alike
from lamella.ports.storage.storage import Capability
from tests.unit.support.doubles import Desk, desk_with
from tests.unit.support.stand_ins import FolderTree, LackingStorage

OLD, NEW = "The build server runs on port 8080.", "The build server runs on port 9090 now."
OTHERS = ("Coffee is in the kitchen.", "Tests use a real Kafka.", "Prices are integers of cents.")


def listed(desk: Desk) -> list[tuple[str, ...]]:
    return [(task.reason, *(hit.observation.content for hit in task.hits)) for task in desk.review(desk.call)]


@given(st.lists(st.frozensets(st.integers(0, 40).map(str), min_size=1, max_size=9), max_size=60))
def test_the_same_notes_are_similar_as_in_a_comparison_of_all_pairs(notes: list[frozenset[str]]) -> None:
    held = Counter(word for words in notes for word in words)
    worth = {word: math.log((len(notes) + 1) / count) for word, count in held.items()}
    expected = []
    for (older, old), (newer, new) in combinations(enumerate(notes), 2):
        common = math.fsum(worth[word] for word in old & new if held[word] <= 50)
        alike = round(2 * common / math.fsum(worth[word] for word in [*old, *new]), 9)
        if alike >= LEAST_RELATED:
            expected.append((alike, older, newer))
    assert sorted(_alike(notes)) == sorted(expected)


def test_old_notes_are_listed_however_many_files_newer_ones_are_about() -> None:
    desk = Desk(tree=FolderTree(texts={"a": "1", "b": "1", **{str(number): "1" for number in range(120)}}))
    desk.tree.commits = dict.fromkeys(desk.tree.texts, 10)
    desk.save(OTHERS[0], paths=["a"])
    desk.save(OTHERS[1], paths=["b"])
    for begin in (0, 40, 80):
        desk.save(f"Note {begin}", paths=[str(number) for number in range(begin, begin + 40)])
    desk.tree.texts = dict.fromkeys([*desk.tree.texts][1:], "2")
    first, *_, last = listed(desk)
    assert (first, last) == ((GONE, OTHERS[0]), ("b was changed by 10 commits since", OTHERS[1]))


def test_long_notes_that_say_several_things_are_listed() -> None:
    several = "\n\n".join(f"Part {number}: " + f"word{number} " * 60 for number in range(4))
    desk = desk_with(several, "word " * 300)
    assert listed(desk) == [(LONG, several.strip())]


def test_notes_that_nobody_used_for_half_a_year_are_listed_once_that_is_known() -> None:
    desk = desk_with(*OTHERS)
    desk.save("Replies are in English.", everywhere=True)
    recall = desk.recalling
    desk.clock.advance(timedelta(days=20))
    recall(desk.call, RecallRequest(selector=ByText("coffee")))
    log = LogRecalls(recall, desk.projects, desk.clock)
    log()
    desk.clock.advance(UNUSED_FOR - timedelta(days=1))
    recall(desk.call, RecallRequest(selector=ByText("kafka"), all_projects=True))
    log()
    log()
    assert listed(desk) == []
    desk.clock.advance(timedelta(days=2))
    assert listed(desk) == [(UNUSED, OTHERS[0]), (UNUSED, OTHERS[2])]
    desk.review.keep(desk.call, ["00000001"])
    assert listed(desk) == [(UNUSED, OTHERS[2])]
    desk.clock.advance(UNUSED_FOR)
    assert listed(desk) == [(UNUSED, OTHERS[1]), (UNUSED, OTHERS[2])]
    desk.clock.advance(RECORDED_BEFORE)
    assert listed(desk) == []


def test_recalls_that_cannot_be_logged_are_forgotten() -> None:
    desk = Desk(storage=LackingStorage(lacks={Capability.ACTIVITY}))
    desk.save(OTHERS[0])
    recall = desk.recalling
    recall(desk.call, RecallRequest())
    recall.recalled.appendleft((evolve(desk.call, project="unknown"), recall.recalled[0][1]))
    LogRecalls(recall, desk.projects, desk.clock)()
    assert not recall.recalled
    assert desk.here.activity().since(desk.clock.moment - timedelta(days=1)) == ()
    assert listed(desk) == []


def test_words_that_many_notes_have_say_nothing() -> None:
    assert listed(desk_with(*(f"The ferry carries load{number} and crew{number}." for number in range(51)))) == []


def test_a_reply_names_ids_and_reasons_within_its_budget() -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    assert desk.review.reply(desk.call, "Settle it.") == "\n".join(
        [
            "1 to review:",
            f"[1] {CORRECTED}",
            f"    00000001 | 2024-05-06 | {OLD}",
            f"    00000005 | 2024-05-06 | {NEW}",
            "---",
            "Settle it.",
        ]
    )
    assert desk_with(*OTHERS).review.reply(desk.call, "") == NOTHING_TO_REVIEW
    many = Desk()
    for number in range(12):
        many.save(f"Rotate key{number} before release{number} of client{number}. " + f"x{number} " * 99)
        many.save(
            f"Before release{number} of client{number} rotate key{number}. " + f"x{number} " * 99,
            everywhere=number == 0,
        )
    reply = many.review.reply(many.call, "Settle it.")
    assert reply.startswith("12 to review, 3 of them here:\n[1] ")
    assert len(reply) <= 2_000
    assert "…" in reply
