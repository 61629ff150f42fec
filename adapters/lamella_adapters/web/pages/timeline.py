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
from lamella_adapters.web.pages.search import kind_of
from lamella_adapters.web.rendering.plots import Bar, bars
from lamella_adapters.web.visit import Visit

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


def timeline(visit: Visit) -> Response:
    """Show the days until one, and the memories of that day or of the latest that has any."""
    zone = visit.call.zone
    today = visit.lamella.projects.clock.now().astimezone(zone).date()
    asked = visit.day("day")
    until = visit.day("until") or (max(asked, today - timedelta(days=DAYS)) if asked else today)
    if asked and not until - timedelta(days=DAYS) < asked <= until:
        until = asked + timedelta(days=DAYS // 2)
    counted = _counted(visit, until)
    shown = asked or next((each.date for each in reversed(counted) if each.all), until)
    page = visit.number("page")
    since, end = days(shown, shown, zone)
    request = SearchRequest(filters=Filters(since=since, until=end), limit=page * PAGE + 1)
    found = visit.lamella.search(visit.call, request).hits
    hits = found[(page - 1) * PAGE : page * PAGE]
    names = _names(visit)
    sessions = [
        (session, names.get(session), list(group))
        for session, group in groupby(hits, lambda hit: hit.observation.session)
    ]
    return visit.show(
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


def _counted(visit: Visit, until: date) -> Sequence[Day]:
    """Return the days until one, the earliest first."""
    dates = [until - timedelta(days=DAYS - 1 - number) for number in range(DAYS + 1)]
    moments = [since for since, _ in (days(each, None, visit.call.zone) for each in dates) if since]
    counts = visit.lamella.projects.find(visit.call).search.kinds(since=moments).since
    return [
        Day(
            date=each,
            notes=counts[number].get(Kind.NOTE, 0) - counts[number + 1].get(Kind.NOTE, 0),
            changes=counts[number].get(Kind.CHANGE, 0) - counts[number + 1].get(Kind.CHANGE, 0),
            summaries=counts[number].get(Kind.SUMMARY, 0) - counts[number + 1].get(Kind.SUMMARY, 0),
        )
        for number, each in enumerate(dates[:-1])
    ]


def _names(visit: Visit) -> dict[str | None, str]:
    """Return the names of conversations by id."""
    here = visit.lamella.projects.find(visit.call)
    if not here.keeps(Capability.CONVERSATIONS):
        return {}
    return {each.id: each.name for each in here.conversations().sessions()}
