"""Show the activity of hooks in each session: texts given to conversations, and skipped hooks."""

from collections.abc import Collection, Sequence
from datetime import datetime

from attrs import define

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.activity import SessionActivity
from lamella.domain.call import Call
from lamella.domain.memories.query import days_ago
from lamella.ports.storage.activity import Activity
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock


@define
class ShowActivity:
    """Show the activity of hooks in a project."""

    projects: ProjectResolver
    clock: Clock

    def __call__(self, call: Call, *, days: int, session: str | None = None) -> tuple[SessionActivity, ...]:
        """Return the activity of each session on today and the `days` days before, the latest session first.

        Args:
            call: Context of the call.
            days: Number of days before today.
            session: Count only this session; None for all.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage can't be read.
        """
        here = self.projects.find(call)
        if not here.keeps(Capability.ACTIVITY):
            return ()
        found = here.activity().sessions(days_ago(days, self.clock.now(), call.zone))
        asked = [each for each in found if session in (None, each.session)]
        keeps_names = here.keeps(Capability.CONVERSATIONS)
        talks = here.conversations().sessions() if asked and keeps_names else ()
        names: dict[str | None, str] = {each.id: each.name for each in talks if each.name != each.id}
        return tuple(each._replace(name=names.get(each.session)) for each in asked)

    def tokens(self, call: Call, begins: Sequence[datetime]) -> Sequence[int]:
        """Return the number of tokens given to the model from each of `begins` to the next.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage can't be read.
        """
        here = self.projects.find(call)
        return here.activity().tokens(begins) if here.keeps(Capability.ACTIVITY) else [0] * len(begins)

    def entries(
        self, call: Call, sessions: Collection[str | None], *, days: int, limit: int
    ) -> tuple[Activity, ...]:
        """Return the latest entries of each session on today and the `days` days before, latest first.

        Args:
            call: Context of the call.
            sessions: Ids of the sessions; None for all sessions without an id.
            days: Number of days before today.
            limit: Maximum number of entries of each session.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage can't be read.
        """
        if not sessions:
            return ()
        since = days_ago(days, self.clock.now(), call.zone)
        return self.projects.find(call).activity().of_sessions(sessions, since=since, limit=limit)
