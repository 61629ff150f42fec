"""Search results with highlighted words, strength and filters. Without a question, show the latest memories."""

import re
from collections.abc import Mapping
from uuid import UUID

from attrs import frozen
from starlette.responses import Response

from lamella.application.search.counting import Count
from lamella.application.search.request import SearchRequest
from lamella.application.search.search import NO_WORDS
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.limits import MAX_QUERY_CHARACTERS
from lamella.domain.memories.query import ByIds, ByText, Filters, Hit, Recent, days
from lamella.domain.replies.explanation import explained
from lamella.domain.search.strength import WEAK
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.rendering.marks import Marks
from lamella_adapters.web.tables import TABLES

PAGE = 20
"""Number of results on a page."""

_ALL, _ONLY = "with", "only"
"""Values of the form field for purged memories: include them, or show only them. By default they are excluded."""

_ID = re.compile(r"[0-9a-fA-F]{8}[0-9a-fA-F-]{0,28}")
_QUICK: Mapping[str, Mapping[str, str]] = TABLES["quick"]
_FILTERS = ("source", "path", "since", "until", "session", "author", "branch", "all", "messages", "explain")
"""Filters of the form that have no chip."""


def search(context: PageContext) -> Response:
    """Show the results of a question. Redirect to the memory if the question is its id."""
    question, page = context.text("q"), context.page
    if _ID.fullmatch(question) and (asked := _with_id(context, question)):
        return context.go("/memory", id=asked.observation.id, project=asked.project.id if asked.project else None)
    if len(question) > MAX_QUERY_CHARACTERS:
        allowed = f"at most {MAX_QUERY_CHARACTERS} characters"
        raise InvalidValueError(name="The question", given=f"{len(question)} characters", allowed=allowed)
    since, until = context.day("since"), context.day("until")
    request = _request(context, question, limit=page * PAGE + 1)
    answer = context.lamella.search(context.call, request, fold=True)
    selector = ByText(question) if question else Recent()
    quick = [_request(context, question, limit=1, chip=chip) for chip in _QUICK.values()]
    *counts, total = context.lamella.count_memories(context.call, selector, [*quick, request])
    return context.show(
        "search.html",
        question=question,
        marking=Marks.of(question),
        heading=_heading(context, question),
        hits=context.on_page(answer.hits, PAGE),
        answer=answer,
        weak=WEAK,
        no_words=NO_WORDS,
        explained=lambda hit: () if hit.features is None else explained(hit, answer.words),
        messages=answer.messages[:PAGE] if page == 1 else (),
        more=len(answer.hits) > page * PAGE,
        first=(page - 1) * PAGE + 1,
        opened=any(map(context.text, _FILTERS)),
        filtered=any(map(context.text, (*_FILTERS, "kind", "purged"))),
        contrary=since and until and since > until,
        chips=[Chip.of(context, name, count) for name, count in zip(_QUICK, counts, strict=True)],
        total=total,
        kinds=[("", "any"), (DECISION, "decision"), *((each.value, each.value) for each in Kind)],
    )


@frozen
class Chip:
    """A filter above search results.

    Attributes:
        name: Name of the filter.
        count: Number of memories that match this filter and all other active filters.
        chosen: True if the filter is active.
        parameters: URL parameters that activate the filter.
    """

    name: str
    count: Count
    chosen: bool
    parameters: Mapping[str, str | None]

    @classmethod
    def of(cls, context: PageContext, name: str, count: Count) -> "Chip":
        """Return the chip with this name."""
        parameters = {each: _QUICK[name].get(each) for each in ("kind", "purged")}
        chosen = all(context.text(each) == (value or "") for each, value in parameters.items())
        return cls(name, count, chosen, parameters)


def _request(
    context: PageContext, question: str, *, limit: int, chip: Mapping[str, str] | None = None
) -> SearchRequest:
    """Return the search requested by a form. If `chip` is given, its kind and status replace those of the form."""
    if chip is None:
        chip = {"kind": context.choice("kind", *Kind, DECISION), "purged": context.choice("purged", _ALL, _ONLY)}
    return SearchRequest(
        selector=ByText(question) if question else Recent(),
        filters=filters_of(context, chip.get("kind", ""), only_purged=chip.get("purged") == _ONLY),
        limit=limit,
        include_purged=bool(chip.get("purged")),
        include_messages=bool(context.text("messages")) and bool(question),
        explain=bool(context.text("explain")),
        all_projects=bool(context.text("all")),
    )


def _heading(context: PageContext, question: str) -> str:
    """Return the heading of the page."""
    if question:
        return f"“{question}”"
    named = {each: name for name, chip in _QUICK.items() for each in chip.values()}
    return named.get(context.text("purged")) or named.get(context.text("kind"), "Memories")


def _with_id(context: PageContext, id: str) -> Hit | None:
    """Return the memory with this id or unique prefix of an id."""
    hits = context.lamella.search(context.call, SearchRequest(selector=ByIds((id.lower(),)))).hits
    return hits[0] if len(hits) == 1 else None


def filters_of(context: PageContext, kind: str, *, only_purged: bool) -> Filters:
    """Return the filters in a form, with the given kind.

    Raises:
        InvalidValueError: A date is invalid.
    """
    source = context.text("source") or None
    if kind == DECISION:
        kind, source = Kind.NOTE, DECISION
    since, until = days(context.day("since"), context.day("until"), context.call.zone)
    return Filters(
        kind=Kind(kind) if kind else None,
        source=source,
        path=context.text("path") or None,
        since=since,
        until=until,
        session=context.text("session") or None,
        author=context.text("author") or None,
        branch=context.text("branch") or None,
        only_purged=only_purged,
    )


def replaced_by(context: PageContext, id: UUID, project: str) -> tuple[Hit, ...]:
    """Return the memories that the memory `id` has replaced, latest first."""
    request = SearchRequest(filters=Filters(replaced_by=id), limit=PAGE, include_purged=True)
    return context.lamella.search(context.caller.call(project=project), request).hits
