"""Page about the context that hooks gave to the model: tokens of each session, and the memories of one session."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from starlette.responses import Response

from lamella.domain.audit.activity import Activity, ActivityKind, SessionActivity
from lamella.domain.text.ages import short_date
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.rendering.plots import Bar, bars

_PERIODS = (1, 7, 30, 90)
_SESSIONS, _ENTRIES = 15, 8
_LISTED = 100
"""Maximum number of memories on a page about one session. Further entries go to the next page."""

_MOST = 10_000
"""Maximum number of a session's entries to show."""


def shown(context: PageContext) -> Response:
    """Show the activity of hooks in each session, latest first. For one session, show its memories instead."""
    period = context.number("days", 7, most=_PERIODS[-1])
    only = context.text("session") or None
    sessions = context.lamella.show_activity(context.call, days=period, session=only)
    return _one(context, sessions, period) if only else _all(context, sessions, period)


def _all(context: PageContext, sessions: Sequence[SessionActivity], period: int) -> Response:
    activity, zone = context.lamella.show_activity, context.call.zone
    dates = [context.today - timedelta(days=period - number) for number in range(period + 1)]
    begins = [datetime.combine(each, time(), zone).astimezone(UTC) for each in dates]
    by_day = list(zip(dates, activity.tokens(context.call, begins), strict=True))
    listed = context.on_page(sessions, _SESSIONS)
    entries = defaultdict[str | None, list[Activity]](list)
    for each in activity.entries(context.call, [s.session for s in listed], days=period, limit=_ENTRIES):
        entries[each.session].append(each)
    return context.show(
        "shown/sessions.html",
        sessions=listed,
        count=sum(bool(each.session and each.times) for each in sessions),
        entries=entries,
        period=period,
        periods=_PERIODS,
        times=sum(each.times for each in sessions),
        tokens=sum(each.tokens for each in sessions),
        by_day=by_day,
        plot=bars(
            "Tokens that the model was shown on each day",
            [Bar(short_date(day, context.today), (number,)) for day, number in by_day],
        ),
        more=len(sessions) > context.page * _SESSIONS,
    )


def _one(context: PageContext, sessions: Sequence[SessionActivity], period: int) -> Response:
    ids = [each.session for each in sessions]
    entries = context.lamella.show_activity.entries(context.call, ids, days=period, limit=_MOST)
    pages = _pages([each for each in entries if each.kind is ActivityKind.INJECTED])
    page = context.number("page", most=len(pages))
    named = {id: UUID(id) for each in pages[page - 1] for id in each.memories}
    found = context.memories(named.values())
    return context.show(
        "shown/session.html",
        session=sessions[0] if sessions else None,
        entries=pages[page - 1],
        memories={id: found[named[id]] for id in named if named[id] in found},
        period=period,
        more=page < len(pages),
    )


def _pages(entries: Sequence[Activity]) -> list[list[Activity]]:
    """Return the entries in pages with about the same number of memories."""
    pages: list[list[Activity]] = [[]]
    listed = 0
    for each in entries:
        pages[-1].append(each)
        # Count an entry without memories as one, because it takes a line too.
        listed += 1 + len(each.memories)
        if listed >= _LISTED:
            pages.append([])
            listed = 0
    return pages if pages[-1] or len(pages) == 1 else pages[:-1]
