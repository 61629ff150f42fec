from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.search.request import SearchRequest
from lamella.domain.embeddings.calibration import TYPICAL, Calibration
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import ByText, Hit, Match
from lamella.domain.search.preferences import Preferences
from lamella.domain.search.ranking import Candidates, beside, ranked
from lamella.domain.search.strength import WEAK, covered_by_topics, label
from lamella.domain.search.weights import (
    LEAST_COVERED,
    LIST_WORDS_WEIGHT,
    MOST_LIKE,
    SESSION_SHARE,
    SURE_STRENGTH,
    WEAK_STRENGTH,
    WORDED_POWER,
    WORDS_WEIGHT,
)
from tests.unit.support.doubles import desk_with
from tests.unit.support.stand_ins import DAWN, numbered
from tests.unit.support.tables import cases


def hit(number: int, *, session: str | None = None, purged: bool = False, kind: Kind = Kind.NOTE) -> Hit:
    moment = DAWN + timedelta(minutes=number)
    observation = Observation(
        id=numbered(number),
        project="p",
        origin="p",
        sequence=number,
        session=session,
        kind=kind,
        actor="agent",
        title="",
        content="x",
        source="manual",
        created_at=moment,
        updated_at=moment,
        purged_at=moment if purged else None,
        occurred_at=moment,
    )
    return Hit(observation=observation, short_id=observation.id.hex[:8], match=Match.WORDS, strength=1.0)


def scores(of: Mapping[int, float]) -> Mapping[UUID, float]:
    return {numbered(number): score for number, score in of.items()}


def found(
    hits: Sequence[Hit],
    words: Mapping[int, float],
    meaning: Mapping[int, float],
    calibration: Calibration = TYPICAL,
) -> Candidates:
    return Candidates(hits=hits, words=scores(words), meaning=scores(meaning), calibration=calibration)


def numbers(hits: tuple[Hit, ...]) -> list[int]:
    return [hit.observation.sequence for hit in hits]


NEAR = Calibration(unrelated=0.7, paraphrase=0.9)


@cases
def test_hits_are_ranked_by_words_and_meaning(given: tuple[Any, ...], limit: int, best: list[int]) -> None:
    assert numbers(ranked(found(*given), limit)) == best


def test_each_kind_of_score_counts_by_its_share_of_the_best() -> None:
    candidates = found([hit(1), hit(2), hit(3)], {1: 8.0, 2: 4.0}, {1: 0.2, 2: 0.3, 3: 0.6})
    shares = {each.observation.sequence: each.score for each in ranked(candidates, 10)}
    assert candidates.clearness == pytest.approx(0.5)
    words, whole = WORDS_WEIGHT / (WORDS_WEIGHT + 0.25), 1 + SESSION_SHARE
    assert shares == pytest.approx({1: words / whole, 2: words * 0.5 / whole, 3: (1 - words) / whole})


@cases
def test_words_count_the_more_the_better_they_match_and_meaning_the_clearer_it_is(
    strength: float | None, cosines: Sequence[float], share: float
) -> None:
    hits = [evolve(hit(1), strength=strength), evolve(hit(2), strength=0.0), evolve(hit(3), strength=None)]
    candidates = found(hits, {1: 8.0, 2: 4.0}, dict(enumerate(cosines, 1)))
    assert candidates.words_share == pytest.approx(share)


def test_a_session_lends_its_best_three_to_all_of_its_memories() -> None:
    together = [hit(number, session="s") for number in (1, 2, 3, 4)]
    alone = hit(5, session="t")
    best = ranked(found([*together, alone], {1: 8.0, 2: 8.0, 3: 8.0, 4: 2.0, 5: 2.0}, {}), 10)
    assert numbers(best) == [3, 2, 1, 4, 5]
    assert best[3].score == pytest.approx((0.25 + SESSION_SHARE) / (1 + SESSION_SHARE))


def test_a_memory_without_a_session_lends_nothing_to_others_without_one() -> None:
    best = ranked(found([hit(1), hit(2)], {1: 8.0, 2: 4.0}, {}), 10)
    assert best[1].score == pytest.approx(0.5 / (1 + SESSION_SHARE))


def test_purged_ones_follow_all_live_ones_and_lend_nothing_to_their_session() -> None:
    hits = [hit(1, session="s", purged=True), hit(2, session="s")]
    best = ranked(found(hits, {1: 8.0, 2: 1.0}, {}), 10)
    assert numbers(best) == [2, 1]
    alone = ranked(found(hits[1:], {1: 8.0, 2: 1.0}, {}), 10)
    assert best[0].score == alone[0].score


@pytest.mark.parametrize("cosine", [-0.5, 0.0, 0.16])
def test_what_is_unrelated_by_meaning_and_has_no_word_in_common_is_left_out(cosine: float) -> None:
    hits = [hit(1, session="s"), hit(2, session="s")]
    alone = ranked(found(hits[1:], {2: 3.0}, {2: -0.5}), 9)
    assert ranked(found(hits, {2: 3.0}, {1: cosine, 2: -0.5}), 9) == alone
    assert numbers(alone) == [2]


def test_words_and_meaning_make_a_hit_stronger_together_than_either_alone() -> None:
    worded = evolve(hit(1), strength=0.35)
    both, words, meaning = (
        ranked(found([each], {1: by_words}, {1: cosine}), 1)[0].strength or 0.0
        for each, by_words, cosine in (
            (worded, 1.0, 1.0),
            (worded, 1.0, 0.0),
            (evolve(worded, strength=None), 0.0, 1.0),
        )
    )
    assert words == pytest.approx(0.35**WORDED_POWER)
    assert meaning == pytest.approx(MOST_LIKE * (1 - 0.16) ** 2)
    assert words < WEAK_STRENGTH < meaning < both < 1


@cases
def test_likeness_counts_by_how_far_the_nearest_is_from_the_farthest(
    others: Sequence[float], farthest: float
) -> None:
    hits = [evolve(hit(number), strength=None) for number in (1, 2, 3)]
    (best, *_) = ranked(found(hits, {}, dict(enumerate((0.8, *others), 1))), 9)
    assert best.strength == pytest.approx(MOST_LIKE * (1 - farthest / 0.8) ** 2)


@given(
    st.dictionaries(st.integers(1, 9), st.floats(0.001, 50), max_size=9),
    st.dictionaries(st.integers(1, 9), st.floats(-1, 1), max_size=9),
)
def test_no_score_is_above_one_or_below_nothing(words: dict[int, float], meaning: dict[int, float]) -> None:
    hits = [hit(number, session="s" if number % 2 else None) for number in sorted({*words, *meaning})]
    best = ranked(found(hits, words, meaning), 50)
    assert all(0 <= (each.score or 0) <= 1 + 1e-9 for each in best)


@given(
    st.dictionaries(st.integers(1, 9), st.floats(0.001, 50), max_size=9),
    st.none() | st.dictionaries(st.integers(1, 9), st.floats(-1, 1), max_size=9),
    st.sampled_from(["", "When did Ann say x?"]),
)
def test_the_features_of_a_hit_add_up_to_its_score(
    words: dict[int, float], meaning: dict[int, float] | None, question: str
) -> None:
    kinds = (Kind.NOTE, Kind.CHANGE)
    hits = [hit(each, session="s" if each % 2 else None, kind=kinds[each % 3 == 0]) for each in sorted(words)]
    candidates = Candidates(
        hits=hits,
        words=scores(words),
        meaning=None if meaning is None else scores(meaning),
        preferences=Preferences.of(question, ByText(question).words),
    )
    explained = ranked(candidates, 50, explain=True)
    assert [each.score for each in explained] == [sum((each.features or {}).values()) for each in explained]
    plain = tuple(evolve(each, features=None, likeness=None) for each in explained)
    assert plain == ranked(candidates, 50)


@pytest.mark.parametrize("covered", [0.0, SURE_STRENGTH])
def test_words_count_for_more_in_a_list_of_keywords(covered: float) -> None:
    hits = [evolve(hit(each), strength=SURE_STRENGTH / 2) for each in (1, 2, 3)]
    meaning = scores({1: 0.2, 2: 0.3, 3: 0.6})
    words = LIST_WORDS_WEIGHT * max(0.5, covered / SURE_STRENGTH) ** 2
    share = Candidates(hits=hits, words={}, meaning=meaning, covered=covered).words_share
    assert share == pytest.approx(words / (words + 0.25))


def topics(question: str, *notes: str) -> float | None:
    desk = desk_with(*notes, *map(str, range(9)))
    asked = ByText(question)
    return covered_by_topics(asked, desk.searching(desk.call, SearchRequest(selector=asked)).hits)


@cases
def test_topics_of_a_list_of_keywords_cover_it_together(
    question: str, notes: list[str], covered: float | None
) -> None:
    assert topics(question, *notes) == (covered and pytest.approx(covered))


def test_a_list_of_keywords_whose_topics_cover_it_is_no_weak_match() -> None:
    assert (label([0.1], LEAST_COVERED), label([0.1], LEAST_COVERED - 0.1)) == ((), (WEAK,))


def test_rankings_are_merged_by_strength_and_keep_their_order() -> None:
    def hits(everywhere: str, *strengths: float | None) -> list[Hit]:
        return [evolve(hit(1), short_id=everywhere, strength=each) for each in strengths]

    merged = beside(hits("here", 0.9, 0.5, 0.6, None), hits("there", 0.9, 0.55, 0.1))
    assert [(hit.short_id, hit.strength) for hit in merged] == [
        ("here", 0.9),
        ("there", 0.9),
        ("there", 0.55),
        ("here", 0.5),
        ("here", 0.6),
        ("there", 0.1),
        ("here", None),
    ]
