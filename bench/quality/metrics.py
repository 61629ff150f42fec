"""Measures of a ranking, and confidence intervals of their means.

Relevance is binary. The figures are those of information retrieval (Manning, Raghavan and Schütze, "Introduction
to Information Retrieval", 2008, chapter 8; nDCG after Järvelin and Kekäläinen, 2002).
"""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from attrs import frozen

RESAMPLES = 2_000
_CONFIDENCE = 95.0
_SEED = 1


@frozen
class Estimate:
    """A mean, and the interval that holds it in 95 % of the samples that could have been drawn."""

    mean: float
    low: float
    high: float


def recall_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the relevant that is among the first `k`."""
    return len(set(ranking[:k]) & set(relevant)) / len(relevant)


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """One divided by the place of the first relevant one; 0 where there is none."""
    return next((1 / place for place, key in enumerate(ranking, 1) if key in relevant), 0.0)


def ndcg_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Discounted cumulative gain of the first `k`, as a share of the best that there could be."""
    gain = sum(1 / math.log2(place + 1) for place, key in enumerate(ranking[:k], 1) if key in relevant)
    return gain / sum(1 / math.log2(place + 1) for place in range(1, min(k, len(relevant)) + 1))


def judged(ranking: Sequence[str], relevant: Collection[str]) -> Mapping[str, float]:
    """Every figure of one ranking, by its name."""
    return {
        **{f"R@{k}": recall_at(k, ranking, relevant) for k in (1, 3, 5, 10, 20)},
        "MRR": reciprocal_rank(ranking, relevant),
        "nDCG@10": ndcg_at(10, ranking, relevant),
    }


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of `values` with its interval by the percentile bootstrap (Efron 1979), the same at every run."""
    sample = np.asarray(values)
    chosen = np.random.default_rng(_SEED).integers(len(sample), size=(RESAMPLES, len(sample)))
    margin = (100 - _CONFIDENCE) / 2
    low, high = np.percentile(sample[chosen].mean(axis=1), [margin, 100 - margin])
    return Estimate(float(sample.mean()), float(low), float(high))
