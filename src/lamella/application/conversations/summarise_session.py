"""Summarise a session, or its part since the last summary."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import define

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.session_summary import SOURCE, session_summary
from lamella.domain.memories.observation import Draft, Kind, Observation
from lamella.domain.memories.timeline import TimelineQuery
from lamella.ports.storage.ledger import Capture, Recorded
from lamella.ports.system import IdSource
from lamella.ports.working_tree import WorkingTree

_MESSAGES = 4_000
"""Maximum number of messages to summarise. Older messages are ignored."""

_MEMORIES = 200
"""Maximum number of memories to read that were saved after the last summary, or after the session began."""

_JOINED_SINCE = 20
"""Maximum number of memories to read that were saved before the part to summarise.

An edit in this part may have been merged into one of these memories.
"""

_BEFORE_THE_FIRST = timedelta(hours=1)
"""Maximum time by which a session's memories may be older than its first message."""


@define
class SummariseSession:
    """Summarise a session as a memory. Each message is summarised once."""

    projects: ProjectResolver
    working_tree: WorkingTree
    ids: IdSource

    def __call__(self, call: Call, session: str, until: datetime) -> bool:
        """Summarise the messages of a session since its last summary. Return True if a summary was saved.

        Args:
            call: Context of the call.
            session: Full id of the session.
            until: Time of the last messages to include; later messages are left to the next summary.

        Raises:
            CapabilityUnsupportedError: The storage keeps no conversations, or no ledger.
            StorageError: The summary could not be stored.
        """
        here = self.projects.find(call)
        conversations, ledger = here.conversations(), here.ledger()
        numbers = conversations.numbers(session)
        known = ledger.known([_request(session, number) for number in numbers])
        summed = [number for number in numbers if _request(session, number) in known]
        new = [number for number in numbers if not summed or number > summed[-1]]
        messages = [each for each in conversations.messages(new[-_MESSAGES:]) if each.at <= until]
        if not messages:
            return False
        before = conversations.messages(summed[-1:])
        since = before[0].at if before else messages[0].at - _BEFORE_THE_FIRST
        summary = session_summary(messages, _made(here, session, since, until))
        if summary is None:
            return False
        checkout = self.working_tree.checkout(here.root, messages[-1].at)
        draft = Draft(
            content=summary.content,
            title=summary.title,
            source=SOURCE,
            kind=Kind.SUMMARY,
            author=self.projects.author(call),
            session=session,
            branch=checkout.branch,
            head=checkout.head,
            client=call.client,
            request=_request(session, messages[-1].number),
        )
        (recorded,) = ledger.record([Capture(id=self.ids.new(), draft=draft, at=messages[-1].at)])
        return recorded is Recorded.NEW


def _request(session: str, last: int) -> str:
    return f"summary/{session}/{last}"


def _made(here: ProjectContext, session: str, since: datetime, until: datetime) -> Sequence[Observation]:
    """Return the session's memories that were created or extended between two times."""
    around = here.search.around(TimelineQuery(since, before=_JOINED_SINCE, after=_MEMORIES, session=session))
    made = (hit.observation for hit in (*around.before, *around.after))
    return [each for each in made if each.updated_at > since and each.created_at <= until]
