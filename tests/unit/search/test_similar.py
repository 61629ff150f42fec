import re
from collections.abc import Callable
from datetime import UTC, timedelta, timezone

import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.readiness import NotReadyError
from lamella.domain.embeddings.calibration import TYPICAL
from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Filters, Hit, Match
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.replies.similar import RelevantMemories
from lamella.domain.text.printing import printed_json
from lamella.ports.embedder import Embedder
from lamella.ports.storage.storage import Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.unit.embeddings.meaning_desks import CARS, Gate, answered_by_meaning, ended
from tests.unit.support.doubles import CALL, Desk
from tests.unit.support.stand_ins import DAWN, ConceptEmbedder, numbered
from tests.unit.support.tables import cases

NONE = "No relevant memories found for that query."


def patient(*texts: str, embedder: Embedder | None = None, storage: Storage | None = None) -> Desk:
    """A desk whose questions wait for the embedder."""
    embedding = Embedding(lambda: embedder or ConceptEmbedder(), patient=True)
    desk = Desk(count=ClassTokenizer().count, storage=storage or InMemoryStorage(), embedding=embedding)
    for text in texts:
        desk.save(text)
    return desk


def found(*texts: str, count: Callable[[str], int] = len, limit: int = 2_000, zone: timezone = UTC) -> str:
    """Return the reply to a search that finds these texts."""
    return relevant(*texts, zone=zone).within(TokenBudget(limit, count))


def relevant(*texts: str, zone: timezone = UTC, notice: str = "") -> RelevantMemories:
    """Return what a search finds that finds these texts."""
    hits = [
        Hit(
            observation=Draft(content=text).observed(id=numbered(number), project="p", sequence=number, now=DAWN),
            short_id=numbered(number).hex[:8],
            match=Match.MEANING,
            score=1.0,
        )
        for number, text in enumerate(texts, 1)
    ]
    return RelevantMemories(hits=hits, calibration=TYPICAL, zone=zone, notice=notice)


class TestAnswers:
    def test_a_few_memories_that_have_no_vector_yet_are_told_of(self) -> None:
        desk = Desk(embedding=Embedding(ConceptEmbedder))
        for text in ("a car", *(f"cat {number}" for number in range(99))):
            desk.save(text)
        answered_by_meaning(desk, "car")
        ended(desk.embedding)
        for number in range(10):
            desk.save(f"car {number}")
        told = "Not every memory can be found yet: 100 of 110 memories embedded."
        assert desk.search_by_meaning(desk.call, "car", limit=1) == (
            f"Found 1 relevant memories:\n\n[1] (100% match, 5/6/2024)\na car\n\n{told}"
        )
        desk.clock.advance(timedelta(days=3))
        assert (
            desk.search_by_meaning(desk.call, "car", limit=1, filters=Filters(days_back=1)) == f"{NONE}\n\n{told}"
        )

    def test_the_model_is_calibrated_once(self) -> None:
        desk = patient("a car", embedder=(embedder := Counting()))
        search = desk.search_by_meaning
        search(CALL, "car", limit=5)
        asked = embedder.questions
        assert asked > 1
        search(CALL, "car", limit=5)
        assert embedder.questions == asked + 1


class TestRefusals:
    def test_while_the_embedder_is_loading_it_says_to_try_again(self) -> None:
        gate = Gate()
        desk = Desk(embedding=Embedding(gate))
        desk.save("the automobile is red")
        assert refused(desk, "conveyance") == "the embedder is loading. Try again in a few seconds."
        gate.open.set()
        answered_by_meaning(desk, "conveyance")
        assert "the automobile is red" in desk.search_by_meaning(desk.call, "conveyance", limit=5)
        assert desk.embedding
        desk.embedding.close()

    def test_while_most_memories_have_no_vector_it_says_to_try_again(self) -> None:
        desk = patient(*CARS)
        desk.search_by_meaning(desk.call, "conveyance", limit=5)
        assert desk.embedding
        desk.embedding.close()
        for number in range(30):
            desk.save(f"car {number}")
        assert refused(desk, "car") == "3 of 33 memories embedded. Try again in a few seconds."


class TestPrinting:
    @cases
    def test_dates_are_in_the_zone_and_texts_can_pose_as_nothing_of_ours(
        self, text: str, zone: timezone, shown: str
    ) -> None:
        assert found(text, zone=zone) == f"Found 1 relevant memories:\n\n[1] (100% match, {shown}"

    def test_over_budget_each_text_has_the_same_share_and_ends_with_its_id(self) -> None:
        reply = found("a" * 900, "short", "b" * 900, limit=1_000)
        head, *items = reply.split("\n\n")
        assert head == "Found 3 relevant memories:"
        assert items[1] == f"[2] (100% match, 5/6/2024)\nshort\nid: {numbered(2)}"
        shown = [
            re.fullmatch(r"\[\d\] .*\n(a*|b*)\[\.\.\.truncated at ~(\d+) tokens\]\nid: (.*)", each)
            for each in items
        ]
        assert [each and (each[1], each[2], each[3]) for each in (shown[0], shown[2])] == [
            (letter * 350, "350", str(numbered(number))) for letter, number in (("a", 1), ("b", 3))
        ]
        assert len(reply) <= 1_000

    def test_one_text_that_is_too_large_is_cut_inside(self) -> None:
        reply = found("x" * 3_000)
        kept = reply.count("x")
        assert reply == (
            "Found 1 relevant memories:\n\n[1] (100% match, 5/6/2024)\n"
            f"{'x' * kept}[...truncated at ~{kept} tokens]\nid: {numbered(1)}"
        )
        assert len(reply) == 2_000

    def test_where_shares_are_small_ids_are_short(self) -> None:
        reply = found(*["x" * 100] * 20, limit=1_500)
        assert reply.split("\n\n")[1:] == [
            f"[{number}] (100% match, 5/6/2024)\n{'x' * share(reply)}...\nid: {number:08x}"
            for number in range(1, 21)
        ]
        assert 0 < share(reply) < 80

    def test_where_there_is_no_room_for_all_ids_the_least_relevant_are_left_out(self) -> None:
        reply = found(*["x" * 100] * 20, limit=300)
        assert reply.startswith(
            "Found 20 relevant memories:\n\n[1] (100% match, 5/6/2024)\n...\nid: 00000001\n\n[2]"
        )
        assert reply.count("id: ") == 6
        assert len(reply) <= 300

    def test_no_character_is_split(self) -> None:
        reply = found("e\u0301" * 1_500)
        assert reply.partition("[...")[0].endswith("\u0301")

    def test_a_text_of_very_many_characters_is_not_counted(self) -> None:
        longest = 0

        def count(text: str) -> int:
            nonlocal longest
            longest = max(longest, len(text))
            return len(text)

        assert len(found(*["word " * 2_000] * 50, count=count)) <= 2_000
        assert longest <= 16_000

    @given(
        st.lists(st.text(min_size=1, max_size=400).filter(str.strip), min_size=1, max_size=12),
        st.integers(60, 2_000),
    )
    def test_the_budget_is_never_exceeded(self, texts: list[str], limit: int) -> None:
        for count in (len, ClassTokenizer().count):
            assert count(found(*texts, limit=limit, count=count)) <= limit


class TestData:
    def test_programs_get_ids_percentages_times_and_texts(self) -> None:
        data = relevant("tabs\u202e", notice="1 of 2 memories embedded").data(TokenBudget(2_000, len))
        assert data == {
            "results": [
                {
                    "id": str(numbered(1)),
                    "percent": 100,
                    "createdAt": "2024-05-06T07:08:09Z",
                    "text": "tabs\\u{202E}",
                }
            ],
            "notice": "1 of 2 memories embedded",
        }
        assert relevant().data(TokenBudget(2_000, len)) == {"results": []}

    def test_over_budget_texts_are_cut_alike_and_then_memories_left_out(self) -> None:
        results = relevant("short", "x" * 500, "y" * 500).data(TokenBudget(700, len))["results"]
        texts = [each["text"] for each in results]
        assert (texts[0], len(texts[1]), texts[2].replace("y", "x")) == ("short", len(texts[2]), texts[1])
        assert texts[1].endswith("x...")
        few = relevant("x" * 500, "y" * 500, "z" * 500).data(TokenBudget(150, len))["results"]
        assert [each["id"] for each in few] == [str(numbered(1))]

    @given(st.lists(st.text(max_size=300), max_size=6), st.integers(20, 2_000))
    def test_the_budget_is_never_exceeded(self, texts: list[str], limit: int) -> None:
        data = relevant(*(f"x{text}" for text in texts)).data(TokenBudget(limit, len))
        assert len(printed_json(data)) <= limit


@define
class Counting(ConceptEmbedder):
    """Counts the questions."""

    questions: int = 0

    def embed_query(self, text: str) -> Vector | None:
        self.questions += 1
        return ConceptEmbedder.embed_query(self, text)


def refused(desk: Desk, text: str) -> str:
    """Return the error of a search by meaning."""
    with pytest.raises(NotReadyError) as refusal:
        desk.search_by_meaning(desk.call, text, limit=5)
    return str(refusal.value).removeprefix("Search by meaning cannot answer now: ")


def share(reply: str) -> int:
    """Return the length of what is shown of the first text."""
    return len(reply.split("\n\n")[1].split("\n")[1].removesuffix("..."))
