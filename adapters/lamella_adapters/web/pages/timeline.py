"""Timeline: numbers of memories in each day, one day's sessions, a year with decisions, tokens and warnings."""

from collections import Counter
from datetime import date, timedelta
from itertools import groupby

from attrs import evolve
from starlette.responses import Response

from lamella.application.search.request import SearchRequest
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Filters, RecallQuery, days
from lamella.domain.text.ages import short_date
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.conversations import sessions_of
from lamella_adapters.web.rendering.plots import Bar, bars, calendar, year_until

DAYS = 30
"""Number of days in a plot."""

_PLOTTED = (Kind.NOTE, Kind.CHANGE, Kind.SUMMARY)
"""Kinds of memories in a bar, from the axis upwards."""

PAGE = 40
"""Number of memories on a page of one day."""

_LATEST = 8
"""Maximum number of decisions to list on the page of a year."""

_MOST = 10_000
"""Maximum number of decisions to count."""


def timeline(context: PageContext) -> Response:
    """Show the days up to a day. List the memories of the chosen day, or else of the latest day with memories."""
    zone, today = context.call.zone, context.today
    asked = context.day("day")
    until = context.day("until") or today
    if asked and not until - timedelta(days=DAYS) < asked <= until:
        until = min(asked + timedelta(days=DAYS // 3), max(asked, today))
    counts = counted(context, until, DAYS)
    shown = asked or next((day for day, kinds in reversed(counts.items()) if kinds.total()), until)
    since, end = days(shown, shown, zone)
    request = SearchRequest(filters=Filters(since=since, until=end), limit=context.page * PAGE + 1)
    found = context.lamella.search(context.call, request).hits
    names = {each.id: each.name for each in sessions_of(context)}
    sessions = [
        (session, names.get(session or ""), list(group))
        for session, group in groupby(context.on_page(found, PAGE), lambda hit: hit.observation.session)
    ]
    return context.show(
        "timeline.html",
        days=counts,
        plotted=_PLOTTED,
        plot=bars(
            f"Memories saved on each of the {DAYS} days until {until}",
            [_bar(context, day, kinds, chosen=day == shown) for day, kinds in counts.items()],
        ),
        shown=shown,
        until=until,
        sessions=sessions,
        more=len(found) > context.page * PAGE,
        earlier=until - timedelta(days=DAYS),
        later=min(today, until + timedelta(days=DAYS)),
        before=shown - timedelta(days=1),
        after=shown + timedelta(days=1),
    )


def _bar(context: PageContext, day: date, kinds: Counter[Kind], *, chosen: bool) -> Bar:
    """Return the bar of a day, with a link to the memories of that day."""
    name, total = short_date(day, context.today), kinds.total()
    return Bar(
        name,
        [kinds[each] for each in _PLOTTED],
        link=context.link("/timeline", day=day.isoformat(), until=context.text("until")) if total else "",
        says=f"{name}: {total:,} {'memory' if total == 1 else 'memories'}",
        chosen=chosen,
    )


def counted(context: PageContext, until: date, number: int) -> dict[date, Counter[Kind]]:
    """Count memories by kind for the `number` days up to `until`, earliest first."""
    dates = [until - timedelta(days=ago) for ago in range(number - 1, -2, -1)]
    moments = [since for since, _ in (days(each, None, context.call.zone) for each in dates) if since]
    since = context.lamella.projects.find(context.call).search.kinds(since=moments).since
    return {
        day: Counter(from_it) - Counter(later)
        for day, from_it, later in zip(dates, since, since[1:], strict=False)
    }


def year(context: PageContext) -> Response:
    """Show the 53 weeks up to a day."""
    zone, today = context.call.zone, context.today
    until = min(context.day("until") or today, today)
    dates = year_until(until)
    since, end = days(dates[0], until, zone)
    counts = {day: kinds.total() for day, kinds in counted(context, until, len(dates)).items() if day <= until}
    here = context.lamella.projects.find(context.call)
    made = Filters(kind=Kind.NOTE, source=DECISION, since=since, until=end)
    given = here.activity().totals(since) if since and here.keeps(Capability.ACTIVITY) else None
    standing = here.search.count_found(RecallQuery(filters=made, limit=_MOST))
    purged = RecallQuery(filters=evolve(made, only_purged=True), limit=_MOST, include_purged=True)
    return context.show(
        "year.html",
        plot=calendar(counts),
        counts=counts,
        months={day.replace(day=1): day for day in counts},
        standing=standing,
        decided=standing + here.search.count_found(purged),
        latest=here.search.find(RecallQuery(filters=made, limit=_LATEST)),
        given=given,
        first=dates[0],
        until=until,
        earlier=dates[0] - timedelta(days=1),
        later=min(today, until + timedelta(days=len(dates))),
    )
