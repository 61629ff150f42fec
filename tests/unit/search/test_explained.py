"""A recall that is asked to explain says of each result why it stands where it is."""

from attrs import evolve

from lamella.application.search.request import SearchRequest
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import ByText
from lamella.domain.replies.explanation import explained
from tests.unit.search.ranking.test_ranking import hit
from tests.unit.support.doubles import desk_with


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
        "global memory: placed by its strength, not by its score",
        f"strength 1.00: holds {', '.join(f'word{number} 1.0' for number in range(12))}, 2 more",
    )


def test_what_has_no_features_is_explained_by_nothing() -> None:
    assert explained(evolve(hit(1), features={}, strength=0.0), ("one",)) == (
        "score 0.00 = nothing",
        "strength 0.00, weak as below 0.36: lacks one",
    )
