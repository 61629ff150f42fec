"""The audit trail: changes of memories with authors and times, and undoing them."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import takewhile
from uuid import UUID

from starlette.responses import Response

from lamella.domain.audit.entry import Action, AuditEntry, named_entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.errors import InvalidValueError
from lamella_adapters.process.commands import unsynced
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.memory import look_up
from lamella_adapters.web.tables import TABLES

PAGE = 20
_NAMED = 2
"""Maximum number of added, purged and restored memories to name in an entry. Further memories are counted."""

_JUDGED = 50
"""Maximum number of memories to look up when checking if an entry can be undone. The preview looks up all."""

_LISTED = 50
"""Maximum number of memories to list in the preview of an undo."""

_DID: Mapping[str, str] = TABLES["did"]

REPLACED = "in the place of"
"""Words shown before a replaced memory."""


def log(context: PageContext) -> Response:
    """List the changes, latest first. If the URL names a memory, list only the changes of this memory."""
    about = look_up(context, context.text("memory")).hits[0].observation if context.text("memory") else None
    found = context.lamella.log(
        context.call, limit=context.page * PAGE + 1, memory=about.id if about else None, names=_NAMED
    )
    entries = context.on_page(found, PAGE)
    named = {each.name: _named(each.entry) for each in entries}
    return context.show(
        "log/list.html",
        about=about,
        entries=entries,
        named=named,
        memories=context.memories({id for each in named.values() for _, id in each}),
        replaced=REPLACED,
        did=_DID,
        changed=changed,
        undoable=context.lamella.undo.possible(context.call, entries, names=_JUDGED),
        undid=context.text("undid") if named_entry(context.text("undid")) else "",
        unsynced=unsynced(context.lamella, context.text("merged")),
        more=len(found) > context.page * PAGE,
    )


def undo(context: PageContext) -> Response:
    """Show the effect of undoing an entry, and undo the entry once the user confirms.

    If the log has changed since the preview, the number may belong to another entry, and the undo may have a
    different effect. In this case, show a new preview instead.
    """
    number, everywhere = named_entry(context.text("number")) or (None, False)
    if number is None:
        raise InvalidValueError(name="number", given="another text", allowed="the number of an entry")
    latest, seen = context.lamella.log(context.call, limit=PAGE), context.text("latest")
    meanwhile = [*takewhile(lambda each: str(each.entry.id) != seen, latest)]
    confirmed = context.posted and not meanwhile
    entry = context.text("entry") if context.posted else number
    try:
        done = context.lamella.undo(context.call, entry, everywhere=everywhere, dry_run=not confirmed)
    except NotUndoableError as error:
        leads = {f"Entry {error.instead}": context.link("/undo", number=error.instead)} if error.instead else {}
        return context.refuse(error.reason, 400, leads=leads)
    if confirmed:
        return context.go("/log", undid=done.name(done.entry.number), merged=done.entry.old)
    listed = {id for ids in (done.purged, done.restored, done.changed_since, done.already) for id in ids[:_LISTED]}
    return context.show(
        "log/undo.html",
        foreseen=done,
        memories=context.memories(listed),
        did=_DID,
        changed=changed,
        most=_LISTED,
        latest=latest[0].entry.id,
        meanwhile=meanwhile,
        status=HTTPStatus.CONFLICT if context.posted else HTTPStatus.OK,
    )


def changed(entry: AuditEntry) -> int:
    """Return the number of memories changed by an entry. A correction and the corrected memory count as one."""
    edits_one = _edits(entry) and entry.purged and len(entry.added) == 1
    return entry.count - 1 if edits_one else entry.count


def _named(entry: AuditEntry) -> Sequence[tuple[str, UUID]]:
    """Return the memories to name in the log, each with its change if that differs from the entry's action."""
    if _edits(entry):
        kinds: Sequence[tuple[str, Sequence[UUID]]] = (
            ("", (*entry.added, *entry.restored)),
            (REPLACED, entry.purged),
        )
    elif entry.action is Action.KEEP:
        kinds = (("", entry.restored), ("no longer", entry.purged))
    else:
        kinds = (("added", entry.added), ("purged", entry.purged), ("restored", entry.restored))
    known = "" if entry.by.undoes else _DID[entry.action]
    return [("" if did == known else did, id) for did, ids in kinds for id in ids[:_NAMED]]


def _edits(entry: AuditEntry) -> bool:
    """Return True for an edit of a memory, unless the entry undoes another entry."""
    return entry.action is Action.EDIT and entry.by.undoes is None
