"""Show what hooks gave to conversations, and what they passed over, by session."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock


@frozen(kw_only=True)
class SessionActivity:
    """Activity of hooks in one session.

    Attributes:
        session: Id of the session; None stands for all sessions without an id.
        name: Its name, if it is a known conversation.
        entries: Its entries, latest first.
    """

    session: str | None
    name: str | None
    entries: tuple[Activity, ...]

    @property
    def tokens(self) -> int:
        """Size of all that was given to the session."""
        return sum(each.tokens for each in self.entries)

    @property
    def given(self) -> tuple[Activity, ...]:
        """Entries of what was given to the session, latest first."""
        return tuple(each for each in self.entries if each.kind is ActivityKind.INJECTED)


@define
class ShowActivity:
    """Show the activity of hooks in a project."""

    projects: ProjectResolver
    clock: Clock

    def __call__(self, call: Call, *, days: int, session: str | None = None) -> tuple[SessionActivity, ...]:
        """Return the activity of the last `days` days by session, the latest session first.

        Args:
            call: The context.
            days: Number of days.
            session: The only session; None for all.

        Raises:
            UnknownProjectError: There is no such project.
            StorageError: The storage can't be read.
        """
        here = self.projects.find(call)
        if not here.keeps(Capability.ACTIVITY):
            return ()
        entries = here.activity().since(self.clock.now() - timedelta(days=days))
        by_hooks = (each for each in entries if each.kind is not ActivityKind.RECALLED)
        asked = [each for each in by_hooks if session in (None, each.session)]
        keeps_names = here.keeps(Capability.CONVERSATIONS)
        sessions = here.conversations().sessions() if asked and keeps_names else ()
        return by_session(asked, {each.id: each.name for each in sessions if each.name != each.id})


def by_session(entries: Sequence[Activity], names: Mapping[str | None, str]) -> tuple[SessionActivity, ...]:
    """Return the activity of each session, the latest one first.

    Args:
        entries: Entries of the log, in order of time.
        names: Names of sessions by their ids.
    """
    found: dict[str | None, list[Activity]] = {}
    for each in reversed(entries):
        found.setdefault(each.session, []).append(each)
    return tuple(
        SessionActivity(session=session, name=names.get(session), entries=tuple(entries))
        for session, entries in found.items()
    )
