"""Get memories by their ids."""

from collections.abc import Sequence

from attrs import define, frozen

from lamella.application.memories.resolve_ids import resolve_in_places
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.memories.observation import Observation


@frozen(kw_only=True)
class FoundMemories:
    """Result of a lookup.

    Attributes:
        observations: Live observations in the order of the given ids, without duplicates.
        missing: Given ids without a live observation, trimmed, without duplicates.
    """

    observations: tuple[Observation, ...]
    missing: tuple[str, ...]


@define
class GetObservations:
    """Look up live memories by ids."""

    projects: ProjectResolver

    def __call__(self, call: Call, ids: Sequence[str]) -> FoundMemories:
        """Return the live memories with these ids, from the project and the global memories.

        Args:
            call: Context of the call.
            ids: Full ids, with or without hyphens, or prefixes of at least four characters.

        Raises:
            InvalidValueError: `ids` is not a list of texts.
            AmbiguousIdError: An id matches several memories.
            UnknownProjectError: The project doesn't exist.
        """
        resolved = resolve_in_places(ids, self.projects.find(call))
        resolved.require_unambiguous()
        found = {given: hit.observation for given, hit in resolved.found.items()}
        left = {*resolved.missing, *(given for given, each in found.items() if each.purged)}
        return FoundMemories(
            observations=tuple(each for each in found.values() if not each.purged),
            missing=tuple(each for each in dict.fromkeys(map(str.strip, ids)) if each in left),
        )
