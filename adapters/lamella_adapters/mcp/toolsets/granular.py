"""The toolset `granular`: a tool for each verb, with replies in JSON for programs."""

from collections.abc import Sequence
from datetime import datetime
from typing import NotRequired, TypedDict

from attrs import frozen

from lamella.application.memories.purge_restore_erase import ALREADY_PURGED
from lamella.application.memories.save import DEFAULT_SOURCE, MAX_SOURCE_CHARACTERS, SaveRequest
from lamella.application.memories.timeline import TimelineRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.ids import full_id
from lamella.domain.memories.limits import DEFAULT_LIMIT, MAX_SHORT_QUERY_CHARACTERS
from lamella.domain.memories.observation import MAX_KEYWORDS_CHARACTERS, Observation
from lamella.domain.memories.query import ByText
from lamella.domain.replies import json_layout
from lamella.domain.replies.budget import REPLY_CHARACTERS, Reply, TokenBudget
from lamella.domain.replies.paging import own_size
from lamella.domain.replies.snippets import beginning
from lamella.domain.text.printing import cut, one_line, printed_json, printed_line, printed_time, visible
from lamella_adapters.mcp.toolsets.arguments import KEYWORDS, QUERY, argument
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall, texts_of

_TEXTS = texts_of("granular")
INSTRUCTIONS, READING = _TEXTS["instructions"], _TEXTS["reading"]

_MAX_TEXT_CHARACTERS = 5_000
_MAX_RESULTS = 20
_MAX_IDS = 10
_MAX_NEIGHBOURS = 20
_SAVED_CHARACTERS = 80
_ID_CHARACTERS = 80
"""Maximum length of an unknown id quoted in a reply."""

_PROJECT = "Another project, by its id or alias; else that of the working directory."


@frozen(kw_only=True)
class SaveArguments:
    """Arguments of `save_memory`."""

    text: str = argument(
        "What to remember, self-contained: what, why, outcome.", least=1, most=_MAX_TEXT_CHARACTERS
    )
    source: str = argument(
        "Where it comes from; 'decision' marks a decision.", default=DEFAULT_SOURCE, most=MAX_SOURCE_CHARACTERS
    )
    keywords: str | None = argument(KEYWORDS, default=None, most=MAX_KEYWORDS_CHARACTERS)
    projectId: str | None = argument(_PROJECT, default=None)


@frozen(kw_only=True)
class SearchArguments:
    """Arguments of `search`."""

    query: str = argument(QUERY, least=1, most=MAX_SHORT_QUERY_CHARACTERS)
    limit: int = argument("Most results.", default=DEFAULT_LIMIT, least=1, most=_MAX_RESULTS)
    projectId: str | None = argument(_PROJECT, default=None)


@frozen(kw_only=True)
class GetArguments:
    """Arguments of `get_observations`."""

    ids: tuple[str, ...] = argument("Full UUIDs, from {search} or {timeline}.", least=1, most=_MAX_IDS)
    projectId: str | None = argument(_PROJECT, default=None)


@frozen(kw_only=True)
class TimelineArguments:
    """Arguments of `timeline`."""

    anchor: str | None = argument(
        "A time in ISO 8601 (UTC unless it says otherwise), or the full UUID of a memory; default now.",
        default=None,
    )
    before: int = argument("Most memories before the anchor.", default=5, least=1, most=_MAX_NEIGHBOURS)
    after: int = argument("Most memories after the anchor.", default=5, least=0, most=_MAX_NEIGHBOURS)
    sessionId: str | None = argument("Only memories of this session.", default=None)
    projectId: str | None = argument(_PROJECT, default=None)


@frozen(kw_only=True)
class ForgetArguments:
    """Arguments of `forget`."""

    id: str = argument("Full UUID of the memory.", least=1)
    projectId: str | None = argument(_PROJECT, default=None)


class Done(TypedDict):
    """Data of a reply of `save_memory` or `forget`."""

    id: str
    message: str


class Saved(Done):
    """Data of a reply of `save_memory`. `corrects` is the id of a memory that the new memory seems to correct."""

    corrects: NotRequired[str]


class Found(TypedDict):
    """Data of a reply of `search`."""

    results: list[json_layout.SearchResult]
    totalCount: int
    query: str
    tokenEstimate: int


class Read(TypedDict):
    """Data of a reply of `get_observations`."""

    observations: list[json_layout.WholeObservation]
    not_found: list[str]
    omitted: list[str]


class Timeline(TypedDict):
    """Data of a reply of `timeline`."""

    items: list[json_layout.TimelineItem]
    anchor: str
    totalBefore: int
    totalAfter: int
    hasMore: bool


def save_memory(call: ToolCall) -> Reply:
    """Save a memory, and reply with its id and the beginning of its text."""
    given: SaveArguments = call.arguments
    request = SaveRequest(text=given.text, source=given.source, keywords=given.keywords)
    saved = call.lamella.save(call.within(given.projectId), request)
    begins = beginning(one_line(saved.observation.content), _SAVED_CHARACTERS)
    lines = [f"Memory saved (id: {saved.observation.id}). Text: {begins}...", *saved.redactions()]
    if saved.corrected is not None:
        older = saved.corrected.observation
        lines.append(f"Corrects {older.id}? Then forget it: {printed_line(older.title)}")
    message = "\n".join(lines)
    data: Saved = {"id": str(saved.observation.id), "message": message}
    if saved.corrected is not None:
        data["corrects"] = str(saved.corrected.observation.id)
    return Reply((message,), data, _linked(given.projectId, [saved.observation]))


def search(call: ToolCall) -> Reply:
    """Reply with the best hits, as many as the budget allows."""
    given: SearchArguments = call.arguments
    query = cut(visible(given.query), MAX_SHORT_QUERY_CHARACTERS)
    request = SearchRequest(selector=ByText(given.query), limit=given.limit)
    hits = call.lamella.search(call.within(given.projectId), request).hits
    budget = call.lamella.recall.page_budget
    results = [json_layout.search_result(hit) for hit in hits]

    def reply(shown: int) -> Reply:
        cut = (
            f"Showing {shown} of {len(hits)} results."
            " Use a more specific query or reduce limit to see different results."
        )
        linked = _linked(given.projectId, [hit.observation for hit in hits[:shown]])

        def telling(tokens: int) -> Reply:
            data: Found = {
                "results": results[:shown],
                "totalCount": len(hits),
                "query": query,
                "tokenEstimate": tokens,
            }
            if not hits:
                return Reply((f"No observations found matching '{query}'.",), data)
            return Reply((printed_json(data), *([cut] if shown < len(hits) else ())), data, linked)

        return telling(own_size(lambda tokens: telling(tokens).text, budget.count))

    return budget.first(len(hits), reply)


def get_observations(call: ToolCall) -> Reply:
    """Reply with whole memories, up to the length that clients display."""
    given: GetArguments = call.arguments
    found = call.lamella.get(call.within(given.projectId), given.ids)
    missing = [cut(printed_line(id), _ID_CHARACTERS) for id in found.missing]
    whole = [json_layout.whole_observation(each) for each in found.observations]
    if not whole:
        nothing: Read = {"observations": [], "not_found": missing, "omitted": []}
        return Reply(("No observations found for the provided IDs.",), nothing)

    def reply(shown: Sequence[int], text: str | None = None) -> Reply:
        read = [whole[number] for number in shown]
        if text is not None:
            read = [{**whole[0], "text": text}]
        omitted = [each["id"] for number, each in enumerate(whole) if number not in shown]
        data: Read = {"observations": read, "not_found": missing, "omitted": omitted}
        blocks = (
            printed_json(read),
            *([printed_json({"not_found": missing})] if missing else ()),
            *([printed_json({"omitted": omitted})] if omitted else ()),
        )
        return Reply(blocks, data)

    budget = TokenBudget(REPLY_CHARACTERS, len)
    if budget.allows(reply([0]).text):
        return budget.each(len(whole), reply)
    # With its escapes, the text of the first memory can be longer than a reply. Truncate the text. Otherwise, the
    # memory could never be shown.
    text, count = found.observations[0].content, call.lamella.recall.page_budget.count

    def with_beginning(length: int) -> Reply:
        kept = cut(text, length)
        return reply([0], f"{kept}[...truncated at ~{count(kept)} tokens]")

    return with_beginning(budget.longest(0, len(text), lambda length: with_beginning(length).text))


def timeline(call: ToolCall) -> Reply:
    """Reply with the memories nearest to a time, as many as the budget allows."""
    given: TimelineArguments = call.arguments
    request = TimelineRequest(anchor=given.anchor, before=given.before, after=given.after, session=given.sessionId)
    around = call.lamella.timeline(call.within(given.projectId), request)

    def reply(count: int) -> Reply:
        nearest, anchor = around.nearest(count), around.anchor
        data: Timeline = {
            "items": [json_layout.timeline_item(each) for each in nearest.shown],
            "anchor": printed_time(anchor) if isinstance(anchor, datetime) else str(anchor),
            "totalBefore": nearest.total_before,
            "totalAfter": nearest.total_after,
            "hasMore": nearest.has_more,
        }
        return Reply((printed_json(data),), data, _linked(given.projectId, nearest.shown))

    return call.lamella.recall.page_budget.first(len(around.shown), reply)


def forget(call: ToolCall) -> Reply:
    """Purge one memory."""
    given: ForgetArguments = call.arguments
    if full_id(given.id) is None:
        raise ObservationNotFoundError(id=given.id)
    outcome = call.lamella.purge(call.within(given.projectId), [given.id])
    failure = next(iter(outcome.failures.values()), None)
    if failure and failure != ALREADY_PURGED:
        raise ObservationNotFoundError(id=given.id)
    forgotten = f"Memory forgotten (id: {given.id}). It has been removed from search but can be recovered."
    message = f"Observation {given.id} was already forgotten." if failure else forgotten
    data: Done = {"id": given.id, "message": message}
    return Reply((message,), data)


def _linked(project: str | None, memories: Sequence[Observation]) -> tuple[Observation, ...]:
    """Return the memories to link to; none if the call names a `project`.

    A client opens a link as a resource, and resources are read only from the server's own project.
    """
    return () if project else tuple(memories)


TOOLS = (
    Tool(**_TEXTS["save_memory"], arguments=SaveArguments, answer=save_memory, returns=Saved),
    Tool(**_TEXTS["search"], arguments=SearchArguments, answer=search, read_only=True, returns=Found),
    Tool(
        **_TEXTS["get_observations"], arguments=GetArguments, answer=get_observations, read_only=True, returns=Read
    ),
    Tool(**_TEXTS["timeline"], arguments=TimelineArguments, answer=timeline, read_only=True, returns=Timeline),
    Tool(**_TEXTS["forget"], arguments=ForgetArguments, answer=forget, returns=Done),
)
"""The tools of the toolset."""
