"""Comebacks: edits that a hook has warned about, with the removed code that they would have brought back."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import frozen
from starlette.responses import Response

from lamella.application.projects.context import ProjectContext
from lamella.domain.conversations.message import Session
from lamella.domain.ledger.fingerprints import fingerprints
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.kind import ACCOUNT, EDITED, FOUND, LEARNED, Kind
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.text.printing import printed_line
from lamella.ports.storage.activity import Activity
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.memory import conversation_of, reasons
from lamella_adapters.web.rendering.marks import plain

_PAGE = 8
_BY = {EDITED: "an edit", FOUND: "a command", LEARNED: "a commit"}


@frozen(kw_only=True)
class Comeback:
    """An edit that would have brought removed code back.

    Attributes:
        warning: The warning.
        path: File of the edit.
        hunks: Lines to be written.
        memory: Memory of the removal; None if it is missing.
        change: The change with the removal; None if it is no longer stored.
        by: Person, agent or commit that removed the code.
        why: Memory with the reason, or else the removal itself.
        reason: The reason in a line; empty if unknown.
        conversation: Conversation of the removal, if known.
        today: True if the file contains the lines now. None if the file is missing or on another machine.
    """

    warning: Activity
    path: str
    hunks: str
    memory: Observation | None
    change: CodeChange | None
    by: str
    why: Observation | None
    reason: str
    conversation: Session | None
    today: bool | None

    @property
    def lines(self) -> frozenset[str]:
        """The lines to be written, without indentation."""
        return _lines(self.hunks)


def comebacks(context: PageContext) -> Response:
    """List the comebacks, latest first."""
    found = caught(context, limit=_PAGE + 1, skip=(context.page - 1) * _PAGE)
    return context.show("comebacks/list.html", found=found[:_PAGE], more=len(found) > _PAGE)


def comeback(context: PageContext) -> Response:
    """Show one comeback as a card."""
    name = context.text("name")
    if not (found := caught(context, limit=1, name=name)):
        raise NothingFoundError(asked=name)
    return context.show("comebacks/card.html", it=found[0])


def caught(context: PageContext, *, limit: int, skip: int = 0, name: str | None = None) -> Sequence[Comeback]:
    """Return the latest comebacks, or the one named `name`."""
    here = context.lamella.projects.find(context.call)
    kept = here.keeps(Capability.ACTIVITY)
    warnings = here.activity().warnings(limit=limit, skip=skip, name=name) if kept else ()
    removals = context.memories({UUID(id) for each in warnings for id in each.memories})
    return [_comeback(context, here, each, removals) for each in warnings]


def _comeback(
    context: PageContext, here: ProjectContext, warning: Activity, removals: Mapping[UUID, Observation]
) -> Comeback:
    path, _, hunks = warning.edit.partition("\n")
    memory = next((removals[UUID(id)] for id in warning.memories if UUID(id) in removals), None)
    change = why = conversation = None
    if memory is not None:
        lines = _lines(hunks)
        change = max(memory.changes, key=lambda each: (_shared(each, lines), each.path == path), default=None)
        _, conversation = conversation_of(context, [memory])
        why = next(iter(hit.observation for hit in reasons(context, memory)), memory)
    lives_here = context.lamella.projects.lives_here(context.call, here.project)
    tree = context.lamella.working_tree
    text = tree.text(here.root, path) if lives_here else ""
    committed = lives_here and memory is not None and memory.source == LEARNED and memory.head
    author = tree.author(here.root, committed) if committed else ""
    marks = fingerprints([line[1:] for line in hunks.split("\n")])
    return Comeback(
        warning=warning,
        path=path,
        hunks=hunks,
        memory=memory,
        change=change,
        by=(memory.author or author or _BY.get(memory.source, "") or f"the {memory.actor}") if memory else "",
        why=why,
        reason=_reason(why) if why else "",
        conversation=conversation,
        today=bool(marks) and marks <= fingerprints(text.split("\n")) if text else None,
    )


def _lines(hunks: str) -> frozenset[str]:
    return frozenset(line[1:].strip() for line in hunks.split("\n"))


def _shared(change: CodeChange, lines: frozenset[str]) -> int:
    """Return the number of `lines` that a change removed."""
    return sum(line[1:].strip() in lines for line in change.hunks.split("\n") if line.startswith("-"))


def _reason(why: Observation) -> str:
    """Return the reason in a memory: the text of a note, or the request of a captured change."""
    if why.kind is Kind.CHANGE:
        return "" if why.title.startswith(ACCOUNT) else printed_line(why.title)
    return printed_line(plain(why.content))
