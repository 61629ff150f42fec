"""The first page, an overview of a project, and the choice of the light or dark theme."""

from datetime import timedelta
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response

from lamella.application.search.overview import WEEK
from lamella_adapters.web.page_context import THEME, PageContext
from lamella_adapters.web.pages.comebacks import caught

_AREAS, _DECISIONS = 8, 4
"""Maximum number of areas, and of decisions in each."""

_CHANGES = 6
_A_YEAR = 365 * 24 * 3_600


def home(context: PageContext) -> Response:
    """Show decisions in force, changes with reasons, contexts given to the model, and the latest sessions."""
    overview = context.lamella.overview(context.call)
    return context.show(
        "home.html",
        overview=overview,
        areas=overview.areas[:_AREAS],
        most=_DECISIONS,
        week=context.today - timedelta(days=WEEK),
        changes=overview.changes[:_CHANGES],
        caught=caught(context, limit=1) if overview.given.warnings else (),
    )


def choose_theme(context: PageContext) -> Response:
    """Remember or forget the choice of the light or dark theme, and redirect back to the page."""
    chosen, back = context.choice("theme", "light", "dark"), urlsplit(context.text("back"))
    # Use only the path. With a host, the form could redirect to another site.
    own = back.path if back.path.startswith("/") and not back.path.startswith("//") else "/"
    answer = RedirectResponse(f"{own}?{back.query}" if back.query else own, status_code=303)
    if chosen:
        answer.set_cookie(THEME, chosen, max_age=_A_YEAR, httponly=True, samesite="strict")
    else:
        answer.delete_cookie(THEME, httponly=True, samesite="strict")
    return answer
