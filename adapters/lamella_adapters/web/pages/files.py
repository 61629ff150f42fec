"""Files: which changed lately, and the history of one under all its names."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from attrs import define
from starlette.responses import Response

from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.counting import counted_once
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.rendering.plots import Bar, Plot, bars

_LATEST = 200
"""Memories of whose changes the list of files is made."""

_FILES = 80
_PAGE, _PLOTTED = 40, 300
_BARS = 40
"""Most bars of a plot of churn."""


@define
class FileSummary:
    """Latest changes of a file."""

    path: str
    latest: datetime
    changes: int = 0
    added: int = 0
    removed: int = 0


def files(context: PageContext) -> Response:
    """List the files that changed last."""
    known: dict[str, FileSummary] = {}
    query = RecallQuery(filters=Filters(path="."), limit=_LATEST)
    hits = context.lamella.projects.find(context.call).search.find(query)
    found = [(hit.observation, change) for hit in hits for change in hit.observation.changes]
    once = list(counted_once((said.source, change) for said, change in reversed(found)))
    for (said, _), change in zip(found, reversed(once), strict=True):
        file_ = known.setdefault(change.path, FileSummary(change.path, said.occurred_at))
        file_.changes += 1
        file_.added += change.additions or 0
        file_.removed += change.deletions or 0
    listed = list(known.values())[:_FILES]
    return context.show("files.html", files=listed, more=len(known) > len(listed) or len(known) >= _LATEST)


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
    if Capability.LEDGER not in context.lamella.storage.capabilities or context.present is None:
        return (path,), ()
    history = context.lamella.file_history(context.call, path, limit=limit)
    return history.names, history.changes


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
