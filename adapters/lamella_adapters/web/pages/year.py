"""A year of memory: saves of each day, decisions in force, tokens and warnings."""

from datetime import timedelta

from attrs import evolve
from starlette.responses import Response

from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Filters, RecallQuery, days
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.timeline import counted
from lamella_adapters.web.rendering.plots import calendar, year_until

_LATEST = 8
_MOST = 10_000
"""Maximum number of decisions to count."""


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
        total=sum(counts.values()),
        active=sum(map(bool, counts.values())),
        standing=standing,
        decided=standing + here.search.count_found(purged),
        latest=here.search.find(RecallQuery(filters=made, limit=_LATEST)),
        given=given,
        first=dates[0],
        until=until,
        earlier=dates[0] - timedelta(days=1),
        later=min(today, until + timedelta(days=len(dates))),
    )
