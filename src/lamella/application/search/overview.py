"""Show the overview of a project."""

from collections.abc import Collection, Mapping
from datetime import datetime

from attrs import define, frozen

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.counting import Count, CountMemories
from lamella.application.search.request import SearchRequest
from lamella.application.search.search import SearchMemories
from lamella.domain.audit.activity import ActivityTotals
from lamella.domain.call import Call
from lamella.domain.conversations.message import Role, Session, is_request
from lamella.domain.memories.freshness import Freshness
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Filters, Hit, RecallQuery, Recent, days_ago
from lamella.domain.memories.titles import generated_title
from lamella.domain.replies.overview import (
    Area,
    Reasoned,
    SessionOverview,
    areas,
    by_session,
    first_request,
    reasoned,
    standing,
)
from lamella.domain.text.ages import short_date
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock

WEEK = 7
"""Number of days before today for which changes, and texts given to the model, are shown."""

DECISIONS, CHANGES, SESSIONS, LATEST = 100, 100, 6, 8
"""Maximum numbers of decisions, changes before they are grouped, sessions and latest memories."""

_OF_SESSION = 50
"""Number of a session's memories to search for its first request."""

_FIRST = 10
"""Number of messages at the beginning of a conversation to search for its first request."""

_DECIDED = Filters(kind=Kind.NOTE, source=DECISION)


@frozen(kw_only=True)
class Overview:
    """Overview of a project.

    Attributes:
        areas: Latest decisions in force, grouped by area.
        standing: States of the files of decisions, keyed by hexadecimal id of the decision; None for unchanged
            files. A decision without files or from another project has no entry.
        decisions: Number of decisions in force.
        latest: Latest notes except decisions; if there are no decisions, the latest memories.
        live: Number of live memories of the project.
        notes: Number of live notes, including global notes.
        changed: Number of changes made today or on the seven days before. Commits learned from history don't
            count.
        changes: Latest of these changes, grouped by reason or file.
        given: Numbers of texts that hooks gave to the model on these days.
        sessions: Latest sessions.
        conversations: Number of stored conversations.
    """

    areas: tuple[Area, ...]
    standing: Mapping[str, Freshness | None]
    decisions: Count
    latest: tuple[Hit, ...]
    live: int
    notes: int
    changed: Count
    changes: tuple[Reasoned, ...]
    given: ActivityTotals
    sessions: tuple[SessionOverview, ...]
    conversations: int


@define
class ShowOverview:
    """Show the overview of a project. Each query to the storage is bounded."""

    projects: ProjectResolver
    search: SearchMemories
    count_memories: CountMemories
    clock: Clock

    def __call__(self, call: Call) -> Overview:
        """Return the overview of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage can't be read.
        """
        here, week = self.projects.find(call), days_ago(WEEK, self.clock.now(), call.zone)
        kinds, everywhere = here.search.kinds().live, here.everywhere
        answer = self.search(call, SearchRequest(filters=_DECIDED, limit=DECISIONS))
        decisions = answer.hits
        others = Filters(kind=Kind.NOTE if decisions else None)
        latest = self.search(call, SearchRequest(filters=others, limit=LATEST)).hits
        of_week = Filters(kind=Kind.CHANGE, since=week)
        changes = here.search.find(RecallQuery(filters=of_week, limit=CHANGES))
        talks = here.conversations().sessions() if here.keeps(Capability.CONVERSATIONS) else ()
        living = self.projects.lives_here(call, here.project)
        return Overview(
            areas=areas(decisions),
            standing={
                hit.observation.id.hex: standing(hit.observation, answer.files.get(hit.observation.id, {}))
                for hit in decisions
                if living and hit.observation.changes
            },
            decisions=self.count_memories(call, Recent(), [SearchRequest(filters=_DECIDED)])[0],
            latest=tuple(hit for hit in latest if hit.observation.source != DECISION),
            live=sum(kinds.values()),
            notes=sum(
                each.get(Kind.NOTE, 0) for each in (kinds, everywhere.search.kinds().live if everywhere else {})
            ),
            changed=self.count_memories(call, Recent(), [SearchRequest(filters=of_week)])[0],
            changes=reasoned(changes, decisions),
            given=here.activity().totals(week) if here.keeps(Capability.ACTIVITY) else ActivityTotals(0, 0, 0),
            sessions=_sessions(here, talks, (*decisions, *changes)),
            conversations=len(talks),
        )

    def mark(self, call: Call, since: datetime) -> tuple[object, ...]:
        """Return a value that changes whenever the overview of a project changes.

        Args:
            call: Context of the call.
            since: Earliest time of relevant activity and messages.
        """
        here = self.projects.find(call)
        counts = here.search.kinds()
        latest = here.search.find(RecallQuery(limit=1, include_purged=True))
        return (
            here.id,
            dict(counts.live),
            dict(counts.purged),
            [(hit.observation.id, hit.observation.updated_at) for hit in latest],
            here.activity().totals(since) if here.keeps(Capability.ACTIVITY) else None,
            here.conversations().counts(since=[since]) if here.keeps(Capability.CONVERSATIONS) else 0,
        )

    def named(self, call: Call, session: str, name: str, at: datetime) -> str:
        """Return the name of a session, to show to a person.

        The name of an unnamed session is its id. Instead, show its first request, or else the time `at`.
        """
        if name and name != session:
            return name
        local = at.astimezone(call.zone)
        day = short_date(local, self.clock.now().astimezone(call.zone))
        return _request(self.projects.find(call), session) or f"Session of {day}, {local:%H:%M}"


def _sessions(
    here: ProjectContext, talks: Collection[Session], memories: Collection[Hit]
) -> tuple[SessionOverview, ...]:
    """Return the latest sessions that have conversations or memories."""
    said = {each.id: each for each in talks}
    found = by_session(sorted(memories, key=lambda hit: hit.observation.occurred_at, reverse=True))
    ends = {session: hits[0].observation.occurred_at for session, hits in found.items()}
    ends |= {each.id: max(each.ended_at, ends.get(each.id, each.ended_at)) for each in talks}
    latest = sorted(ends, key=lambda session: (ends[session], session), reverse=True)[:SESSIONS]
    names = {id: said[id].name for id in latest if id in said and said[id].name != id}
    return tuple(
        SessionOverview(
            id=session,
            name=names.get(session) or _request(here, session),
            asked=_asked(here, session) if session in said else "",
            at=ends[session],
            decisions=tuple(hit for hit in found.get(session, ()) if hit.observation.kind is Kind.NOTE),
            talked=session in said,
        )
        for session in latest
    )


def _asked(here: ProjectContext, session: str) -> str:
    """Return the first sentence of the first request in a conversation.

    Only the first messages are searched.
    """
    talk = here.conversations()
    first = talk.messages(talk.numbers(session)[:_FIRST])
    said = (each.text for each in first if each.role is Role.HUMAN and is_request(each.text))
    return generated_title(next(said, ""))


def _request(here: ProjectContext, session: str) -> str:
    query = RecallQuery(filters=Filters(session=session), limit=_OF_SESSION)
    return first_request(hit.observation for hit in here.search.find(query))
