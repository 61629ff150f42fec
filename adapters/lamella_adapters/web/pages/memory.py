"""One memory: what it says, what it changed, and what took whose place."""

from collections.abc import Sequence

from starlette.responses import Response

from lamella.application.audit.log import Logged
from lamella.application.search.request import SearchRequest
from lamella.domain.conversations.message import Session
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByIds, Filters, Hit
from lamella.domain.replies.answer import Answer
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.search import replaced_by

_DIFF_CHARACTERS = 12_000
"""Characters of all hunks that are shown at first; the rest is a click away."""

_REASONS = 5
"""Notes of the same conversation that the page of a change shows; search has all."""

_CHANGES = 5
"""Changes of a memory that its page shows; the log has all."""


def memory(context: PageContext) -> Response:
    """Show one memory, purged or not."""
    answer = look_up(context, context.text("id"))
    hit = answer.hits[0]
    observation = hit.observation
    replaced = replaced_by(context, observation.id, observation.project)
    origin, conversation = _conversation(context, [observation, *(each.observation for each in replaced)])
    whole, left = context.text("diff") == "whole", _DIFF_CHARACTERS
    shown = []
    for change in observation.changes:
        shown.append((change, whole or left > 0))
        left -= len(change.hunks)
    return context.show(
        "memories/memory.html",
        hit=hit,
        memory=observation,
        editable=observation.kind is Kind.NOTE and not observation.purged,
        changes=shown,
        cut=not whole and left < 0,
        files=answer.files.get(observation.id, {}),
        branch=answer.branches.get(observation.id),
        conversation=conversation,
        origin=origin,
        replacement=answer.replacements.get(observation.replaced_by) if observation.replaced_by else None,
        replaced=replaced,
        links=answer.links,
        reasons=_reasons(context, observation),
        trail=_trail(context, observation),
    )


def _conversation(context: PageContext, memories: Sequence[Observation]) -> tuple[Observation, Session | None]:
    """Return the first memory whose conversation is known, and that; else the first one.

    A correction is made where nothing was said, so what it replaced tells where it comes from.
    """
    here = context.lamella.projects.find(context.call)
    for each in memories if here.keeps(Capability.CONVERSATIONS) else ():
        if each.session and (found := here.conversations().sessions(each.session)):
            return each, found[0]
    return memories[0], None


def _reasons(context: PageContext, change: Observation) -> tuple[Hit, ...]:
    """Return the notes of the conversation in which code was changed, corrected ones too: they tend to say why."""
    if change.kind is not Kind.CHANGE or not change.session:
        return ()
    filters = Filters(kind=Kind.NOTE, session=change.session)
    whose = context.caller.call(project=change.project)
    found = context.lamella.search(whose, SearchRequest(filters=filters, limit=_REASONS, include_purged=True)).hits
    return tuple(hit for hit in found if hit.observation.replaced_by or not hit.observation.purged)


def _trail(context: PageContext, memory: Observation) -> tuple[Logged, ...]:
    """Return the latest changes of a memory, from the trail of its project."""
    if Capability.AUDIT not in context.lamella.storage.capabilities:
        return ()
    whose = context.caller.call(project=memory.project)
    return context.lamella.log(whose, limit=_CHANGES, memory=memory.id, names=0)


def look_up(context: PageContext, id: str) -> Answer:
    """Return the answer with the memory that has an id, purged or not.

    Raises:
        NothingFoundError: There is none.
    """
    answer = context.lamella.search(context.call, SearchRequest(selector=ByIds((id,))), commits=True)
    if not answer.hits:
        raise NothingFoundError(asked=id)
    return answer
