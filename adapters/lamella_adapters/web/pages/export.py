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
from lamella_adapters.web.visit import Visit

_PIECE_BYTES = 256 * 1024
"""Bytes of a download that are sent at a time."""


def export_form(visit: Visit) -> Response:
    """Show what can be exported."""
    return visit.show("exchange/export.html", kinds=list(Kind))


def export(visit: Visit) -> Response:
    """Send an export while it is made."""
    request = _export_request(visit)
    records = visit.lamella.export(visit.call, request)
    markdown = visit.choice("format", "jsonl", "markdown") == "markdown"
    pieces = _joined(_archived(visit, records) if markdown else json_lines.written(records))
    # What is wrong with the request is said on a page, before anything is sent.
    begin = next(pieces, b"")
    whose = "all" if request.every_project or visit.present is None else visit.present.id
    name = f"lamella-{whose}-{datetime.now(UTC):%Y-%m-%d}.{'zip' if markdown else 'jsonl'}"
    return StreamingResponse(
        chain([begin], pieces),
        media_type="application/zip" if markdown else "application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _export_request(visit: Visit) -> ExportRequest:
    """Return the export that a form asks for.

    Raises:
        InvalidValueError: A kind, a day or a number is invalid.
        AdvisedError: Two beginnings are given.
    """
    kind, recent = visit.choice("kind", *Kind), visit.number("days_back", 0, most=100_000)
    since, _ = days(visit.day("since"), None, visit.call.zone)
    if since and recent:
        raise AdvisedError(reason="Both From and Last days are given.", advice="Give one of them.")
    return ExportRequest(
        every_project=bool(visit.choice("which", "all")),
        filters=Filters(
            days_back=recent or None,
            session=visit.text("session") or None,
            path=visit.text("path") or None,
            since=since,
        ),
        kind=Kind(kind) if kind else None,
        source=visit.text("source") or None,
        include_purged=not visit.text("without_purged"),
        include_messages=bool(visit.text("conversations")),
    )


def _archived(visit: Visit, records: Iterator[Record]) -> Iterator[bytes]:
    with visit.uploads.scratch() as scratch:
        yield from archive.written(records, scratch)


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pieces of about the same size: each is sent by a thread of its own turn."""
    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        if len(waiting) >= _PIECE_BYTES:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)
