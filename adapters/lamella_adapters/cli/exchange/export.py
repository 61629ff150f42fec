"""The command for exporting memories."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import click

from lamella.application.exchange.export import ExportRequest
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.errors import AdvisedError
from lamella.domain.exchange import json_lines
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Record, Said
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Filters
from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import counted, printed_line
from lamella_adapters.cli.exchange.folder import MarkdownFolder
from lamella_adapters.cli.options import options, undashed
from lamella_adapters.cli.output import BEGINS_ANEW, Shown, counted_projects, echo, progress_bar
from lamella_adapters.cli.runtime import from_here, opened
from lamella_adapters.process.files import replaced
from lamella_adapters.process.tables import sentences

_STEP = 500
"""Number of records between two updates of the progress."""


@click.command(short_help="Export memories, for another machine or to read.")
@click.argument("target", metavar="[FILE|FOLDER]", required=False, type=click.Path(), callback=undashed)
@options("export", format={"type": click.Choice(["jsonl", "markdown"])})
def export(
    *,
    target: Path | None,
    format_: str,
    project: str | None,
    every: bool,
    conversations: bool,
    kind: str | None,
    source: str | None,
    path: str | None,
    session: str | None,
    since: datetime | None,
    days_back: int | None,
    without_purged: bool,
) -> None:
    """Export memories, for another machine or to read.

    JSON Lines go to stdout or into a new FILE, Markdown into a new FOLDER. `lamella import` reads both.
    """
    if every and project:
        raise click.UsageError("Give either --project or --all.")
    if since and days_back:
        raise click.UsageError("Give either --since or --days-back.")
    if format_ == "markdown" and target is None:
        raise click.UsageError("Give a FOLDER for Markdown; only JSON Lines can go to stdout.")
    request = ExportRequest(
        every_project=every,
        filters=Filters(
            days_back=days_back,
            session=session,
            path=path if path is None or project or every else from_here(path),
            since=since.astimezone(UTC) if since else None,
        ),
        kinds=frozenset({Kind(kind)}) if kind else frozenset(),
        source=source,
        include_purged=not without_purged,
        include_messages=conversations,
    )
    try:
        with opened(project) as (lamella, call):
            write_export(lamella, call, request, target, markdown=format_ == "markdown")
    except BrokenPipeError:
        raise
    except OSError as error:
        place = "The standard output" if target is None else printed_line(str(target))
        raise AdvisedError(**sentences(__file__, "unwritable", place=place, why=error.strerror)) from error


def write_export(
    lamella: Lamella, call: Call, request: ExportRequest, target: Path | None, *, markdown: bool = False
) -> None:
    """Write memories into a file, a folder of Markdown, or to stdout, and report their number."""
    kinds: Counter[type] = Counter()
    places: Counter[bool] = Counter()
    with progress_bar("Exporting", again=BEGINS_ANEW) as shown:
        total = _memories(lamella, call, every=request.every_project)
        records = _counted(lamella.export(call, request), kinds, places, shown, total)
        if markdown:
            for _ in MarkdownFolder(target or Path()).write(records):
                pass
        else:
            with _opened(target) as stream:
                stream.writelines(json_lines.written(records))
    said = f" and {counted(kinds[Said], 'message')}" if request.include_messages else ""
    projects = counted_projects(places[False], everywhere=places[True] > 0)
    echo(f"Exported {counted(kinds[Arrival], 'memory')}{said} of {projects}.", err=target is None)


def _memories(lamella: Lamella, call: Call, *, every: bool) -> int:
    """Return the number of memories to read, for the progress bar."""
    if not every:
        return lamella.projects.find(call).search.count(include_purged=True)
    storage = lamella.storage
    kept = [each.id for each in storage.registry.all() if each.moved_to is None]
    return sum(storage.search(id).count(include_purged=True) for id in kept)


def _counted(
    records: Iterable[Record], kinds: Counter[type], places: Counter[bool], shown: Shown, total: int
) -> Iterator[Record]:
    """Yield records while showing progress. Count records by type, and projects by whether they are global."""
    for record in records:
        kinds[type(record)] += 1
        if isinstance(record, Project):
            places[is_everywhere(record.aliases)] += 1
        yield record
        if kinds.total() % _STEP == 0:
            shown("Exporting", kinds[Arrival], total)


@contextmanager
def _opened(target: Path | None) -> Iterator[BinaryIO]:
    """Open stdout, or a private file. The file appears at the end of the block, when its content is complete."""
    if target is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if target.exists():
        raise AdvisedError(reason=f"{target.name} exists.", advice="Export into a new file.")
    with replaced(target) as stream:
        yield stream
