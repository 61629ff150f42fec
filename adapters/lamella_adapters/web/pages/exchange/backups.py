"""Backups: list, create and preview them."""

from pathlib import PurePath

from starlette.responses import Response

from lamella.domain.errors import InvalidValueError
from lamella_adapters.web.page_context import PageContext

_PAGE = 40


def backups(context: PageContext) -> Response:
    """List the copies, the latest first."""
    copies = context.lamella.back_up.copies()[::-1]
    shown = context.on_page(copies, _PAGE)
    return context.show(
        "exchange/backups.html",
        copies=shown,
        folders=sorted({str(PurePath(each.copy.place).parent) for each in shown}),
        count=len(copies),
        size=sum(each.copy.size for each in copies),
        trouble=context.lamella.storage.backups.trouble(),
        made=context.number("made", 0, most=10**6),
        more=len(copies) > context.page * _PAGE,
    )


def back_up(context: PageContext) -> Response:
    """Copy every project that has changed since its last copy."""
    made = sum(copy is not None for _, copy in context.lamella.back_up())
    return context.go("/backups", done="copied", made=made or None)


def preview(context: PageContext) -> Response:
    """Verify a copy, and show the effect of restoring it."""
    name = context.text("name")
    named = [each for each in context.lamella.back_up.copies() if each.copy.name == name]
    if not named:
        raise InvalidValueError(name="name", given=f"'{name[:80]}'", allowed="the name of a backup in the list")
    with context.lamella.storage.backups.opened(named[0].copy) as opened:
        return context.show("exchange/restore_backup.html", chosen=named[0], previews=opened.previews)
