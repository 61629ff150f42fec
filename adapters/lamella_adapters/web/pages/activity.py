"""Page of the context that hooks gave to the model, with its tokens."""

from collections import Counter
from datetime import timedelta

from starlette.responses import Response

from lamella_adapters.web.rendering.plots import Bar, bars
from lamella_adapters.web.visit import Visit

_PERIODS = (1, 7, 30, 90)
_SESSIONS, _ENTRIES = 15, 8


def shown(visit: Visit) -> Response:
    """Show the activity of hooks by session, the latest first."""
    period = visit.number("days", 7, most=_PERIODS[-1])
    sessions = visit.lamella.show_activity(visit.call, days=period)
    zone = visit.call.zone
    today = visit.lamella.projects.clock.now().astimezone(zone).date()
    tokens = Counter[object]()
    for session in sessions:
        for each in session.given:
            tokens[each.at.astimezone(zone).date()] += each.tokens
    dates = [today - timedelta(days=period - number) for number in range(period + 1)]
    page = visit.number("page")
    return visit.show(
        "shown.html",
        sessions=sessions[(page - 1) * _SESSIONS : page * _SESSIONS],
        count=len(sessions),
        entries=_ENTRIES,
        period=period,
        periods=_PERIODS,
        times=sum(len(each.given) for each in sessions),
        tokens=tokens.total(),
        by_day=[(each, tokens[each]) for each in dates],
        plot=bars("Tokens that the model was shown on each day", [Bar(f"{d:%d %b}", (tokens[d],)) for d in dates]),
        page=page,
        more=len(sessions) > page * _SESSIONS,
    )
