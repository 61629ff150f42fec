"""Find pairs of notes that are nearer to each other than to their other neighbours, by words or by meaning.

A similarity alone says little, because in one part of a project all notes are similar, and in another part none
are. The margin of a pair is twice its similarity, less the mean similarities of both notes with their nearest
neighbours (cross-domain similarity local scaling; Conneau et al., "Word Translation Without Parallel Data", 2018).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest, nsmallest
from itertools import chain
from typing import TypeVar

from lamella.domain.embeddings.vector import Vector

NEIGHBOURS = 3
"""Number of nearest neighbours whose similarities are averaged.

With 5 instead of 3, the number of found pairs is the same, but twice as many pairs are false.
"""

EXACT_DIGITS = 9
"""Decimal places to round similarities to, so that a similarity doesn't depend on the order of summation."""

_EXACT = 10**EXACT_DIGITS
"""Weights of words are multiplied by this and summed as integers, which is exact, and faster than with floats."""

_TOLERANCE = 1e-6
"""Tolerance for rounding."""

_COMMON = 50
"""A word in more notes than this is ignored, because it says little about a note's subject."""

_CANDIDATES = 40
"""Number of notes to compare exactly with each note: the notes with the most similar bit codes (`Vector.code`)."""

_LINKS = 10
"""To find groups, each note is linked to this number of its most similar notes."""

_T = TypeVar("_T")

Near = Mapping[_T, Mapping[_T, float]]
"""Similarities of notes, keyed by note, then by the other note.

Each note has at least its nearest `NEIGHBOURS` notes, if there are as many other notes.
"""


def standing_out(near: Near[int], least: float) -> Iterator[tuple[float, int, int]]:
    """Yield each pair of notes with at least the margin `least` (positive), as the margin and the two indexes.

    The lower index comes first.
    """
    usual = {
        note: math.fsum(sorted(others.values(), reverse=True)[:NEIGHBOURS]) / NEIGHBOURS
        for note, others in near.items()
    }
    for one, others in near.items():
        enough = least + usual[one] - _TOLERANCE
        for other, similarity in others.items():
            if 2 * similarity < enough + usual[other]:
                continue
            back = near[other].get(one, -math.inf)
            margin = round(2 * similarity - usual[one] - usual[other], EXACT_DIGITS)
            if margin >= least and (back < similarity or (back == similarity and one < other)):
                yield margin, min(one, other), max(one, other)


def neighbours(vectors: Mapping[_T, Vector]) -> Near[_T]:
    """Return the cosines of each vector with its nearest vectors.

    Return an empty mapping if there are at most `NEIGHBOURS` vectors.
    """
    if len(vectors) <= NEIGHBOURS:
        return {}
    codes = {one: int.from_bytes(vector.code) for one, vector in vectors.items()}
    near: dict[_T, dict[_T, float]] = {}
    for one, code in codes.items():
        differing = {other: (code ^ each).bit_count() for other, each in codes.items() if other != one}
        others = nsmallest(_CANDIDATES, differing, key=differing.__getitem__)
        near[one] = {other: vectors[one].cosine(vectors[other]) for other in others}
    return near


def shared_words(notes: Sequence[frozenset[str]]) -> tuple[Near[int], Sequence[float]]:
    """Return the weight of the words shared by each pair of notes, and the weight of all words of each note.

    The weight of a word is its IDF divided by the IDF of a word in two notes. So a word in two notes has weight 1.

    Args:
        notes: The words of each note.
    """
    held = Counter(chain.from_iterable(notes))
    rare = math.log((max(len(notes), 2) + 1) / 2)
    by_count = {count: round(_EXACT * math.log((len(notes) + 1) / count) / rare) for count in {*held.values()}}
    worth = {word: by_count[count] for word, count in held.items()}
    earlier: dict[str, list[int]] = {word: [] for word, count in held.items() if 1 < count <= _COMMON}
    shared: dict[int, dict[int, float]] = {number: {} for number in range(len(notes))}
    for number, words in enumerate(notes):
        found: dict[int, int] = defaultdict(int)
        for word in words & earlier.keys():
            weight, others = worth[word], earlier[word]
            for other in others:
                found[other] += weight
            others.append(number)
        for other, weight in found.items():
            shared[number][other] = shared[other][number] = weight / _EXACT
    return shared, [sum(map(worth.__getitem__, words)) / _EXACT for words in notes]


def groups(near: Near[int], most: int) -> Collection[frozenset[int]]:
    """Return groups of similar notes, joining the most similar notes first (Kruskal's algorithm).

    Args:
        near: Similarities of each note to other notes.
        most: Maximum size of a group. Two groups are joined only if the result isn't larger.
    """
    links = {
        (similarity, min(one, other), max(one, other))
        for one, others in near.items()
        for similarity, other in nlargest(_LINKS, zip(others.values(), others, strict=True))
    }
    joined: dict[int, set[int]] = {}
    for _, *pair in sorted(links, reverse=True):
        join(joined, pair, most)
    return set(map(frozenset, joined.values()))


def join(joined: dict[_T, set[_T]], pair: Iterable[_T], most: float = math.inf) -> bool:
    """Join the groups of a pair.

    Returns:
        False if both are in one group already, or if the joined group would have more than `most` items.
    """
    first, second = (joined.setdefault(each, {each}) for each in pair)
    if first is second or len(first) + len(second) > most:
        return False
    first |= second
    joined.update(dict.fromkeys(second, first))
    return True
