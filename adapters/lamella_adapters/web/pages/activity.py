"""Page of the context that hooks gave to the model: tokens by session, and the memories of one session."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from uuid import UUID

from starlette.responses import Response

from lamella.application.maintenance.activity import SessionActivity
from lamella.ports.storage.activity import Activity
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.rendering.plots import Bar, bars

_PERIODS = (1, 7, 30, 90)
_SESSIONS, _ENTRIES = 15, 8
_LISTED = 100
"""Memories of a page about one session; one entry more than fits begins the next page."""


def shown(context: PageContext) -> Response:
    """Show the activity of hooks by session, the latest first; or the memories that one session was shown."""
    period = context.number("days", 7, most=_PERIODS[-1])
    only = context.text("session") or None
    sessions = context.lamella.show_activity(context.call, days=period, session=only)
    return _one(context, sessions, period) if only else _all(context, sessions, period)


def _all(context: PageContext, sessions: Sequence[SessionActivity], period: int) -> Response:
    zone = context.call.zone
    today = context.lamella.projects.clock.now().astimezone(zone).date()
    given = [session for session in sessions if session.session and session.given]
    tokens = Counter[date]()
    for session in given:
        for each in session.given:
            tokens[each.at.astimezone(zone).date()] += each.tokens
    dates = [today - timedelta(days=period - number) for number in range(period + 1)]
    listed = context.on_page(sessions, _SESSIONS)
    unnamed = [each.session for each in listed if each.session and not each.name]
    return context.show(
        "shown/sessions.html",
        sessions=listed,
        requests=context.lamella.overview.requests(context.call, unnamed),
        count=len(given),
        entries=_ENTRIES,
        period=period,
        periods=_PERIODS,
        times=sum(len(each.given) for each in given),
        tokens=tokens.total(),
        by_day=[(each, tokens[each]) for each in dates],
        plot=bars("Tokens that the model was shown on each day", [Bar(f"{d:%d %b}", (tokens[d],)) for d in dates]),
        more=len(sessions) > context.page * _SESSIONS,
    )


def _one(context: PageContext, sessions: Sequence[SessionActivity], period: int) -> Response:
    pages = _pages(sessions[0].given) if sessions else [[]]
    page = context.number("page", most=len(pages))
    ids = {id: UUID(id) for each in pages[page - 1] for id in each.memories}
    found = context.memories(ids.values())
    return context.show(
        "shown/session.html",
        asked=context.text("session"),
        requests=context.lamella.overview.requests(context.call, [context.text("session")]),
        session=sessions[0] if sessions else None,
        entries=pages[page - 1],
        memories={id: found[ids[id]] for id in ids if ids[id] in found},
        period=period,
        more=page < len(pages),
    )


def _pages(entries: Sequence[Activity]) -> list[list[Activity]]:
    """Return the entries in pages that list about the same number of memories."""
    pages: list[list[Activity]] = [[]]
    listed = 0
    for each in entries:
        pages[-1].append(each)
        # An entry without memories takes a line too.
        listed += 1 + len(each.memories)
        if listed >= _LISTED:
            pages.append([])
            listed = 0
    return pages if pages[-1] or len(pages) == 1 else pages[:-1]
