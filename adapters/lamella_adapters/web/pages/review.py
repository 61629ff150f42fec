"""Worklist of a review, with buttons to settle its entries."""

from starlette.responses import Response

from lamella.domain.replies.review import MOST_TASKS
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.changes import ticked


def review(context: PageContext) -> Response:
    """List contradictory, repeated or outdated notes."""
    tasks = context.lamella.review(context.call, again=bool(context.text("again")))
    return context.show(
        "memories/review.html",
        tasks=tasks[:MOST_TASKS],
        count=len(tasks),
        kept=context.number("count", 0),
    )


def keep(context: PageContext) -> Response:
    """Remember memories confirmed as right."""
    outcome = context.lamella.review.keep(context.call, ticked(context))
    return context.go("/review", done="kept", count=len(outcome.changed) or None)
