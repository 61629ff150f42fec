"""Get memories by their full ids."""

from collections.abc import Sequence

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.memories.ids import full_id
from lamella.domain.memories.observation import Observation
from lamella.domain.validation import listed


@frozen(kw_only=True)
class FoundMemories:
    """Result of a lookup.

    Attributes:
        observations: The live observations, each once, in the order of their ids.
        missing: Ids that no live observation has, as they were given.
    """

    observations: tuple[Observation, ...]
    missing: tuple[str, ...]


@define
class GetObservations:
    """Look up live memories by full ids."""

    projects: ProjectResolver

    def __call__(self, call: Call, ids: Sequence[str]) -> FoundMemories:
        """Return the live memories with some ids, of the project or of those that hold everywhere.

        Args:
            call: The context.
            ids: Full ids, with or without hyphens.

        Raises:
            InvalidValueError: `ids` is no list of texts.
            UnknownProjectError: There is no such project.
        """
        here = self.projects.find(call)
        asked = {given: full_id(given) for given in listed("ids", ids)}
        wanted = dict.fromkeys(filter(None, asked.values()))
        found = dict(here.observations.get_all(wanted))
        left = [id for id in wanted if id not in found]
        if left and (others := here.everywhere) is not None:
            found |= others.observations.get_all(left)
            found = {id: found[id] for id in wanted if id in found}
        live = {id: observation for id, observation in found.items() if not observation.purged}
        return FoundMemories(
            observations=tuple(live.values()),
            missing=tuple(given for given, id in asked.items() if id not in live),
        )
