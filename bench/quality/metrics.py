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
    """A mean with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def recall_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Return the share of relevant results among the first `k`."""
    return len(set(ranking[:k]) & set(relevant)) / len(relevant)


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Return one divided by the rank of the first relevant result; 0 without a relevant result."""
    return next((1 / place for place, key in enumerate(ranking, 1) if key in relevant), 0.0)


def ndcg_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float:
    """Return the discounted cumulative gain of the first `k` results, as a share of its maximum."""
    gain = sum(1 / math.log2(place + 1) for place, key in enumerate(ranking[:k], 1) if key in relevant)
    return gain / sum(1 / math.log2(place + 1) for place in range(1, min(k, len(relevant)) + 1))


def judged(ranking: Sequence[str], relevant: Collection[str]) -> Mapping[str, float]:
    """Return all measures of one ranking, by name."""
    return {
        **{f"R@{k}": recall_at(k, ranking, relevant) for k in (1, 3, 5, 10, 20)},
        "MRR": reciprocal_rank(ranking, relevant),
        "nDCG@10": ndcg_at(10, ranking, relevant),
    }


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of `values` with a percentile bootstrap interval (Efron 1979), from a fixed seed."""
    sample = np.asarray(values)
    chosen = np.random.default_rng(_SEED).integers(len(sample), size=(RESAMPLES, len(sample)))
    margin = (100 - _CONFIDENCE) / 2
    low, high = np.percentile(sample[chosen].mean(axis=1), [margin, 100 - margin])
    return Estimate(float(sample.mean()), float(low), float(high))
