"""The client of a process, for which calls are made."""

from pathlib import Path

from attrs import evolve, frozen

from lamella.domain.call import AGENT, Call
from lamella.entry_points import adapter
from lamella.ports.sessions import SessionIdentity


@frozen(kw_only=True)
class Caller:
    """Makes the `Call` of each call of one client.

    Attributes:
        context: Everything that its calls have in common.
        sessions: Asked for the session of each call: a client may begin a new one at any time.
    """

    context: Call
    sessions: SessionIdentity

    def call(self, *, project: str | None = None, request: str | None = None) -> Call:
        """Return the context of the call that begins now.

        Args:
            project: Project that the call names.
            request: The client's id of the call.
        """
        return evolve(self.context, project=project, request=request, session=self.sessions.current())


def caller(
    directory: Path,
    *,
    data_directory: Path,
    project: str | None = None,
    session: str | None = None,
    client_session: str | None = None,
    actor: str = AGENT,
    author: str | None = None,
) -> Caller:
    """Return the client that works in `directory`.

    To be called while the processes that started this one live: they tell which session this is.

    Args:
        directory: Working directory of the client.
        data_directory: Folder in which hooks record sessions.
        project: Project that the user has set, if any.
        session: Session that the user has set, if any.
        client_session: Session that the client named when it started this process, if any.
        actor: Kind of the one who saves.
        author: Name of the person or program that saves, if the user has set it.
    """
    sessions: SessionIdentity = adapter("sessions", "claude_code")(
        explicit=session, startup_id=client_session, data_directory=data_directory
    )
    zone = adapter("clock", "system")().zone()
    return Caller(
        context=Call(directory=directory, default_project=project, actor=actor, author=author, zone=zone),
        sessions=sessions,
    )
