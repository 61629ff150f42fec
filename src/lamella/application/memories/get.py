"""Get memories by their full ids."""

from collections.abc import Sequence
from uuid import UUID

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.memories.ids import full_id
from lamella.domain.memories.observation import Observation
from lamella.domain.validation import listed
from lamella.ports.storage.observations import ObservationStorage


@frozen(kw_only=True)
class Found:
    """The observations that were asked for, and the ids that no live one has, each in the order asked."""

    observations: tuple[Observation, ...]
    missing: tuple[str, ...]


@define
class GetObservations:
    """Look up live memories by full ids."""

    projects: ProjectResolver

    def __call__(self, call: Call, ids: Sequence[str]) -> Found:
        """Return the memories with these ids, each once.

        Raises:
            InvalidValueError: `ids` is no list of texts.
            UnknownProjectError: there is no such project.
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
    if id is None:
        return None
    try:
        observation = storage.get(id)
    except ObservationNotFoundError:
        return None
    return None if observation.purged else observation
