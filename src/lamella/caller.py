"""The client of a process, for which calls are made."""

from attrs import evolve, frozen

from lamella.domain.call import Call
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
