"""Backups: where they are, and what restoring one would change."""

from pathlib import PurePath

from starlette.responses import Response

from lamella.domain.errors import InvalidValueError
from lamella_adapters.web.visit import Visit

_PAGE = 40


def backups(visit: Visit) -> Response:
    """List the copies, the latest first."""
    copies, page = visit.lamella.restore_backup.copies()[::-1], visit.number("page")
    shown = copies[(page - 1) * _PAGE : page * _PAGE]
    return visit.show(
        "exchange/backups.html",
        copies=shown,
        folders=sorted({str(PurePath(each.copy.place).parent) for each in shown}),
        count=len(copies),
        size=sum(each.copy.size for each in copies),
        trouble=visit.lamella.storage.backups.trouble(),
        done=visit.text("done"),
        made=visit.number("made", 0, most=10**6),
        page=page,
        more=len(copies) > page * _PAGE,
    )


def back_up(visit: Visit) -> Response:
    """Copy every project that has changed."""
    made = sum(copy is not None for _, copy in visit.lamella.back_up())
    return visit.go("/backups", done="copied", made=made or None)


def preview(visit: Visit) -> Response:
    """Verify a copy, and show what restoring it would change."""
    named = [each for each in visit.lamella.restore_backup.copies() if each.copy.name == visit.text("name")]
    if not named:
        raise InvalidValueError(
            name="name", given=f"'{visit.text('name')[:80]}'", allowed="that of a backup of the list"
        )
    with visit.lamella.restore_backup.opened(named[0].copy) as opened:
        return visit.show("exchange/restore_backup.html", chosen=named[0], previews=opened.previews)
