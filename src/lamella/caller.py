"""The client of a process, as the origin of its calls."""

from attrs import evolve, frozen

from lamella.domain.call import Call
from lamella.ports.sessions import SessionIdentity


@frozen(kw_only=True)
class Caller:
    """Factory of a `Call` for each request of one client.

    Attributes:
        context: Fields that all calls have in common.
        sessions: Returns the session of each call: a client may begin a new session at any time.
    """

    context: Call
    sessions: SessionIdentity

    def call(self, *, project: str | None = None, request: str | None = None) -> Call:
        """Return the context of a call beginning now.

        Args:
            project: Project named by the call.
            request: The client's id of the call.
        """
        return evolve(self.context, project=project, request=request, session=self.sessions.current())
