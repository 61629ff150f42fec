"""Export as a download."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain

from starlette.responses import Response, StreamingResponse

from lamella.application.exchange.export import ExportRequest
from lamella.domain.errors import AdvisedError
from lamella.domain.exchange import json_lines
from lamella.domain.exchange.records import Record
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Filters, days
from lamella_adapters.web import archive
from lamella_adapters.web.page_context import PageContext

_PIECE_BYTES = 256 * 1024
"""Number of bytes of a download to send at a time."""


def export_form(context: PageContext) -> Response:
    """Show the form for an export."""
    return context.show("exchange/export.html", kinds=list(Kind))


def export(context: PageContext) -> Response:
    """Send an export piece by piece while it is generated."""
    request = _export_request(context)
    records = context.lamella.export(context.call, request)
    markdown = context.choice("format", "jsonl", "markdown") == "markdown"
    pieces = _joined(_archived(context, records) if markdown else json_lines.written(records))
    # Show invalid requests as an error page, before anything is sent.
    begin = next(pieces, b"")
    whose = "all" if request.every_project or context.present is None else context.present.id
    name = f"lamella-{whose}-{datetime.now(UTC):%Y-%m-%d}.{'zip' if markdown else 'jsonl'}"
    return StreamingResponse(
        chain([begin], pieces),
        media_type="application/zip" if markdown else "application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _export_request(context: PageContext) -> ExportRequest:
    """Return the export requested by a form.

    Raises:
        InvalidValueError: The kind, a date or a number is invalid.
        AdvisedError: Two start times are given.
    """
    kind, recent = context.choice("kind", *Kind), context.number("days_back", 0, most=100_000)
    since, _ = days(context.day("since"), None, context.call.zone)
    if since and recent:
        raise AdvisedError(reason="“From” and “Last days” are both filled in.", advice="Fill in only one.")
    return ExportRequest(
        every_project=bool(context.choice("which", "all")),
        filters=Filters(
            days_back=recent or None,
            session=context.text("session") or None,
            path=context.text("path") or None,
            since=since,
        ),
        kinds=frozenset({Kind(kind)}) if kind else frozenset(),
        source=context.text("source") or None,
        include_purged=not context.text("without_purged"),
        include_messages=bool(context.text("conversations")),
    )


def _archived(context: PageContext, records: Iterator[Record]) -> Iterator[bytes]:
    with context.uploads.scratch() as scratch:
        yield from archive.written(records, scratch)


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Join pieces into larger pieces of similar size, because sending a piece costs a thread switch."""
    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        if len(waiting) >= _PIECE_BYTES:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)
