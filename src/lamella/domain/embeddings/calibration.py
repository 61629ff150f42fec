"""Similarity of two texts, in percent that mean the same for every model.

The score of a hit by meaning is 1 / (1 + distance), with the distance between unit vectors: 0.41 at right angles.
Models differ in how near to each other they put texts that have nothing in common, and texts that say the same.
So the score goes through a logistic curve whose two parameters are fitted to the model (Platt, "Probabilistic
Outputs for Support Vector Machines", 1999):

    percent = 100 / (1 + exp(-steepness * (score - middle)))

They are chosen so that the anchor of unrelated texts gets 2 %, and that of paraphrases 98 %.
"""

import math
import statistics
from collections.abc import Sequence
from typing import Final

from attrs import frozen

_ANCHORED: Final = 0.98
"""Share that the paraphrase anchor gets; the anchor of unrelated texts gets the rest."""

RELATED_PERCENT: Final = 5
"""Texts less alike than this have nothing to do with each other (measured: `bench/README.md`)."""

_LEAST_GAP: Final = 0.05
"""Between the cosines of the anchors; a model that puts them nearer to each other tells nothing apart."""


def meaning_score(cosine: float) -> float:
    """Return 1 / (1 + distance) of two unit vectors with this cosine."""
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * cosine)))


@frozen(kw_only=True)
class Calibration:
    """The anchors of one model, as cosines.

    Attributes:
        unrelated: Three of four pairs of unrelated texts have less.
        paraphrase: Three of four pairs of paraphrases have at least this.
    """

    unrelated: float
    paraphrase: float

    @classmethod
    def of(cls, unrelated: Sequence[float], paraphrases: Sequence[float]) -> "Calibration":
        """Return the anchors of a model.

        They are those of a typical sentence transformer if the model can't tell the kinds of pairs apart, or
        knows too few of the words.

        Args:
            unrelated: Cosines of pairs of unrelated texts.
            paraphrases: Cosines of pairs that say the same.
        """
        if min(len(unrelated), len(paraphrases)) > 1:
            below = statistics.quantiles(unrelated, method="inclusive")[2]
            reached = statistics.quantiles(paraphrases, method="inclusive")[0]
            if reached - below >= _LEAST_GAP:
                return cls(unrelated=below, paraphrase=reached)
        return TYPICAL

    def percent(self, cosine: float) -> int:
        """Return how alike two texts are, from 0 to 100; it rises with their score."""
        low, high = meaning_score(self.unrelated), meaning_score(self.paraphrase)
        steepness = 2 * math.log(_ANCHORED / (1 - _ANCHORED)) / (high - low)
        # The same curve as above, in a form that no score makes overflow.
        return round(50 + 50 * math.tanh(steepness / 2 * (meaning_score(cosine) - (low + high) / 2)))

    def related(self, cosine: float) -> bool:
        """Return True if two texts have anything to do with each other."""
        return self.percent(cosine) >= RELATED_PERCENT


TYPICAL: Final = Calibration(unrelated=0.16, paraphrase=0.66)
"""The anchors of all-MiniLM-L6-v2, as measured where others are measured too."""
