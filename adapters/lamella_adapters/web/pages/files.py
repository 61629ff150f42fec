"""Files: which changed lately, and the history of one under all its names."""

from collections.abc import Sequence
from datetime import timedelta, tzinfo

from starlette.responses import Response

from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.file_change import FileChange, FileTally
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.rendering.plots import Bar, Plot, bars

_FILES = 80
_PAGE, _PLOTTED = 40, 300
_BARS = 40
"""Most bars of a plot of churn."""


def files(context: PageContext) -> Response:
    """List the files, the latest changed first."""
    found: Sequence[FileTally] = ()
    if _keeps_ledger(context):
        here = context.lamella.projects.find(context.call)
        found = here.ledger().files(limit=context.page * _FILES + 1)
    return context.show(
        "files.html", files=context.on_page(found, _FILES), more=len(found) > context.page * _FILES
    )


def file(context: PageContext) -> Response:
    """Show what came and went in a file or folder, latest first."""
    path = context.text("path")
    if not path:
        return context.go("/files")
    if "\0" in path:
        raise PathOutsideProjectError(path=path)
    names, changes = _history(context, path, max(_PLOTTED, context.page * _PAGE + 1))
    plotted = changes[:_PLOTTED]
    return context.show(
        "file.html",
        path=names[0],
        former=names[1:],
        changes=context.on_page(changes, _PAGE),
        more=len(changes) > context.page * _PAGE,
        plot=_churn(names[0], plotted, context.call.zone) if plotted else None,
        step=_words_for(_step(plotted)) if plotted else "",
        plotted=len(plotted),
        added=sum(each.change.additions or 0 for each in plotted),
        removed=sum(each.change.deletions or 0 for each in plotted),
    )


def _history(context: PageContext, path: str, limit: int) -> tuple[Sequence[str], Sequence[FileChange]]:
    if not _keeps_ledger(context):
        return (path,), ()
    history = context.lamella.file_history(context.call, path, limit=limit)
    return history.names, history.changes


def _keeps_ledger(context: PageContext) -> bool:
    return Capability.LEDGER in context.lamella.storage.capabilities and context.present is not None


def _step(changes: Sequence[FileChange]) -> timedelta:
    """Return the time that each bar of a plot stands for."""
    return (changes[0].at - changes[-1].at) / min(_BARS, len(changes))


def _words_for(step: timedelta) -> str:
    """Return a length of time in words, in the largest unit of which there are two; empty if there is none."""
    for name in ("days", "hours", "minutes"):
        if (count := round(step / timedelta(**{name: 1}))) > 1:
            return f"{count:,} {name}"
    return ""


def _churn(path: str, changes: Sequence[FileChange], zone: tzinfo) -> Plot:
    """Return a plot of the lines that came (up) and went (down), in steps of equal time."""
    oldest_first = changes[::-1]
    first, span = oldest_first[0].at.astimezone(zone), _step(changes)
    count = min(_BARS, len(oldest_first))
    parts = [[0, 0] for _ in range(count)]
    for each in oldest_first:
        place = min(count - 1, int((each.at - first) / span)) if span else count - 1
        parts[place][0] += each.change.additions or 0
        parts[place][1] += each.change.deletions or 0
    each_bar = [
        Bar(f"{first + span * number:%d %b %y}", (added,), (removed,))
        for number, (added, removed) in enumerate(parts)
    ]
    return bars(f"Lines that were added to {path} and removed from it over time", each_bar)
