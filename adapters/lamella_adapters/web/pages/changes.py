"""Purge, restore, erase and review memories."""

from collections.abc import Sequence
from itertools import accumulate

from starlette.responses import Response

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.search.request import SearchRequest
from lamella.domain.errors import AdvisedError
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.memories.query import ByIds, Hit
from lamella.domain.replies.review import MOST_TASKS
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext

_SURE = "yes"
_MOST_NOTES = 50
"""Maximum number of notes to review on a page. A single task has fewer."""


def purge(context: PageContext) -> Response:
    """Purge memories: hide them from search."""
    return _changed(context, context.lamella.purge(context.call, ticked(context)), "purged")


def restore(context: PageContext) -> Response:
    """Restore purged memories."""
    return _changed(context, context.lamella.restore(context.call, ticked(context)), "restored")


def erase(context: PageContext) -> Response:
    """Ask, and delete memories permanently when the answer is yes."""
    ids = ticked(context)
    if context.text("sure") != _SURE:
        return context.show("memories/erase.html", hits=_found(context, ids), keeps_bytes=_keeps_bytes(context))
    outcome = context.lamella.erase(context.call, ids)
    return context.go("/chosen", done="erased", count=len(outcome.changed) or None)


def chosen(context: PageContext) -> Response:
    """Show the present state of the memories changed by an action, with a link to undo the action."""
    hits, count = _found(context, context.texts("id")[:MAX_LIMIT]), context.number("count", 0, most=MAX_LIMIT)
    return context.show("memories/chosen.html", hits=hits, count=count)


def erase_conversation(context: PageContext) -> Response:
    """Ask, and delete a conversation permanently when the answer is yes."""
    session = context.lamella.read_conversation.find(context.call, context.text("session"))
    if context.text("sure") != _SURE:
        return context.show(
            "conversations/erase_conversation.html", session=session, keeps_bytes=_keeps_bytes(context)
        )
    context.lamella.erase_conversation(context.call, session.id)
    return context.go("/conversations", done="erased")


def review(context: PageContext) -> Response:
    """List contradictory, repeated or outdated notes."""
    tasks, finished = context.lamella.review.so_far(context.call, again=bool(context.text("again")))
    notes = accumulate(len(task.hits) for task in tasks)
    shown = [task for task, listed in zip(tasks[:MOST_TASKS], notes, strict=False) if listed <= _MOST_NOTES]
    return context.show("memories/review.html", tasks=shown, count=len(tasks), finished=finished)


def keep(context: PageContext) -> Response:
    """Record that memories were confirmed as right."""
    outcome = context.lamella.review.keep(context.call, ticked(context))
    return context.go("/review", done="kept", count=len(outcome.changed) or None)


def ticked(context: PageContext) -> Sequence[str]:
    """Return the ids of the ticked memories.

    Raises:
        AdvisedError: No memory is ticked, or too many memories are ticked.
    """
    ids = context.form.get("id", ())
    if not ids:
        raise AdvisedError(reason="No memory is ticked.", advice="Tick at least one memory.")
    if len(ids) > MAX_LIMIT:
        raise AdvisedError(reason=f"{len(ids)} memories are ticked.", advice=f"Tick at most {MAX_LIMIT}.")
    return ids


def _found(context: PageContext, ids: Sequence[str]) -> tuple[Hit, ...]:
    return context.lamella.search(context.call, SearchRequest(selector=ByIds(tuple(ids)))).hits if ids else ()


def _changed(context: PageContext, outcome: StatusChangeOutcome, done: str) -> Response:
    ids = [str(each.id) for each in outcome.changed]
    return context.go("/chosen", done=done, count=len(ids) or None, id=ids or list(outcome.failures))


def _keeps_bytes(context: PageContext) -> bool:
    return Capability.ERASE_BYTES not in context.lamella.storage.capabilities
