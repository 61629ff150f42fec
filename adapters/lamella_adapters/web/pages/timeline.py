"""Timeline: how much was saved on each day, and one day by session."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby

from attrs import frozen
from starlette.responses import Response

from lamella.application.search.request import SearchRequest
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Filters, days
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.search import kind_of
from lamella_adapters.web.rendering.plots import Bar, bars

DAYS = 30
"""Days of a plot."""

PAGE = 40
"""Memories of one page of a day."""


@frozen(kw_only=True)
class Day:
    """Numbers of a day.

    Attributes:
        date: The day.
        notes: Notes that were saved.
        changes: Changes that were captured, or learned from history.
        summaries: Summaries of sessions.
    """

    date: date
    notes: int
    changes: int
    summaries: int

    @property
    def all(self) -> int:
        """All memories of the day."""
        return self.notes + self.changes + self.summaries


def timeline(context: PageContext) -> Response:
    """Show the days until one, and the memories of that day or of the latest that has any."""
    zone = context.call.zone
    today = context.lamella.projects.clock.now().astimezone(zone).date()
    asked = context.day("day")
    until = context.day("until") or (max(asked, today - timedelta(days=DAYS)) if asked else today)
    if asked and not until - timedelta(days=DAYS) < asked <= until:
        until = asked + timedelta(days=DAYS // 2)
    counted = _counted(context, until)
    shown = asked or next((each.date for each in reversed(counted) if each.all), until)
    page = context.number("page")
    since, end = days(shown, shown, zone)
    request = SearchRequest(filters=Filters(since=since, until=end), limit=page * PAGE + 1)
    found = context.lamella.search(context.call, request).hits
    hits = found[(page - 1) * PAGE : page * PAGE]
    names = _names(context)
    sessions = [
        (session, names.get(session), list(group))
        for session, group in groupby(hits, lambda hit: hit.observation.session)
    ]
    return context.show(
        "timeline.html",
        days=counted,
        plot=bars(
            f"Memories saved on each of the {DAYS} days until {until}",
            [Bar(f"{each.date:%d %b}", (each.notes, each.changes, each.summaries)) for each in counted],
        ),
        shown=shown,
        until=until,
        today=today,
        sessions=sessions,
        page=page,
        more=len(found) > page * PAGE,
        kind_of=kind_of,
        earlier=until - timedelta(days=DAYS),
        later=min(today, until + timedelta(days=DAYS)),
        before=shown - timedelta(days=1),
        after=shown + timedelta(days=1),
    )


def _counted(context: PageContext, until: date) -> Sequence[Day]:
    """Return the days until one, the earliest first."""
    dates = [until - timedelta(days=DAYS - 1 - number) for number in range(DAYS + 1)]
    moments = [since for since, _ in (days(each, None, context.call.zone) for each in dates) if since]
    counts = context.lamella.projects.find(context.call).search.kinds(since=moments).since
    return [
        Day(
            date=each,
            notes=counts[number].get(Kind.NOTE, 0) - counts[number + 1].get(Kind.NOTE, 0),
            changes=counts[number].get(Kind.CHANGE, 0) - counts[number + 1].get(Kind.CHANGE, 0),
            summaries=counts[number].get(Kind.SUMMARY, 0) - counts[number + 1].get(Kind.SUMMARY, 0),
        )
        for number, each in enumerate(dates[:-1])
    ]


def _names(context: PageContext) -> dict[str | None, str]:
    """Return the names of conversations by id."""
    here = context.lamella.projects.find(context.call)
    if not here.keeps(Capability.CONVERSATIONS):
        return {}
    return {each.id: each.name for each in here.conversations().sessions()}
