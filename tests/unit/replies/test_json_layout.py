from attrs import evolve

from lamella.domain.memories.query import Hit, Match
from lamella.domain.replies.json_layout import search_result, timeline_item, whole_observation
from tests.unit.support.doubles import Desk

LONG = " ".join(["word"] * 100)


def test_a_hit_has_its_strength_for_a_score_and_a_snippet() -> None:
    saved = evolve(Desk().save(LONG), source="decision\n" * 30)
    hit = Hit(observation=saved, short_id="00000001", match=Match.WORDS, score=7.0, strength=0.234)
    assert search_result(hit) == {
        "id": str(saved.id),
        "score": 0.23,
        "snippet": LONG[:99],
        "source": ("decision " * 30)[:100],
        "createdAt": "2024-05-06T07:09:09Z",
    }
    assert search_result(Hit(observation=saved, short_id="00000001", match=Match.RECENT))["score"] is None


def test_an_observation_is_given_whole() -> None:
    saved = evolve(Desk().save(LONG), session="s")
    assert whole_observation(saved) == {
        "id": str(saved.id),
        "text": LONG,
        "source": "manual",
        "sessionId": "s",
        "createdAt": "2024-05-06T07:09:09Z",
        "updatedAt": "2024-05-06T07:09:09Z",
    }
    assert whole_observation(evolve(saved, author="Ada")) == {**whole_observation(saved), "author": "Ada"}
    assert whole_observation(evolve(saved, keywords="why")) == {**whole_observation(saved), "keywords": "why"}


def test_a_timeline_gives_the_beginning_of_a_text() -> None:
    desk = Desk()
    long, short = timeline_item(desk.save(LONG)), timeline_item(desk.save("A word."))
    assert (long["text"], short["text"]) == (LONG[:200] + "...", "A word.")
    assert set(long) == {"id", "text", "source", "sessionId", "createdAt"}
