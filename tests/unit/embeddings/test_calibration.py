"""Percentages that mean the same for every model."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.embeddings.calibrate import calibrated
from lamella.domain.embeddings.calibration import TYPICAL, Calibration, meaning_score
from lamella.ports.embedder import Embedder
from tests.unit.embeddings.meaning_desks import Broken, Zero
from tests.unit.support.stand_ins import ConceptEmbedder
from tests.unit.support.tables import cases

ANCHORED = Calibration(unrelated=0.1, paraphrase=0.6)


def test_the_score_is_one_at_the_same_direction_and_41_percent_at_right_angles() -> None:
    assert meaning_score(1.0) == 1.0
    assert meaning_score(0.0) == pytest.approx(0.4142, abs=1e-4)
    assert meaning_score(-1.0) == pytest.approx(1 / 3)


def test_a_cosine_that_rounding_has_made_more_than_one_is_one() -> None:
    assert meaning_score(1.0000001) == 1.0


def test_the_percentage_is_the_logistic_curve_through_the_anchors() -> None:
    assert [ANCHORED.percent(cosine) for cosine in (-1, 0, 0.1, 0.6, 0.8, 1)] == [0, 1, 2, 98, 100, 100]
    low, high = meaning_score(0.1), meaning_score(0.6)
    steepness = 2 * math.log(49) / (high - low)
    curve = 100 / (1 + math.exp(-steepness * (meaning_score(0.3) - (low + high) / 2)))
    assert ANCHORED.percent(0.3) == round(curve)


def test_below_5_percent_texts_have_nothing_to_do_with_each_other() -> None:
    asked = [cosine / 100 for cosine in range(-100, 101)]
    assert [ANCHORED.related(cosine) for cosine in asked] == [ANCHORED.percent(cosine) >= 5 for cosine in asked]
    assert (ANCHORED.related(0.1), ANCHORED.related(0.2)) == (False, True)


@given(
    st.tuples(*[st.floats(-1, 1)] * 2).map(sorted).filter(lambda anchors: anchors[1] - anchors[0] >= 0.05),
    st.lists(st.floats(-1, 1), min_size=2),
)
def test_percentages_rise_with_the_cosine_from_0_to_100(anchors: Sequence[float], cosines: list[float]) -> None:
    calibration = Calibration(unrelated=anchors[0], paraphrase=anchors[1])
    percents = [calibration.percent(cosine) for cosine in sorted(cosines)]
    assert percents == sorted(percents)
    assert set(percents) <= set(range(101))


def test_anchors_are_the_inner_quartiles_of_what_was_measured() -> None:
    measured = Calibration.of(unrelated=[0.0, 0.1, 0.2, 0.3, 0.4], paraphrases=[0.5, 0.6, 0.7, 0.8, 0.9])
    assert measured == Calibration(unrelated=0.3, paraphrase=0.6)


@cases
def test_a_model_that_tells_nothing_apart_gets_typical_anchors(
    unrelated: list[float], paraphrases: list[float]
) -> None:
    assert Calibration.of(unrelated, paraphrases) == TYPICAL


def test_a_model_that_knows_none_of_the_words_gets_typical_anchors() -> None:
    assert calibrated(ConceptEmbedder(concepts=("xyzzy", "plugh"))) == TYPICAL


@pytest.mark.parametrize("embedder", [Broken(), Zero()])
def test_a_model_that_makes_no_direction_of_the_texts_gets_typical_anchors(embedder: Embedder) -> None:
    assert calibrated(embedder) == TYPICAL
