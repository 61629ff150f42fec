"""Prefer what a person said whom the question names: dialogue is saved as `Name: what was said`."""

import re
from collections.abc import Sequence

from attrs import evolve

from lamella.domain.memories.query import Hit
from lamella.domain.text.words import query_words

POOL = 30
"""Hits that are looked at for a question that may name somebody (measured: 20 to 100 do equally well)."""

_PREFERENCE = 2.0
"""Factor for what a named person said (measured: 1.4 to 2, see `bench/README.md`)."""

_SPEAKER = re.compile(r"\s*([^\W\d_][^\W_]*(?: [^\W\d_][^\W_]*){0,2}):\s")


def names(question: str) -> frozenset[str]:
    """Return the words of a question that may be names, in small letters: those with a capital."""
    return frozenset(
        word.forms[0].lower()
        for word in query_words(question)
        if word.forms[0][:1].isupper() and not word.identifier
    )


def preference(text: str, named: frozenset[str]) -> float:
    """Return what the score of a text is multiplied by."""
    speaker = _SPEAKER.match(text) if named else None
    return _PREFERENCE if speaker and not named.isdisjoint(speaker[1].lower().split()) else 1.0


def preferring(hits: Sequence[Hit], named: frozenset[str], limit: int) -> tuple[Hit, ...]:
    """Return the best hits by words, those of named persons preferred; purged ones follow all live ones."""
    scored = [evolve(hit, score=(hit.score or 0.0) * preference(hit.observation.content, named)) for hit in hits]
    best = sorted(scored, key=lambda hit: (hit.observation.purged, -(hit.score or 0.0), -hit.observation.sequence))
    return tuple(best[:limit])
