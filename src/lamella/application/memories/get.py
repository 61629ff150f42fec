"""Get memories by their full ids."""

from collections.abc import Sequence
from uuid import UUID

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.memories.ids import full_id
from lamella.domain.memories.observation import Observation
from lamella.domain.validation import listed
from lamella.ports.storage.observations import ObservationStorage


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
        found: dict[UUID, Observation] = {}
        missing: dict[str, None] = {}
        for given in listed("ids", ids):
            observation = _live(storage, given)
            if observation is None:
                missing[given] = None
            else:
                found[observation.id] = observation
        return Found(observations=tuple(found.values()), missing=tuple(missing))


def _live(storage: ObservationStorage, given: str) -> Observation | None:
    id = full_id(given)
    found = () if id is None else storage.starting_with(id.hex, limit=1)
    return found[0] if found and not found[0].purged else None
