"""Corrections: notes that state something else about the subject of an older note.

A correction changes one part of a statement. Items of a list, such as the ports of several services, differ in two
parts, or in how they begin (measured: `bench/README.md`).
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from attrs import evolve

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.search import weights
from lamella.domain.search.weights import Feature
from lamella.domain.text.words import STOP_WORDS

SIMILAR = 10
"""Most candidates for the memory that a new one corrects."""

_LEAST_SHARED = 2
"""Fewest words in common, without stop words."""

_WORD = re.compile(r"\w+")


def corrected(saved: Observation, similar: Iterable[Hit]) -> Hit | None:
    """Return the hit that a new observation seems to correct; None if there are several, as in a list."""
    found = [hit for hit in similar if corrects(saved, hit.observation)]
    return found[0] if len(found) == 1 else None


def corrects(newer: Observation, older: Observation) -> bool:
    """Return True if a live note seems to correct an older one."""
    if {newer.kind, older.kind} != {Kind.NOTE} or newer.purged or older.purged:
        return False
    return _changes_one_part(_WORD.findall(older.content.lower()), _WORD.findall(newer.content.lower()))


def newer_first(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits in order, but each before the first older one that it seems to correct.

    Agents often save a changed decision without naming the memory it replaces, and the older one may match better.
    """
    found = list[Hit]()
    for hit in hits:
        place = next((number for number, other in enumerate(found) if _overtakes(hit, other)), len(found))
        first = hit
        if place < len(found) and hit.features is not None:
            more = (found[place].score or 0.0) - (hit.score or 0.0)
            first = evolve(hit, features={**hit.features, Feature.CORRECTION: more})
        found.insert(place, first)
    return tuple(found)


def _overtakes(hit: Hit, other: Hit) -> bool:
    newer, older = hit.observation, other.observation
    return newer.sequence > older.sequence and newer.occurred_at > older.occurred_at and corrects(newer, older)


def _changes_one_part(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return True if two texts, as words, share most words in order, and at most one part of one is another's."""
    telling, others = ([word for word in words if word not in STOP_WORDS] for words in (old, new))
    least = max(_LEAST_SHARED, weights.LEAST_KEPT * min(len(telling), len(others)))
    if sum(map(set(others).__contains__, telling)) < least:
        return False
    parts = SequenceMatcher(None, telling, others, autojunk=False).get_opcodes()
    changed = [start for tag, start, *_ in parts if tag == "replace"]
    kept = sum(end - start for tag, start, end, *_ in parts if tag == "equal")
    return (
        kept >= least
        and len(changed) <= 1
        and 0 not in changed
        and SequenceMatcher(None, old, new, autojunk=False).ratio() >= weights.LEAST_ALIKE
    )
