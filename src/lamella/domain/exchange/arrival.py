"""Memories that come from elsewhere."""

from attrs import field, frozen
from attrs.converters import optional

from lamella.domain.memories.observation import Observation
from lamella.domain.text.keys import stored_key


@frozen(kw_only=True)
class Arrival:
    """Memory on its way in: an observation as it was elsewhere.

    Attributes:
        observation: The observation, with its id, times and status. `sequence` is ignored: storage gives the next.
            `project` is that which it goes to.
        request: Permanent name of the call or capture that it was recorded with, if any.
    """

    observation: Observation
    request: str | None = field(default=None, converter=optional(stored_key))
