"""Find the observations that given ids mean."""

from collections.abc import Sequence
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.projects.resolver import ProjectContext
from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.ids import id_prefix
from lamella.domain.memories.query import Hit
from lamella.domain.validation import listed
from lamella.ports.storage.observations import ObservationStorage

_CANDIDATES = 5
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


def resolve(given: Sequence[str], observations: ObservationStorage) -> Resolved:
    """Look up ids, of purged observations too.

    Args:
        given: Full ids, with or without hyphens, or beginnings of at least four characters.
        observations: The observations of the project.

    Raises:
        InvalidValueError: `given` is no list of texts.
    """
    resolved = Resolved()
    prefixes = {each: id_prefix(each) for each in map(str.strip, listed("ids", given))}
    asked = list(dict.fromkeys(filter(None, prefixes.values())))
    hits = observations.starting_with(asked, limit=_CANDIDATES) if asked else {}
    known: set[UUID] = set()
    for each, prefix in prefixes.items():
        matches = hits[prefix] if prefix else ()
        if not matches:
            resolved.missing.append(each)
        elif len(matches) > 1:
            resolved.ambiguous[each] = tuple(
                Candidate(id=match.short_id, title=match.observation.title) for match in matches
            )
        elif matches[0].observation.id not in known:
            known.add(matches[0].observation.id)
            resolved.found[each] = matches[0]
    return resolved


def resolve_in_places(given: Sequence[str], here: ProjectContext) -> Resolved:
    """Look up ids in a project, and those that it doesn't know among memories that hold everywhere.

    Args:
        given: Full ids, or beginnings of at least four characters.
        here: The project.

    Raises:
        InvalidValueError: `given` is no list of texts.
    """
    resolved = resolve(given, here.observations)
    others = here.everywhere if resolved.missing else None
    if others is None:
        return resolved
    more = resolve(resolved.missing, others.observations)
    found = {**resolved.found, **{each: evolve(hit, everywhere=True) for each, hit in more.found.items()}}
    return Resolved(
        # In the order in which they were given.
        found={each: found[each] for each in dict.fromkeys(map(str.strip, given)) if each in found},
        missing=more.missing,
        ambiguous={**resolved.ambiguous, **more.ambiguous},
    )
