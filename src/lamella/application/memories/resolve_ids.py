"""Find the observations that given ids mean."""

from collections.abc import Sequence

from attrs import define, field

from lamella.domain.errors import Candidate
from lamella.domain.memories.ids import id_prefix
from lamella.domain.memories.observation import Observation
from lamella.domain.validation import listed
from lamella.ports.storage.observations import ObservationStorage

_CANDIDATES = 5
"""Observations that an ambiguous id lists."""


@define
class Resolved:
    """The observations of given ids.

    Attributes:
        found: Observations by the given id, each once.
        missing: Ids that no observation has.
        ambiguous: Candidates for each beginning that several observations have.
    """

    found: dict[str, Observation] = field(factory=dict)
    missing: list[str] = field(factory=list)
    ambiguous: dict[str, tuple[Candidate, ...]] = field(factory=dict)


def resolve(given: Sequence[str], observations: ObservationStorage) -> Resolved:
    """Look up ids, of purged observations too.

    Args:
        given: Full ids, with or without hyphens, or beginnings of at least four characters.
        observations: The observations of the project.

    Raises:
        InvalidValueError: `given` is no list of texts.
    """
    resolved = Resolved()
    for each in dict.fromkeys(one.strip() for one in listed("ids", given)):
        prefix = id_prefix(each)
        matches = observations.starting_with(prefix, limit=_CANDIDATES) if prefix else ()
        if not matches:
            resolved.missing.append(each)
        elif len(matches) > 1:
            short = observations.short_ids([match.id for match in matches])
            resolved.ambiguous[each] = tuple(
                Candidate(id=id, title=match.title) for id, match in zip(short, matches, strict=True)
            )
        elif matches[0].id not in {known.id for known in resolved.found.values()}:
            resolved.found[each] = matches[0]
    return resolved
