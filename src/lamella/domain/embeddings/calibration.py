"""Similarity of two texts in percent, comparable between models.

The score of a hit by meaning is 1 / (1 + distance), with the distance between unit vectors: 0.41 at right angles.
The distance between unrelated texts differs from model to model, and so does the distance between paraphrases. A
logistic curve with two parameters for each model maps the score to percent (Platt, "Probabilistic Outputs for
Support Vector Machines", 1999):

    percent = 100 / (1 + exp(-steepness * (score - middle)))

An anchor is a typical score of one kind of text pairs (unrelated texts, or paraphrases). The two parameters are
chosen so that the anchor of unrelated texts maps to 2 %, and the anchor of paraphrases to 98 %.
"""

import math
import statistics
from collections.abc import Sequence
from typing import Final

from attrs import frozen

_ANCHORED: Final = 0.98
"""Similarity at the anchor of paraphrases, from 0 to 1.

At the anchor of unrelated texts, the similarity is 1 minus this value.
"""

RELATED_PERCENT: Final = 5
"""Similarity in percent below which texts are unrelated (measured: `bench/README.md`)."""

_LEAST_GAP: Final = 0.05
"""Minimum difference between the anchors' cosines. Below it, the model can't separate the two kinds of pairs."""


def meaning_score(cosine: float) -> float:
    """Return 1 / (1 + distance) of two unit vectors with this cosine."""
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * cosine)))


@frozen(kw_only=True)
class Calibration:
    """Two typical cosines of one model, called its anchors: for unrelated texts, and for paraphrases.

    Attributes:
        unrelated: Upper quartile of the cosines of unrelated pairs.
        paraphrase: Lower quartile of the cosines of paraphrase pairs.
    """

    unrelated: float
    paraphrase: float

    @classmethod
    def of(cls, unrelated: Sequence[float], paraphrases: Sequence[float]) -> "Calibration":
        """Return the anchors of a model.

        If the model can't separate the two kinds of pairs, or a kind has fewer than two cosines, return the
        anchors of a typical sentence transformer.

        Args:
            unrelated: Cosines of pairs of unrelated texts.
            paraphrases: Cosines of pairs with equal meaning.
        """
        if min(len(unrelated), len(paraphrases)) > 1:
            below = statistics.quantiles(unrelated, method="inclusive")[2]
            reached = statistics.quantiles(paraphrases, method="inclusive")[0]
            if reached - below >= _LEAST_GAP:
                return cls(unrelated=below, paraphrase=reached)
        return TYPICAL

    def percent(self, cosine: float) -> int:
        """Return the similarity in percent of two texts with this cosine."""
        low, high = meaning_score(self.unrelated), meaning_score(self.paraphrase)
        steepness = 2 * math.log(_ANCHORED / (1 - _ANCHORED)) / (high - low)
        # The module's logistic curve, written with tanh to avoid overflow.
        return round(50 + 50 * math.tanh(steepness / 2 * (meaning_score(cosine) - (low + high) / 2)))

    def related(self, cosine: float) -> bool:
        """Return True if two texts with this cosine are related."""
        return self.percent(cosine) >= RELATED_PERCENT


TYPICAL: Final = Calibration(unrelated=0.16, paraphrase=0.66)
"""The anchors of the model all-MiniLM-L6-v2, measured with the same text pairs as for other models."""
