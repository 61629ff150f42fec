"""Creation of `Call` objects for the requests of a client."""

from attrs import evolve, frozen

from lamella.domain.call import Call
from lamella.ports.sessions import SessionIdentity


@frozen(kw_only=True)
class Caller:
    """Factory of a `Call` for each request of one client.

    Attributes:
        context: Fields that all calls have in common.
        sessions: Source of the current session id. Each call looks it up, because a client may begin a new session
            at any time.
    """

    context: Call
    sessions: SessionIdentity

    def call(self, *, project: str | None = None, request: str | None = None) -> Call:
        """Return the context of a call that begins now, in the client's current session.

        Args:
            project: Id, alias or name of the project that the request names, if any.
            request: The client's id of the request, if any.
        """
        return evolve(self.context, project=project, request=request, session=self.sessions.current())
