"""Pages about files: a list of the latest changed files, and the history of a file under all its names."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from attrs import evolve, frozen
from starlette.responses import Response

from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.memories.kind import DECISION
from lamella.domain.text.ages import short_date
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.memory import diffs
from lamella_adapters.web.rendering.plots import Bar, Plot, bars

_FILES = 80
_PAGE, _PLOTTED = 40, 300
_BARS = 40
"""Maximum number of bars in a plot of churn."""

_HEIGHT = 250
_PINS = 12
"""Maximum number of decisions to pin to the plot."""


def files(context: PageContext) -> Response:
    """List the files, the latest changed first."""
    limit, keeps = context.page * _FILES, _keeps_ledger(context)
    found = context.lamella.projects.find(context.call).ledger().files(limit=limit + 1) if keeps else ()
    return context.show("files.html", files=context.on_page(found, _FILES), more=len(found) > limit)


def file(context: PageContext) -> Response:
    """Show the history of a file or folder: churn with decisions and renames, and its diffs."""
    path = context.text("path")
    if not path:
        return context.go("/files")
    if "\0" in path:
        raise PathOutsideProjectError(path=path)
    chosen = context.number("bar", 0, most=_BARS)
    names, changes = _history(context, path, max(_PLOTTED, context.page * _PAGE + 1), hunks=bool(chosen))
    latest = changes[:_PLOTTED]
    plotted = [each for each in latest if each.change.additions or each.change.deletions] or latest[:1]
    decisions = [each for each in latest if each.source == DECISION][:_PINS][::-1]
    churn = Churn.of(plotted, context.call.zone)
    listed = [each for each in plotted if churn.place(each.at) == chosen - 1] if chosen else changes
    shown = diffs([each.change for each in listed], 0) if chosen else ((each.change, False) for each in listed)
    return context.show(
        "file.html",
        path=names[0],
        former=names[1:],
        changes=context.on_page([(each, lines) for each, (_, lines) in zip(listed, shown, strict=True)], _PAGE),
        more=len(listed) > context.page * _PAGE,
        plot=_plot(context, names[0], churn, (latest, decisions)) if plotted else None,
        step=_words_for(churn.step),
        plotted=len(latest),
        limited=len(changes) >= _PLOTTED,
        decisions=decisions,
        chosen=chosen,
        churn=churn,
    )


def _history(
    context: PageContext, path: str, limit: int, *, hunks: bool
) -> tuple[Sequence[str], Sequence[FileChange]]:
    if not _keeps_ledger(context):
        return (path,), ()
    history = context.lamella.file_history(context.call, path, limit=limit, hunks=hunks)
    return history.names, history.changes


def _keeps_ledger(context: PageContext) -> bool:
    return Capability.LEDGER in context.lamella.storage.capabilities and context.present is not None


@frozen
class Churn:
    """Added and removed lines in steps of equal time.

    Attributes:
        first: Start of the first step.
        step: Length of a step.
        sums: Added and removed lines in each step.
    """

    first: datetime
    step: timedelta
    sums: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, changes: Sequence[FileChange], zone: tzinfo) -> "Churn":
        """Return the churn of changes, given latest first."""
        if not changes:
            return cls(datetime.min.replace(tzinfo=zone), timedelta(), ())
        count = min(_BARS, len(changes))
        empty = cls(changes[-1].at.astimezone(zone), (changes[0].at - changes[-1].at) / count, [(0, 0)] * count)
        sums = [[0, 0] for _ in range(count)]
        for each in changes:
            sums[empty.place(each.at)][0] += each.change.additions or 0
            sums[empty.place(each.at)][1] += each.change.deletions or 0
        return evolve(empty, sums=[(added, removed) for added, removed in sums])

    def place(self, at: datetime) -> int:
        """Return the index of the step that contains a time, or of the nearest step."""
        last = len(self.sums) - 1
        return max(0, min(last, int((at - self.first) / self.step))) if self.step else last

    def begins(self, number: int) -> datetime:
        """Return the start time of a step."""
        return self.first + self.step * number


def _words_for(step: timedelta) -> str:
    """Return a duration in its largest unit that gives at least 2; empty if it is below two minutes."""
    for name in ("days", "hours", "minutes"):
        if (count := round(step / timedelta(**{name: 1}))) > 1:
            return f"{count:,} {name}"
    return ""


def _plot(
    context: PageContext, path: str, churn: Churn, about: tuple[Sequence[FileChange], Sequence[FileChange]]
) -> Plot:
    """Plot churn over time. Decisions are pins above the bars, and renames are marked beside the bars."""
    (changes, decisions), chosen = about, context.number("bar", 0, most=_BARS)
    pins: defaultdict[int, list[tuple[int, str, str]]] = defaultdict(list)
    for number, each in enumerate(decisions, 1):
        link = context.link("/memory", id=each.observation)
        pins[churn.place(each.at)].append((number, link, f"Decision {number}: {each.title}"))
    marks = {churn.place(each.at): f"was {each.change.former}" for each in changes if each.change.former}
    each_bar = [
        Bar(
            short_date(churn.begins(number), context.today),
            (added,),
            (removed,),
            link=context.link("/file", path=path, bar=number + 1) + "#lines" if added or removed else "",
            says=f"From {short_date(churn.begins(number), context.today)}: {added:,} added, {removed:,} removed",
            chosen=number + 1 == chosen,
            pins=pins[number],
            mark=marks.get(number, ""),
        )
        for number, (added, removed) in enumerate(churn.sums)
    ]
    return bars(f"Lines that were added to {path} and removed from it over time", each_bar, height=_HEIGHT)
