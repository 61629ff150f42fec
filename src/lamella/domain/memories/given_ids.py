"""Look-up of memories by ids from users."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import define, field

from lamella.domain.memories.errors import AmbiguousIdError, Candidate
from lamella.domain.memories.ids import id_prefix
from lamella.domain.memories.query import Hit
from lamella.domain.validation import listed

CANDIDATES = 5
"""Maximum number of observations to list for an ambiguous id."""


@define
class Resolved:
    """Result of looking up ids.

    Attributes:
        found: Found observations as hits, keyed by the given id. If two given ids match one observation, only the
            first id is a key.
        missing: Ids without an observation.
        ambiguous: Candidates for each ambiguous prefix.
    """

    found: dict[str, Hit] = field(factory=dict)
    missing: list[str] = field(factory=list)
    ambiguous: dict[str, tuple[Candidate, ...]] = field(factory=dict)

    @property
    def ids(self) -> tuple[UUID, ...]:
        """Full ids of the found observations."""
        return tuple(hit.observation.id for hit in self.found.values())

    def require_unambiguous(self) -> None:
        """Check that every prefix stands for one observation at most.

        Raises:
            AmbiguousIdError: A prefix is ambiguous.
        """
        for prefix, candidates in self.ambiguous.items():
            raise AmbiguousIdError(prefix=prefix, candidates=candidates)

    @property
    def unclear(self) -> dict[str, str]:
        """Texts that list the candidates, keyed by the ambiguous prefix."""
        return {each: f"ambiguous: {'; '.join(map(str, those))}" for each, those in self.ambiguous.items()}


def prefixes_of(given: Sequence[str]) -> Mapping[str, str | None]:
    """Return the prefix to look up for each id, trimmed; None for an impossible id.

    Args:
        given: Full ids, with or without hyphens, or prefixes of at least four characters.

    Raises:
        InvalidValueError: `given` is not a list of texts.
    """
    return {each: id_prefix(each) for each in map(str.strip, listed("ids", given))}


def resolved(prefixes: Mapping[str, str | None], hits: Mapping[str, Sequence[Hit]]) -> Resolved:
    """Return the memories for given ids.

    Args:
        prefixes: The result of `prefixes_of`.
        hits: At most `CANDIDATES` hits for each prefix.
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
