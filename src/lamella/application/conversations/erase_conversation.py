"""Delete a conversation permanently."""

from attrs import define

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.session_summary import SOURCE
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.ports.spool import Spool

_MEMORIES = 100_000
"""A limit larger than the number of memories in any session."""


@define
class EraseConversation:
    """Erase all messages of a session, and everything derived from them. Agents can't call this use case."""

    projects: ProjectResolver
    spool: Spool

    def __call__(self, call: Call, session: str) -> int:
        """Erase a session. Return the number of its messages.

        Afterwards, nothing of the session can be read. With `Capability.ERASE_BYTES`, no byte of it remains in any
        file of the storage. The session's summaries, and its captures in the spool, are erased too.

        Args:
            call: Context of the call.
            session: Full id of the session.

        Raises:
            UnfinishedEraseError: The messages are deleted, but their bytes may remain on disk.
            CapabilityUnsupportedError: The storage keeps no conversations, or can't erase.
            UnknownProjectError: The project doesn't exist.
        """
        here = self.projects.find(call)
        # Erase the captures first. Otherwise, another process could turn them into memories.
        self.spool.erase(session)
        query = RecallQuery(filters=Filters(session=session), limit=_MEMORIES, include_purged=True)
        found = [hit.observation for hit in here.search.find(query)]
        summaries = [each.id for each in found if each.kind is Kind.SUMMARY and each.source == SOURCE]
        try:
            if summaries:
                here.observations.erase(summaries, by=self.projects.signature(call))
        finally:
            erased = here.conversations().erase(session)
        return erased
