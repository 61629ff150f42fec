"""One memory: its text, changes and replacements."""

from collections.abc import Iterator, Sequence

from starlette.responses import Response

from lamella.application.audit.log import Logged
from lamella.application.search.request import SearchRequest
from lamella.domain.conversations.message import Session
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.memories.query import ByIds, Filters, Hit
from lamella.domain.replies.answer import Answer
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.search import replaced_by
from lamella_adapters.web.rendering.diffs import MOST_LINES, length
from lamella_adapters.web.rendering.marks import Marks

DIFF_CHARACTERS = 12_000
"""Maximum total length of displayed hunks. Further diffs open on a click."""

_REASONS = 5
"""Maximum number of notes of the same conversation to list on the page of a change."""

_CHANGES = 5
"""Maximum number of a memory's changes to list on its page. The log has all."""


def memory(context: PageContext) -> Response:
    """Show one memory, purged or not."""
    answer = look_up(context, context.text("id"))
    hit = answer.hits[0]
    observation = hit.observation
    replaced = replaced_by(context, observation.id, observation.project)
    origin, conversation = conversation_of(context, [observation, *(each.observation for each in replaced)])
    return context.show(
        "memories/memory.html",
        hit=hit,
        memory=observation,
        piece=Marks.of("").snippet(hit),
        editable=observation.kind is Kind.NOTE and not observation.purged,
        changes=list(diffs(observation.changes, context.number("diff", 0, most=len(observation.changes) or 1))),
        files=answer.files.get(observation.id, {}),
        branch=answer.branches.get(observation.id),
        conversation=conversation,
        origin=origin,
        replacement=answer.replacements.get(observation.replaced_by) if observation.replaced_by else None,
        replaced=replaced,
        links=answer.links,
        reasons=reasons(context, observation),
        trail=_trail(context, observation),
    )


def diffs(changes: Sequence[CodeChange], first: int) -> Iterator[tuple[CodeChange, bool]]:
    """Yield each change with a boolean. The boolean is True if the lines of the change should be shown.

    Lines are shown from the change with the number `first` on, up to a limit. The lines of a long change are shown
    only if `first` is its number.
    """
    left = DIFF_CHARACTERS
    for number, change in enumerate(changes, 1):
        shown = number == first or (number > first and left > 0 and length(change.hunks) <= MOST_LINES)
        left -= len(change.hunks) if shown else 0
        yield change, shown


def conversation_of(context: PageContext, memories: Sequence[Observation]) -> tuple[Observation, Session | None]:
    """Return the first memory with a known conversation, and the conversation; or else the first memory and None.

    A correction has no conversation, but the memory that it replaced may have one.
    """
    here = context.lamella.projects.find(context.call)
    for each in memories if here.keeps(Capability.CONVERSATIONS) else ():
        if each.session and (found := here.conversations().sessions(each.session)):
            return each, found[0]
    return memories[0], None


def reasons(context: PageContext, change: Observation) -> tuple[Hit, ...]:
    """Return the likely reasons of a code change: the notes of its conversation, including replaced notes."""
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
    """Return the result of looking up an id, purged or not.

    Raises:
        NothingFoundError: No memory has the id.
    """
    answer = context.lamella.search(context.call, SearchRequest(selector=ByIds((id,))), commits=True)
    if not answer.hits:
        raise NothingFoundError(asked=id)
    return answer
