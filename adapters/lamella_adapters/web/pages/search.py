"""Search, with marks, strength and filters; without a question, the latest memories."""

from collections.abc import Mapping
from uuid import UUID

from attrs import frozen
from starlette.responses import Response

from lamella.application.search.request import SearchRequest
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import MAX_QUERY_CHARACTERS, ByText, Filters, Hit, Recent, days
from lamella.domain.replies.message_window import SPEAKERS
from lamella_adapters.web.visit import Visit

PAGE = 20
"""Results of one page."""

_ALL, _ONLY = "with", "only"
"""Choices of whether purged memories take part, besides that they don't."""

_FILTERS = ("kind", "source", "path", "since", "until", "session", "author", "purged")

_QUICK: Mapping[str, Mapping[str, str]] = {
    "Everything": {},
    "Decisions": {"kind": DECISION},
    "Notes": {"kind": Kind.NOTE},
    "Changes": {"kind": Kind.CHANGE},
    "Summaries": {"kind": Kind.SUMMARY},
    "Purged": {"purged": _ONLY},
}
"""Filters that are a click away."""


@frozen(kw_only=True)
class Quick:
    """A link that sets a filter."""

    name: str
    link: str
    chosen: bool


def search(visit: Visit) -> Response:
    """Show what a question brings up."""
    question, page = visit.text("q"), visit.number("page")
    if len(question) > MAX_QUERY_CHARACTERS:
        raise InvalidValueError(
            name="The question",
            given=f"{len(question)} characters",
            allowed=f"at most {MAX_QUERY_CHARACTERS} characters",
        )
    purged, since, until = visit.choice("purged", _ALL, _ONLY), visit.day("since"), visit.day("until")
    request = SearchRequest(
        selector=ByText(question) if question else Recent(),
        filters=filters_of(visit),
        limit=page * PAGE + 1,
        include_purged=purged in (_ALL, _ONLY),
        include_messages=bool(visit.text("messages")) and bool(question),
    )
    answer = visit.lamella.search(visit.call, request, fold=True)
    hits = answer.hits[(page - 1) * PAGE : page * PAGE]
    return visit.show(
        "search.html",
        question=question,
        hits=hits,
        answer=answer,
        messages=answer.messages[:PAGE] if page == 1 else (),
        page=page,
        more=len(answer.hits) > page * PAGE,
        first=(page - 1) * PAGE + 1,
        filtered=any(map(visit.text, _FILTERS)) or bool(visit.text("messages")),
        contrary=since and until and since > until,
        quick=_quick(visit),
        speakers=SPEAKERS,
        kinds=[("", "any"), (DECISION, "decision"), *((each.value, each.value) for each in Kind)],
        kind_of=kind_of,
    )


def filters_of(visit: Visit) -> Filters:
    """Return the filters that a form names.

    Raises:
        InvalidValueError: A kind or a day is none.
    """
    kind, source = visit.choice("kind", *Kind, DECISION), visit.text("source") or None
    if kind == DECISION:
        kind, source = Kind.NOTE, DECISION
    since, until = days(visit.day("since"), visit.day("until"), visit.call.zone)
    return Filters(
        kind=Kind(kind) if kind else None,
        source=source,
        path=visit.text("path") or None,
        since=since,
        until=until,
        session=visit.text("session") or None,
        author=visit.text("author") or None,
        only_purged=visit.text("purged") == _ONLY,
    )


def kind_of(hit: Hit) -> str:
    """Return what a memory is called: a decision is a note of that source."""
    memory = hit.observation
    return DECISION if memory.kind is Kind.NOTE and memory.source == DECISION else memory.kind.value


def replaced_by(visit: Visit, id: UUID, project: str) -> tuple[Hit, ...]:
    """Return the memories whose place another one took, latest first."""
    request = SearchRequest(filters=Filters(replaced_by=id), limit=PAGE, include_purged=True)
    return visit.lamella.search(visit.caller.call(project=project), request).hits


def _quick(visit: Visit) -> list[Quick]:
    present = {name: visit.text(name) for name in ("kind", "purged")}
    return [
        Quick(
            name=name,
            link=visit.link("/", q=visit.text("q"), **chosen),
            chosen=present == {"kind": "", "purged": "", **chosen},
        )
        for name, chosen in _QUICK.items()
    ]
