"""The toolset `unified`: two tools with short descriptions, to save tokens.

One tool saves; the other searches, views, purges and restores.
"""

from collections.abc import Mapping
from enum import StrEnum

from attrs import fields_dict, frozen

from lamella.application.memories import save
from lamella.application.search.recall import RecallRequest
from lamella.domain.memories import limits
from lamella.domain.memories import query as queries
from lamella.domain.memories.errors import NoneChangedError
from lamella.domain.memories.observation import MAX_KEYWORDS_CHARACTERS
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella.domain.replies.hints import NO_HINTS, Hints
from lamella.domain.replies.views import Detail
from lamella_adapters.mcp.toolsets.arguments import KEYWORDS, QUERY, ArgumentError, argument
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall, texts_of

_TEXTS = texts_of("unified")
INSTRUCTIONS, READING = _TEXTS["instructions"], _TEXTS["reading"]


_PASSED_ON = ("detail", "limit", "include_purged", "include_messages", "all_projects", "cursor")
"""Arguments of `recall` passed unchanged to its request."""


class Action(StrEnum):
    """Action of `recall` on the memories with the given ids."""

    VIEW = "view"
    PURGE = "purge"
    RESTORE = "restore"
    KEEP = "keep"
    """Mark memories as right, so that reviews don't list them again."""


@frozen(kw_only=True)
class SaveArguments:
    """Arguments of `save_memory`."""

    text: str = argument("Self-contained: what and why.", most=save.MAX_TEXT_CHARACTERS)
    title: str = argument("Else generated.", default="", most=MAX_TITLE_CHARACTERS)
    source: str = argument(
        "'decision' marks a decision.", default=save.DEFAULT_SOURCE, most=save.MAX_SOURCE_CHARACTERS
    )
    paths: tuple[str, ...] = argument("Its files.", default=(), most=save.MAX_PATHS)
    replaces: tuple[str, ...] = argument("Ids it corrects.", default=(), most=limits.MAX_LIMIT)
    everywhere: bool = argument("Every project.", default=False)
    keywords: str | None = argument(KEYWORDS, default=None, most=MAX_KEYWORDS_CHARACTERS)


@frozen(kw_only=True)
class RecallArguments:
    """Arguments of `recall`."""

    query: str | None = argument(f"{QUERY} Or #tag, branch:name.", default=None, most=limits.MAX_QUERY_CHARACTERS)
    id: str | None = argument("One memory.", default=None)
    title: str | None = argument("Part of a title.", default=None, most=limits.MAX_SHORT_QUERY_CHARACTERS)
    ids: tuple[str, ...] = argument("From a result.", default=(), most=limits.MAX_LIMIT)
    action: Action = argument("purge hides.", default=Action.VIEW)
    detail: Detail = argument("Length.", default=Detail.COMPACT)
    limit: int = argument("Most results.", default=limits.DEFAULT_LIMIT, least=1, most=limits.MAX_LIMIT)
    include_purged: bool = argument("Purged too.", default=False)
    mode: queries.Mode = argument("auto: words and meaning.", default=queries.Mode.AUTO)
    days_back: int | None = argument("Last N days.", default=None, least=1)
    session_only: bool = argument("This session.", default=False)
    path: str | None = argument("File or folder.", default=None)
    include_messages: bool = argument("Messages too.", default=False)
    all_projects: bool = argument("All projects.", default=False)
    cursor: str | None = argument("From a reply.", default=None)


def save_memory(call: ToolCall) -> str:
    """Save a memory, and reply with its id and title."""
    # Over HTTP, the arguments may name a project, too.
    given = {name: getattr(call.arguments, name) for name in fields_dict(SaveArguments)}
    return "\n".join(call.lamella.save(call.context, save.SaveRequest(**given)).report())


def recall(call: ToolCall) -> str:
    """Check the arguments, then view, purge, restore or confirm memories."""
    given: RecallArguments = call.arguments
    if given.ids and (given.query or given.id or given.title):
        raise ArgumentError("Provide either a search query or IDs to act on, not both.")
    if given.action is Action.VIEW:
        return call.lamella.recall(call.context, _request(call, given))
    ids = given.ids or ((given.id,) if given.id else ())
    if not ids:
        raise ArgumentError(f"Provide ids array or id to specify which memories to {given.action}.")
    if given.cursor:
        raise ArgumentError(f"A cursor continues a view; leave it out to {given.action}.")
    match given.action:
        case Action.PURGE:
            outcome, done = call.lamella.purge(call.context, ids), "Purged"
        case Action.RESTORE:
            outcome, done = call.lamella.restore(call.context, ids), "Restored"
        case _:
            outcome, done = call.lamella.review.keep(call.context, ids), "Kept"
    reply = call.lamella.recall.page_budget.trimmed(outcome.report(done))
    if not outcome.changed:
        raise NoneChangedError(reply=reply)
    return reply


def _request(call: ToolCall, given: RecallArguments) -> RecallRequest:
    session = call.session if given.session_only else None
    return RecallRequest(
        selector=_selector(given),
        filters=queries.Filters(days_back=given.days_back, session=session, path=given.path),
        hints=_hints(call.registered),
        **{name: getattr(given, name) for name in _PASSED_ON},
    )


def _hints(registered: Mapping[str, str]) -> Hints:
    saves = registered.get(save_memory.__name__)
    if saves is None:
        return NO_HINTS
    restore = f'{registered[recall.__name__]}(ids=["{{id}}"], action="restore")'
    return Hints(save=f"Use {saves} to add one.", restore=restore)


def _selector(given: RecallArguments) -> queries.Selector:
    """Return the selector for the first given argument."""
    if given.ids:
        return queries.ByIds(given.ids)
    if given.id:
        return queries.ById(given.id)
    if given.query:
        return queries.ByText(given.query, given.mode)
    return queries.ByTitle(given.title) if given.title else queries.Recent()


TOOLS = (
    Tool(**_TEXTS["save_memory"], arguments=SaveArguments, answer=save_memory),
    Tool(
        **_TEXTS["recall"],
        arguments=RecallArguments,
        answer=recall,
        changes_by=("action",),
        across_projects_by=("all_projects",),
    ),
)
"""The tools of the toolset."""
