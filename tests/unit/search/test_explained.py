"""A recall that is asked to explain says of each result why it stands where it is."""

import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import ByText, Mode
from lamella.domain.replies.explanation import explained
from lamella.domain.replies.views import Detail
from tests.unit.embeddings.meaning_desks import CARS, patient
from tests.unit.search.ranking.test_ranking import hit
from tests.unit.support.doubles import Desk, desk_with


def body(desk: Desk, asked: ByText, **more: object) -> list[str]:
    request = RecallRequest(selector=asked, explain=True, **more)  # type: ignore[arg-type]
    return desk.recalling(desk.call, request).rpartition("\n---\n")[0].split("\n")


def test_an_explanation_has_score_and_strength_with_found_and_missing_words() -> None:
    desk = desk_with("zebra crossing at noon", "horse", "cow", "dog", "cat")
    assert body(desk, ByText("Which zebra will meet a gnu?")) == [
        "[1] 00000001 | zebra crossing at noon | 0.48 | - | 2024-05-06",
        "  score 1.00 = words 1.00",
        "  strength 0.48: holds zebra 1.4; lacks meet, gnu",
    ]


@pytest.mark.parametrize("detail", Detail)
def test_every_detail_is_explained(detail: Detail) -> None:
    lines = body(desk_with("zebra"), ByText("zebra"), detail=detail)
    assert lines[-1] == "  strength 1.00: holds zebra 0.3"


def test_a_message_is_explained_by_who_said_it() -> None:
    desk = desk_with("horse")
    for text in ("zebra", "cow", "dog", "cat"):
        desk.said(text)
    assert body(desk, ByText("I said zebra"), include_messages=True)[1:3] == [
        "  score 2.1e-06 = words 1.1e-06 + speaker 1.1e-06",
        "  strength 0.32, weak as below 0.38: holds zebra 0.4; lacks said",
    ]


def test_meaning_is_explained_beside_words_and_alone() -> None:
    desk = patient(*CARS)
    assert body(desk, ByText("the vehicle automobile"))[1:3] == [
        "  score 0.78 = meaning 0.50 + words 0.17 + session 0.11",
        "  strength 0.82: holds automobile 1.0; lacks vehicle; 100 % alike",
    ]
    (_, score, strength, *_) = body(desk, ByText("vehicle", Mode.SEMANTIC))
    assert (score, strength) == ("  score 1.00 = meaning 1.00", "  strength 1.00: 100 % alike")


def test_nothing_is_explained_unasked() -> None:
    desk = desk_with("zebra")
    answer = desk.searching(desk.call, SearchRequest(selector=ByText("zebra")))
    assert (answer.hits[0].features, answer.words) == (None, ())


def test_purged_and_global_memories_say_why_they_stand_elsewhere() -> None:
    given = evolve(
        hit(1, purged=True, kind=Kind.CHANGE),
        score=1.0,
        everywhere=True,
        features={"words": 2.0, "captured": -1.0},
        held={f"word{number}": 1.0 for number in range(14)},
    )
    assert explained(given, ()) == (
        "score 1.00 = words 2.00 - captured 1.00",
        "purged: after all others",
        "holds everywhere: its place follows from its strength",
        f"strength 1.00: holds {', '.join(f'word{number} 1.0' for number in range(12))}, 2 more",
    )


def test_what_has_no_features_is_explained_by_nothing() -> None:
    assert explained(evolve(hit(1), features={}, strength=0.0), ("one",)) == (
        "score 0.00 = nothing",
        "strength 0.00, weak as below 0.38: lacks one",
    )
