"""Folding: captured edits of one request of the user are one line of a reply."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from attrs import evolve

from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import Hit
from lamella.domain.text.printing import printed_line

_MOST_NAMES = 5
"""Names of files in a title."""


def folded(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return hits in their order, edits of one session and prompt as one: the first, which holds the others."""
    requests: dict[object, list[Hit]] = {}
    for hit in hits:
        requests.setdefault(_request(hit.observation), []).append(hit)
    return tuple(evolve(first, folded=tuple(others)) if others else first for first, *others in requests.values())


def folded_title(hit: Hit) -> str:
    """Return the title of a hit that holds others: `3 edits: a.py, b.py, c.py`."""
    edits = [hit, *hit.folded]
    paths = (change.path for each in edits for change in each.observation.changes)
    names = [*dict.fromkeys(printed_line(PurePosixPath(path).name) for path in paths)]
    more = ["..."] if len(names) > _MOST_NAMES else []
    return f"{len(edits)} edits: {', '.join([*names[:_MOST_NAMES], *more])}"


def _request(observation: Observation) -> object:
    """Return what edits of one request have in common; of any other memory its id."""
    edit = observation.kind is Kind.CHANGE and observation.source in (EDITED, FOUND)
    if not edit or observation.session is None or observation.purged:
        return observation.id
    return observation.session, observation.title
