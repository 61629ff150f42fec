"""A review lists what somebody should settle, and doesn't ask twice."""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from heapq import nlargest
from itertools import combinations, permutations
from operator import itemgetter
from pathlib import Path
from threading import Timer
from threading import enumerate as threads

import pytest
from attrs import define, evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.embeddings.background_worker import Embedding
from lamella.application.search.log_recalls import LogRecalls
from lamella.application.search.recall import RecallRequest
from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import ByText
from lamella.domain.replies.review import NOTHING_TO_REVIEW
from lamella.domain.search.alike import NEIGHBOURS, neighbours, shared_words, standing_out
from lamella.domain.search.worklist import ALIKE, CORRECTED, GONE, LONG, RECORDED_BEFORE, UNUSED, UNUSED_FOR
from lamella.ports.storage.storage import Capability
from tests.unit.embeddings.meaning_desks import Gate, ended, patient
from tests.unit.support.doubles import Desk, desk_with
from tests.unit.support.stand_ins import ConceptEmbedder, FolderTree, LackingStorage
from tests.waiting import until

OLD, NEW = "The build server runs on port 8080.", "The build server runs on port 9090 now."
OTHERS = ("Coffee is in the kitchen.", "Tests use a real Kafka.", "Prices are integers of cents.")


@define
class Counting(ConceptEmbedder):
    """Embedder that counts questions, and other texts."""

    asked: int = 0
    embedded: int = 0

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        self.embedded += len(texts)
        return super().embed(texts)

    def embed_query(self, text: str) -> Vector | None:
        self.asked += 1
        return super().embed_query(text)


def listed(desk: Desk) -> list[tuple[str, ...]]:
    return [(task.reason, *(hit.observation.content for hit in task.hits)) for task in desk.review(desk.call)]


@given(st.lists(st.frozensets(st.integers(0, 40).map(str), min_size=1, max_size=9), max_size=60))
def test_shared_words_are_worth_the_same_as_in_a_comparison_of_all_pairs(notes: list[frozenset[str]]) -> None:
    held = Counter(word for words in notes for word in words)
    rare = math.log((max(len(notes), 2) + 1) / 2)
    worth = {word: round(10**9 * math.log((len(notes) + 1) / count) / rare) for word, count in held.items()}
    expected: dict[int, dict[int, float]] = {number: {} for number in range(len(notes))}
    for (one, old), (other, new) in permutations(enumerate(notes), 2):
        common = [worth[word] for word in old & new if held[word] <= 50]
        if common:
            expected[one][other] = sum(common) / 10**9
    shared, whole = shared_words(notes)
    assert shared == expected
    assert whole == [sum(worth[word] for word in words) / 10**9 for words in notes]


@given(st.lists(st.floats(0, 1), min_size=28, max_size=28))
def test_the_nearest_neighbours_are_enough_to_know_who_stands_out(cosines: list[float]) -> None:
    near: dict[int, dict[int, float]] = {number: {} for number in range(8)}
    for (one, other), cosine in zip(combinations(range(8), 2), cosines, strict=True):
        near[one][other] = near[other][one] = cosine
    nearest = {one: nlargest(NEIGHBOURS, others.items(), key=itemgetter(1)) for one, others in near.items()}
    few = {one: dict(each) for one, each in nearest.items()}
    assert sorted(standing_out(few, 0.01)) == sorted(standing_out(near, 0.01))


def test_the_nearer_of_two_directions_counts_and_missing_neighbours_are_unlike() -> None:
    near = {0: {1: 0.9}, 1: {0: 0.6, 2: 0.6}, 2: {}}
    assert list(standing_out(near, 0.5)) == [(1.1, 0, 1), (0.8, 1, 2)]


@given(st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4).filter(any).map(Vector.of), max_size=41))
def test_every_vector_is_compared_with_forty_others(vectors: list[Vector]) -> None:
    numbered = dict(enumerate(vectors))
    every = {
        one: {other: numbered[one].cosine(numbered[other]) for other in numbered if other != one}
        for one in numbered
    }
    assert neighbours(numbered) == (every if len(vectors) > NEIGHBOURS else {})


def test_of_many_vectors_those_with_the_most_signs_in_common_are_compared() -> None:
    bits = [f"{number:08b}" for number in range(256)]
    near = neighbours({each: Vector.of(1 if bit == "1" else -1 for bit in each) for each in bits})
    assert {len(others) for others in near.values()} == {40}
    assert {bits[1 << place] for place in range(8)} < near[bits[0]].keys()
    assert near[bits[0]][bits[1]] == 0.75


def test_many_notes_are_compared_in_the_background() -> None:
    desk = desk_with(*(f"{first} of {second}." for first, second in permutations("ABCDEFGHIJK", 2)), OLD, NEW)
    review, pair = desk.review, (OLD, NEW)

    def found() -> tuple[list[tuple[str, ...]], bool]:
        tasks, finished = review.so_far(desk.call)
        pairs = (task for task in tasks if task.reason == CORRECTED)
        return [tuple(hit.observation.content for hit in task.hits) for task in pairs], finished

    assert found() == ([], False)
    assert all(each.daemon for each in threads() if isinstance(each, Timer))
    until(lambda: found()[1])
    assert found() == ([pair], True)
    older, newer = "Staging is reset at night.", "Staging is reset at noon."
    desk.save(older)
    desk.save(newer)
    assert found() == ([pair], False)
    until(lambda: found()[1])
    assert sorted(found()[0]) == sorted([pair, (older, newer)])


def test_each_project_keeps_its_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(OLD, *OTHERS, NEW)
    review, elsewhere = desk.review, desk.at(directory=Path("/srv/babbage"))
    elsewhere.save(OLD)
    tasks = review(desk.call)
    assert review(elsewhere.call) == ()
    monkeypatch.setattr("lamella.application.search.review.compare", None)
    assert review(desk.call) == tasks


def test_notes_that_say_the_same_in_other_words_are_listed_by_their_meaning() -> None:
    same = ("The car is fast.", "An automobile may hurry.")
    desk = patient("A cat sleeps.", "The money is gone.", same[0], "A defect is known.", same[1])
    desk.save("My conveyance stays outside.", everywhere=True)
    assert listed(desk) == [(ALIKE, *same)]
    for text in ("The cat bites.", "No feline is at home.", "Defect machines are sold."):
        desk.save(text, everywhere=True)
    assert (ALIKE, "The cat bites.", "No feline is at home.") in listed(desk)


def test_notes_are_compared_by_their_stored_vectors() -> None:
    embedder = Counting()
    desk = patient("A cat sleeps.", "The money is gone.", "A defect is known.", "A car.", embedder=embedder)
    assert desk.review(desk.call) == ()
    embedded, asked = embedder.embedded, embedder.asked
    desk.save("The automobile.")
    assert len(desk.review(desk.call)) == 1
    assert (embedder.embedded, embedder.asked) == (embedded + 1, asked)


def test_notes_of_a_small_project_and_list_items_are_not_listed_by_meaning() -> None:
    assert listed(patient("The car is fast.", "An automobile may hurry.", "A cat sleeps.")) == []
    items = ("The car on level two needs a badge here", "The conveyance on level nine needs no badge there")
    assert listed(patient("A cat sleeps.", "The money is gone.", "A defect is known.", *items)) == []


def test_no_model_is_loaded_for_few_notes() -> None:
    desk = Desk(embedding=Embedding(Gate()))
    for number, text in enumerate((OLD, *OTHERS, NEW, "Coffee is hot.")):
        desk.save(text, everywhere=number > 2)
    assert listed(desk) == [(CORRECTED, OLD, NEW)]
    assert desk.embedding is not None
    assert desk.embedding._worker is None


def test_words_alone_are_compared_while_the_embedder_cannot_answer() -> None:
    gate = Gate()
    desk = Desk(embedding=Embedding(gate))
    for text in (OLD, *OTHERS, NEW):
        desk.save(text)
    assert listed(desk) == [(CORRECTED, OLD, NEW)]
    gate.open.set()
    ended(desk.embedding)


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
