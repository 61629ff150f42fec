"""Get memories by their full ids."""

from collections.abc import Sequence

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.memories.ids import full_id
from lamella.domain.memories.observation import Observation
from lamella.domain.validation import listed


@frozen(kw_only=True)
class Found:
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

    def __call__(self, call: Call, ids: Sequence[str]) -> Found:
        """Return the live memories with some ids.

        Args:
            call: The context.
            ids: Full ids, with or without hyphens.

        Raises:
            InvalidValueError: `ids` is no list of texts.
            UnknownProjectError: There is no such project.
        """
        storage = self.projects.find(call).observations
        asked = {given: full_id(given) for given in listed("ids", ids)}
        found = storage.get_all(dict.fromkeys(filter(None, asked.values())))
        live = {id: observation for id, observation in found.items() if not observation.purged}
        return Found(
            observations=tuple(live.values()),
            missing=tuple(given for given, id in asked.items() if id not in live),
        )
