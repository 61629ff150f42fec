"""Memories that given ids mean."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import define, field

from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.ids import id_prefix
from lamella.domain.memories.query import Hit
from lamella.domain.validation import listed

CANDIDATES = 5
"""Observations that an ambiguous id lists."""


@define
class Resolved:
    """The observations of given ids.

    Attributes:
        found: Hits by the given id, each observation once.
        missing: Ids that no observation has.
        ambiguous: Candidates for each beginning that several observations have.
    """

    found: dict[str, Hit] = field(factory=dict)
    missing: list[str] = field(factory=list)
    ambiguous: dict[str, tuple[Candidate, ...]] = field(factory=dict)

    @property
    def ids(self) -> tuple[UUID, ...]:
        """Full ids of what was found."""
        return tuple(hit.observation.id for hit in self.found.values())

    @property
    def unclear(self) -> dict[str, str]:
        """Why each ambiguous beginning means no observation."""
        return {each: f"ambiguous: {'; '.join(map(str, those))}" for each, those in self.ambiguous.items()}


def as_ids(given: Sequence[str | UUID]) -> tuple[str, ...]:
    """Return ids as texts. What is no list stays as it is, for a validator to refuse."""
    if not isinstance(given, list | tuple):
        return given  # type: ignore[return-value]
    return tuple(str(each) if isinstance(each, UUID) else each for each in given)


def prefixes_of(given: Sequence[str]) -> Mapping[str, str | None]:
    """Return what to look for by each of some ids, trimmed; None for one that no observation can have.

    Args:
        given: Full ids, with or without hyphens, or beginnings of at least four characters.

    Raises:
        InvalidValueError: `given` is no list of texts.
    """
    return {each: id_prefix(each) for each in map(str.strip, listed("ids", given))}


def resolved(prefixes: Mapping[str, str | None], hits: Mapping[str, Sequence[Hit]]) -> Resolved:
    """Return what given ids mean.

    Args:
        prefixes: What `prefixes_of` returned for them.
        hits: At most `CANDIDATES` hits for each of these.
    """
    found, known = Resolved(), set[UUID]()
    for each, prefix in prefixes.items():
        matches = hits[prefix] if prefix else ()
        if not matches:
            found.missing.append(each)
        elif len(matches) > 1:
            found.ambiguous[each] = tuple(
                Candidate(id=match.short_id, title=match.observation.title) for match in matches
            )
        elif matches[0].observation.id not in known:
            known.add(matches[0].observation.id)
            found.found[each] = matches[0]
    return found
