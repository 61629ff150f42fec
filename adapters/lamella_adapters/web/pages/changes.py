"""Purge, restore and erase, one or several at once."""

from collections.abc import Sequence
from functools import partial

from starlette.responses import Response

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.search.request import SearchRequest
from lamella.domain.errors import AdvisedError
from lamella.domain.memories.query import MAX_LIMIT, ByIds, Hit
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.visit import Visit

_SURE = "yes"


def purge(visit: Visit) -> Response:
    """Take memories out of search."""
    return _changed(visit, visit.lamella.purge(visit.call, _ids(visit)), "purged")


def restore(visit: Visit) -> Response:
    """Put purged memories back."""
    return _changed(visit, visit.lamella.restore(visit.call, _ids(visit)), "restored")


def erase(visit: Visit) -> Response:
    """Ask, and delete memories for good when the answer is yes."""
    ids = _ids(visit)
    if visit.text("sure") != _SURE:
        return visit.show("memories/erase.html", hits=_found(visit, ids), keeps_bytes=not _erases_bytes(visit))
    outcome = visit.lamella.erase(visit.call, ids)
    return visit.go("/chosen", done="erased", count=len(outcome.changed) or None)


def chosen(visit: Visit) -> Response:
    """Show the memories that something was done with, as they are now, and how to take it back."""
    ids = visit.texts("id")[:MAX_LIMIT]
    hits = _found(visit, ids)
    return visit.show(
        "memories/chosen.html",
        hits=hits,
        done=visit.text("done"),
        count=visit.number("count", 0, most=MAX_LIMIT),
        purged=[hit for hit in hits if hit.observation.purged],
    )


def erase_conversation(visit: Visit) -> Response:
    """Ask, and delete a conversation for good when the answer is yes."""
    session = visit.lamella.read_conversation.find(visit.call, visit.text("session"))
    if visit.text("sure") != _SURE:
        return visit.show(
            "conversations/erase_conversation.html", session=session, keeps_bytes=not _erases_bytes(visit)
        )
    visit.lamella.erase_conversation(visit.call, session.id)
    return visit.go("/conversations", done="erased")


def _ids(visit: Visit) -> Sequence[str]:
    """Return the memories that were ticked.

    Raises:
        AdvisedError: There are none, or too many.
    """
    ids = visit.form.get("id", ())
    if not ids:
        raise AdvisedError(reason="No memory is ticked.", advice="Tick at least one memory.")
    if len(ids) > MAX_LIMIT:
        raise AdvisedError(reason=f"{len(ids)} memories are ticked.", advice=f"Tick at most {MAX_LIMIT}.")
    return ids


def _found(visit: Visit, ids: Sequence[str]) -> tuple[Hit, ...]:
    return visit.lamella.search(visit.call, SearchRequest(selector=ByIds(tuple(ids)))).hits if ids else ()


def _changed(visit: Visit, outcome: StatusChangeOutcome, done: str) -> Response:
    leads = partial(visit.go, "/chosen", done=done, count=len(outcome.changed) or None)
    return leads(id=[str(each.id) for each in outcome.changed] or list(outcome.failures))


def _erases_bytes(visit: Visit) -> bool:
    return Capability.ERASE_BYTES in visit.lamella.storage.capabilities
