"""The audit trail: who changed which memories and when; undo."""

from collections.abc import Sequence
from uuid import UUID

from starlette.responses import Response

from lamella.application.audit.log import Logged
from lamella.domain.audit.entry import Action
from lamella.domain.errors import InvalidValueError
from lamella_adapters.web.pages.memory import look_up
from lamella_adapters.web.visit import Visit

PAGE = 20
_NAMED = 2
"""Memories of each kind that an entry names; it counts the others."""

_LISTED = 50
"""Memories that the preview of an undo lists."""

DONE = {
    Action.PURGE: "purged",
    Action.RESTORE: "restored",
    Action.ERASE: "erased",
    Action.EDIT: "edited",
    Action.IMPORT: "imported",
    Action.MERGE: "merged",
    Action.SPLIT: "split",
}
"""Words for what an action did."""


def log(visit: Visit) -> Response:
    """List the changes, the latest first; those of one memory, if one is named."""
    page = visit.number("page")
    about = look_up(visit, visit.text("memory")).hits[0].observation if visit.text("memory") else None
    found = visit.lamella.log(visit.call, limit=page * PAGE + 1, memory=about.id if about else None, names=_NAMED)
    entries = found[(page - 1) * PAGE : page * PAGE]
    return visit.show(
        "log/list.html",
        about=about,
        entries=entries,
        memories=visit.memories({id for each in entries for id in each.entry.memories}),
        did=DONE,
        undoable=_undoable,
        undid=visit.number("undid", 0, most=10**12),
        page=page,
        more=len(found) > page * PAGE,
    )


def undo_preview(visit: Visit) -> Response:
    """Show what an undo would change."""
    foreseen = visit.lamella.undo(visit.call, _number(visit), dry_run=True)
    listed: Sequence[UUID] = (*foreseen.purged, *foreseen.restored, *foreseen.changed_since)[:_LISTED]
    return visit.show("log/undo.html", foreseen=foreseen, memories=visit.memories(listed), did=DONE, most=_LISTED)


def undo(visit: Visit) -> Response:
    """Take a change back."""
    done = visit.lamella.undo(visit.call, _number(visit))
    return visit.go("/log", undid=done.entry.number)


def _number(visit: Visit) -> int:
    number = visit.number("number", 0, most=2**53)
    if not number:
        raise InvalidValueError(name="number", given=f"'{visit.text('number')[:40]}'", allowed="that of an entry")
    return number


def _undoable(each: Logged) -> bool:
    return each.undone_by is None and each.entry.action is not Action.ERASE
