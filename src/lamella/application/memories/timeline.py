"""Show memories around a time or another memory."""

from datetime import datetime
from itertools import zip_longest
from uuid import UUID

from attrs import define, field, frozen
from attrs.converters import optional as if_given
from attrs.validators import optional

from lamella.application.memories.resolve_ids import resolve
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.given_ids import Resolved
from lamella.domain.memories.ids import full_id
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.memories.timeline import Surroundings, TimelineQuery
from lamella.domain.text.printing import as_text, echo, read_time
from lamella.domain.validation import as_id, at_least, is_text
from lamella.ports.system import Clock

_EACH_SIDE = 5
"""Maximum number of neighbours to return on each side of an observation."""


@frozen(kw_only=True)
class TimelineRequest:
    """Request for a timeline.

    Attributes:
        anchor: Id of a memory, prefix of an id, or time in ISO 8601. A time without a zone is in UTC. None for
            now.
        before: Maximum number of memories before the anchor.
        after: Maximum number of memories after the anchor.
        session: Show only memories of this session; None for all.
    """

    anchor: str | None = field(default=None, converter=if_given(as_id), validator=optional(is_text))
    before: int = field(default=5, validator=at_least(0))
    after: int = field(default=5, validator=at_least(0))
    session: str | None = field(default=None, converter=if_given(as_text), validator=optional(is_text))


@define
class ShowTimeline:
    """Find the memories directly before and after an anchor."""

    projects: ProjectResolver
    clock: Clock

    def __call__(self, call: Call, request: TimelineRequest) -> Surroundings:
        """Return the memories around the anchor, from the whole project or from one session.

        Raises:
            InvalidValueError: The anchor is neither an id nor a time.
            ObservationNotFoundError: No live memory has the id.
            AmbiguousIdError: The id matches several memories.
            UnknownProjectError: The project doesn't exist.
        """
        here = self.projects.find(call)
        anchor = self.clock.now() if request.anchor is None else _anchor(here, request.anchor)
        query = TimelineQuery(anchor, before=request.before, after=request.after, session=request.session)
        found = here.search.around(query)
        if found.centre is not None and found.centre.observation.purged:
            raise ObservationNotFoundError(id=str(anchor))
        return Surroundings.of(anchor, found)


def _anchor(here: ProjectContext, given: str) -> UUID | datetime:
    """Parse an id or a time. A date such as 2026-01-31 has hyphens, so it is never taken for a prefix of an id."""
    if (whole := full_id(given)) is not None:
        return whole
    resolved = Resolved() if "-" in given else resolve((given,), here.observations)
    resolved.require_unambiguous()
    return next(iter(resolved.ids), None) or _time(given)


def _time(given: str) -> datetime:
    try:
        return read_time(given)
    except (ValueError, OverflowError):
        raise InvalidValueError(
            name="'anchor'", given=f'"{echo(given)}"', allowed="the id of a memory or a time in ISO 8601"
        ) from None


def nearest_first(here: ProjectContext, centre: Observation, *, include_purged: bool) -> list[Hit]:
    """Return the neighbours of an observation, nearest first.

    Neighbours are from the observation's session or, if it has no session, from its project. Of two equally near
    neighbours, the earlier comes first.
    """
    each, session = _EACH_SIDE, centre.session
    query = TimelineQuery(centre.id, before=each, after=each, session=session, include_purged=include_purged)
    near = here.search.around(query)
    pairs = zip_longest(reversed(near.before), near.after)
    return [hit for pair in pairs for hit in pair if hit is not None]
