"""Search, with marks, strength and filters; without a question, the latest memories."""

from uuid import UUID

from starlette.responses import Response

from lamella.application.search.request import SearchRequest
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import MAX_QUERY_CHARACTERS, ByText, Filters, Hit, Recent, days
from lamella.domain.replies.explanation import explained
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.tables import TABLES

PAGE = 20
"""Results of one page."""

_ALL, _ONLY = "with", "only"
"""Choices of whether purged memories take part, besides that they don't."""

_FILTERS = ("kind", "source", "path", "since", "until", "session", "author", "branch", "purged", "all")


def search(context: PageContext) -> Response:
    """Show what a question brings up."""
    question, page = context.text("q"), context.page
    if len(question) > MAX_QUERY_CHARACTERS:
        raise InvalidValueError(
            name="The question",
            given=f"{len(question)} characters",
            allowed=f"at most {MAX_QUERY_CHARACTERS} characters",
        )
    purged, since, until = context.choice("purged", _ALL, _ONLY), context.day("since"), context.day("until")
    request = SearchRequest(
        selector=ByText(question) if question else Recent(),
        filters=filters_of(context),
        limit=page * PAGE + 1,
        include_purged=purged in (_ALL, _ONLY),
        include_messages=bool(context.text("messages")) and bool(question),
        explain=bool(context.text("explain")),
        all_projects=bool(context.text("all")),
    )
    answer = context.lamella.search(context.call, request, fold=True)
    return context.show(
        "search.html",
        question=question,
        hits=context.on_page(answer.hits, PAGE),
        answer=answer,
        explained=lambda hit: () if hit.features is None else explained(hit, answer.words),
        messages=answer.messages[:PAGE] if page == 1 else (),
        more=len(answer.hits) > page * PAGE,
        first=(page - 1) * PAGE + 1,
        filtered=any(map(context.text, _FILTERS)) or bool(context.text("messages")),
        contrary=since and until and since > until,
        quick=TABLES["quick"],
        kinds=[("", "any"), (DECISION, "decision"), *((each.value, each.value) for each in Kind)],
    )


def filters_of(context: PageContext) -> Filters:
    """Return the filters that a form names.

    Raises:
        InvalidValueError: A kind or a day is none.
    """
    kind, source = context.choice("kind", *Kind, DECISION), context.text("source") or None
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
        only_purged=context.text("purged") == _ONLY,
    )


def replaced_by(context: PageContext, id: UUID, project: str) -> tuple[Hit, ...]:
    """Return the memories whose place another one took, latest first."""
    request = SearchRequest(filters=Filters(replaced_by=id), limit=PAGE, include_purged=True)
    return context.lamella.search(context.caller.call(project=project), request).hits
