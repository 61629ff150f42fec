"""Observations as JSON objects, for programs."""

from typing import NotRequired, TypedDict

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.replies.snippets import COMPACT_CHARACTERS, around_match, beginning
from lamella.domain.replies.views import printed_score
from lamella.domain.text.printing import cut, printed_line, printed_time

_SOURCE_CHARACTERS = 100
_TIMELINE_CHARACTERS = 200


class SearchResult(TypedDict):
    """A hit with its score and a snippet."""

    id: str
    score: float | None
    snippet: str
    source: str
    createdAt: str


class TimelineItem(TypedDict):
    """An observation with the beginning of its text."""

    id: str
    text: str
    source: str
    sessionId: str | None
    createdAt: str


class WholeObservation(TimelineItem):
    """An observation with its whole text."""

    updatedAt: str
    author: NotRequired[str]
    keywords: NotRequired[str]


def search_result(hit: Hit) -> SearchResult:
    """Return a hit with its score and a snippet."""
    observation = hit.observation
    return {
        "id": str(observation.id),
        "score": None if hit.strength is None else printed_score(hit.strength),
        "snippet": around_match(observation.content, hit.spans, COMPACT_CHARACTERS),
        "source": _source(observation),
        "createdAt": printed_time(observation.created_at),
    }


def whole_observation(observation: Observation) -> WholeObservation:
    """Return an observation with its whole text. Leave out an unknown author and empty keywords."""
    whole: WholeObservation = {
        "id": str(observation.id),
        "text": observation.content,
        "source": observation.source,
        "sessionId": observation.session,
        "createdAt": printed_time(observation.created_at),
        "updatedAt": printed_time(observation.updated_at),
    }
    if observation.author:
        whole["author"] = observation.author
    if observation.keywords:
        whole["keywords"] = observation.keywords
    return whole


def timeline_item(observation: Observation) -> TimelineItem:
    """Return an observation with the beginning of its text."""
    more = "..." if len(observation.content) > _TIMELINE_CHARACTERS else ""
    return {
        "id": str(observation.id),
        "text": beginning(observation.content, _TIMELINE_CHARACTERS) + more,
        "source": _source(observation),
        "sessionId": observation.session,
        "createdAt": printed_time(observation.created_at),
    }


def _source(observation: Observation) -> str:
    # Truncate after escaping, because escaped hidden characters are long.
    return cut(printed_line(observation.source), _SOURCE_CHARACTERS)
